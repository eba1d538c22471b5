for place in . /tmp /dev/shm /dev /run /; do dd if=/dev/zero of=$place/fill bs=1000000 count=300 2>/dev/null && echo BREACH $place; done
