#!/bin/sh
echo load
