import threading, time
count = 0
while count < 5000:
  threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
  count += 1
print("BREACH 5000 threads", flush=True)
