#!/bin/sh
# The load of this machine, as a script for Polybar.
set -eu

read -r one _ </proc/loadavg
echo "%{F#7fd17f}Load $one%{F-}"
