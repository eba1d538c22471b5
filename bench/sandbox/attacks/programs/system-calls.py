import ctypes, os, platform

libc = ctypes.CDLL(None, use_errno=True)
zeros = ctypes.create_string_buffer(256)
arm = platform.machine() == "aarch64"

def attempt(title, call, words):
  words = [zeros if w == "zeros" else w.encode() if isinstance(w, str) else ctypes.c_long(w) for w in words]
  ctypes.set_errno(0)
  parent = os.getpid()
  done = libc.syscall(ctypes.c_long(call), *words)
  if os.getpid() != parent: os._exit(0)
  if done >= 0: print("BREACH", title, flush=True)
  else: print("HELD", title + ":", os.strerror(ctypes.get_errno()), flush=True)

for title, on_x86, on_arm, *words in given["calls"]: attempt(title, on_arm if arm else on_x86, words)
