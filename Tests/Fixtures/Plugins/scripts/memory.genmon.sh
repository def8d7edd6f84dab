#!/bin/sh
# For the generic monitor of Xfce's panel.
total=16000
used=9920
percent=$((used * 100 / total))
echo "<icon>utilities-system-monitor</icon><iconclick>xfce4-taskmanager</iconclick>"
echo "<img>/usr/share/pixmaps/memory.png</img>"
echo "<txt><span weight='bold' fgcolor='#ffaa00'>$percent %</span>"
echo "of $total MB</txt><txtclick>xfce4-terminal -e 'sh -c \"free -m; read x\"'</txtclick>"
echo "<click>xfce4-taskmanager</click>"
echo "<bar>$percent</bar>"
echo "<tool>used: $used MB"
echo "free: $((total - used)) MB &lt;approximately&gt;</tool>"
echo "<css>.genmon_value { color: red; }</css>"
