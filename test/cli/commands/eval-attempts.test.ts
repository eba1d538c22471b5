import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { openEnv } from '../../../envs/open.ts';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';
import { attemptsSchema } from '../../../trainers/results/attempts.ts';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { cairn } from '../../support/command-line.ts';
import { startStub } from '../../support/stub-chat-server.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));

const words = ['eval', 'puzzle-hanoi', '--set', 'difficulty=1', '--task', '0', '--quiet'];

describe('cairn-gym eval --attempts', () => {
  it('prints success over turns without and with feedback of a model, and writes it for programs', async () => {
    const answer = await rightAnswer();
    // The agent answers right once the feedback contains the answer, which only that of the second turn does.
    await using server = await startStub(({ body: { messages } }) => {
      const text = messages.map(({ content }) => content).join('\n');
      if (!text.includes('You are an expert who watches'))
        return { kind: 'say', text: text.includes(`Write ${answer}!`) ? answer : 'C>A' };
      const turns = text.split('Assistant:\n').length - 1;
      return { kind: 'say', text: turns < 2 ? 'Look again.' : `Write ${answer}!` };
    });
    const [out, keep] = [path.join(folder, 'attempts.json'), path.join(folder, 'kept')];
    const model = `openai:stub-model@${server.url}`;
    const line = [...words, '--agent', model, '--attempts', '4', '--feedback', model, '--keep', keep];
    const first = await cairn([...line, '--out', out]);
    expect(first.code, first.err).toBe(0);
    expect(first.out).toMatch(/without feedback +0\.0 .*\nwith feedback +0\.0 .* 0\.0 .* 100\.0/);
    const document = JSON.parse(await readFile(out, 'utf8')) as Record<string, unknown>;
    const report = attemptsSchema.parse(document['attempts']);
    expect(report).toMatchObject({ turns: 4, attempts: 4 });
    expect(report.withoutFeedback.within.map(({ rate }) => rate)).toEqual([0, 0, 0, 0]);
    expect(report.withFeedback?.within.map(({ rate }) => rate)).toEqual([0, 0, 1, 1]);
    expect(report.withFeedback?.gain.map(({ mean }) => mean)).toEqual([0, 0, 1, 1]);
    expect(report.withFeedback?.given).toBe(2);
    const [result] = document['results'] as unknown[];
    expect(parseResult(result, out)).toMatchObject({ env: 'retry-puzzle-hanoi-v1', success: { rate: 0 } });
    // kept episodes are not asked for again
    const { length } = server.requests;
    const again = await cairn([...line, '--json']);
    expect(attemptsSchema.parse((JSON.parse(again.out) as typeof document)['attempts'])).toEqual(report);
    expect(server.requests).toHaveLength(length);
  });

  it('plays nothing in a dry run, and takes the rule of two proposals', async () => {
    const { code, out } = await cairn([
      ...words,
      '--agent',
      'random',
      '--attempts=5',
      '--proposals=2',
      '--dry-run',
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      attempts: 5,
      variants: [{ config: { retry: { turns: 5, attempts: 2, discount: 1, repeatPenalty: 0 } } }],
    });
  });

  it.each([
    [['--feedback', 'scripted'], /--feedback: it applies .* --attempts is not given/],
    [['--attempts=3', '--feedback=none'], /tasks are played without feedback in any case/],
    [['--attempts=3', '--feedback=scripted'], /says nothing of what was wrong/],
    [['--attempts=3', '--feedback=friend'], /--feedback friend: nobody has that name/],
    [['--attempts=3', '--feedback-key-env=KEY'], /no model gives feedback/],
    [
      ['--attempts=3', '--feedback=openai:m@http://localhost:9', '--feedback-key-env=OPENAI_API_KEY'],
      /Export the key of the feedback under another name/,
    ],
    [['--attempts=0'], /--attempts: must be at least 1/],
  ])('refuses %j', async (flags, message) => {
    const { code, err } = await cairn([...words, '--agent', 'random', ...flags]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
  });
});

async function rightAnswer(): Promise<string> {
  const [hanoi] = findPuzzle('hanoi').envs;
  const context = createContext({ seed: 0, now: () => 0 });
  const host = await openEnv(hanoi as NonNullable<typeof hanoi>, { difficulty: 1 }, context);
  const [answer] = host.experts?.planner?.({ panel: 'dev', index: 0 }) ?? [];
  await host.close();
  return String(answer);
}
