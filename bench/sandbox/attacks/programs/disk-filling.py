import os
total = 0
for place in [".", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/run", "/", "/usr", "/proc", "/sys", "/home", "/mnt"]:
  try:
    for number in range(60): # many files, each below what one file may have
      with open(os.path.join(place, f"fill{number}"), "wb") as file:
        for turn in range(5):
          file.write(b"x" * 1000000); file.flush(); total += 1
          if total == 100: print("BREACH 100 MB written", flush=True)
  except OSError as error: print("HELD", place, error.strerror, flush=True)
