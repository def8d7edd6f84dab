#!/bin/bash
# <swiftbar.title>Repositories</swiftbar.title>
# <swiftbar.version>1.0</swiftbar.version>
# <swiftbar.author>Dan Example</swiftbar.author>
# <swiftbar.desc>What is not committed.</swiftbar.desc>
# <swiftbar.hideAbout>true</swiftbar.hideAbout>
# <swiftbar.hideRunInTerminal>true</swiftbar.hideRunInTerminal>
# <swiftbar.hideLastUpdated>true</swiftbar.hideLastUpdated>
# <swiftbar.hideDisablePlugin>true</swiftbar.hideDisablePlugin>
# <swiftbar.hideSwiftBar>false</swiftbar.hideSwiftBar>
# <swiftbar.runInBash>false</swiftbar.runInBash>
# <swiftbar.refreshOnOpen>true</swiftbar.refreshOnOpen>
# <swiftbar.environment>[BASE=/srv/git, SHOW=all]</swiftbar.environment>
set -u

# The name of a repository, its branch, and how many files differ.
status() {
    printf '%s\n' "todayd main 0" "website drafts 3" "notes trunk 12"
}

total=0
lines=
while read -r name branch files; do
    total=$((total + files))
    if [ "$files" -gt 0 ]; then
        lines+="$name | badge=$files tooltip='$BASE/$name on $branch' sfimage=folder color=orange,yellow"$'\n'
        lines+="--Commit… | bash=/usr/bin/git param0=-C param1=$BASE/$name param2=commit terminal=true"$'\n'
        lines+="--Show *$branch* and **$files files** | md=true"$'\n'
    elif [ "$SHOW" = all ]; then
        lines+="$name | checked=true sfimage=folder shortcut=CMD+T"$'\n'
    fi
done < <(status)

echo ":arrow.triangle.2.circlepath: $total | sfcolor=red sfsize=12"
echo "---"
printf '%s' "$lines"
echo "---"
echo "Open $BASE | href=file://$BASE refresh=false"
