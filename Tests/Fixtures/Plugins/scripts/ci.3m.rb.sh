#!/bin/bash
# <xbar.title>Builds</xbar.title>
# <xbar.desc>The last runs of a pipeline, worst first</xbar.desc>
declare -A marks=([failed]=:x: [running]=:hourglass_flowing_sand: [passed]=:white_check_mark:)
declare -A colors=([failed]=red [running]=blue [passed]=green)
runs="passed 101 main
failed 102 feature/parser
running 103 main"

worst=passed
while read -r state _; do [ "$state" = failed ] && worst=failed; done <<<"$runs"
echo "${marks[$worst]} CI | color=${colors[$worst]}"
echo "3 runs | dropdown=false"
echo "---"
for state in failed running passed; do
    while read -r is number branch; do
        [ "$is" = $state ] || continue
        echo "${marks[$state]} #$number | href=https://ci.example.org/runs/$number color=${colors[$state]}"
        echo "--$branch"
        echo "----Run again | shell=curl param1=-X param2=POST param3=https://ci.example.org/runs/$number refresh=true"
    done <<<"$runs"
done
