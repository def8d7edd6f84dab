#!/bin/sh
# <xbar.title>pomodoro.1s.js</xbar.title>
echo x
