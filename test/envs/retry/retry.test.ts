import { expect, test } from 'vitest';
import { checkEnv } from '../../../envs/check/check-env.ts';
import { describeFinding } from '../../../envs/check/report.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { StepResult } from '../../../envs/core/step.ts';
import { banditEnv } from '../../../envs/games/bandit.ts';
import { openEnv } from '../../../envs/open.ts';
import { findPuzzle } from '../../../envs/puzzle/puzzles.ts';
import { createReferences } from '../../../envs/references.ts';
import { toolsEnv } from '../../../envs/tools/definition.ts';
import { retryAnyEnv, type RetryObservation } from '../../../envs/retry/retry.ts';
import { createBaselineAgent, createExpertAgent } from '../../../agents/policy/expert.ts';
import type { Agent } from '../../../agents/core/agent.ts';
import type { AnyEnvDefinition, EnvHost, Experts } from '../../../envs/core/env.ts';
import { mapHost } from '../../../envs/core/map-env.ts';
import type { ActingTurn } from '../../../envs/core/step.ts';
import { searchEnv } from '../../../envs/search/definition.ts';

const hanoi = findPuzzle('hanoi');
const [answers, moves] = hanoi.envs;
if (answers === undefined || moves === undefined) throw new Error('hanoi has an env');
const wrongMoves = ['A>B', 'A>C', 'B>A', 'B>C', 'C>A'];
const context = () => createContext({ seed: 0, now: () => 0 });
const task = { panel: 'train', index: 0 };

type Result = StepResult<RetryObservation<unknown>, unknown>;

/** Plays answers to one question. */
async function play(words: readonly string[], retry: object = {}): Promise<readonly Result[]> {
  const definition = retryAnyEnv(answers as NonNullable<typeof answers>);
  const host = await openEnv(definition, { difficulty: 1, retry }, context());
  const env = await host.create();
  await env.reset(task, context());
  const results: Result[] = [];
  for (const word of words) results.push((await env.step(word, context())) as Result);
  await host.close();
  return results;
}

/** The answer that solves the task. */
async function right(): Promise<string> {
  const host = await openEnv(
    retryAnyEnv(answers as NonNullable<typeof answers>),
    { difficulty: 1 },
    context(),
  );
  const [answer] = host.experts?.planner?.(task) ?? [];
  await host.close();
  return String(answer);
}

test('a wrong answer may be tried again, and the feedback says only that it was wrong', async () => {
  const [first, last] = await play([wrongMoves[0] as string, await right()]);
  expect(first).toMatchObject({
    kind: 'ongoing',
    reward: { total: 0 },
    metrics: { attempts: 1, repeats: 0 },
  });
  expect(first?.observation).toMatchObject({ attempt: 2, attempts: 5 });
  const retried = first?.observation as RetryObservation<unknown> | undefined;
  expect(retried?.feedback).toMatch(/again|another|once more/i);
  const [plain] = await play([wrongMoves[1] as string]);
  expect(plain?.observation.observation).toEqual(retried?.observation);
  expect(last).toMatchObject({ kind: 'terminated', outcome: 'solved' });
});

test('the reward of the attempt t is that of the task times the discount to the power t - 1', async () => {
  const answer = await right();
  const rewards = [];
  for (const wrong of [0, 1, 2]) {
    const results = await play([...wrongMoves.slice(0, wrong), answer]);
    rewards.push(results.at(-1)?.reward.total);
  }
  expect(rewards).toEqual([1, 0.5, 0.25]);
  const [, free] = await play([wrongMoves[0] as string, answer], { discount: 1 });
  expect(free?.reward.total).toBe(1);
});

test('the last attempt ends the episode as failed, and repeats are penalised by their share', async () => {
  const twice = await play(['A>B', 'A>B', 'A>C', 'A>B'], { attempts: 4, repeatPenalty: 0.4 });
  expect(twice.map(({ kind }) => kind)).toEqual(['ongoing', 'ongoing', 'ongoing', 'terminated']);
  // two distinct answers in four attempts
  expect(twice.at(-1)).toMatchObject({
    outcome: 'failed',
    reward: { total: -0.2, terms: { repeats: -0.2 } },
  });
  expect(twice.map(({ metrics }) => metrics?.['repeats'])).toEqual([0, 1, 0, 1]);
  const different = await play(['A>B', 'A>C', 'B>A', 'B>C'], { attempts: 4, repeatPenalty: 0.4 });
  expect(different.at(-1)?.reward.total).toBe(0);
});

