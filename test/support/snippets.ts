import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readMarkdown, type Block } from './markdown.ts';
import { root } from './run-program.ts';

/** What a test does with a block of TypeScript. */
type Use =
  /** It is compiled and run. */
  | { readonly kind: 'run' }
  /** It is compiled. `why` says what running it needs. */
  | { readonly kind: 'compile'; readonly why: string }
  /** It is part of a file that another test runs. */
  | { readonly kind: 'quote'; readonly file: string };

export interface Snippet {
  /** File and line of its document. */
  readonly at: string;
  readonly document: string;
  readonly code: string;
  readonly use: Use;
  /** Name under which other snippets of the document import it. */
  readonly file: string | undefined;
}

export interface CommandLine {
  readonly at: string;
  readonly words: readonly string[];
  /** Whether it stands within a sentence, where a flag may be named without its value. */
  readonly isProse: boolean;
}

/** The documents for users, with paths from the root. */
export const documents: readonly string[] = [
  'README.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.posix.join('docs', file.split(path.sep).join('/')))
    .sort(),
];

export const readDocument = (document: string) =>
  readMarkdown(readFileSync(path.join(root, document), 'utf8'));

/**
 * The use of a block by the words behind `ts`: `no-run WHY`, `quotes FILE`, or nothing. `file=NAME` names the file of a snippet.
 */
export function readInfo(info: string): Pick<Snippet, 'use' | 'file'> {
  const named = /^file=([\w-]+\.ts)\b ?(.*)$/.exec(info);
  const file = named?.[1];
  const [first = '', ...rest] = (named?.[2] ?? info).split(' ');
  const argument = rest.join(' ');
  if (first === '') return { use: { kind: 'run' }, file };
  if (first === 'no-run' && argument !== '') return { use: { kind: 'compile', why: argument }, file };
  if (first === 'quotes' && argument !== '') return { use: { kind: 'quote', file: argument }, file };
  throw new Error(`"${info}" is none of: no-run WHY, quotes FILE, file=NAME.ts`);
}

/** The blocks of TypeScript of a document. */
export function snippetsOf(document: string): readonly Snippet[] {
  return readDocument(document)
    .blocks.filter(({ language }) => language === 'ts')
    .map(({ info, code, line }) => {
      const at = `${document}:${line}`;
      try {
        return { at, document, code, ...readInfo(info) };
      } catch (thrown) {
        throw new Error(`${at}: ${String(thrown)}`, { cause: thrown });
      }
    });
}

const shells: readonly string[] = ['sh', 'bash', 'shell', 'console'];
export const isShell = ({ language }: Block): boolean => shells.includes(language);

/** The words behind `cairn` of each line that runs the command, with quotes and line continuations read as a shell reads them. */
export function commandsOf(code: string): readonly (readonly string[])[] {
  return code
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => {
      const words = wordsOf(line.replace(/^\s*\$ /, ''));
      const start = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
      const [first, second] = words.slice(Math.max(start, 0));
      if (first === 'npx' && (second === 'cairn-gym' || second === 'cairn')) return [words.slice(start + 2)];
      return first === 'cairn' || first === 'cairn-gym' ? [words.slice(start + 1)] : [];
    });
}

/** The words of a command, up to a comment, a pipe or a redirection. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  for (const [token, quoted, plain] of line.matchAll(
    /((?:[^\s'"|<>&;#]|(?<=\S)#|'[^']*'|"(?:[^"\\]|\\.)*")+)|([|<>&;#])/g,
  )) {
    if (plain !== undefined) break;
    words.push(
      (quoted ?? token).replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"/g, (_, single, double) => single ?? double),
    );
  }
  return words;
}

/** All command lines of a document: of its shell blocks, and in backticks within its text. */
export function commandLinesOf(document: string): readonly CommandLine[] {
  const { blocks, prose } = readDocument(document);
  return [
    ...blocks
      .filter(isShell)
      .flatMap(({ code, line }) =>
        commandsOf(code).map((words) => ({ at: `${document}:${line}`, words, isProse: false })),
      ),
    ...[...prose.matchAll(/`((?:npx )?cairn(?:-gym)? [^`]+)`/g)].flatMap(([, code = '']) =>
      commandsOf(code.replaceAll(/\s+/g, ' ').replaceAll('\\|', '|')).map((words) => ({
        at: document,
        words,
        isProse: true,
      })),
    ),
  ];
}
