#!/bin/sh
# The load of this machine, as a script for xfce4-genmon.
set -eu

read -r one five _ </proc/loadavg
echo "<txt>Load $one</txt>"
echo "<tool>5 min: $five</tool>"
