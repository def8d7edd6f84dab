#!/bin/sh
# A counter, which a button increases. The widget runs in a directory of its own, where it keeps the count.
set -eu

count=$(cat count 2>/dev/null || echo 0)
if [ "${TODAY_ACTION:-}" = more ]; then
    count=$((count + 1))
    echo "$count" >count
fi

# todayd.content(5) has all fields and views.
cat <<JSON
{
  "text": "Counted to $count",
  "icon": "🔢",
  "compact": ["Counted to $count", {"type": "button", "title": "One more", "action": "more"}],
  "expanded": [
    {"type": "text", "text": "Counted to $count", "style": "headline"},
    "The button runs this program with TODAY_ACTION=more.",
    {"type": "button", "title": "One more", "action": "more"}
  ]
}
JSON
