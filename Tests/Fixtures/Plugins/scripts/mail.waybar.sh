#!/bin/sh
# A custom block of i3status-rust with json = true.
unread=3
state=Idle
[ "$unread" -gt 0 ] && state=Warning
printf '{"icon": "✉", "state": "%s", "text": "%s unread", "short_text": "%s"}\n' "$state" "$unread" "$unread"
