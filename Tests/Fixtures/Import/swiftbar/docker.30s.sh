#!/bin/sh
# <swiftbar.title>docker.30s.sh</swiftbar.title>
echo x
