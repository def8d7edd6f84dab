#!/bin/sh
# Unread mail, for the left side of the panel.
inbox() {
    printf '%s\t%s\n' "Ann" "Invoice <draft>" "Bob" "Re: Monday & Tuesday" "יוסי" "פגישה"
}
count=$(inbox | wc -l)
echo "$((count)) | iconName=mail-unread"
echo "---"
inbox | sed 's/&/\&amp;/g; s/</\&lt;/g' | while IFS="$(printf '\t')" read -r from subject; do
    echo "<b>$from</b> $subject | iconName=mail-message length=14 href=mailto:$count@example.org"
done
echo "-----"
echo "Write | bash=thunderbird terminal=false onclick=bash"
echo "Nothing | dropdown=false"
