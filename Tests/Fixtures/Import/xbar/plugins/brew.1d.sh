#!/bin/sh
# <xbar.title>brew.1d.sh</xbar.title>
echo x
