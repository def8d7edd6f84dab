# A value of a widget in the prompt of bash, in front of what it was: `62 % ~/src $`. One short process for each prompt, which
# waits for todayd no longer than a fifth of a second.
today_prompt() {
    local status=$?
    todayctl --timeout=200ms show "${TODAY_PROMPT:-disk}" --output=i3blocks 2>/dev/null | head -n 1
    return "$status"
}
PS1='$(today_prompt) '"$PS1"
