import socket

def connect(address, port, title):
  try:
    socket.create_connection((address, port), timeout=2).close()
    print("BREACH", title, flush=True)
  except BaseException as error:
    print(f"HELD {address}:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)

for address in given["addresses"]: connect(address, given["tcpPort"], f"connected to {address}")
connect("93.184.216.34", 80, "outside")
