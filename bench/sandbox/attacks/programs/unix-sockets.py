import socket

abstract = given["abstractName"]
places = {
  given["socketPath"]: given["socketPath"],
  "abstract " + abstract: "\0" + abstract,
  "/run/dbus/system_bus_socket": "/run/dbus/system_bus_socket",
  "/run/systemd/private": "/run/systemd/private",
}
for title, place in places.items():
  try:
    s = socket.socket(socket.AF_UNIX)
    s.connect(place)
    print("BREACH connected", flush=True)
  except BaseException as error:
    print(f"HELD {title}:", type(error).__name__, getattr(error, "errno", "") or "", flush=True)
