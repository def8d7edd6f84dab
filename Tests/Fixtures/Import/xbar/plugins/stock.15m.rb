#!/bin/sh
# <xbar.title>stock.15m.rb</xbar.title>
echo x
