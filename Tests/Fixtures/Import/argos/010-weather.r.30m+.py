#!/usr/bin/env python3
print("12 C")
