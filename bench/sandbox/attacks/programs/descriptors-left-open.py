import os
for name in os.listdir("/proc/self/fd"):
  try: target = os.readlink("/proc/self/fd/" + name)
  except OSError: continue
  if int(name) > 2 and target != "/dev/null": print("BREACH descriptor", name, target, flush=True)
