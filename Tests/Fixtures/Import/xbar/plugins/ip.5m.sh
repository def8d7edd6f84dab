#!/bin/sh
# <xbar.title>ip.5m.sh</xbar.title>
echo x
