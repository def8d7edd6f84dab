#!/usr/bin/env python3
# <swiftbar.title>Calendar</swiftbar.title>
# <swiftbar.desc>A month with its holidays</swiftbar.desc>
# <swiftbar.dependencies>python3,no-such-program-of-todayd</swiftbar.dependencies>
import calendar

MONTH, DAY, HOLIDAYS = (2026, 5), 14, {1, 14, 25}
print(":calendar: %d" % DAY)
print("14 May | dropdown=false")
print("---")
print("May 2026 | font=Menlo-Bold size=14 href=https://example.org/cal?m=5")
for week in calendar.Calendar(0).monthdayscalendar(*MONTH):
    days = " ".join("%2s" % (day or "") for day in week)
    mark = " color=#ff3b30" if HOLIDAYS & set(week) else ""
    print("%s | trim=false font=Menlo%s" % (days, mark))
print("---")
print(":star.fill: Holidays :nosuch.symbol: | symbolize=true sfconfig=eyJyZW5kZXJpbmdNb2RlIjoiSGllcmFyY2hpY2FsIn0=")
for day in sorted(HOLIDAYS):
    print("--%d May :flags: | symbolize=false emojize=true" % day)
print("Web | webview=true webvieww=300 webviewh=200 href=https://example.org width=10 height=10 valign=2")
