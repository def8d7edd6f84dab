findmnt -rn | wc -l
