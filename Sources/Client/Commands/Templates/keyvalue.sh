#!/bin/sh
# The load of this machine: one field of content in each line.
set -eu

read -r one five _ </proc/loadavg
echo "text=Load $one"
echo "tooltip=5 min $five"
echo "metric.load1=$one"
