#!/bin/bash
# Keys and values, one a line.
cat <<'END'
# the summary
text=Backup 3 h ago
short="3 h"
severity=warning
icon=💾
color=#ff8000
percentage=62 %
relevance=0.7
nextUpdate=10min
clicks=yes
empty=no
tooltip=Last: Tuesday, 04:00
tooltip=Next: Wednesday, 04:00
page=Backup: 120 GB
page=Free: 380 GB
detail=120 of 500 GB
line=Three directories are new
progress.Disk=24,5
progress=75%
metric.files=120400
metric.bytes=1.2e11
chart.Bytes=bytes
chart=percentage
button.start=Back up now
link.Log=https://example.org/log
END
