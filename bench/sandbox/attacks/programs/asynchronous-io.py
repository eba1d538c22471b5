import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
number = 206 if platform.machine() == "x86_64" else 0 # io_setup, whose rooms the kernel counts for all users together (fs.aio-max-nr)
room = ctypes.c_ulong(0)
if libc.syscall(number, 64, ctypes.byref(room)) == 0: print("BREACH it is counted for all users together", flush=True)
else: print("HELD io_setup:", os.strerror(ctypes.get_errno()), flush=True)
