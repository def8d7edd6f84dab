#!/bin/sh
# <xbar.title>uptime.1m.sh</xbar.title>
echo x
