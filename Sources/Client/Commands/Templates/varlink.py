#!/usr/bin/env python3
"""A counter that stays between calls. todayd sends calls on descriptor 3, and a NUL byte ends each message."""

import json
import pathlib
import socket

file = pathlib.Path("count")  # in the widget's own directory, where it is started
count = int(file.read_text()) if file.exists() else 0


def content():
    button = {"type": "button", "title": "One more", "action": "more"}
    summary = f"Counted to {count}"
    return {"text": summary, "icon": "🔢", "compact": [summary, button]}


def press(action):
    global count
    if action == "more":
        count += 1
        file.write_text(str(count))


def reply(method, parameters):
    match method.removeprefix("org.todayd.Widget."):
        case "PerformAction":
            press(parameters["action"])
        case "PerformUpdate" | "DisplayModeDidChange":
            pass
        case _:
            return {"error": "org.varlink.service.MethodNotFound", "parameters": {"method": method}}
    return {"parameters": {"update": {"result": "newData", "content": content()}}}


todayd = socket.socket(fileno=3)
received = b""
while data := todayd.recv(65536):  # nothing when todayd needs this process no more
    received += data
    while b"\0" in received:
        message, _, received = received.partition(b"\0")
        call = json.loads(message)
        answer = reply(call["method"], call["parameters"])
        if not call.get("oneway"):  # todayd tells who looks, and wants no answer to that
            todayd.sendall(json.dumps(answer).encode() + b"\0")
