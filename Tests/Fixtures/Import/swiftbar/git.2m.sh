#!/bin/sh
# <swiftbar.title>git.2m.sh</swiftbar.title>
echo x
