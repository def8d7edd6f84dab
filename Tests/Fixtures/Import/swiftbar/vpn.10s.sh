#!/bin/sh
# <swiftbar.title>vpn.10s.sh</swiftbar.title>
echo x
