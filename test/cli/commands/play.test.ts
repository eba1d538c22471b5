import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cairn } from '../../support/command-line.ts';
import { describeWithParts } from '../../support/system-part.ts';

const playedSchema = z.object({
  env: z.string(),
  task: z.object({ panel: z.string(), index: z.number() }),
  family: z.string(),
  outcome: z.string(),
  limit: z.string().optional(),
  score: z.number(),
  steps: z.array(z.object({ action: z.string() })),
});

async function play(stdin: string, ...words: readonly string[]): Promise<z.output<typeof playedSchema>> {
  const { code, out } = await cairn(['play', 'lights-out', ...words, '--json'], { stdin });
  expect(code).toBe(0);
  return playedSchema.parse(JSON.parse(out));
}

describe('cairn-gym play', () => {
  it('reads numbers and words, and ends at quit', async () => {
    const played = await play('2\npress row 1 column 3\nquit\n1\n');
    expect(played).toMatchObject({ env: 'lights-out-v1', task: { panel: 'dev', index: 0 }, outcome: 'left' });
    expect(played.steps.map(({ action }) => action)).toEqual([
      'press row 1 column 2',
      'press row 1 column 3',
    ]);
  });

  it('takes a number as the answer where answers are written freely, and #1 as a listed one', async () => {
    const words = ['play', 'puzzle-random-calculation', '--set', 'difficulty=1', '--task', '2'];
    const answered = async (stdin: string) => {
      const { out } = await cairn([...words, '--json'], { stdin });
      return playedSchema.parse(JSON.parse(out)).steps.map(({ action }) => action);
    };
    expect(await answered('315\nquit\n')).toEqual(['315']);
    expect(await answered('2\nquit\n')).toEqual(['2']);
    const { out } = await cairn([...words, '--quiet'], { stdin: '?\n#9\n' });
    expect(out).toContain('Type your answer, or # and the number of a listed one, such as #1.');
    expect(out).toContain('Numbers go from #1 to 4');
    const [, first = ''] = /^ #1 {2}(\S+)$/m.exec(out) ?? [];
    expect(first).not.toBe('');
    expect(await answered('#1\nquit\n')).toEqual([first]);
  });

  it('ends with the input', async () => {
    expect((await play('2\n')).steps).toHaveLength(1);
    expect((await play('')).outcome).toBe('left');
  });

  it('counts no step for unknown words', async () => {
    expect((await play('dance\n0\n26\n?\n\n')).steps).toEqual([]);
  });

  it('takes steps back, as far as the start', async () => {
    const { steps } = await play('1\n2\nundo\n3\nundo\nundo\nundo\n5\n');
    expect(steps.map(({ action }) => action)).toEqual(['press row 1 column 5']);
  });

  it('restores the same board when a step is taken back', async () => {
    const { out } = await cairn(['play', 'lights-out', '--quiet'], { stdin: '1\nundo\n' });
    const boards = out.match(/(?:^[.#]{5}\n){5}/gm) ?? [];
    expect(boards).toHaveLength(3);
    expect(boards[2]).toBe(boards[0]);
    expect(boards[1]).not.toBe(boards[0]);
  });

  it('shows the present state after undo, without repeating that an earlier step was impossible', async () => {
    const { out } = await cairn(['play', 'shop', '--quiet'], {
      stdin: 'SEARCH[x]\nclick[next >]\nundo\nquit\n',
    });
    expect(out.match(/That is not possible here/g)).toHaveLength(2);
    expect(out.match(/WebShop \[SEP\] Instruction/g)).toHaveLength(4);
  });

  it('fails the episode at the turn limit of the task', async () => {
    const played = await play('1\n'.repeat(60), '--set', 'size=3');
    expect(played).toMatchObject({ outcome: 'failed', limit: 'turn-limit' });
  });

  it('shows the task once, even when the first observation contains it', async () => {
    const { out } = await cairn(['play', 'household', '--quiet'], { stdin: 'quit\n' });
    const task = /Your task is to: (.*)/.exec(out)?.[1] ?? 'none';
    expect(out.split(task)).toHaveLength(2);
    expect((await cairn(['play', 'lights-out', '--quiet'], { stdin: 'quit\n' })).out).toMatch(/lights/i);
  });

  it('writes a transcript that reads as if typed, with a summary', async () => {
    const { out } = await cairn(['play', 'lights-out'], { stdin: '?\n1\n' });
    expect(out).not.toContain('Several lines');
    expect(out).toContain('[50 left] > ?\n  1  press row 1 column 1\n');
    expect(out).toContain('[50 left] > 1\n');
    expect(out).toMatch(/Left after 1 step, score 0\.\n$/);
  });

  it('keeps stdout for the document under --json', async () => {
    const { out, err } = await cairn(['play', 'lights-out', '--json'], { stdin: '1\n' });
    expect(() => JSON.parse(out) as unknown).not.toThrow();
    expect(err).toContain('[50 left] > 1\n');
  });

  it.each([
    [['--task', '100'], /Choose an integer from 0 to 99/],
    [['--panel', 'nope'], /this panel does not exist/],
    [['--set', 'size=2'], /size: /],
    [['--set', 'size'], /it has no "="/],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await cairn(['play', 'lights-out', ...words]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('releases everything when interrupted while it waits for a line', async () => {
    const signals = new EventEmitter();
    const stdin = new Readable({ read: () => undefined });
    const playing = cairn(['play', 'lights-out'], { stdin, signals });
    while (signals.listenerCount('SIGTERM') === 0) await sleep(5);
    await sleep(50);
    signals.emit('SIGTERM', 'SIGTERM');
    expect((await playing).code).toBe(143);
  });
});

await describeWithParts(['bubblewrap'], 'npx cairn-gym play code', () => {
  it('accepts the commands that it prints: a word, and a program between lines of ```', async () => {
    const stdin =
      'submit\n```\ndef end_index(values):\n    return 0\n```\nrun\n```input\n[[1,2]]\n```\nfinish\n';
    const { code, out, err } = await cairn(['play', 'code', '--json'], { stdin });
    expect(code).toBe(0);
    expect(playedSchema.parse(JSON.parse(out)).steps.map(({ action }) => action)).toEqual([
      'submit\n```\ndef end_index(values):\n    return 0\n```',
      'run\n```input\n[[1,2]]\n```',
      'finish',
    ]);
    expect(err).not.toContain('Not understood');
    expect(err).toContain('Write several lines between two lines of ```');
  });

  it('explains blocks only in a config where programs are written', async () => {
    const { out } = await cairn(['play', 'code', '--set', 'pieces=3'], { stdin: '' });
    expect(out).toContain('Type an action or its number');
    expect(out).not.toContain('Several lines');
    expect(
      (await cairn(['play', 'code'], { stdin: '' })).out.match(/Write several lines between/g),
    ).toHaveLength(1);
  });

  it('reports that the input ended inside a program, and does nothing with it', async () => {
    const { code, out } = await cairn(['play', 'code'], { stdin: 'submit\n```\nprint(1)\n' });
    expect(code).toBe(0);
    expect(out).toContain('The input ended inside a block');
    expect(out).toMatch(/Left after 0 steps, score 0\.\n$/);
  });
});
