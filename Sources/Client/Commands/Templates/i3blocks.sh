#!/bin/sh
# The load of this machine, as a script for i3blocks: the text, the short text and the colour.
set -eu

read -r one _ </proc/loadavg
echo "Load $one"
echo "$one"
echo "#ff8000"
