"""What stands between a program and the interpreter that WebAssembly brings; it is part of the snapshot."""

import atexit
import asyncio
import bisect
import collections
import copy
import dataclasses
import datetime
import decimal
import fractions
import functools
import heapq
import itertools
import json
import linecache
import math
import operator
import os
import random
import re
import runpy
import statistics
import string
import sys
import time
import traceback
import types
import typing

_hidden = ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core", "micropip")
_turn = 0


def _sleep(seconds):
    """Pauses the thread through a device; the library's own way burns processor time."""
    if isinstance(seconds, bool) or not hasattr(seconds, "__float__") and not hasattr(seconds, "__index__"):
        raise TypeError(f"'{type(seconds).__name__}' object cannot be interpreted as an integer")
    seconds = float(seconds)
    if seconds < 0:
        raise ValueError("sleep length must be non-negative")
    with open("/dev/pause", "wb", buffering=0) as pause:
        pause.write(repr(seconds * 1000).encode())


class _Selector:
    def select(self, timeout=None):
        if timeout is None:
            raise RuntimeError("the event loop waits for something that never comes: there are no sockets and no threads here")
        if timeout > 0:
            _sleep(timeout)
        return []

    def get_map(self):
        return {}

    def close(self):
        pass


class _Loop(asyncio.SelectorEventLoop):
    """An event loop with timers alone, for a place without sockets."""

    def __init__(self):
        super().__init__(_Selector())

    def _make_self_pipe(self):
        pass

    def _close_self_pipe(self):
        pass

    def _write_to_self(self):
        pass


class _Policy(asyncio.events._BaseDefaultEventLoopPolicy):
    _loop_factory = _Loop


def _close_ways_out():
    for finder in list(sys.meta_path):
        if type(finder).__module__.startswith(("_pyodide", "pyodide")):
            sys.meta_path.remove(finder)
    for name in list(sys.modules):
        if name.split(".")[0] in _hidden:
            del sys.modules[name]
    for name in _hidden:
        sys.modules[name] = None


def _settle():
    """Once in the life of an interpreter, before any program."""
    time.sleep = _sleep
    asyncio.run = asyncio.runners.run
    asyncio.events._set_event_loop_policy(_Policy())
    asyncio.events._set_running_loop(None)
    sys.excepthook = sys.__excepthook__
    sys.unraisablehook = sys.__unraisablehook__
    sys.displayhook = sys.__displayhook__
    sys.breakpointhook = sys.__breakpointhook__
    sys.setrecursionlimit(1000)
    random.seed()
    _close_ways_out()
    main = types.ModuleType("__main__")
    main.__builtins__ = sys.modules["builtins"]
    sys.modules["__main__"] = main


def _surround(call):
    os.environ.clear()
    os.environ.update(call["env"])
    os.chdir(call["folder"])
    sys.argv = list(call["argv"])


def _own_frames(error):
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename in (__file__, "<frozen runpy>", "<string-runpy>"):
        trace = trace.tb_next
    return trace


def _code_of(exit):
    if exit.code is None:
        return 0
    if isinstance(exit.code, int):
        return exit.code & 0xFF
    print(exit.code, file=sys.stderr)
    return 1


def _guarded(work):
    """Runs it as the interpreter would and gives the exit code, and whether it asked for the end."""
    try:
        work()
    except SystemExit as exit:
        return _code_of(exit), True
    except BaseException as error:
        error = error.with_traceback(_own_frames(error))
        try:
            sys.excepthook(type(error), error, error.__traceback__)
        except BaseException:
            traceback.print_exception(error)
        return 1, False
    return 0, False


def _flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass


def _missing(path):
    print(f"python3: can't open file '{path}': [Errno 2] No such file or directory", file=sys.stderr)
    return 2


def _run_code(source, name):
    main = sys.modules["__main__"]
    exec(compile(source, name, "exec", dont_inherit=True), main.__dict__)


def _run_file(path):
    main = sys.modules["__main__"]
    main.__file__ = path
    main.__cached__ = None
    sys.path[0:0] = [os.path.dirname(path)]
    with open(path, "rb") as file:
        source = file.read()
    _run_code(source, path)


def _run_program(call):
    how, text = call["program"]["how"], call["program"]["text"]
    sys.path[:] = [place for place in sys.path if place not in ("", ".")]
    if how == "file":
        path = os.path.abspath(text)
        if not os.path.exists(path):
            return _missing(path)
        return _guarded(lambda: _run_file(path))[0]
    sys.path[0:0] = [""]
    if how == "module":
        return _guarded(lambda: runpy.run_module(text, run_name="__main__", alter_sys=True))[0]
    return _guarded(lambda: _run_code(text, "<string>"))[0]


def program(text):
    """Runs a whole program and ends the interpreter with its exit code."""
    call = json.loads(text)
    _settle()
    _surround(call)
    code = _run_program(call)
    try:
        atexit._run_exitfuncs()
    except BaseException as error:
        traceback.print_exception(error)
    _flush()
    os._exit(code)


def say(text):
    """Runs a piece of code among what earlier pieces defined; ends the interpreter only if the code says so."""
    global _turn
    call = json.loads(text)
    if _turn == 0:
        _settle()
        _surround(call)
        sys.path[0:0] = [""]
    _turn += 1
    source, name = call["program"]["text"], f"<said {_turn}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    code, asked = _guarded(lambda: _run_code(source, name))
    _flush()
    if asked:
        os._exit(code)
    with open("/dev/code", "wb", buffering=0) as file:
        file.write(str(code).encode())
