for n in 1 2 3; do (setsid sh -c 'trap "" HUP TERM; sleep 600' "$mark-left" </dev/null >/dev/null 2>&1 &); done
