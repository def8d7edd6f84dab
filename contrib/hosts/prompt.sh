# A value of a widget in the prompt of bash, in front of what it was: `62 % ~/src $`. One short process for each prompt.
today_prompt() {
    local status=$?
    todayctl show "${TODAY_PROMPT:-disk}" --output=i3blocks 2>/dev/null | head -n 1
    return "$status"
}
PS1='$(today_prompt) '"$PS1"
