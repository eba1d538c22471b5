import { bracketed, infix, render, type TargetSyntax } from './render.ts';
import type { Program } from './syntax.ts';

const calls: Readonly<Record<string, (...given: readonly string[]) => string>> = {
  len: (of) => `${of}.length`,
  min: (a, b) => `Math.min(${a}, ${b})`,
  max: (a, b) => `Math.max(${a}, ${b})`,
  abs: (a) => `Math.abs(${a})`,
  sum: (of) => `${of}.reduce((a, b) => a + b, 0)`,
  str: (a) => `String(${a})`,
  int: (text) => `Number(${text})`,
  ord: (text) => `${text}.charCodeAt(0)`,
  chr: (code) => `String.fromCharCode(${code})`,
  cat: (a, b) => `${a} + ${b}`,
  times: (text, count) => `${text}.repeat(Math.max(0, ${count}))`,
  upper: (text) => `${text}.toUpperCase()`,
  lower: (text) => `${text}.toLowerCase()`,
  is_digit: (text) => `/^[0-9]+$/.test(${text})`,
  is_letter: (text) => `/^[A-Za-z]+$/.test(${text})`,
  split: (text, by) => `${text}.split(${by})`,
  join: (by, list) => `${list}.join(${by})`,
  append: (list, item) => `${list}.push(${item})`,
  pop: (list) => `${list}.pop()`,
  concat: (a, b) => `[...${a}, ...${b}]`,
  sorted: (of) => `[...${of}].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))`,
  contains: (of, item) => `${of}.includes(${item})`,
  filled: (count, value) => `Array.from({ length: ${count} }, () => ${value})`,
  grid: (rows, columns, value) =>
    `Array.from({ length: ${rows} }, () => Array.from({ length: ${columns} }, () => ${value}))`,
  new_map: () => 'new Map()',
  has: (map, key) => `${map}.has(${key})`,
  get: (map, key, otherwise) => `(${map}.get(${key}) ?? ${otherwise})`,
  put: (map, key, value) => `${map}.set(${key}, ${value})`,
  size: (map) => `${map}.size`,
  keys: (map) => `[...${map}.keys()]`,
};

/** Functions of Python that JavaScript lacks. They are written before programs that use them. */
const preludes: Readonly<Record<string, string>> = {
  range: [
    'function range(from, to, step = 1) {',
    '  if (to === undefined) return range(0, from);',
    '  return Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, at) => from + at * step);',
    '}',
  ].join('\n'),
  mod: 'const mod = (a, b) => ((a % b) + b) % b;',
  reversed:
    "const reversed = (of) => (typeof of === 'string' ? of.split('').reverse().join('') : [...of].reverse());",
};

const javascript: TargetSyntax = {
  truths: ['false', 'true'],
  comparisons: { '<': '<', '<=': '<=', '>': '>', '>=': '>=', '==': '===', '!=': '!==' },
  and: '&&',
  or: '||',
  not: '!',
  arithmetic: (operator, left, right) => {
    if (operator === '//')
      return { text: `Math.floor(${bracketed(left, 10)} / ${bracketed(right, 11)})`, level: 100 };
    if (operator === '%') return { text: `mod(${left.text}, ${right.text})`, level: 100 };
    return infix(operator, operator, left, right);
  },
  call: (name, given) => calls[name]?.(...given) ?? `${name}(${given.join(', ')})`,
  slice: (of, from = '0', to) => `${of}.slice(${from}${to === undefined ? '' : `, ${to}`})`,
  head: ({ name, parameters }, declared) => [
    `function ${name}(${parameters.join(', ')}) {`,
    ...(declared.length === 0 ? [] : [`  let ${declared.join(', ')};`]),
  ],
  blocks: {
    if: (test) => `if (${test}) {`,
    elif: (test) => `} else if (${test}) {`,
    while: (test) => `while (${test}) {`,
    for: (name, over) => `for (${name} of ${over}) {`,
    otherwise: '} else {',
    end: '}',
  },
  stop: ';',
  pass: '// nothing',
  indent: '  ',
};

export function renderJavascript(program: Program): string {
  const text = render(program, javascript);
  const used = Object.entries(preludes).flatMap(([name, prelude]) =>
    text.includes(`${name}(`) ? [prelude] : [],
  );
  return `${[...used, text].join('\n\n')}\n`;
}