test('repeats are counted, and part of the keys, only with a penalty', async () => {
  const free = { repeatPenalty: 0 };
  const [one, other] = [await play(['A>B'], free), await play(['A>C'], free)];
  expect(one[0]?.metrics).toEqual({ attempts: 1 });
  expect(one[0]?.stateKey).toBe(other[0]?.stateKey);
  const [kept, changed] = [await play(['A>B']), await play(['A>C'])];
  expect(kept[0]?.stateKey).not.toBe(changed[0]?.stateKey);
});

test('a task of several turns starts again', async () => {
  const host = await openEnv(retryAnyEnv(moves), { difficulty: 1, retry: { attempts: 2 } }, context());
  const env = await host.create();
  const opening = await env.reset(task, context());
  expect(opening.stepsLeft).toBe(32);
  const seen: Result[] = [];
  for (let step = 0; step < 32; step += 1) {
    const { admissible = [] } = step === 0 ? opening : (seen.at(-1) as Extract<Result, { kind: 'ongoing' }>);
    seen.push((await env.step(admissible[0], context())) as Result);
  }
  expect(seen.slice(0, -1).every(({ kind }) => kind === 'ongoing')).toBe(true);
  expect(seen[15]?.observation).toMatchObject({
    attempt: 2,
    observation: (opening.observation as RetryObservation<unknown>).observation,
  });
  expect(seen[15]?.observation.feedback).toMatch(/again|another|once more/i);
  expect(seen[16]?.observation.feedback).toBeUndefined();
  expect(seen[15]).toMatchObject({ stepsLeft: 16 });
  expect(seen.at(-1)).toMatchObject({ kind: 'terminated', outcome: 'failed', limit: 'turn-limit' });
  await host.close();
});

test.each([
  ['retry:puzzle-hanoi', 'retry-puzzle-hanoi-v1'],
  ['retry:puzzle-hanoi-v1', 'retry-puzzle-hanoi-v1'],
  ['retry-puzzle-hanoi-v1', 'retry-puzzle-hanoi-v1'],
  ['puzzle-hanoi', 'puzzle-hanoi-v1'],
])('the reference %s names %s', (reference, id) => {
  expect(createReferences([...hanoi.envs]).find(reference).id).toBe(id);
});

test('an unknown env behind a reference is refused by its own name', () => {
  expect(() => createReferences([...hanoi.envs]).find('retry:puzzle-hanio')).toThrow(
    /puzzle-hanio.*puzzle-hanoi/s,
  );
  const scoped = retryAnyEnv({ ...(answers as NonNullable<typeof answers>), id: 'my-lab/sum-v2' });
  expect(scoped.id).toBe('my-lab/retry-sum-v2');
  expect(() => retryAnyEnv(scoped)).toThrow(/has a key `retry` already/);
});

const small = {
  tasksPerPanel: 1,
  contentsPerPanel: 10,
  episodes: 2,
  leastSteps: 20,
  pairs: 6,
  points: 4,
  concurrency: 4,
};

test.each([
  ['a task of one turn', retryAnyEnv(answers), { difficulty: 1, retry: { attempts: 3 } }],
  ['a task of several turns', retryAnyEnv(banditEnv as never), { turns: 5, retry: { attempts: 3 } }],
] as const)(
  '%s that may be tried again keeps the laws of the contract',
  async (_name, definition, config) => {
    const report = await checkEnv(definition, { ...small, config });
    expect(report.findings.map(describeFinding)).toEqual([]);
  },
);

test('a searcher is shown the instruction of the task alone, in every attempt', async () => {
  const host = await openEnv(retryAnyEnv(toolsEnv), { retry: { attempts: 3, turns: 20 } }, context());
  const env = await host.create();
  const searcher = host.experts?.searcher?.(context().rng);
  const opening = await env.reset({ panel: 'dev', index: 0 }, context());
  expect(searcher?.act(opening)).toMatchObject({ kind: 'calls' });
  const wrong = await env.step({ kind: 'transfer' }, context());
  let last: StepResult<unknown, unknown> = wrong;
  while (last.kind === 'ongoing') last = await env.step(searcher?.act(last), context());
  expect(opening.instruction).toContain('You have 3 attempts');
  expect(last).toMatchObject({ outcome: 'solved', observation: { attempt: 2 } });
  await host.close();
});

