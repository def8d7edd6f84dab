#!/bin/sh
# <xbar.title>Battery</xbar.title>
# <xbar.version>v1.3</xbar.version>
# <xbar.author>Ann Example</xbar.author>
# <xbar.author.github>ann-example</xbar.author.github>
# <xbar.desc>Shows how full the battery is, and how long it lasts.</xbar.desc>
# <xbar.image>https://example.org/battery.png</xbar.image>
# <xbar.dependencies>awk,sed</xbar.dependencies>
# <xbar.abouturl>https://example.org/battery</xbar.abouturl>

# As upower -i prints it.
report() {
    cat <<'END'
  native-path:          BAT0
    state:               discharging
    energy-rate:         7.4 W
    time to empty:       2.6 hours
    percentage:          17%
    capacity:            91.2%
END
}

field() { report | sed -n "s/^ *$1: *//p" | sed -n 1p; }

percent=$(field percentage)
number=${percent%\%}
color=
[ "$number" -lt 20 ] && color=red
icon=:battery:
[ "$(field state)" = discharging ] || icon=:zap:

echo "$icon $percent | color=$color"
echo "---"
echo "State: $(field state) | disabled=true"
echo "Rate: $(field energy-rate) | font=Menlo size=12"
echo "Lasts $(field 'time to empty') | trim=false"
echo "Health"
report | awk -F': *' '/capacity/ { print "--" $2 " of the design | color=" ($2 + 0 < 80 ? "orange" : "green") }'
echo "---"
echo "Power settings | shell=/usr/bin/xfce4-power-manager-settings terminal=false key=CmdOrCtrl+p"
echo "Refresh | refresh=true"
