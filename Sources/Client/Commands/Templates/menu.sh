#!/bin/sh
# The load of this machine, as a plugin of xbar and its like: the lines before --- are for the bar, the others the menu.
set -eu

read -r one five fifteen rest </proc/loadavg
echo "Load $one | color=orange"
echo "---"
echo "5 min: $five"
echo "15 min: $fifteen"
echo "Update now | refresh=true"
