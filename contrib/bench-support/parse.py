#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The work of todayd's formats as a script would do it, for scale.

parse.py make FORMAT LINES       prints an output of that many lines
parse.py cost FORMAT FILE        the least processor time of reading one and writing its content as JSON, in microseconds
parse.py time RUNS COMMAND...    the same of that many runs of a command, with those that it starts
"""
import html
import json
import re
import resource
import shlex
import subprocess
import sys
import time

MENU = "--Line %d | href=https://example.org/%d color=red tooltip='a b'"
MAKE = {
    "text": ("", "a line of text, the one with the number %d", ""),
    "json": ('{"text":"a","compact":[', '{"type":"text","text":"line %d"},', '"b"]}'),
    "menu": ("bar\n---\nmenu\n", MENU, ""),
    "i3blocks": ("", '{"full_text": "%d %%", "short_text": "a", "color": "#ff0000"}', ""),
    "waybar": ('{"text": "a", "tooltip": "', "line <b>%d</b>\\n", '"}'),
    "nagios": ("OK - a\n", "more on line %d <b>b</b>", "|" + " ".join("'a %d'=%d;10;20" % (n, n) for n in range(60))),
    "genmon": ("<txt>", "line <b>%d</b> &lt;c&gt;", "</txt><bar>62</bar>"),
    "keyvalue": ("text=a\n", "line=this is line %d", "metric.load=0,5"),
}
MENUS = ("xbar", "bitbar", "swiftbar", "argos")


def make(name, count):
    start, line, end = MAKE["menu" if name in MENUS else name]
    body = (line % ((n,) * line.replace("%%", "").count("%d")) for n in range(count))
    # One line of JSON in the protocol of Waybar.
    return start + ("" if name == "waybar" else "\n").join(body) + "\n" * (name != "waybar") + end


def plain(text):
    return html.unescape(re.sub(r"</?[a-z][^<>]*>", "", text)).strip()


def menu(text):
    tree = [(-1, {"children": []})]
    for line in text.splitlines():
        title, _, parameters = line.partition("|")
        level = (len(title) - len(title.lstrip("-"))) // 2
        item = {"title": title.lstrip("-").strip(), "children": []}
        item.update(word.split("=", 1) for word in shlex.split(parameters) if "=" in word)
        while tree[-1][0] >= level:
            tree.pop()
        tree[-1][1]["children"].append(item)
        tree.append((level, item))
    return tree[0][1]


def nagios(text):
    text, _, data = text.partition("|")
    found = re.findall(r"('[^']*'|\S+?)=([-0-9.,eU]+)([^;\s]*)([;0-9.:@~]*)", data)
    return {"lines": [plain(line) for line in text.splitlines()], "values": found}


def genmon(text):
    tags = dict(re.findall(r"<(txt|bar|tool|icon|click)>(.*?)</\1>", text, re.S))
    return {name: plain(value) for name, value in tags.items()}


def waybar(text):
    return {key: plain(value) for key, value in json.loads(text).items()}


READ = {
    "text": lambda text: [line.rstrip() for line in text.splitlines()],
    "json": json.loads,
    "i3blocks": lambda text: [json.loads(line) for line in text.splitlines()][-1],
    "waybar": waybar, "nagios": nagios, "genmon": genmon,
    "keyvalue": lambda text: [line.partition("=") for line in text.splitlines()],
}


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def least(clock, runs, work):
    times = []
    for _ in range(runs):
        before = clock()
        work()
        times.append(clock() - before)
    return "%.0f" % (1e6 * min(times))


if len(sys.argv) < 4:
    sys.exit(__doc__)
if sys.argv[1] == "make":
    sys.stdout.write(make(sys.argv[2], int(sys.argv[3])))
elif sys.argv[1] == "time":
    print(least(used, int(sys.argv[2]), lambda: subprocess.run(sys.argv[3:], stdout=subprocess.DEVNULL, check=True)))
else:
    with open(sys.argv[3], encoding="utf-8") as file:
        output = file.read()
    print(least(time.process_time, 20, lambda: json.dumps(READ.get(sys.argv[2], menu)(output))))
