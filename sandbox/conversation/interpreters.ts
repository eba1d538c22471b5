import type { CommandLine, Language } from '../sandbox.ts';

/**
 * Programs that keep an interpreter. Each reads a line `MARK BYTES` and then that many bytes of code on
 * descriptor 3. It runs the code, and then prints a line `MARK CODE` on both streams.
 *
 * The mark separates this end from other output. It is drawn after the code has arrived, so the code cannot
 * contain it. Only the interpreter receives it: programs that the code starts get neither the mark nor
 * descriptor 3.
 *
 * The mark is no secret from code that runs in the interpreter itself: `sys._getframe` finds it in Python,
 * and the shell has it in a variable. Code that prints it ends the call with a code of its choice, as it
 * could by returning. Output after it belongs to the next call. Whatever code leaves in the interpreter, such
 * as a thread, can do the same to later calls. The calls of a conversation count as one program and are
 * trusted no further. Another conversation has another interpreter.
 */
const python = `
import os, sys, traceback, linecache
def serve():
    requests, out, err, own, count = os.fdopen(3, "rb"), os.dup(1), os.dup(2), os.getpid(), 0
    os.set_inheritable(3, False)
    scope = {"__name__": "__main__", "__builtins__": __builtins__}
    def flush():
        for stream in (sys.stdout, sys.stderr):
            try: stream.flush()
            except Exception: pass
    while True:
        head = requests.readline().split()
        if len(head) != 2: os._exit(0)
        source, status = requests.read(int(head[1])), 0
        count += 1
        name = "<said %d>" % count
        linecache.cache[name] = (len(source), None, source.decode(errors="replace").splitlines(True), name)
        try:
            exec(compile(source, name, "exec"), scope)
        except SystemExit as stop:
            flush()
            code = stop.code
            if code is not None and not isinstance(code, int):
                print(code, file=sys.stderr, flush=True)
                code = 1
            os._exit((code or 0) & 255)
        except BaseException as error:
            status = 1
            traceback.print_exception(type(error), error, error.__traceback__ and error.__traceback__.tb_next)
        flush()
        if os.getpid() != own: os._exit(status)
        for stream in (out, err): os.write(stream, head[0] + b" %d\\n" % status)
serve()
`;

const javascript = `
const fs = require("fs"), vm = require("vm"), { inspect } = require("util");
const out = process.stdout.write.bind(process.stdout), err = process.stderr.write.bind(process.stderr);
Object.assign(globalThis, { require, module, exports });
const complain = (thrown) => err((thrown instanceof Error && thrown.stack ? thrown.stack : "Uncaught " + inspect(thrown)) + "\\n");
process.on("uncaughtException", complain);
let held = Buffer.alloc(0), count = 0;
const requests = fs.createReadStream("", { fd: 3 });
requests.on("end", () => process.exit(0));
requests.on("data", (part) => {
  held = Buffer.concat([held, part]);
  const end = held.indexOf(10);
  const [mark, length] = held.toString("latin1", 0, Math.max(end, 0)).split(" ");
  if (end < 0 || held.length < end + 1 + Number(length)) return;
  const source = held.toString("utf8", end + 1, end + 1 + Number(length));
  held = held.subarray(end + 1 + Number(length));
  obey(mark, source);
});
async function obey(mark, source) {
  let status = 0;
  try {
    count += 1;
    await vm.runInThisContext(source, { filename: "<said " + count + ">" });
  } catch (thrown) {
    status = 1;
    complain(thrown);
  }
  out(mark + " " + status + "\\n");
  err(mark + " " + status + "\\n");
}
`;

/** `head` reads the code: the shell's own reading cannot take NUL and needs a newline at the end. */
const shell = `
said() { command eval "$code"; }
exec 4>&1 5>&2
while IFS=' ' read -r mark length <&3; do
  code=$(head -c "$length" <&3; echo .)
  code=\${code%.}
  said 3<&- 4>&- 5>&-
  status=$?
  echo "$mark $status" >&4
  echo "$mark $status" >&5
done
`;

/** Python prints unbuffered, so that output before a limit is kept. */
const talkers: Readonly<Record<Language, readonly string[]>> = {
  python: ['-u', '-c', python],
  javascript: ['-e', javascript],
  shell: ['-c', shell],
};

/**
 * The command line that starts an interpreter for a conversation. Orders come on its stdin; the code that it
 * runs has an empty stdin.
 */
export const talkerOf = (language: Language, interpreter: CommandLine): CommandLine => [
  'sh',
  '-c',
  'exec 3<&0 </dev/null; exec "$@"',
  'sh',
  ...interpreter,
  ...talkers[language],
];

/** The order to run a piece of code. */
export function orderOf(mark: string, code: string): Uint8Array {
  const bytes = Buffer.from(code);
  return Buffer.concat([Buffer.from(`${mark} ${bytes.length}\n`), bytes]);
}
