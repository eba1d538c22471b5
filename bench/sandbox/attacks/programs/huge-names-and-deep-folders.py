import os
try: open("n" * 5000, "w")
except OSError as error: print("HELD name:", error.strerror, flush=True)
depth = 0
try:
  while depth < 20000:
    os.mkdir("d" * 200); os.chdir("d" * 200); depth += 1
except OSError as error: print("HELD depth:", error.strerror, flush=True)
