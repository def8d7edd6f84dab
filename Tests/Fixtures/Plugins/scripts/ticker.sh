#!/bin/sh
# <swiftbar.title>Ticker</swiftbar.title>
# <swiftbar.type>streamable</swiftbar.type>
# <swiftbar.useTrailingStreamSeparator>true</swiftbar.useTrailingStreamSeparator>
# <swiftbar.schedule>*/5 * * * *</swiftbar.schedule>
price() {
    echo "ACME $1 | color=$2"
    echo "---"
    echo "Open $3"
    echo "~~~"
}
price 101.20 green 99.00
# It stays as a stream does; todayd ends it where it wants one update.
[ "$#" = 0 ] || exit
sleep 60
