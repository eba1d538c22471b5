import socket
try:
  s = socket.socket(40, socket.SOCK_STREAM); s.settimeout(2)
  s.connect((2, 1024))
  print("BREACH vsock connected", flush=True)
except BaseException as error:
  print("HELD vsock:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)

try:
  socket.socket(40, socket.SOCK_STREAM)
  print("BREACH a vsock can be made, which knows no network namespace", flush=True)
except BaseException as error:
  print("HELD vsock family:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)

try:
  socket.socket(17, socket.SOCK_RAW)
  print("BREACH packet", flush=True)
except BaseException as error:
  print("HELD packet:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)

try:
  socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)
  print("BREACH raw", flush=True)
except BaseException as error:
  print("HELD raw:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)

try:
  socket.socket(38, socket.SOCK_SEQPACKET)
  print("BREACH AF_ALG reaches the kernel's ciphers", flush=True)
except BaseException as error:
  print("HELD crypto:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)

