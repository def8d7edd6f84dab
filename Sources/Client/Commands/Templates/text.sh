#!/bin/sh
# The load of this machine. The first line is the summary; all lines together are the view.
set -eu

read -r one five fifteen rest </proc/loadavg
echo "Load $one"
echo " 1 min  $one"
echo " 5 min  $five"
echo "15 min  $fifteen"
