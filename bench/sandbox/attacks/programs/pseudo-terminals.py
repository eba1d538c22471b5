# A few are enough to show it, and leave the machine its own.
import os

for place in ["/dev/ptmx", "/dev/pts/ptmx"]:
  try:
    kept = [os.open(place, os.O_RDWR | os.O_NOCTTY) for turn in range(16)]
    print("BREACH 16 of", place, flush=True)
  except BaseException as error:
    print(f"HELD {place}:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)
