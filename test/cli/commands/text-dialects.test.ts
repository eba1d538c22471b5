import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { goldenFile } from '../../envs/alfworld/golden-games.ts';
import { cairn } from '../../support/command-line.ts';
import { root } from '../../support/run-program.ts';
import { nextCommand, recordPlans, type RecordedPlans } from '../../support/household-player.ts';
import { startStub, type StubRequest, type StubServer } from '../../support/stub-chat-server.ts';

let folder = '';
let plans: RecordedPlans = new Map();
const at = (name: string): string => path.join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  plans = new Map([...(await recordPlans('unseen', 4, 'classic')), ...(await recordPlans('seen', 4))]);
  expect(await cairn(['games', at('old'), '--dialect', 'classic', '--tasks', '4', '--quiet'])).toMatchObject({
    code: 0,
  });
  expect(await cairn(['games', at('new'), '--panel', 'seen', '--tasks', '4', '--quiet'])).toMatchObject({
    code: 0,
  });
  const { domain: pddl_domain, problem: pddl_problem, grammar, walkthrough } = goldenFile('harbour');
  mkdirSync(at('harbour'));
  writeFileSync(
    path.join(at('harbour'), 'game.tw-pddl'),
    JSON.stringify({ pddl_domain, pddl_problem, grammar, walkthrough, solvable: true }),
  );
});
afterAll(() => rm(folder, { recursive: true }));

let stub: StubServer | undefined;
afterEach(async () => {
  await stub?.[Symbol.asyncDispose]();
  stub = undefined;
});

const inReact = (request: StubRequest): string =>
  `Thought: as planned\nAction: ${nextCommand(plans, request) ?? 'look'}`;
const inTags = (request: StubRequest): string =>
  `<think>as planned</think><action>${nextCommand(plans, request) ?? 'look'}</action>`;

/** What `cairn-gym bench` does with a model that plays by the plans. */
async function bench(
  words: readonly string[],
  reply = inReact,
): Promise<{
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly requests: readonly StubRequest[];
}> {
  stub = await startStub((request) => ({ kind: 'say', text: reply(request) }));
  const { code, out, err } = await cairn(['bench', ...words, '--agent', `openai:m@${stub.url}`]);
  return { code, out, err, requests: stub.requests };
}

const alfworld = (...games: readonly string[]): readonly string[] => [
  'alfworld',
  '--set',
  `files=${JSON.stringify(games.map(at))}`,
];

/** All that a request says, apart from the list of admissible actions. */
function toldIn(request: StubRequest | undefined): {
  readonly system: readonly string[];
  readonly rest: string;
} {
  const [first, ...others] = request?.body.messages ?? [];
  expect(first?.role).toBe('system');
  return {
    system: first?.content.split('\n') ?? [],
    rest: others
      .map(({ content }) => content.replace(/\n\nYou can now do one of these:[\s\S]*/, ''))
      .join('\n'),
  };
}

describe('language model in games of the classic dialect', () => {
  it.each<[string, readonly string[], string]>([
    ['from files', [], 'dialect classic; skip as-original; maxSteps 50'],
    [
      'of the household',
      ['household', '--set', 'dialect=classic', '--tasks', '4'],
      'dialect classic; maxSteps 50',
    ],
  ])('learns the existing commands in games %s, and solves them with these alone', async (_, words, head) => {
    const { code, out, requests } = await bench([
      ...(words.length === 0 ? alfworld('old') : words),
      '--hide-admissible',
      '--quiet',
    ]);
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines[1]).toBe(head);
    expect(out).toContain('; prompt household-react-classic (sha256:');
    expect(out).toMatch(/^m .* 100\.0 \[51\.0, 100\.0\]/m);
    const { system, rest } = toldIn(requests[0]);
    expect(system).toContain('- put {object} in/on {place}');
    expect(system).toContain('- examine {object}, look, inventory');
    expect(rest).toContain('Action: put egg 1 in/on shelf 2');
    expect([...system, rest].join('\n')).not.toMatch(/\bmove\b|\bhelp\b/);
  });

  it('plays by the other prompt of its dialect', async () => {
    const { code, out, requests } = await bench(
      [...alfworld('old'), '--prompt', 'household-tags-classic', '--quiet'],
      inTags,
    );
    expect(code).toBe(0);
    expect(out).toMatch(/^m .* 100\.0 \[51\.0, 100\.0\]/m);
    expect(toldIn(requests[0]).system).toContain('- put {object} in/on {place}');
  });
});

