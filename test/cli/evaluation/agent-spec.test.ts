import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAgentSpec } from '../../../cli/evaluation/agent-spec.ts';
import { UsageError } from '../../../envs/core/errors.ts';

const said: string[] = [];
const read = (text: string): object =>
  parseAgentSpec(text, { where: 'test', say: (line) => void said.push(line) });

describe('parseAgentSpec', () => {
  it.each([
    ['random', { kind: 'scripted', agent: 'random' }],
    ['expert', { kind: 'scripted', agent: 'expert' }],
    ['runs/first', { kind: 'run', folder: 'runs/first' }],
    ['./first', { kind: 'run', folder: './first' }],
    ['C:\\runs\\first', { kind: 'run', folder: 'C:\\runs\\first' }],
    [
      'runs/first/checkpoints/iteration-00040',
      { kind: 'run', folder: path.resolve('runs/first'), checkpoint: 'iteration-00040' },
    ],
    [
      'openai:gpt-5@https://api.openai.com/v1',
      { kind: 'text', model: 'gpt-5', endpoint: { host: 'api.openai.com' } },
    ],
    [
      'openai:Qwen/Qwen3-8B@http://localhost:8000',
      { kind: 'text', model: 'Qwen/Qwen3-8B', endpoint: { host: 'localhost:8000' } },
    ],
    [
      'openai:model@revision@http://localhost:8000/v1',
      { kind: 'text', model: 'model@revision', endpoint: { host: 'localhost:8000' } },
    ],
    ['openai:a:b@HTTP://[::1]:1/v1', { kind: 'text', model: 'a:b', endpoint: { host: '[::1]:1' } }],
  ])('reads %s', (text, wanted) => {
    expect(read(text)).toMatchObject(wanted);
  });

  it('takes bare names of folders here that hold a run or a checkpoint, but after names of players', () => {
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
      expect(read('random')).toEqual({ kind: 'scripted', agent: 'random' });
      expect(read('expert')).toEqual({ kind: 'scripted', agent: 'expert' });
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

  it('reads anything or says how to write it', () => {
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
