// Which functions of JavaScript the interpreter's WebAssembly may call while a program runs. All that a program can do to the outside goes
// through them, whatever it does within its own memory.

/** Files in memory, clocks, memory, and the plain calls back into WebAssembly. Sockets, loading of code and all of JavaScript are not among them. */
const allowed = new RegExp(
  `^(?:${[
    '__syscall_(?!socket|connect|bind|listen|accept4|recv|send|getsockopt|getsockname|getpeername).*',
    'emscripten_(?:date_now|get_now|get_heap_max|resize_heap|runtime_keepalive_.*)',
    '_emscripten_(?:runtime_keepalive_clear|get_progname)',
    '_(?:mmap|munmap|msync|tzset|timegm|mktime|localtime|gmtime|abort)_js',
    '__assert_fail|exit|throw_no_gil|__call_sighandler',
    '_PyEM_TrampolineCall_JS|_Py_emscripten_runtime|_Py_CheckEmscriptenSignals_Helper',
    'ffi_(?:call|closure_alloc|closure_free|prep_closure_loc)_js',
    'random_get|fd_.*|clock_.*|environ_.*|proc_exit',
    'can_run_sync_js|_try_fcntl64|JsvError_Check|Jsv_GetError_import|__hiwire_deduplicate_.*|capture_stderr|restore_stderr',
  ].join('|')})$`,
);

/** Functions of the system rather than of JavaScript: they answer with a number, and may be called where no error of Python can be raised. */
const ofSystem =
  /^(?:__syscall_.*|_maybe_.*|_try_.*|getaddrinfo|getnameinfo|getprotobyname|_?emscripten_.*|_setitimer_js|_dlopen_js|_dlsym_js)$/;
const noAccess = 2; // as WASI numbers it

/** @typedef {(...words: unknown[]) => unknown} Import @typedef {Record<string, Record<string, unknown>>} Imports */

/**
 * Replaces the functions that are not allowed by ones that fail once `isSealed`.
 * @param {Imports} imports of one WebAssembly module
 * @param {{ readonly isSealed: boolean, readonly refuse: (name: string) => void }} seal `refuse` tells the program
 */
export function guardImports(imports, seal) {
  const functions = imports['env'] ?? {};
  for (const [name, given] of Object.entries(functions)) {
    if (typeof given !== 'function' || allowed.test(name)) continue;
    const original = /** @type {Import & { sig?: string }} */ (given);
    functions[name] = Object.assign(
      /** @type {Import} */ (
        (...words) => {
          if (!seal.isSealed) return original(...words);
          if (ofSystem.test(name)) return name.startsWith('_dl') || name === 'getprotobyname' ? 0 : -noAccess;
          seal.refuse(name);
          return failureOf(original.sig ?? 'i', functions);
        }
      ),
      { sig: original.sig },
    );
  }
}

/** @param {string} signature its first letter is the type of what comes back @param {Record<string, unknown>} functions */
function failureOf(signature, functions) {
  if (signature.startsWith('e')) return /** @type {Import} */ (functions['Jsv_GetError_import'])();
  if (signature.startsWith('p')) return 0;
  if (signature.startsWith('j')) return -1n;
  return signature.startsWith('v') ? undefined : -1;
}
