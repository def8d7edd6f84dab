# SPDX-License-Identifier: MIT
"""Talks to todayd through PyPI's varlink, an implementation that is not ours: introspects every interface, calls every
method, follows what streams, and meets the errors. Every reply is checked against the interface by that package.

Usage: varlink_client.py SOCKET

The daemon has org.test.a (a script; group.org.test; a button in its content; may be expanded;
settings) and org.test.pushed."""
import sys

import varlink
from varlink.scanner import Interface, _Error, _Method

TODAY = "org.todayd.Today"
called = set()


class Recorder:
    """Calls methods by name, and records them."""

    def __init__(self, connection):
        self.connection = connection

    def __getattr__(self, name):
        called.add(name)
        return getattr(self.connection, name)


def check(condition, what):
    if not condition:
        sys.exit(f"not as it should be: {what}")


def error(expected, call):
    """The parameters of the error with which a call must end."""
    try:
        call()
    except varlink.VarlinkError as found:
        check(found.error() == expected, f"{found.error()} instead of {expected}")
        return found.parameters() or {}
    sys.exit(f"no {expected}")


def introspect(client):
    names = client.get_interfaces()
    check(names[0] == "org.varlink.service", names)
    check(TODAY in names, names)
    check(client.info["vendor"] == "todayd", client.info)
    for name in names:
        interface = client.get_interface(name)
        check(interface.name == name, interface.name)
        check(interface.members, name)
    errors = {n for n, m in client.get_interface("org.varlink.service").members.items() if isinstance(m, _Error)}
    check("ExpectedMore" in errors and "PermissionDenied" in errors, errors)
    error("org.varlink.service.InterfaceNotFound", lambda: client.get_interface("org.example.Nothing"))


def read(today):
    ids = [widget["id"] for widget in today.List()["widgets"]]
    check(ids == ["org.test.a", "org.test.pushed"], ids)
    check(today.List(point="status_bar")["widgets"] == [], "nothing is for status bars")
    check(today.Show(point="lock_screen")["items"] == [], "nothing is allowed on the lock screen")
    shown = today.Show(id="org.test.a")["items"]
    check(len(shown) == 1 and shown[0]["content"]["text"] == "a", shown)
    both = today.Show(ids=["org.test.pushed", "org.test.a"])["items"]
    check([item["id"] for item in both] == ["org.test.pushed", "org.test.a"], both)
    status = today.Status(id="org.test.a")
    check(status["daemon"]["storageIsFine"], status)
    check(status["widgets"][0]["history"][0]["result"] == "newData", status)
    check(today.HasContent(id="org.test.a")["hasContent"] is True, "has-content")


def change(today):
    today.SetHasContent(id="org.test.a", hasContent=False)
    check(today.HasContent(id="org.test.a")["hasContent"] is False, "has-content")
    today.SetHasContent(id="org.test.a", hasContent=True)
    today.Disable(id="org.test.a")
    check(today.Show(id="org.test.a")["items"][0]["state"] == "disabled", "disabled")
    today.Enable(id="org.test.a")
    check(today.Move(id="org.test.pushed", to="first")["position"] == 0, "first")
    check(today.Move(id="org.test.pushed", to="after", other="org.test.a")["position"] == 1, "after")
    today.SetDisplayMode(id="org.test.a", mode="expanded")
    check(today.Show(id="org.test.a")["items"][0]["mode"] == "expanded", "expanded")
    today.Enable(id="org.test.a", point="lock_screen")
    check(today.Show(point="lock_screen")["items"][0]["places"] == ["today", "lock_screen"], "on the lock screen")
    today.Push(id="org.test.pushed", content={"text": "here", "percentage": 50, "severity": "warning"}, ttl=3600000000)
    check(today.Show(id="org.test.pushed")["items"][0]["content"]["percentage"] == 50, "pushed")
    series = {one["name"]: one for one in today.History(id="org.test.pushed", last=5)["series"]}
    check([sample["value"] for sample in series["percentage"]["samples"]] == [50], series)
    check(series["percentage"]["count"] == 1, series)
    check(today.History(id="org.test.pushed", name="percentage")["series"] == [series["percentage"]], "one number")
    check(today.History(id="org.test.pushed", name="none")["series"] == [], "no such number")
    for value in (1, 1.5, "text", [1, None, {"a": "b"}], True):
        today.SetDefaults(group="group.org.test", key="k", value={"value": value})
        check(today.GetDefaults(group="group.org.test")["values"] == {"k": {"value": value}}, value)
    today.SetDefaults(group="group.org.test", key="k")
    check(today.GetDefaults(group="group.org.test")["values"] == {}, "no values")
    today.SetSettings(id="org.test.a", values={"CITY": "Bern", "TOKEN": "hunter2"}, unset=["COUNT"])
    settings = {setting["name"]: setting for setting in today.Settings(id="org.test.a")["settings"]}
    check(settings["CITY"]["value"] == "Bern" and settings["CITY"]["default"] == "Berlin", settings)
    check(settings["COUNT"]["max"] == 5 and settings["COUNT"]["isSet"] is False, settings)
    check(settings["TOKEN"]["isSet"] is True and settings["TOKEN"].get("value") is None, settings)
    check(today.Reload()["widgets"] == 2, "two widgets")

    offer = today.Offers()["offers"][0]
    check(offer["id"] == "org.test.town" and offer["template"] and offer["settings"][0]["name"] == "CITY", offer)
    added = today.Add(id="org.test.town", values={"city": "New York"})["id"]
    check(added == "org.test.town@New-York" and today.Offers()["offers"][0]["added"] == [added], added)
    today.Remove(id=added)
    check(today.Reload()["widgets"] == 2, "two widgets again")
    missing = error(f"{TODAY}.Refused", lambda: today.Add(id="org.test.town"))
    check("CITY" in missing["reason"], missing)


