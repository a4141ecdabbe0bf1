"""Freed memory goes back to the system."""

import platform
import subprocess
import sys

import pytest

CHILD = """
import ctypes
from bot.core.allocator import give_back

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
pieces = [libc.malloc(16_384) for _ in range(2_000)]
for piece in pieces:
    ctypes.memset(piece, 1, 16_384)
for piece in pieces[:-1]:  # the last keeps what is below it
    libc.free(piece)
before = resident()
give_back()
print((before - resident()) * 4)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators have no such call")
def test_what_is_free_below_what_is_in_use_is_given_back() -> None:
    environment = {"MALLOC_ARENA_MAX": "1", "PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run([sys.executable, "-c", CHILD], env=environment, capture_output=True, text=True, check=True)
    assert int(run.stdout) > 20_000  # kilobytes, of 32,000


def test_without_such_a_call_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    from bot.core import allocator

    monkeypatch.setattr(allocator.ctypes, "CDLL", lambda _: object())
    allocator.give_back()
    allocator.keep_little()


ARENAS = """
import ctypes, threading
from bot.core.allocator import keep_little

keep_little()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
found, together = [], threading.Barrier(4)

def take():
    together.wait()
    found.append(libc.malloc(50_000))
    together.wait()

threads = [threading.Thread(target=take) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len({address >> 26 for address in found}))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators have no such parameter")
def test_threads_share_one_arena() -> None:
    environment = {"PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run([sys.executable, "-c", ARENAS], env=environment, capture_output=True, text=True, check=True)
    assert int(run.stdout) == 1  # an arena of a thread's own begins at a multiple of 64 MB


COLLECTED = """
import gc
from bot.core.allocator import collect_less

rounds = []
old = [[] for _ in range(100_000)]
gc.callbacks.append(lambda phase, info: rounds.append(info["generation"]))
collect_less()
rounds.clear()
kept = [[] for _ in range(10_000)]
print(len(rounds) // 2, len(gc.get_objects()), gc.get_freeze_count())
"""


def test_the_collector_leaves_the_start_alone_and_comes_less_often() -> None:
    environment = {"PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run([sys.executable, "-c", COLLECTED], env=environment, capture_output=True, text=True, check=True)
    rounds, looked_at, frozen = map(int, run.stdout.split())
    assert rounds <= 2  # 14 with Python's own figures
    assert looked_at < 20_000
    assert frozen > 100_000
