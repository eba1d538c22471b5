import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cairn } from '../support/command-line.ts';
import { isThorough } from '../support/thorough.ts';

// Wherever a command opens a path of the user's, an error says where, what and how to fix it.

const root = mkdtempSync(join(tmpdir(), 'cairn-paths-'));
afterAll(() => rmSync(root, { recursive: true }));
const at = (name: string): string => join(root, name);
mkdirSync(at('folder'));
writeFileSync(at('file'), 'just text\n');
symlinkSync(at('loop'), at('loop'));
mkdirSync(join(at('run'), 'config.json'), { recursive: true });

/** Names of paths that no command can use as what it expects. */
const paths: Readonly<Record<string, string>> = {
  'an empty folder': at('folder'),
  'a file of other content': at('file'),
  'a path below a file': join(at('file'), 'below'),
  'a name of 300 characters': at('n'.repeat(300)),
  'a link that leads to itself': at('loop'),
  'a run whose config is a folder': at('run'),
};

/** The quick tier leaves out commands that open a model or an environment first. */
const isTried = ([command]: readonly [string, unknown]): boolean =>
  isThorough || !/model|games|files|pages|sql|eval|bench|sft|actions/.test(command);

/** Any text. */
const text = expect.any(String) as string;

const small = ['--tasks', '1', '--quiet'];

/** Command lines that open a path. */
const commands: Readonly<Record<string, (path: string) => readonly string[]>> = {
  'train --config': (path) => ['train', 'lights-out', '--config', path, '--dry-run'],
  'train --model': (path) => ['train', 'lights-out', '--model', path, '--backend', 'cpu', '--dry-run'],
  'train --model, token': (path) => [
    'train',
    'lights-out',
    '--policy',
    'token',
    '--model',
    path,
    '--backend',
    'cpu',
    '--dry-run',
  ],
  'train --credit': (path) => ['train', 'lights-out', '--credit', path, '--dry-run'],
  'train --env-module': (path) => ['train', 'lights-out', '--env-module', path, '--dry-run'],
  'train --resume': (path) => ['train', '--resume', path],
  'sft --model': (path) => ['sft', 'lights-out', '--model', path, '--backend', 'cpu', '--dry-run'],
  'eval --run': (path) => ['eval', '--run', path, ...small],
  'eval --agent': (path) => ['eval', 'lights-out', '--agent', path, ...small],
  'eval --config': (path) => ['eval', 'lights-out', '--config', path, ...small],
  'eval --prompt': (path) => [
    'eval',
    'lights-out',
    '--agent',
    'openai:a@http://localhost:1',
    '--prompt',
    path,
    ...small,
  ],
  'bench --run': (path) => ['bench', '--run', path, ...small],
  compare: (path) => ['compare', path, path],
  'compare NAME=': (path) => ['compare', `a=${path}`, `b=${path}`],
  study: (path) => ['study', path],
  inspect: (path) => ['inspect', path],
  export: (path) => ['export', path],
  report: (path) => ['report', path],
  'model show': (path) => ['model', 'show', path],
  'model merge': (path) => ['model', 'merge', path, '--out', at('merged')],
  'check --actions': (path) => ['check', 'lights-out', '--actions', path, '--tasks', '1'],
  'alfworld files': (path) => ['eval', 'alfworld', '--agent', 'searcher', '--set', `files=${path}`, ...small],
  'web pages': (path) => ['eval', 'web', '--agent', 'searcher', '--set', `pages=${path}`, ...small],
  'sql folder': (path) => [
    'eval',
    'sql',
    '--agent',
    'searcher',
    '--set',
    `databases.kind=folder`,
    '--set',
    `databases.folder=${path}`,
    ...small,
  ],
  'shop files': (path) => [
    'eval',
    'shop',
    '--agent',
    'searcher',
    '--set',
    'catalogue.kind=original',
    '--set',
    `catalogue.folder=${path}`,
    ...small,
  ],
};

/** Command lines that write to a path. */
const writers: Readonly<Record<string, (path: string) => readonly string[]>> = {
  'train --run': (path) => ['train', 'lights-out', '--run', path, '--dry-run', '--backend', 'cpu'],
  'eval --out': (path) => ['eval', 'lights-out', '--agent', 'random', '--out', path, ...small],
  'eval --keep': (path) => ['eval', 'lights-out', '--agent', 'random', '--keep', path, ...small],
  'model init --out': (path) => [
    'model',
    'init',
    'nano',
    '--tokenizer',
    'from-env',
    'lights-out',
    '--out',
    path,
  ],
  games: (path) => ['games', path],
  'new env --folder': (path) => ['new', 'env', 'rooms', '--folder', path],
};

describe.each(Object.entries(commands).filter(isTried))('%s', (_command, words) => {
  it.each(Object.entries(paths).filter(([name]) => isThorough || !/empty|other content|itself/.test(name)))(
    'refuses %s in three parts',
    async (_what, path) => {
      const { code, err, out } = await cairn([...words(path), '--json']);
      expect({ code, err }).toMatchObject({ code: 2 });
      expect(JSON.parse(out)).toMatchObject({
        error: {
          kind: 'usage',
          where: text,
          what: text,
          fix: text,
        },
      });
      expect(err).not.toMatch(/\bE[A-Z]{4,}\b/);
    },
  );
});

describe.each(Object.entries(writers).filter(isTried))('%s', (_command, words) => {
  it.each(Object.entries(paths).filter(([name]) => /below|characters|leads/.test(name)))(
    'refuses %s in three parts',
    async (_what, path) => {
      const { code, err, out } = await cairn([...words(path), '--json']);
      expect({ code, err }).toMatchObject({ code: 2 });
      expect(JSON.parse(out)).toMatchObject({
        error: { where: text, what: text, fix: text },
      });
      expect(err).not.toMatch(/\bE[A-Z]{4,}\b/);
    },
  );
});
