import sys
for turn in range(10**7): sys.stdout.write("x" * 1000); sys.stderr.write("y" * 1000)
open("survived", "w")
