import os, glob
canary = given["canaryReversed"][::-1].encode() # its own words must not hold the canary
for place in glob.glob("/proc/[0-9]*/environ") + glob.glob("/proc/[0-9]*/task/*/environ") + glob.glob("/proc/[0-9]*/cmdline"):
  try:
    if canary in open(place, "rb").read(): print("BREACH", place, flush=True)
  except OSError: pass
if canary in repr(dict(os.environ)).encode(): print("BREACH own environment", flush=True)
for place in ["/proc/kcore", "/dev/mem", "/dev/kmem", "/dev/vda", "/dev/sda", "/proc/sysrq-trigger", "/proc/sys/kernel/core_pattern", "/dev/kmsg"]:
  for mode in [os.O_RDONLY, os.O_WRONLY]:
    if mode == os.O_RDONLY and place.startswith("/proc/sys"): continue
    try:
      fd = os.open(place, mode)
      print("BREACH opened", place, flush=True)
    except OSError: pass
