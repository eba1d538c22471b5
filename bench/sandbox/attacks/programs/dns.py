import socket

for name in ["example.com", "localhost.localdomain", "example.org"]:
  try:
    print("BREACH", name, socket.getaddrinfo(name, 80), flush=True)
  except BaseException as error:
    print(f"HELD {name}:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)
