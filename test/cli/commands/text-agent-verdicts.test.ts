import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EventEmitter } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import { cairn } from '../../support/command-line.ts';
import { root, type Ran } from '../../support/run-program.ts';
import {
  startStub,
  type StubAnswer,
  type StubRequest,
  type StubServer,
} from '../../support/stub-chat-server.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));

const stubs: StubServer[] = [];
afterEach(async () => {
  for (const stub of stubs.splice(0)) await stub[Symbol.asyncDispose]();
});
async function stubOf(script: (request: StubRequest) => StubAnswer): Promise<StubServer> {
  const stub = await startStub(script);
  stubs.push(stub);
  return stub;
}

const usage = { prompt_tokens: 1_000, completion_tokens: 20 };
const look: StubAnswer = { kind: 'say', text: 'Thought: hm\nAction: look', usage };
const tooLong: StubAnswer = {
  kind: 'json',
  status: 400,
  body: {
    error: {
      code: 'context_length_exceeded',
      message: "This model's maximum context length is 2048 tokens.",
    },
  },
};
const agentOf = (stub: StubServer): string => `openai:stub-model@${stub.url}`;

interface Document {
  readonly results: readonly unknown[];
  readonly unfinished?: readonly string[];
  readonly error?: { readonly kind: string; readonly message: string; readonly fix?: string };
}
const documentOf = ({ out }: Ran): Document => JSON.parse(out) as Document;
const resultOf = (ran: Ran): EvaluationResult => parseResult(documentOf(ran).results[0], 'stdout');

describe('cairn-gym eval on a server that answers nothing', () => {
  const words = (stub: StubServer, ...more: readonly string[]): readonly string[] => [
    'bench',
    'household',
    '--tasks',
    '8',
    '--agent',
    agentOf(stub),
    '--request-timeout',
    '30',
    '--json',
    '--quiet',
    ...more,
  ];

  it('reports the server’s error, and not too long prompts, when only one prompt was too long', async () => {
    const stub = await stubOf(({ number }) =>
      number === 0 ? tooLong : { kind: 'json', status: 400, body: { error: { message: 'flagged' } } },
    );
    const { code, err } = await cairn(words(stub, '--concurrency', '1'));
    expect(code).toBe(1);
    expect(err).toMatch(
      /no prompt was answered, so nothing was measured: .*flagged\. See to the server, and to what it says\./,
    );
    expect(err).not.toContain('longer context');
  });
});

describe('model whose actions are readable but inadmissible', () => {
  const words = (stub: StubServer): readonly string[] => [
    'eval',
    'my-lab/sort',
    '--env-module',
    path.join(root, 'examples', 'sort-env.ts'),
    '--tasks',
    '3',
    '--agent',
    agentOf(stub),
  ];

  it('gets a warning, a marked row and its share of inadmissible actions', async () => {
    const stub = await stubOf(() => ({ kind: 'say', text: 'lorem ipsum', usage }));
    const told = await cairn(words(stub));
    expect(told.code, told.err).toBe(0);
    expect(told.out).toMatch(/^stub-model \(!\) /m);
    expect(told.out).toContain(
      'stub-model: all 60 replies could be read.\nstub-model: 60 of 60 steps (100.0 %) were inadmissible actions, and not one was admissible; the first was "lorem ipsum".\n',
    );
    expect(told.err).toContain(
      'warning: stub-model: 60 of 60 steps (100.0 %) were inadmissible actions, and not one was admissible; the first was "lorem ipsum". See that the prompt shows the actions',
    );
    const { inadmissible } = parseResult(
      JSON.parse((await cairn([...words(stub), '--json', '--quiet'])).out),
      'stdout',
    );
    expect(inadmissible).toEqual({ actions: 60, share: 1, first: 'lorem ipsum' });
  });

  it('gets no warning for a single slip', async () => {
    const stub = await stubOf(({ number }) => ({
      kind: 'say',
      text: `front ${number === 0 ? 'z' : 'a'}`,
      usage,
    }));
    const { out, err } = await cairn([...words(stub), '--concurrency', '1']);
    expect(out).toMatch(/1 of \d+ steps \(\d\.\d %\) was an inadmissible action; the first was "front z"\./);
    expect(err).not.toContain('inadmissible');
  });
});

describe('model that rejects every prompt of a panel', () => {
  it('gets only a first wave of episodes', async () => {
    const stub = await stubOf(() => tooLong);
    for (const keep of [[], ['--keep', path.join(folder, 'wave')]]) {
      const before = stub.requests.length;
      const ran = await cairn([
        'bench',
        'household',
        '--agent',
        agentOf(stub),
        '--concurrency',
        '4',
        '--json',
        '--quiet',
        ...keep,
      ]);
      expect(ran.code).toBe(1);
      expect(documentOf(ran).error).toMatchObject({
        kind: 'run',
        message: expect.stringMatching(
          /^stub-model: no prompt was answered, so nothing was measured, and after the first 16 episodes no more are played: .*exceed the context of the model.*Serve the model with a longer context, lower --max-tokens \(1024\)/,
        ) as string,
      });
      expect(stub.requests.length - before).toBeLessThan(150);
    }
  });

  it('gets all episodes once one prompt was answered', async () => {
    const stub = await stubOf(({ number }) => (number === 0 ? { ...look, delayMs: 300 } : tooLong));
    const ran = await cairn([
      'bench',
      'household',
      '--tasks',
      '24',
      '--agent',
      agentOf(stub),
      '--concurrency',
      '4',
      '--json',
      '--quiet',
    ]);
    expect([ran.code, resultOf(ran).episodes.length, resultOf(ran).tokens?.replies]).toEqual([1, 24, 1]);
  });
});

