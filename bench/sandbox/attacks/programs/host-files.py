import hashlib, os

for place, digest in given["digests"].items():
  for way in [place, "/proc/1/root" + place, "/proc/self/root" + place, "/proc/self/cwd/../../../../.." + place]:
    try:
      content = "\n".join(sorted(os.listdir(way))).encode() if os.path.isdir(way) else open(way, "rb").read()
      if hashlib.sha256(content).hexdigest() == digest: print("BREACH read", way, flush=True)
    except OSError as error: pass
for place in ["/usr", "/usr/bin", "/etc", "/root", given["folder"]]:
  try:
    open(place + "/cairn-intruder", "w").write("x")
    print("BREACH wrote into", place, flush=True)
  except OSError: pass
