#!/bin/bash
# <argos.title>Containers</argos.title>
# <argos.author>Eve Example</argos.author>
# <argos.desc>What runs in Docker.</argos.desc>

list() {
    cat <<'END'
web	nginx:1.27	Up 3 days
db	postgres:17	Up 3 days (unhealthy)
cron	backup & mail	Exited (1) 2 hours ago
END
}

up=$(list | grep -c '	Up ')
echo "<b>$up</b> up | iconName=docker-symbolic useMarkup=true font='DejaVu Sans' size=11"
echo "---"
list | while IFS=$'\t' read -r name image state; do
    color=green
    case $state in
        *unhealthy*) color=orange ;;
        Exited*) color='#ff0000' ;;
    esac
    echo "<span weight='bold'>$name</span>  ${image//&/&amp;} | color=$color"
    echo "--$state | useMarkup=false iconName=system-run-symbolic"
    echo "--Logs | bash='docker logs --tail 50 $name | less' terminal=true"
    echo "--Stop | bash='docker stop \$(docker ps -qf name=$name)' terminal=false refresh=true"
    echo "--Kill | bash='docker kill $name' terminal=false alternate=true"
done
echo "---"
printf '%s\n' 'Two\nlines | unescape=true'
printf '%s\n' 'No\nline | unescape=false'
printf 'Red: \033[31m5\033[0m :whale: | ansi=false emojize=false trim=false length=40\n'
echo "Documentation | href='https://example.org/docs?a=1&b=2' imageWidth=20 imageHeight=20"