describe('replies cut off at the token limit', () => {
  it.each<[string, StubAnswer]>([
    ['in their text', { kind: 'say', text: 'Thought: I would rather', finish: 'length' }],
    ['in their thinking', { kind: 'say', text: '<think>Let me see', finish: 'length' }],
    ['before any text', { kind: 'say', text: null, finish: 'length' }],
    [
      'in separate reasoning',
      { kind: 'say', text: null, finish: 'length', message: { reasoning_content: 'Hmm.' } },
    ],
  ])('suggest a higher limit: %s', async (_, answer) => {
    const stub = await stubOf(() => answer);
    const { code, err } = await cairn([
      'eval',
      'household',
      '--tasks',
      '1',
      '--agent',
      agentOf(stub),
      '--max-tokens',
      '77',
      '--quiet',
    ]);
    expect(code).toBe(1);
    expect(err).toMatch(/nothing was measured: .*Raise --max-tokens \(now 77\)/);
    expect(err).not.toContain('chat template');
  });
});

describe('JSON document of a command that fails', () => {
  it('contains the error beside the results', async () => {
    const stub = await stubOf(() => ({ kind: 'say', text: 'Well.' }));
    const unread = await cairn([
      'bench',
      'household',
      '--tasks',
      '1',
      '--agent',
      agentOf(stub),
      '--json',
      '--quiet',
    ]);
    expect(documentOf(unread)).toMatchObject({
      results: [{ agent: 'stub-model' }],
      error: { kind: 'run', where: 'stub-model', fix: expect.stringContaining('Name a prompt') as string },
    });
    const refusing = await stubOf(() => ({ kind: 'json', status: 401, body: { error: { message: 'no' } } }));
    const both = ['bench', 'household', '--tasks', '1', '--agent', 'random', '--json', '--quiet', '--agent'];
    expect(documentOf(await cairn([...both, agentOf(refusing)]))).toMatchObject({
      results: [{ agent: 'random' }],
      unfinished: [expect.any(String)],
      error: { kind: 'usage', message: expect.stringContaining('status 401: no') as string },
    });
    const signals = new EventEmitter();
    const slow = await stubOf(() => {
      signals.emit('SIGINT', 'SIGINT');
      return { kind: 'silence' };
    });
    expect(documentOf(await cairn([...both, agentOf(slow)], { signals }))).toMatchObject({
      unfinished: [expect.any(String)],
      error: { kind: 'interrupted' },
    });
  });

  it('can be compared, and marks agents that measured nothing', async () => {
    const unreadable = await stubOf(() => ({ kind: 'say', text: 'Well.' }));
    const well = await stubOf(() => look);
    const words = [
      'eval',
      'household',
      '--tasks',
      '2',
      '--set',
      'maxSteps=2',
      '--json',
      '--quiet',
      '--agent',
    ];
    const files = await Promise.all(
      [unreadable, well, well].map(async (stub, index) => {
        const file = path.join(folder, `result-${index}.json`);
        await writeFile(
          file,
          (await cairn([...words, agentOf(stub), ...(index === 2 ? ['--hide-admissible'] : [])])).out,
        );
        return file;
      }),
    );
    expect(JSON.parse(await readFile(files[0] ?? '', 'utf8'))).toMatchObject({
      agent: 'stub-model',
      error: { kind: 'run' },
    });
    const compared = await cairn(['compare', ...files]);
    expect(compared.code).toBe(1);
    expect(
      compared.out.match(/ against stub-model .*: not compared: nothing was measured of stub-model /g),
    ).toHaveLength(2);
    expect(compared.out).not.toContain('points of success');
    expect(compared.err).toMatch(
      /error: stub-model .*: nothing was measured: every episode was faulted, or not one reply could be read\./,
    );
    const document = JSON.parse((await cairn(['compare', ...files.toReversed(), '--json'])).out) as {
      readonly comparisons: readonly object[];
      readonly error: object;
    };
    expect(document.comparisons.map((comparison) => 'notCompared' in comparison)).toEqual([false, true]);
    expect(document.error).toMatchObject({ kind: 'run' });
    expect((await cairn(['compare', ...files.slice(1)])).code).toBe(0);
  });
});

describe('server with impossible token counts', () => {
  it('loses its counts in the table, and the output says so', async () => {
    const stub = await stubOf(() => ({
      kind: 'say',
      text: 'Thought: hm\nAction: look',
      usage: { prompt_tokens: 1e15, completion_tokens: 20 },
    }));
    const { code, out } = await cairn([
      'eval',
      'household',
      '--tasks',
      '1',
      '--set',
      'maxSteps=2',
      '--agent',
      agentOf(stub),
      '--quiet',
    ]);
    expect(code).toBe(0);
    expect(out).toContain('the server gives no usable count of tokens for its 2 replies.');
  });
});
