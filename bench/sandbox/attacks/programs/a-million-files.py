import os
made = 0
for place in [".", "/tmp", "/dev/shm"]:
  try:
    for number in range(1000000):
      os.close(os.open(f"{place}/{number}", os.O_CREAT | os.O_WRONLY)); made += 1
  except OSError as error: print("HELD", place, error.strerror, flush=True)
if made >= 1000000: print("BREACH", made, "files", flush=True)
