#!/bin/sh
echo 80%
