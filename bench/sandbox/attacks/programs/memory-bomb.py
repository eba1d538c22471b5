kept = []
while len(kept) < 4000: kept.append(bytearray(b"x") * 10000000)
print("BREACH 40 GB", flush=True)
