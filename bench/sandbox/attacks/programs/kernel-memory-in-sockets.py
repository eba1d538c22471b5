import os, socket, time
for child in range(15):
  if os.fork() == 0: break
kept = []; held = 0
try:
  while held < 40000000:
    pair = socket.socketpair(); kept.append(pair)
    for end in pair:
      end.setblocking(False)
      try:
        while True: held += end.send(b"x" * 65536)
      except BlockingIOError: pass
  open("survived", "a").write("x")
except OSError: pass
time.sleep(1)
if os.path.exists("survived") and os.path.getsize("survived") == 16: print("BREACH 640 MB in sockets", flush=True)
