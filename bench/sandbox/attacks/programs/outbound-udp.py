import socket, time

for address in given["addresses"]:
  try:
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for turn in range(3): s.sendto(b"out", (address, given["udpPort"]))
  except BaseException as error:
    print(f"HELD {address}:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)
time.sleep(0.1)
