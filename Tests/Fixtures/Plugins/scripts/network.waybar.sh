#!/bin/bash
# A custom module: "custom/network": {"exec": "network.sh", "return-type": "json"}
device=wlp3s0 signal=41 down=1250 up=88
class=connected
((signal < 50)) && class='["network", "low"]' || class="\"$class\""
tooltip="<b>$device</b>\\n$down kB/s down\\n$up kB/s up"
printf '{"text": "<span color=\\"#89b4fa\\">%s</span> %d%%", "alt": "📶", "tooltip": "%s", "class": %s, "percentage": %d}\n' \
    "$device" "$signal" "$tooltip" "$class" "$signal"
