/** Ways of a Python that runs within a JavaScript engine to that engine's own objects, which reach the host. Each prints `BREACH` where it gets through. */
export interface Ways {
  readonly name: string;
  /** What holds those that say nothing. */
  readonly heldBy: string;
  readonly sources: Readonly<Record<string, string>>;
}

const python = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** Takes away what keeps a module from being imported. */
const unguarded = [
  'import sys',
  'for name in list(sys.modules):',
  '  if sys.modules[name] is None: del sys.modules[name]',
];

export const waysToJavaScript: readonly Ways[] = [
  {
    name: "Python's way to the JavaScript around it: `import js`",
    heldBy: 'there is no such module',
    sources: {
      'import js': python('import js', 'print("BREACH", js.process.env)'),
      'import js after its guard was taken away': python(
        ...unguarded,
        'import js',
        'print("BREACH", js.process)',
      ),
      'the finder of JavaScript modules, from the heap': python(
        'import gc, importlib.util',
        'for thing in gc.get_objects():',
        '  if type(thing).__name__ == "JsFinder":',
        '    print(thing.jsproxies if hasattr(thing, "jsproxies") else vars(thing))',
        '    for name in ("js", "pyodide_js"):',
        '      spec = thing.find_spec(name, None)',
        '      module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)',
        '      print("BREACH", module.process)',
      ),
      pyodide_js: python(
        'import sys',
        'sys.modules.pop("pyodide_js")',
        'import pyodide_js',
        'print("BREACH", pyodide_js.FS)',
      ),
    },
  },
  {
    name: "Python's way to the JavaScript around it: `ffi`",
    heldBy: 'nothing of it is left',
    sources: {
      'proxies of JavaScript, from the heap': python(
        'import gc, sys',
        'kept = [o for o in gc.get_objects()]',
        'for thing in list(kept): kept.extend(gc.get_referents(thing))',
        'for thing in kept:',
        '  if type(thing).__name__.startswith("JsProxy") or "JsProxy" in str(type(type(thing))):',
        '    for name in ("constructor", "process", "globalThis", "runPython", "FS"):',
        '      try: found = getattr(thing, name)',
        '      except BaseException: continue',
        '      if "Js" in type(found).__name__: print("BREACH", name, type(found))',
      ),
      'pyodide.code.run_js': python(
        ...unguarded,
        'from pyodide.code import run_js',
        'print("BREACH", run_js("process.env"))',
      ),
      'the core of ffi': python(
        ...unguarded,
        'import _pyodide_core as core',
        'for name in sorted(dir(core), key=lambda name: name[0].isupper()):',
        '  for words in ((), ([1, 2],), (print,), ("process",)):',
        '    if name == "trigger_fatal_error": continue',
        '    try: found = getattr(core, name)(*words)',
        '    except BaseException: continue',
        '    if "JsProxy" in repr(type(found)): print("BREACH", name, found)',
      ),
    },
  },
  {
    name: "Python's way to the JavaScript around it: `ctypes`",
    heldBy: 'there are no such functions',
    sources: {
      'functions of Emscripten': python(
        'import ctypes',
        'for name in ("emscripten_run_script", "emscripten_run_script_string", "emscripten_run_script_int", "run_js", "system", "JsProxy_create", "eval"):',
        '  try: getattr(ctypes.CDLL(None), name); print("BREACH", name)',
        '  except AttributeError: pass',
      ),
      'a library of its own': python(
        'import ctypes, base64',
        'open("lib.so", "wb").write(base64.b64decode("AGFzbQEAAAA="))',
        'ctypes.CDLL("./lib.so")',
        'print("BREACH")',
      ),
    },
  },
];
