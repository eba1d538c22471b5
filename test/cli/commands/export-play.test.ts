import { readdirSync } from 'node:fs';
import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cairn } from '../../support/command-line.ts';

const exported = async (...words: readonly string[]) =>
  await cairn(['export', 'game-maze', '--quiet', ...words]);

const chat = z.object({
  messages: z.array(z.object({ role: z.string() })),
  metadata: z.object({ agent: z.string(), rewards: z.array(z.number()), return: z.number() }),
});
const step = z.object({ path: z.string(), agent: z.string(), step: z.int(), stop: z.unknown().optional() });

const linesOf = <Schema extends z.ZodType>(schema: Schema, out: string): readonly z.output<Schema>[] =>
  out
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));

const temporary = (): readonly string[] =>
  readdirSync(os.tmpdir()).filter((name) => name.startsWith('cairn-export-'));

describe('export --play', () => {
  it('exports episodes of each player in order, with a reward for each reply', async () => {
    const before = temporary();
    const { code, out, err } = await exported('--play', 'expert, noisy:0.5,random', '--tasks', '2');
    expect(code, err).toBe(0);
    const rows = linesOf(chat, out);
    const agents = rows.map(({ metadata }) => metadata.agent);
    expect(agents).toEqual(['searcher', 'searcher', 'noisy:0.5', 'noisy:0.5', 'random', 'random']);
    for (const { messages, metadata } of rows) {
      expect(metadata.rewards).toHaveLength(messages.filter(({ role }) => role === 'assistant').length);
      expect(metadata.rewards.reduce((sum, reward) => sum + reward, 0)).toBeCloseTo(metadata.return, 9);
    }
    expect(temporary().filter((name) => !before.includes(name))).toEqual([]);
  });

  it('marks the last step of an episode, and counts a limit over all players', async () => {
    const { out } = await exported(
      '--play',
      'expert,random',
      '--tasks',
      '2',
      '--what',
      'steps',
      '--limit',
      '3',
    );
    const rows = linesOf(step, out);
    const episodes = new Set(rows.map(({ agent, path }) => `${agent} ${path}`));
    expect(episodes.size).toBe(3);
    expect(rows.filter(({ stop }) => stop !== undefined)).toHaveLength(3);
  });

  it.each([
    [['--play', 'graded', '--what', 'metrics'], 'only a run has these rows'],
    [['--play', 'graded', '--iteration', '2'], 'belong to no run'],
    [['--play', 'random,openai:m@http://localhost:1/v1'], 'is no scripted player'],
    [['--play', 'noisy:1.5'], 'names no share of random turns'],
    [['--play', 'expert,searcher'], 'name one agent'],
    [['--tasks', '3'], 'add --play PLAYERS'],
  ])('refuses %j', async (words, why) => {
    const { code, err } = await exported(...words);
    expect(code).toBe(2);
    expect(err).toContain(why);
  });
});
