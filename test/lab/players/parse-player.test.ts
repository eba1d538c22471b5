import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import { describePlayer, parsePlayer, playerWords } from '../../../lab/players/parse-player.ts';
import { playerKinds } from '../../../lab/players/list.ts';
import { playerSpecSchema, type PlayerSpec } from '../../../lab/players/player-spec.ts';

const said: string[] = [];
const read = (text: string): PlayerSpec =>
  parsePlayer(text, { where: 'test', log: (line) => void said.push(line) });

describe('parsePlayer', () => {
  it.each([
    ['random', { kind: 'random' }],
    ['expert', { kind: 'expert' }],
    ['runs/first', { kind: 'run', folder: 'runs/first' }],
    ['./first', { kind: 'run', folder: './first' }],
    ['C:\\runs\\first', { kind: 'run', folder: 'C:\\runs\\first' }],
    [
      'runs/first/checkpoints/iteration-00040',
      { kind: 'run', folder: path.resolve('runs/first'), checkpoint: 'iteration-00040' },
    ],
    ['openai:gpt-5@https://api.openai.com/v1', { kind: 'openai', model: 'gpt-5' }],
    ['openai:Qwen/Qwen3-8B@http://localhost:8000', { kind: 'openai', model: 'Qwen/Qwen3-8B' }],
    ['openai:model@revision@http://localhost:8000/v1', { kind: 'openai', model: 'model@revision' }],
    ['openai:a:b@HTTP://[::1]:1/v1', { kind: 'openai', model: 'a:b', url: 'HTTP://[::1]:1/v1' }],
    ['searcher', { kind: 'expert', name: 'searcher' }],
    ['noisy:0.25', { kind: 'noisy', share: 0.25 }],
    ['run:first', { kind: 'run', folder: 'first' }],
    ['model:first', { kind: 'model', folder: 'first' }],
  ])('reads %s', (text, wanted) => {
    expect(playerSpecSchema.parse(read(text))).toMatchObject(wanted);
  });

  it('accepts names of folders here with a run or a checkpoint, after names of players', () => {
    const [home, folder] = [process.cwd(), mkdtempSync(path.join(os.tmpdir(), 'cairn-test-'))];
    try {
      process.chdir(folder);
      for (const [name, file] of [
        ['train1', 'config.json'],
        ['random', 'config.json'],
        ['checkpoints/best-one', 'checkpoint.json'],
        ['pictures', 'one.png'],
      ] as const) {
        mkdirSync(name, { recursive: true });
        writeFileSync(path.join(name, file), '{}');
      }
      expect(read('train1')).toEqual({ kind: 'run', folder: 'train1' });
      expect(() => read('pictures')).toThrow(/"pictures" is no agent/);
      said.length = 0;
      expect(read('random')).toEqual({ kind: 'random' });
      expect(read('expert')).toEqual({ kind: 'expert' });
      expect(said).toEqual(['random is the player of that name; the folder here is --agent ./random']);
      process.chdir('checkpoints');
      expect(read('best-one')).toEqual({
        kind: 'run',
        folder: path.dirname(path.resolve('.')),
        checkpoint: 'best-one',
      });
    } finally {
      process.chdir(home);
      rmSync(folder, { recursive: true });
    }
  });

  it.each<PlayerSpec>([
    { kind: 'random' },
    { kind: 'expert' },
    { kind: 'expert', name: 'planner' },
    { kind: 'noisy', share: 0.5 },
    { kind: 'run', folder: 'first' },
    { kind: 'run', folder: path.resolve('first'), checkpoint: 'best' },
    { kind: 'model', folder: 'models/nano' },
    { kind: 'openai', model: 'a@b', url: 'http://localhost:8000/v1?x=1' },
  ])('reads what describePlayer writes: %j', (spec) => {
    expect(read(describePlayer(spec))).toEqual(spec);
  });

  it('includes every kind of player in the help', () => {
    for (const { usage } of playerKinds) for (const word of usage) expect(playerWords).toContain(word);
  });

  it('reads any text, or says how to write it', () => {
    const pieces = fc.array(
      fc.constantFrom(
        'openai:',
        'random',
        '@',
        'http://',
        'https://',
        'localhost',
        ':80',
        '/',
        '.',
        'x',
        ' ',
        '#',
        '\\',
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        try {
          expect(read(parts.join(''))).toHaveProperty('kind');
        } catch (thrown) {
          expect(UsageError.is(thrown), String(thrown)).toBe(true);
        }
      }),
    );
  });
});
