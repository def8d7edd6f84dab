#!/usr/bin/env python3
"""A check of a mail queue: warning from 100 messages on, critical from 500 on."""
import sys

QUEUES = {"active": 130, "deferred": 12, "on hold": None}
worst = max(count for count in QUEUES.values() if count is not None)
status = 2 if worst >= 500 else 1 if worst >= 100 else 0
data = ["'%s'=%s;100;500;0;1000" % (name, "U" if count is None else count) for name, count in QUEUES.items()]
print("QUEUE %s - %d messages | %s" % (["OK", "WARNING", "CRITICAL"][status], worst, data[0]))
print("The oldest one is from <b>Monday</b>")
print("Two hosts are slow | " + " ".join(data[1:]))
print("age=1,5e3s;@10:20;~:3600 rate=0.25%;;;0;100 size=12KB")
sys.exit(status)
