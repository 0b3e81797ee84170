"""Runs commands and tells what they cost: wall time, CPU time and peak memory of all their processes."""

import ctypes
import os
import signal
import subprocess
import threading
import time

PR_SET_CHILD_SUBREAPER = 36
# Orphans become children of this process, which waits for them: their CPU time counts too.
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


class Failure(Exception):
    """A command that did not do its work, with the end of what it said."""


class Cost:
    """Seconds of wall and CPU time; `memory` in bytes, or None where it was not looked at."""

    def __init__(self, wall=0.0, cpu=0.0, memory=None):
        self.wall, self.cpu, self.memory = wall, cpu, memory


def descendants():
    """The processes below this one."""
    parents = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parents[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, IndexError, ValueError):
            continue
    found, wave = [], {os.getpid()}
    while wave:
        wave = {child for child, parent in parents.items() if parent in wave}
        found += wave
    return found


def memory_of(process):
    """Bytes of a process, of shared pages its part alone; where the kernel does not tell, all that are resident."""
    try:
        with open(f"/proc/{process}/smaps_rollup", encoding="ascii") as file:
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, IndexError):
        return 0


class MemoryWatch(threading.Thread):
    """Looks ten times a second how much memory all descendants have together. It disturbs what it looks at a little.
    Beyond two thirds of the machine's memory it ends them."""

    def __init__(self):
        super().__init__(daemon=True)
        self.peak = 0
        self.limit = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 2 // 3
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(0.1):
            self.peak = max(self.peak, sum(memory_of(process) for process in descendants()))
            if self.peak > self.limit:
                end_all()

    def stop(self):
        self.ended.set()
        self.join()
        return self.peak


def end_all():
    """Kills what is left of the commands; this process starts nothing else."""
    for process in descendants():
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            pass


def run(commands, folder, log, memory=False, seconds=6 * 3600, environment=None):
    """Runs commands one after the other, each a list of words. Their output goes to `log`. The cost of all together."""
    watch = MemoryWatch() if memory else None
    if watch:
        watch.start()
    began, cpu = time.monotonic(), 0.0
    deadline = began + seconds
    try:
        for words in commands:
            cpu += run_one([str(word) for word in words], folder, log, deadline, environment)
    except Failure as failure:
        if watch and watch.peak > watch.limit:
            raise Failure(f"it wanted more than {watch.limit / 1e9:.0f} GB of memory") from failure
        raise
    finally:
        wall = time.monotonic() - began
        peak = watch.stop() if watch else None
    return Cost(wall, cpu, peak)


def run_one(words, folder, log, deadline, environment):
    with open(log, "wb") as output:
        try:
            child = subprocess.Popen(
                words,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env={**os.environ, **(environment or {})},
            )
        except OSError as error:
            raise Failure(f"{words[0]}: {error.strerror}") from error
    alarm = threading.Timer(max(0.0, deadline - time.monotonic()), end_all)
    alarm.start()
    status, cpu = None, 0.0
    try:
        # The command itself, and then what it left behind.
        while True:
            try:
                process, code, usage = os.wait4(-1, 0)
            except ChildProcessError:
                break
            cpu += usage.ru_utime + usage.ru_stime
            if process == child.pid:
                status = os.waitstatus_to_exitcode(code)
                child.returncode = status
    except BaseException:
        end_all()
        raise
    finally:
        alarm.cancel()
    if status != 0:
        with open(log, "rb") as text:
            said = text.read()[-1500:].decode("utf-8", "replace")
        raise Failure(f"{' '.join(words)[:300]}\nended with {status}\n{said}")
    return cpu
