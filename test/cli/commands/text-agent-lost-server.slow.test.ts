// Slow: plays hundreds of turns, some of them again.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import { cairn } from '../../support/command-line.ts';
import type { Ran } from '../../support/run-program.ts';
import { startStub, type StubAnswer, type StubServer } from '../../support/stub-chat-server.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));

const look: StubAnswer = {
  kind: 'say',
  text: 'Thought: hm\nAction: look',
  usage: { prompt_tokens: 1_000, completion_tokens: 20 },
};

/** A failure of the server. It asks for a short wait, because the client's own waits add up to minutes here. */
const failing: StubAnswer = {
  kind: 'json',
  status: 503,
  headers: { 'retry-after-ms': '5' },
  body: { error: { message: 'no worker is left' } },
};

interface Document {
  readonly results: readonly unknown[];
  readonly error?: { readonly kind: string; readonly message: string };
}
const documentOf = ({ out }: Ran): Document => JSON.parse(out) as Document;
const resultOf = (ran: Ran): EvaluationResult => parseResult(documentOf(ran).results[0], 'stdout');
const repliesOf = ({ tokens, replacedTokens }: EvaluationResult): number =>
  (tokens?.replies ?? 0) + (replacedTokens?.replies ?? 0);

describe('server that fails for good', () => {
  const words = (stub: StubServer, ...more: readonly string[]): readonly string[] => [
    'bench',
    'household',
    '--tasks',
    '8',
    '--agent',
    `openai:stub-model@${stub.url}`,
    '--request-timeout',
    '30',
    '--json',
    '--quiet',
    ...more,
  ];

  it.concurrent('leaves its replies and tokens in the report, even those of replaced attempts', async () => {
    await using stub = await startStub(({ number }) => (number < 201 ? look : failing));
    const ran = await cairn(words(stub));
    expect(ran.code).toBe(1);
    const result = resultOf(ran);
    expect(result.faults).toMatchObject({ count: 8, retried: 8 });
    expect(repliesOf(result)).toBe(201);
    expect(result.replacedTokens).toMatchObject({ replies: 201, prompt: 201_000, completion: 4_020 });
    expect(ran.err).not.toContain('no prompt was answered');
    expect(ran.err).not.toContain('--max-tokens');
    expect(ran.err).toMatch(
      /error: stub-model: 8 of 8 episodes \(100\.0 %\) are left with a fault.*See to the server, and to what it says\. With --keep/s,
    );
    expect(documentOf(ran).error).toMatchObject({
      kind: 'run',
      message: expect.stringContaining('8 of 8 episodes (100.0 %)') as string,
    });
  });

  it.concurrent('leaves its total cost in the result of a continued evaluation, and below the table', async () => {
    let [answered, isWell] = [0, false];
    await using stub = await startStub(() => {
      if (!isWell && answered >= 60) return failing;
      answered += 1;
      return look;
    });
    const keep = path.join(folder, 'cost');
    const first = await cairn(words(stub, '--keep', keep));
    expect([first.code, repliesOf(resultOf(first))]).toEqual([1, 60]);
    isWell = true;
    const second = await cairn(words(stub, '--keep', keep));
    expect(second.code, second.err).toBe(0);
    const result = resultOf(second);
    expect([result.faults.count, result.replacedTokens?.replies, repliesOf(result)]).toEqual([
      0,
      60,
      answered,
    ]);
    expect(resultOf(await cairn(words(stub, '--keep', keep))).replacedTokens).toEqual(result.replacedTokens);
    const { out } = await cairn(words(stub, '--keep', keep).filter((word) => word !== '--json'));
    expect(out).toContain(
      '; and 60,000 prompt tokens and 1,200 completion tokens in 60 replies in replaced attempts.',
    );
  });
});
