import ctypes, time
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
size = 2**38
area = libc.mmap(None, size, 1, 0x4022, -1, 0) # to be read alone, private, of no file, without reserve
libc.madvise(ctypes.c_void_p(area), ctypes.c_size_t(size), 15) # no huge pages
for at in range(0, size, 2**21): ctypes.c_char.from_address(area + at).value
time.sleep(0.5)
print("BREACH 512 MB of tables", flush=True)
