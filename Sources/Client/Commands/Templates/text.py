#!/usr/bin/env python3
"""The load of this machine. The first line is the summary; all lines together are the view."""

import os

averages = os.getloadavg()
print(f"Load {averages[0]:.2f}")
for minutes, average in zip((1, 5, 15), averages):
    print(f"{minutes:2} min  {average:.2f}")
