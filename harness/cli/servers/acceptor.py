# SPDX-License-Identifier: Apache-2.0
# A program before another server, to which it hands on what comes: MODE [FILE] COMMAND…
import os
import random
import subprocess
import sys
import threading
import time

ASKED = b'"method":"rpc.foo"'
mode, *words = sys.argv[1:]
note = words.pop(0) if mode in ("waking", "noting", "hanging", "once") else ""
count = 0
writing = threading.Lock()


def add(text):
    with open(note, "a", encoding="utf-8") as file:
        file.write(text)


def write(line):
    """A long line is written in parts: nothing else may come between them."""
    with writing:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()


def hand_back():
    for line in behind.stdout:
        write(line)


def slow(line):
    """One id takes it one and a half seconds."""
    time.sleep(1.5 * (b'"id":9007199254740993,' in line))


def sluggish(_):
    """Takes half a millisecond for each message."""
    time.sleep(0.0005)


def jittery(_):
    """Now and then takes up to forty milliseconds, never the same way twice."""
    time.sleep(0.04 * random.random() * (random.random() < 1 / 256))


def chatty(_):
    """Writes words of its own to stderr, and now and then a notification."""
    word = "".join(random.choices("aeiou", k=3))
    sys.stderr.write(word + " happened\n")
    if random.random() < 1 / 16:
        write(f'{{"jsonrpc":"2.0","method":"{word}"}}\n'.encode())


def waking(_):
    """Notes when it is started, and takes a while for the second message it gets."""
    time.sleep(0.3 * (count == 2))


def noting(_):
    """Notes when it is started, and takes a while for each message."""
    time.sleep(0.01)


def hanging(line):
    """Never comes back from one method; the file tells how often it got that."""
    if ASKED in line:
        add("x")
        time.sleep(1000)


def once(line):
    """Ends at one method, once in all its lives: the file tells that it did."""
    if ASKED in line and not os.path.exists(note):
        add("")
        behind.kill()
        os._exit(3)


MODES = {"slow": slow, "sluggish": sluggish, "jittery": jittery, "chatty": chatty,
         "waking": waking, "noting": noting, "hanging": hanging, "once": once}
if mode in ("waking", "noting"):
    add("started\n")
chats = mode == "chatty"
behind = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE if chats else None)
back = threading.Thread(target=hand_back, daemon=True)
if chats:
    back.start()
try:
    for line in sys.stdin.buffer:
        count += 1
        MODES[mode](line)
        behind.stdin.write(line)
        behind.stdin.flush()
    behind.stdin.close()
except BrokenPipeError:
    pass
status = behind.wait()
if chats:
    back.join()
sys.exit(status)
