#!/usr/bin/env python3
"""A block that prints objects of the i3bar protocol."""
import json
import sys

print(json.dumps({"version": 1}))
block = {
    "full_text": "<span foreground='#ff0000'>♪ 74%</span> &amp; muted", "short_text": "74%", "color": "#ff5555",
    "background": "#222222", "border": "#444444", "border_top": 1, "border_right": 0, "border_bottom": 1,
    "border_left": 0, "min_width": "♪ 100%", "align": "center", "name": "volume", "instance": "Master",
    "markup": "pango", "urgent": True, "separator": False, "separator_block_width": 9,
}
print(json.dumps(block))
sys.exit(33)
