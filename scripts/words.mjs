// The words of documents, test titles and comments: `node scripts/words.mjs`, or `node scripts/words.mjs titles test/envs` for a part.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './set-up/root.mjs';

/** Words a sentence may have. */
const longest = 25;

/** What a reader stumbles over, and what to write instead. */
const banned = [
  [/\b(?:tells?|told)\b/, 'reports, prints, says which'],
  [/\b(?:holds?|held) to\b/, 'validates, must'],
  [/\b(?:hangs?|hung) on\b/, 'depends on'],
  [/\bmend(?:s|ed|ing)?\b/, 'fix'],
  [/\bsettle[sd]?\b/, 'resolved, decided'],
  [/\b(?:comes?|came) to (?!a stop|an end)/, 'totals, reaches'],
  [/\bbegun\b/, 'started'],
  [/\bamiss\b/, 'wrong'],
  [/\banew\b/, 'again'],
  [/\breckon(?:s|ed|ing)?\b/, 'computes, estimates'],
  [/\bwhoever\b|\bwhatsoever\b/, 'name the subject'],
  [/\bmisfits?\b/, 'mismatch'],
  [/\bwill not do\b/, 'must be …'],
  [/\bputs? away\b/, 'closes, disposes, stores'],
  [/\bbrings? forth\b/, 'produces'],
];

/** How a test title must not begin: it is read alone in a log. */
const danglingStart =
  /^(?:is|are|was|were|has|have|of|that|what|who|which|where|when|while|whose|and|or|but|also|too|it|they|so|there|the same|says the same|nothing|does so|in|at|by|for|from|to|as|if|without|with)\b/i;

const files = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).stdout.split('\n');

/** @typedef {{ line: number, text: string }} Piece */

/** @type {(text: string, at: number) => number} */
const lineAt = (text, at) => text.slice(0, at).split('\n').length;

/** Prose of a document: no code, tables cell by cell, links as their text. @type {(text: string) => Piece[]} */
function proseOf(text) {
  /** @type {Piece[]} */
  const pieces = [];
  let fence = '';
  /** @type {Piece | undefined} */
  let open;
  for (const [index, row] of text.split('\n').entries()) {
    const mark = /^\s*(```+|~~~+)/.exec(row)?.[1];
    if (mark !== undefined && (fence === '' || mark.startsWith(fence))) {
      fence = fence === '' ? mark : '';
      open = undefined;
      continue;
    }
    if (fence !== '' || row.trim() === '' || /^\s*(?:#|<|\|?[\s|:-]+\|?$)/.test(row)) {
      open = undefined;
      if (/^\s*#/.test(row)) pieces.push({ line: index + 1, text: row.replace(/^[\s#]+/, '') });
      continue;
    }
    if (row.trimStart().startsWith('|')) {
      for (const cell of row.split(/(?<!\\)\|/)) pieces.push({ line: index + 1, text: cell });
      open = undefined;
    } else if (open === undefined || /^\s*(?:[-*>]|\d+\.)\s/.test(row)) {
      open = { line: index + 1, text: row.replace(/^\s*(?:[-*>]|\d+\.)\s/, '') };
      pieces.push(open);
    } else open.text += ` ${row.trim()}`;
  }
  return pieces;
}

/** @type {(text: string) => Piece[]} */
function titlesOf(text) {
  /** @type {Piece[]} */
  const pieces = [];
  const call =
    /(?:^|[^.\w])(?:await )?(?:(?:it|test)\b(?:\.\w+)*|\]\s*(?:as const\s*)?,?\s*\))\s*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"((?:[^"\\\n]|\\.)*)")\s*,/g;
  for (const found of text.matchAll(call))
    pieces.push({
      line: lineAt(text, found.index + found[0].length - 1),
      text: found[1] ?? found[2] ?? found[3] ?? '',
    });
  return pieces;
}

/** Scripts for a page or another process: their comments are part of a text that runs elsewhere. */
const scripts = /(?:String\.raw|\/\* script \*\/ )`(?:[^`\\]|\\[\s\S])*`/g;

/**
 * Prose of comments: no names of parameters, no usage lines, no tables of a layout in columns.
 * @type {(text: string) => Piece[]}
 */
function commentsOf(text) {
  const code = text.replace(scripts, (script) => script.replace(/[^\n]/g, ' '));
  return [...code.matchAll(/\/\*[\s\S]*?\*\/|(?<![:'"`\w\\])\/\/ [^\n]*/g)].map((found) => ({
    line: lineAt(text, found.index),
    text: found[0]
      .replace(/\*\/$/, '')
      .replace(/^\s*(?:\/\*\*?|\*|\/\/)/gm, ' ')
      .replace(/^\s*usage: [\s\S]*/m, '')
      .replace(/^\s*\S.*\S {3,}\S.*$/gm, '')
      .replace(/@param [\w.]+/g, '@param')
      .replace(/\{@link [^}]*\}/g, '`link`'),
  }));
}

/** @type {(text: string) => string[]} */
const sentencesOf = (text) =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/"[^"]*"(?: \\\| "[^"]*")+/g, 'CODE') // the values of a config key
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?:;])\s+(?=[A-Z(`*]|CODE)|(?<=[;:])\s|\s(?=- )|\s(?=@[a-z])/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');

/** @type {(piece: Piece) => string[]} */
const faultsOf = ({ text }) => [
  ...sentencesOf(text)
    .filter((sentence) => sentence.split(' ').length > longest)
    .map((sentence) => `${sentence.split(' ').length} words: ${sentence}`),
  ...banned
    .filter(([word]) => /** @type {RegExp} */ (word).test(text.replace(/`[^`]*`/g, '')))
    .map(
      ([word, instead]) =>
        `"${/** @type {RegExp} */ (word).exec(text.replace(/`[^`]*`/g, ''))?.[0]}" (write: ${instead}): ${text.trim()}`,
    ),
];