describe('language model in games of the current dialect', () => {
  it('gets the prompt of the current dialect', async () => {
    const { code, out, requests } = await bench([
      ...alfworld('new'),
      '--panel',
      'valid_seen',
      '--set',
      'skip=nothing',
      '--quiet',
    ]);
    expect(code).toBe(0);
    expect(out.split('\n')[1]).toBe('dialect current; skip nothing; maxSteps 50');
    expect(out).toContain('; prompt household-react (sha256:');
    expect(out).toMatch(/^m .* 100\.0 \[51\.0, 100\.0\]/m);
    expect(toldIn(requests[0]).system).toContain('- move {object} to {place}');
  });
});

describe('prompt of another dialect', () => {
  it.each<[string, () => readonly string[], RegExp]>([
    [
      'the current dialect for classic games',
      () => [...alfworld('old'), '--prompt', 'household-tags'],
      /prompt household-tags: it requires dialect "current", and alfworld-v1 reports "classic"\. Take household-react-classic or household-tags-classic, or leave --prompt out/,
    ],
    [
      'the classic dialect for the household',
      () => ['household', '--prompt', 'household-react-classic'],
      /prompt household-react-classic: it requires dialect "classic", and household-v1 reports "current"\. Take household-react or household-tags/,
    ],
    [
      'any dialect for games in words of their own',
      () => [...alfworld('harbour'), '--panel', 'train', '--prompt', 'household-react'],
      /alfworld-v1 reports "other"\. Play only tasks with one dialect \(current\), or use --prompt plain/,
    ],
    [
      'any dialect for games of two dialects',
      () => [...alfworld('old', 'new'), '--prompt', 'household-react'],
      /alfworld-v1 reports "mixed"\. Play only tasks with one dialect \(current\), or use --prompt plain/,
    ],
    [
      'no prompt for games of two dialects',
      () => alfworld('old', 'new'),
      /prompt for alfworld-v1: its dialect here is "mixed", and no prompt of its own goes with that\. Play only tasks with one dialect \(current, classic, other\), or use --prompt plain/,
    ],
  ])('fails before any request: %s', async (_, words, message) => {
    const { code, out, err, requests } = await bench([...words(), '--quiet']);
    expect({ code, out, err, asked: requests.length }).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(message) as string,
      asked: 0,
    });
  });

  it('includes a custom prompt only if its file requires the dialect', async () => {
    const own = JSON.parse(
      readFileSync(path.join(root, 'agents/prompt/prompts/household-react.json'), 'utf8'),
    ) as Readonly<Record<string, unknown>>;
    const { requires: _, ...undecided } = own;
    await writeFile(at('own.json'), JSON.stringify({ ...own, name: 'own' }));
    await writeFile(at('undecided.json'), JSON.stringify({ ...undecided, name: 'undecided' }));
    const refused = await bench([...alfworld('old'), '--prompt', at('own.json'), '--quiet']);
    expect(refused).toMatchObject({
      code: 2,
      err: expect.stringMatching(/prompt own: it requires dialect "current"/) as string,
    });
    await stub?.[Symbol.asyncDispose]();
    expect((await bench([...alfworld('old'), '--prompt', at('undecided.json'), '--quiet'])).code).toBe(0);
  });
});

describe('games outside the dialects of the household', () => {
  it('play by the plain prompt or a choosing agent, with a report of the first game of each dialect', async () => {
    const { code, out, err } = await bench(
      [...alfworld('old', 'new'), '--prompt', 'plain', '--agent', 'random'],
      (request) => nextCommand(plans, request) ?? 'look',
    );
    expect(code).toBe(0);
    expect(out.split('\n')[1]).toBe('dialect mixed; skip as-original; maxSteps 50');
    expect(out).toMatch(/^m .* 100\.0 \[51\.0, 100\.0\]/m);
    expect(err).toMatch(/games of several dialects: classic, the first .*game\.tw-pddl: 12\n/);
    expect(err).toMatch(/games of several dialects: current, the first .*game\.tw-pddl: 4\n/);
  });

  it('get the plain prompt when they have words of their own', async () => {
    const { code, out, requests } = await bench(
      [...alfworld('harbour'), '--panel', 'train', '--quiet'],
      () => 'wait',
    );
    expect(code).toBe(0);
    expect(out.split('\n')[1]).toBe('dialect other; skip as-original; maxSteps 50');
    expect(out).toContain('; prompt plain (sha256:');
    expect(toldIn(requests[0]).system.join('\n')).not.toContain('{place}');
  });
});
