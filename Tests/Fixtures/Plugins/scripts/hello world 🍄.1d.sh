#!/bin/sh
# A name with spaces and a character beyond the first plane.
printf '%s | colour=red size\n---\nsaid by %s | "unclosed\n' "Hello, \"world\"" "$(basename "$0")"
