import socket

for place in ["/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock"]:
  try:
    s = socket.socket(socket.AF_UNIX)
    s.connect(place)
    print("BREACH connected", flush=True)
  except BaseException as error:
    print(f"HELD {place}:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)
