#!/bin/sh
# <xbar.title>bitcoin.1h.py</xbar.title>
echo x
