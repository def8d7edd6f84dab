#!/bin/sh
# <xbar.var>string(VAR_TOKEN=""): The token</xbar.var>
echo "$VAR_TOKEN"
