import path from 'node:path';
import type { CommandLine } from '../sandbox.ts';
import type { WasmLanguage } from './packages.ts';

/** What a command line asks of an interpreter. */
export interface WasmProgram {
  readonly language: WasmLanguage;
  /** The source of the code: a file's path, a module's name, the code itself, or stdin. */
  readonly how: 'file' | 'module' | 'code' | 'stdin';
  readonly text: string;
  /** As the program sees it. */
  readonly argv: readonly string[];
}

/** A command line that runs nothing, with the message of a shell or an interpreter. */
export interface RefusedCommand {
  readonly code: number;
  readonly stderr: string;
}

const languages: Readonly<Record<string, WasmLanguage>> = {
  python: 'python',
  python3: 'python',
  node: 'javascript',
  qjs: 'javascript',
};

/** Options of Python that have no effect for a program that is alone in its interpreter. */
const idleOptions = new Set(['-u', '-B', '-E', '-I', '-s', '-q']);

/** The interpreter of a command, and what it runs. Programs are recognized by their names, in any folder. */
export function readCommand([program, ...words]: CommandLine): WasmProgram | RefusedCommand {
  const language = languages[path.posix.basename(program)];
  if (language === undefined)
    return {
      code: 127,
      stderr: `${program}: not found: there are only ${Object.keys(languages).join(', ')} here\n`,
    };
  return language === 'python' ? pythonProgram(words) : javascriptProgram(words);
}

function pythonProgram(words: readonly string[]): WasmProgram | RefusedCommand {
  const language = 'python';
  const at = words.findIndex((word) => !idleOptions.has(word));
  const [first, ...more] = at === -1 ? [] : words.slice(at);
  if (first === undefined || first === '-')
    return { language, how: 'stdin', text: '', argv: [first ?? '', ...more] };
  if (first === '-c' || first === '-m') {
    const [text, ...rest] = more;
    if (text === undefined) return { code: 2, stderr: `Argument expected for the ${first} option\n` };
    return { language, how: first === '-c' ? 'code' : 'module', text, argv: [first, ...rest] };
  }
  if (first.startsWith('-')) return { code: 2, stderr: `Unknown option: ${first}\n` };
  return { language, how: 'file', text: first, argv: [first, ...more] };
}

function javascriptProgram([first, ...more]: readonly string[]): WasmProgram | RefusedCommand {
  const language = 'javascript';
  const program = '/usr/bin/node';
  if (first === undefined || first === '-')
    return { language, how: 'stdin', text: '', argv: [program, '-', ...more] };
  if (first === '-e' || first === '--eval') {
    const [text, ...rest] = more;
    if (text === undefined) return { code: 9, stderr: `node: ${first} requires an argument\n` };
    return { language, how: 'code', text, argv: [program, ...rest] };
  }
  if (first.startsWith('-')) return { code: 9, stderr: `node: bad option: ${first}\n` };
  return { language, how: 'file', text: first, argv: [program, first, ...more] };
}
