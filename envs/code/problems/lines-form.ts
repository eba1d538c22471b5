import type { Value } from '../language/interpret.ts';
import type { Form } from './inputs.ts';
import type { ProgramLanguage } from './problem.ts';

/**
 * Problems that read lines and print one are made of function problems: how values are written, and programs
 * around the function.
 */

/** A value as lines; below, a value as it is printed. */
export function linesOf(form: Form, value: Value): readonly string[] {
  switch (form) {
    case 'number':
    case 'text':
      return [String(value as number | string)];
    case 'truth':
      return [value === true ? 'yes' : 'no'];
    case 'numbers':
    case 'texts':
      return [(value as readonly (number | string)[]).join(' ')];
    case 'rows':
      return [String((value as readonly Value[]).length), ...(value as readonly string[])];
    case 'pairs':
      return [
        String((value as readonly Value[]).length),
        ...(value as readonly (readonly number[])[]).map((pair) => pair.join(' ')),
      ];
    default:
      return form satisfies never;
  }
}

/** How a value is written, in words. */
export const formWords: Readonly<Record<Form, string>> = {
  number: 'a line with the number',
  text: 'a line with the text, which may be empty',
  truth: 'a line with "yes" or "no"',
  numbers: 'a line with the numbers, separated by blanks; it is empty where there are none',
  texts: 'a line with the words, separated by blanks; it is empty where there are none',
  rows: 'a line with the number of rows, then the rows, a line each',
  pairs: 'a line with the number of pairs, then the pairs, a line each, the two numbers separated by a blank',
};

const pythonReaders: Readonly<Record<Form, string>> = {
  number: 'int(line())',
  text: 'line()',
  truth: 'line() == "yes"',
  numbers: '[int(word) for word in line().split()]',
  texts: 'line().split()',
  rows: '[line() for _ in range(int(line()))]',
  pairs: '[[int(word) for word in line().split()] for _ in range(int(line()))]',
};

const pythonPrinters: Readonly<Record<Form, string>> = {
  number: 'print(answer)',
  text: 'print(answer)',
  truth: 'print("yes" if answer else "no")',
  numbers: 'print(*answer)',
  texts: 'print(*answer)',
  rows: 'print(len(answer), *answer, sep="\\n")',
  pairs: 'print(len(answer), *(" ".join(map(str, pair)) for pair in answer), sep="\\n")',
};

const javascriptReaders: Readonly<Record<Form, string>> = {
  number: 'Number(line())',
  text: 'line()',
  truth: "line() === 'yes'",
  numbers: "line().split(' ').filter((word) => word !== '').map(Number)",
  texts: "line().split(' ').filter((word) => word !== '')",
  rows: 'Array.from({ length: Number(line()) }, () => line())',
  pairs: "Array.from({ length: Number(line()) }, () => line().split(' ').map(Number))",
};

const javascriptPrinters: Readonly<Record<Form, string>> = {
  number: 'console.log(String(answer));',
  text: 'console.log(answer);',
  truth: "console.log(answer ? 'yes' : 'no');",
  numbers: "console.log(answer.join(' '));",
  texts: "console.log(answer.join(' '));",
  rows: "console.log([answer.length, ...answer].join('\\n'));",
  pairs: "console.log([answer.length, ...answer.map((pair) => pair.join(' '))].join('\\n'));",
};

/** The function's program with code that reads its arguments and prints its result. */
export function readingLines(
  program: string,
  of: { readonly name: string; readonly parameters: readonly Form[]; readonly result: Form },
  language: ProgramLanguage,
): string {
  const { name, parameters, result } = of;
  if (language === 'python') {
    const given = parameters.map((form) => pythonReaders[form]).join(', ');
    return `import sys\n\n${program}\nlines = iter(sys.stdin.read().split("\\n"))\n\ndef line():\n    return next(lines, "").rstrip("\\r")\n\nanswer = ${name}(${given})\n${pythonPrinters[result]}\n`;
  }
  const given = parameters.map((form) => javascriptReaders[form]).join(', ');
  return `const lines = require('fs').readFileSync(0, 'utf8').split('\\n');\nlet at = 0;\nconst line = () => (lines[at++] ?? '').replace(/\\r$/, '');\n\n${program}\nconst answer = ${name}(${given});\n${javascriptPrinters[result]}\n`;
}
