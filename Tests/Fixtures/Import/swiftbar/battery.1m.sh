#!/bin/sh
# <swiftbar.title>battery.1m.sh</swiftbar.title>
echo x
