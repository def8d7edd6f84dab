#!/usr/bin/env python3
"""A counter, which a button increases. The widget runs in a directory of its own, where it keeps the count."""

import json
import os
import pathlib

file = pathlib.Path("count")
count = int(file.read_text()) if file.exists() else 0
if os.environ.get("TODAY_ACTION") == "more":
    count += 1
    file.write_text(str(count))

summary = f"Counted to {count}"
button = {"type": "button", "title": "One more", "action": "more"}
content = {  # todayd.content(5) has all fields and views
    "text": summary,
    "icon": "🔢",
    "compact": [summary, button],
    "expanded": [
        {"type": "text", "text": summary, "style": "headline"},
        "The button runs this program with TODAY_ACTION=more.",
        button,
    ],
}
print(json.dumps(content))