/** @type {Readonly<Record<string, { of: (file: string) => boolean, read: (text: string) => Piece[], faults: (piece: Piece) => string[] }>>} */
const kinds = {
  docs: {
    of: (file) => file.endsWith('.md') && !/^(?:CHANGELOG|NOTICE|LICENSE)|^test\/fixtures/.test(file),
    read: proseOf,
    faults: faultsOf,
  },
  titles: {
    of: (file) => file.endsWith('.ts') && file.startsWith('test/') && !file.startsWith('test/fixtures'),
    read: titlesOf,
    faults: (piece) => [
      ...faultsOf(piece),
      ...(danglingStart.test(piece.text)
        ? [`begins with "${danglingStart.exec(piece.text)?.[0]}", says nothing alone: ${piece.text}`]
        : []),
    ],
  },
  comments: {
    of: (file) => file.endsWith('.ts') && !/^test\/fixtures|^bench\/sandbox\/attacks\/programs/.test(file),
    read: commentsOf,
    faults: faultsOf,
  },
};

const [kind, ...folders] = process.argv.slice(2);
if (kind !== undefined && !(kind in kinds)) {
  process.stderr.write(`words: there is no kind ${kind}. There are ${Object.keys(kinds).join(', ')}.\n`);
  process.exit(2);
}
let count = 0;
for (const [name, { of, read, faults }] of Object.entries(kinds)) {
  if (kind !== undefined && name !== kind) continue;
  for (const file of files) {
    if (
      file === '' ||
      !of(file) ||
      (folders.length > 0 && !folders.some((folder) => file.startsWith(folder)))
    )
      continue;
    for (const piece of read(readFileSync(path.join(root, file), 'utf8')))
      for (const fault of faults(piece)) {
        count += 1;
        process.stdout.write(`${file}:${piece.line}: ${fault}\n`);
      }
  }
}
process.stderr.write(`words: ${count} to change\n`);
if (count > 0) process.exitCode = 1;
