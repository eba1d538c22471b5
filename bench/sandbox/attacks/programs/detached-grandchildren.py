import os, subprocess, sys
for kind in range(4):
  if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
      for stream in range(3): os.close(stream)
      os.execvp("python3", ["python3", "-c", "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 13, 15)]; time.sleep(600)", given["mark"] + "-left"])
    os._exit(0)
print("ready")
