"""Programs that take the place of the worker `livephoto-media`: one records what it answers, one repeats that with lies.

The worker has neither environment nor arguments, so everything is beside it: a call's number is the first that is not in
`calls`, its answer is in `answers`.
"""

OPENING = r'''#!/usr/bin/python3 -SEI
import json, os, re, sys
home = os.path.dirname(os.path.realpath(sys.argv[0]))
order = sys.stdin.buffer.readline()
own = re.search(rb'"contentIdentifier":"([^"]+)"', order)
paths = json.loads(order)["outputs"]
for number in range(1000):
    try:
        os.close(os.open(f"{home}/calls/{number}", os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        break
    except FileExistsError:
        pass
'''

# Gives the recorded answers, and writes the recorded files with the identifier of the order.
REPLAYER = OPENING + r'''
try:
    answer = open(f"{home}/answers/{number}", "rb").read()
except FileNotFoundError:
    os._exit(3)
old = open(f"{home}/answers/{number}.identifier", "rb").read()
def current(text):
    return text.replace(old, own[1]) if old and own else text
for index in range(len(paths)):
    with open(paths[index], "r+b") as output:
        output.write(current(open(f"{home}/answers/{number}.{index}", "rb").read()))
try:
    sys.stdout.buffer.write(current(answer))
    sys.stdout.buffer.flush()
except OSError:
    pass
os._exit(0)
'''


def recorder(worker: str) -> str:
    """Runs the worker and keeps its answer and what it wrote."""
    return OPENING + f"WORKER = {worker!r}" + r'''
import subprocess
worker = subprocess.Popen([WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
worker.stdin.write(order)
worker.stdin.flush()
answer = worker.stdout.read()
status = worker.wait()
open(f"{home}/answers/{number}", "wb").write(answer)
open(f"{home}/answers/{number}.identifier", "wb").write(own[1] if own else b"")
for index, path in enumerate(paths):
    open(f"{home}/answers/{number}.{index}", "wb").write(open(path, "rb").read())
sys.stdout.buffer.write(answer)
sys.stdout.buffer.flush()
os._exit(status)
'''