def run(today):
    check(today.Update(id="org.test.a")["answers"][0]["answer"] == "noData", "no data")
    check(len(today.Update()["answers"]) == 1, "one widget has a program")
    answer = today.PerformAction(id="org.test.a", action="press")["answer"]
    check(answer["answer"] in ("newData", "noData"), answer)
    today.OpenURL(id="org.test.a", url="example://x")
    error(f"{TODAY}.Refused", lambda: today.Picture(id="org.test.a", image="none"))
    error(f"{TODAY}.Refused", lambda: today.PrepareCommand(id="org.test.a", command=["none"]))
    answers = [reply["answers"][0]["answer"] for reply in today.Update(id="org.test.a", _more=True)]
    check(answers[-1] == "noData", answers)


def follow(client, today):
    def stream(method, **parameters):
        called.add(method)
        connection = client.open(TODAY)
        return connection, getattr(connection, method)(_more=True, **parameters)

    show, items = stream("Show")
    check({item["id"] for item in next(items)["items"]} == {"org.test.a", "org.test.pushed"}, "first all")
    # A generator calls at its first iteration. After the first reply the client misses no event.
    monitor, events = stream("Monitor")
    check(next(events)["events"] == [], "nothing yet")
    defaults, values = stream("GetDefaults", group="group.org.test")
    check(next(values)["values"] == {}, "no values yet")
    fleet, offers = stream("Fleet")
    offer = next(offers)
    check(offer["widgets"] == [] and offer["wanted"] == [] and offer["defaults"] == {}, offer)

    today.Push(id="org.test.pushed", content={"text": "newest"})
    for reply in items:
        if [item["content"]["text"] for item in reply["items"] if item["id"] == "org.test.pushed"] == ["newest"]:
            break
    today.SetHasContent(id="org.test.pushed", hasContent=False)
    for reply in items:
        if reply["removed"] == ["org.test.pushed"]:
            break
    today.SetDefaults(group="group.org.test", key="k", value={"value": 2})
    check(next(values)["values"] == {"k": {"value": 2}}, "the new value")
    for reply in events:
        check(reply["lost"] == 0, reply)
        if "defaults" in {event["kind"] for event in reply["events"]}:
            break
    for connection in (show, monitor, defaults, fleet):
        connection.close()


def fail(client, today):
    missing = error(f"{TODAY}.NoSuchWidget", lambda: today.Show(id="org.test.b"))
    check(missing["id"] == "org.test.b" and missing["nearest"] == "org.test.a", missing)
    suffix = error(f"{TODAY}.NoSuchWidget", lambda: today.Enable(id="pushed"))
    check(suffix["candidates"] == ["org.test.pushed"], suffix)
    check(error(f"{TODAY}.NoSuchGroup", lambda: today.GetDefaults(group="x"))["group"] == "x", "group")
    wrong = {"text": "x", "compact": {"type": "progress", "value": 2.0}}
    invalid = error(f"{TODAY}.InvalidContent", lambda: today.Push(id="org.test.a", content=wrong))
    check(invalid["field"] == "compact.value", invalid)
    error(f"{TODAY}.Refused", lambda: today.SetDisplayMode(id="org.test.pushed", mode="expanded"))
    error("org.varlink.service.ExpectedMore", today.Monitor)
    error("org.varlink.service.ExpectedMore", today.Fleet)
    alone = error(f"{TODAY}.Refused", lambda: today.RunForFleet(id="org.test.a"))
    check("not a widget of a fleet" in alone["reason"], alone)
    error(f"{TODAY}.Refused", lambda: today.AcceptFromFleet(id="org.test.a", member="m", revision=1))
    bounds = error(f"{TODAY}.Refused", lambda: today.SetSettings(id="org.test.a", values={"COUNT": "9"}))
    check(bounds["reason"] == 'COUNT: "9" is more than 5', bounds)
    action = error(f"{TODAY}.Refused", lambda: today.PerformAction(id="org.test.a", action="none"))
    check("none" in action["reason"], action)
    edited = error(f"{TODAY}.Refused", lambda: today.SetEditing(id="org.test.a", editing=True))
    check("AllowsEditing" in edited["reason"], edited)
    closed = error(f"{TODAY}.Refused", lambda: today.OpenURL(id="org.test.a", url="other://x"))
    check("does not declare the scheme other" in closed["reason"], closed)
    # A future interface, with a daemon that does not have it.
    future = Interface(f"interface {TODAY}\nmethod Explode() -> ()\nmethod List(colour: string) -> ()")
    connection = client.handler(future, client.open_connection())
    error("org.varlink.service.MethodNotFound", connection.Explode)
    error("org.varlink.service.InvalidParameter", lambda: connection.List("red"))
    connection.close()


def main():
    with varlink.Client.new_with_address(f"unix:{sys.argv[1]}") as client:
        introspect(client)
        today = Recorder(client.open(TODAY))
        read(today)
        change(today)
        run(today)
        follow(client, today)
        fail(client, today)
        methods = {n for n, m in client.get_interface(TODAY).members.items() if isinstance(m, _Method)}
        check(called == methods, f"not called: {methods - called}")
    print("ok")


main()
