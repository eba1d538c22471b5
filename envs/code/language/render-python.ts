import { infix, render, type TargetSyntax } from './render.ts';
import type { Program } from './syntax.ts';

/** Adds parentheses unless it is one word. */
const factor = (text: string): string => (/^\w+$/.test(text) ? text : `(${text})`);

const calls: Readonly<Record<string, (...given: readonly string[]) => string>> = {
  cat: (a, b) => `${a} + ${b}`,
  times: (text, count) => `${text} * ${factor(count)}`,
  upper: (text) => `${text}.upper()`,
  lower: (text) => `${text}.lower()`,
  is_digit: (text) => `${text}.isdigit()`,
  is_letter: (text) => `${text}.isalpha()`,
  split: (text, by) => `${text}.split(${by})`,
  join: (by, list) => `${by}.join(${list})`,
  append: (list, item) => `${list}.append(${item})`,
  pop: (list) => `${list}.pop()`,
  concat: (a, b) => `${a} + ${b}`,
  reversed: (of) => `${of}[::-1]`,
  contains: (of, item) => `(${item} in ${of})`,
  filled: (count, value) => `[${value}] * ${factor(count)}`,
  grid: (rows, columns, value) => `[[${value}] * ${factor(columns)} for _ in range(${rows})]`,
  new_map: () => '{}',
  has: (map, key) => `(${key} in ${map})`,
  get: (map, key, otherwise) => `${map}.get(${key}, ${otherwise})`,
  put: (map, key, value) => `${map}[${key}] = ${value}`,
  size: (map) => `len(${map})`,
  keys: (map) => `list(${map})`,
};

const python: TargetSyntax = {
  truths: ['False', 'True'],
  comparisons: { '<': '<', '<=': '<=', '>': '>', '>=': '>=', '==': '==', '!=': '!=' },
  and: 'and',
  or: 'or',
  not: 'not ',
  arithmetic: (operator, left, right) => infix(operator, operator, left, right),
  call: (name, given) => calls[name]?.(...given) ?? `${name}(${given.join(', ')})`,
  slice: (of, from = '', to = '') => `${of}[${from}:${to}]`,
  head: ({ name, parameters }) => [`def ${name}(${parameters.join(', ')}):`],
  blocks: {
    if: (test) => `if ${test}:`,
    elif: (test) => `elif ${test}:`,
    while: (test) => `while ${test}:`,
    for: (name, over) => `for ${name} in ${over}:`,
    otherwise: 'else:',
    end: undefined,
  },
  stop: '',
  pass: 'pass',
  indent: '    ',
};

export const renderPython = (program: Program): string => `${render(program, python)}\n`;
