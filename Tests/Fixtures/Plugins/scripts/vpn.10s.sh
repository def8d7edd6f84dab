#!/bin/sh
# No tags: read as xbar's. The state of a tunnel, with Windows line ends and no end of the last line.
printf 'VPN 🔒 | color=#0a0\r\n---\r\nhelsinki.example.org\r\n--10.8.0.6 | font=monospace\r\n-----\r\n--Leave | shell=/usr/sbin/wg-quick param1=down param2=wg0 terminal=true\r\n\r\nImage | image=bm90IGEgcGljdHVyZQ== imageURL=https://example.org/a.png\r\nLast'
