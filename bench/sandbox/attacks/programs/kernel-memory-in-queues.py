import ctypes, os, time
libc = ctypes.CDLL(None, use_errno=True)
message = ctypes.create_string_buffer(8 + 8192); message[0] = b"\x01"
held = 0
while held < 480000000:
  queue = libc.msgget(0, 0o600) # IPC_PRIVATE
  if queue < 0: print("HELD msgget:", os.strerror(ctypes.get_errno()), flush=True); break
  while libc.msgsnd(queue, message, 8192, 0o4000) == 0: held += 8192 # IPC_NOWAIT
else: print("BREACH 480 MB in queues", flush=True)
time.sleep(0.5)
