#!/usr/bin/env python3
# -*- coding: utf-8 -*-
# <xbar.title>Weather</xbar.title>
# <xbar.version>v0.9.1</xbar.version>
# <xbar.author>Chiara Example</xbar.author>
# <xbar.desc>Temperature and the next days.</xbar.desc>
# <xbar.dependencies>python3</xbar.dependencies>
# <xbar.var>string(VAR_CITY="Oslo"): The city to show.</xbar.var>
# <xbar.var>number(VAR_DAYS=2): How many days.</xbar.var>
# <xbar.var>boolean(VAR_WIND=false): Whether to show the wind.</xbar.var>
# <xbar.var>select(VAR_UNIT="C"): The unit. [C, F]</xbar.var>
"""A forecast as an answer of a web service would have it."""
import json
import os

ANSWER = json.loads("""
{"Bergen": [
    {"day": "today", "sky": "rain", "high": 11, "low": 7, "wind": 9},
    {"day": "Tuesday", "sky": "cloud", "high": 13, "low": 6, "wind": 4},
    {"day": "Wednesday", "sky": "sun", "high": 17, "low": 8, "wind": 2},
    {"day": "Thursday", "sky": "sun", "high": 19, "low": 9, "wind": 1}]}
""")
SKIES = {"rain": ":umbrella:", "cloud": ":cloud:", "sun": ":sunny:"}


def degrees(celsius):
    if os.environ.get("VAR_UNIT") == "F":
        return "%d°F" % round(celsius * 9 / 5 + 32)
    return "%d°C" % celsius


city = os.environ.get("VAR_CITY", "?")
days = ANSWER.get(city)
if days is None:
    print("Weather ? | color=gray")
    print("---")
    print("There is no city %s" % city)
    raise SystemExit
print("%s %s" % (SKIES[days[0]["sky"]], degrees(days[0]["high"])))
print("---")
print("%s | href=https://example.org/weather?city=%s&unit=%s" % (city, city, os.environ["VAR_UNIT"]))
for day in days[: int(os.environ["VAR_DAYS"])]:
    print("%s: %s %s to %s" % (day["day"], SKIES[day["sky"]], degrees(day["low"]), degrees(day["high"])))
    if os.environ["VAR_WIND"] == "true":
        print("--wind %d m/s | color=#888" % day["wind"])
    print("%s: %d..%d | alternate=true" % (day["day"], day["low"], day["high"]))
