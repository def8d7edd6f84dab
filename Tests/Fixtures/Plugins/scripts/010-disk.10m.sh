#!/bin/bash
# <bitbar.title>Disk usage</bitbar.title>
# <bitbar.version>2.0</bitbar.version>
# <bitbar.author>Bob Example</bitbar.author>
# <bitbar.author.github>bob-example</bitbar.author.github>
# <bitbar.desc>The fullest file system, and all others below.</bitbar.desc>
# <bitbar.dependencies>bash</bitbar.dependencies>
# <bitbar.abouturl>https://example.org/disk</bitbar.abouturl>

rows=(
    "/ 50G 41G 82%"
    "/home 400G 120G 30%"
    "/srv/my data 2T 1.9T 96%"
)
most=0
for row in "${rows[@]}"; do
    used=${row##* }
    used=${used%\%}
    ((used > most)) && most=$used
done

echo "💾 $most% | size=13 dropdown=false"
echo "---"
for row in "${rows[@]}"; do
    used=${row##* }
    color=black
    ((${used%\%} > 90)) && color='#c00000'
    mount=$(sed -E 's/( [^ ]+){3}$//' <<<"$row")
    printf '%-14s %s | font=Courier color=%s bash=/usr/bin/baobab param1="%s" terminal=false\n' "$mount" "$used" "$color" "$mount"
    echo "--Open in a terminal | bash=/bin/ls param1=-la param2='$mount' terminal=true"
done
echo "---"
printf 'In colour: \033[1;31mfull\033[0m and \033[32mfree\033[0m | ansi=true\n'
echo "As it is: :+1: | emojize=false"
