#!/bin/sh
# <xbar.title>001-disk.10m.sh</xbar.title>
echo x
