import mmap
kept = []
for turn in range(200):
  area = mmap.mmap(-1, 20000000)
  area.write(b"x" * 20000000)
  kept.append(area)
print("BREACH 4 GB", flush=True)
