import os, time
for child in range(16):
  if os.fork() == 0: break
kept = bytearray(b"x") * 200000000
time.sleep(1)
open("survived", "a").write("x")
time.sleep(0.5)
if os.path.getsize("survived") == 17: print("BREACH 3.4 GB", flush=True)
