#!/bin/sh
echo ü
