import os, glob, shutil, subprocess
status = open("/proc/self/status").read()
caps = [line.split()[1] for line in status.splitlines() if line.startswith("CapEff")][0]
if int(caps, 16) != 0: print("BREACH capabilities", caps, flush=True)
if os.getuid() == 0: print("BREACH runs as root", flush=True)
shutil.copy("/usr/bin/id", "./own"); os.chmod("./own", 0o6755)
if "euid=0" in subprocess.run(["./own"], capture_output=True, text=True).stdout: print("BREACH own setuid file", flush=True)
for program in ["/usr/bin/su", "/usr/bin/passwd", "/usr/bin/mount", "/usr/bin/newgrp", "/bin/su"]:
  if not os.path.exists(program): continue
  child = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
  try: effective = [line.split()[2] for line in open(f"/proc/{child.pid}/status").read().splitlines() if line.startswith("Uid")][0]
  except (OSError, IndexError): effective = "gone"
  child.kill(); child.wait()
  if effective == "0": print("BREACH", program, "runs as root", flush=True)
for change in [lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.chown("own", 0, 0)]:
  try: change(); print("BREACH changed its user", flush=True)
  except OSError: pass
