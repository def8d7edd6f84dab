#!/bin/sh
# <swiftbar.title>cal.5m.py</swiftbar.title>
echo x
