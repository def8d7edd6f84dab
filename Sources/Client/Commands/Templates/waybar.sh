#!/bin/sh
# The load of this machine, as a custom module of Waybar: one JSON object in one line.
set -eu

read -r one five _ </proc/loadavg
printf '{"text": "Load %s", "tooltip": "5 min %s", "class": "good"}\n' "$one" "$five"
