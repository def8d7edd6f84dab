#!/bin/sh
# A script for Polybar, with its tags for colours, fonts and clicks.
degrees=${DEGREES:-71}
color=#A3BE8C
[ "$degrees" -lt 70 ] || color=#BF616A
echo "%{A1:xterm -e sensors:}%{T2}%{F$color}T%{F-}%{T-} %{F$color}$degrees°C%{F-}%{A}"
