import { descriptors } from './command-words.ts';
import type { CommandLine, Language } from '../sandbox.ts';

/** The driver reads what it is told, and answers, on these. */
const orders = descriptors.firstOfProgram;
const answers = descriptors.firstOfProgram + 1;

/**
 * Programs that keep an interpreter: each order is a line with a mark that nobody can guess and a piece of code; when the code has run,
 * the driver prints the mark on both streams, behind all that the code printed, and answers with the mark and a code.
 */
const python = `
import builtins, json, linecache, os, sys, traceback
orders, answers = os.fdopen(${orders}, "r", encoding="utf-8", newline="\\n"), os.fdopen(${answers}, "w")
os.set_inheritable(${orders}, False); os.set_inheritable(${answers}, False)
space = {"__name__": "__main__", "__builtins__": builtins}
count = 0
for line in orders:
    order = json.loads(line)
    count += 1
    name = "<said %d>" % count
    linecache.cache[name] = (len(order["code"]), None, order["code"].splitlines(True), name)
    status = 0
    try:
        exec(compile(order["code"], name, "exec"), space)
    except SystemExit as end:
        sys.stdout.flush()
        if isinstance(end.code, str): print(end.code, file=sys.stderr, flush=True)
        os._exit(end.code if isinstance(end.code, int) else 0 if end.code is None else 1)
    except BaseException as error:
        status = 1
        error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
        traceback.print_exception(error)
    for stream, number in (sys.stdout, 1), (sys.stderr, 2):
        try: stream.flush()
        except Exception: pass
        os.write(number, order["mark"].encode())
    answers.write('{"mark":"%s","code":%d}\\n' % (order["mark"], status)); answers.flush()
`;

const javascript = `
const vm = require("vm"), { Socket } = require("net"), { inspect } = require("util");
Object.assign(globalThis, { require, module, exports });
const answers = new Socket({ fd: ${answers} });
let text = "", count = 0;
const printed = (stream, mark) => new Promise((resolve) => stream.write(mark, resolve));
async function obey({ mark, code }) {
  let status = 0;
  try {
    count += 1;
    await vm.runInThisContext(code, { filename: "<said " + count + ">" });
  } catch (thrown) {
    status = 1;
    await printed(process.stderr, (thrown instanceof Error ? thrown.stack : "Uncaught " + inspect(thrown)) + "\\n");
  }
  await printed(process.stdout, mark);
  await printed(process.stderr, mark);
  answers.write(JSON.stringify({ mark, code: status }) + "\\n");
}
new Socket({ fd: ${orders} }).setEncoding("utf8").on("data", (part) => {
  text += part;
  for (let end = text.indexOf("\\n"); end >= 0; end = text.indexOf("\\n")) {
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    obey(JSON.parse(line));
  }
}).on("end", () => process.exit(0));
`;

/** The words of an order to the shell are written as \`printf %b\` reads them: no byte of the code can end the line. */
const shell = `
cairn_say() { command eval "$1"; }
while IFS=' ' read -r cairn_mark cairn_code <&${orders}; do
  cairn_code=$(printf '%bx' "$cairn_code")
  cairn_say "\${cairn_code%x}" </dev/null ${orders}<&- ${answers}>&-
  cairn_status=$?
  printf %s "$cairn_mark"
  printf %s "$cairn_mark" >&2
  printf '{"mark":"%s","code":%d}\\n' "$cairn_mark" "$cairn_status" >&${answers}
done
`;

/** The words that begin a driver, behind those of its interpreter. */
export const driverWords = (language: Language, interpreter: CommandLine): CommandLine =>
  language === 'python' ? [...interpreter, '-u', '-c', python] : language === 'javascript' ? [...interpreter, '-e', javascript] : [...interpreter, '-c', shell];

/** An order as the driver of a language reads it, with its end of line. */
export function orderLine(language: Language, mark: string, code: string): string {
  if (language !== 'shell') return `${JSON.stringify({ mark, code })}\n`;
  return `${mark} ${code.replaceAll('\\', '\\0134').replaceAll('\n', '\\0012').replaceAll('\0', '')} \n`;
}