test('references refuse attempts at a mixture and attempts twice, and say what works', () => {
  const registry = createReferences([...hanoi.envs]);
  const find = (reference: string) => registry.find(reference);
  expect(() => find('retry:mix:puzzle-hanoi=1')).toThrow(/mixture.*mix:retry:/s);
  expect(() => find('retry:retry:puzzle-hanoi')).toThrow(/twice.*retry\.attempts/s);
  expect(find('retry:puzzle-hanoi').id).toBe('retry-puzzle-hanoi-v1');
});

/** The env with other experts. */
const withExperts = (definition: AnyEnvDefinition, experts: Experts<unknown, unknown>): AnyEnvDefinition => ({
  ...definition,
  open: async (config, given) => mapHost(await definition.open(config, given), { experts }),
});

/** Plays the task with an agent. */
async function playWith(
  definition: AnyEnvDefinition,
  agentOf: (host: EnvHost<unknown, unknown>) => Agent<unknown, unknown>,
): Promise<readonly { readonly action: unknown; readonly result: StepResult<unknown, unknown> }[]> {
  const host = await openEnv(definition, { difficulty: 1, retry: { attempts: 3 } }, context());
  const env = await host.create();
  const opening = await env.reset(task, context());
  const player = agentOf(host).begin({ task, instruction: opening.instruction }, context());
  let turn: ActingTurn<unknown, unknown> = opening;
  const played = [];
  for (;;) {
    const { reply } = await player.act(turn, context());
    if (reply.kind !== 'action') throw new Error('an expert acts');
    const result = await env.step(reply.action, context());
    played.push({ action: reply.action, result });
    if (result.kind !== 'ongoing') break;
    turn = result;
  }
  await host.close();
  return played;
}

test('a plan that does not solve its task is played again in each attempt, and the episode ends as failed', async () => {
  const planned = retryAnyEnv(withExperts(answers, { planner: () => ['A>B'] }));
  const played = await playWith(planned, ({ experts }) => createExpertAgent({ kind: 'planner', experts }));
  expect(played.map(({ action }) => action)).toEqual(['A>B', 'A>B', 'A>B']);
  expect(played.at(-1)?.result).toMatchObject({ kind: 'terminated', outcome: 'failed' });
});

test('a plan that is too short for its attempt is still a fault of the env', async () => {
  const planned = retryAnyEnv(withExperts(moves, { planner: () => ['A>C'] }));
  await expect(
    playWith(planned, ({ experts }) => createExpertAgent({ kind: 'planner', experts })),
  ).rejects.toThrow(/the plan of 1 actions ended before the episode/);
});

test('baselines play each attempt as an episode of the env, with a player of its own', async () => {
  const seen: unknown[] = [];
  let players = 0;
  const baselines = {
    counting: {
      summary: 'counts its players',
      play: () => {
        const own = wrongMoves[players] ?? '';
        players += 1;
        return {
          act: (turn: object) => (seen.push(Object.keys(turn).toSorted().includes('instruction')), own),
        };
      },
    },
  };
  const retried = retryAnyEnv(withExperts(answers, { baselines }));
  const played = await playWith(retried, ({ experts }) => {
    expect(experts?.baselines?.['counting']?.summary).toBe('counts its players; the same in each attempt');
    return createBaselineAgent({ name: 'counting', experts });
  });
  expect(played.map(({ action }) => action)).toEqual(wrongMoves.slice(0, 3));
  expect(seen).toEqual([true, true, true]);
});

test('the bench preset keeps prompt and panels, and drops what does not mean the same', () => {
  expect(retryAnyEnv(searchEnv as never).bench).toEqual({ prompt: 'think-tags' });
  const bench = { panels: ['unseen'], takesRunsOf: ['puzzle-hanoi-v1'], columns: [], studies: [] };
  expect(retryAnyEnv({ ...answers, bench }).bench).toEqual({ panels: ['unseen'] });
  expect(retryAnyEnv(answers).bench).toBeUndefined();
});
