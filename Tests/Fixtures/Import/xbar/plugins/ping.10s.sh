#!/bin/sh
# <xbar.title>x</xbar.title>
echo x
