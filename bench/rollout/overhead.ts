import { createChoiceAgent } from '../../agents/policy/choice.ts';
import type { ChoiceSampler } from '../../agents/core/choice-sampler.ts';
import { createEnvPool } from '../../agents/rollout/env-pool.ts';
import { runGroups } from '../../agents/rollout/group.ts';
import { episodeLimitsSchema } from '../../agents/rollout/limits.ts';
import { createContext } from '../../envs/core/context.ts';
import type { Env, EnvHost } from '../../envs/core/env.ts';
import { reward, type Opening, type Turn } from '../../envs/core/step.ts';
import type { Textual } from '../../envs/core/textual.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';

// What the rollout adds to waiting: many episodes at once against a model that takes a fixed time to answer.

const episodes = 1_000;
const stepsAnEpisode = 20;
const answerMs = 50;
const members = 8;
const rounds = 5;
const idealMs = stepsAnEpisode * answerMs;

const moves = Array.from({ length: 12 }, (_, index) => `take path ${index}`);

/** Does nothing but count, so that what is measured is the rollout. */
class Treadmill implements Env<string, string> {
  #steps = 0;

  async reset(): Promise<Opening<string, string>> {
    this.#steps = 0;
    return { ...this.#turn(), instruction: 'Walk.' };
  }

  async step() {
    this.#steps += 1;
    const { observation, stateKey } = this.#turn();
    if (this.#steps === stepsAnEpisode) {
      return {
        kind: 'terminated',
        outcome: 'solved',
        observation,
        reward: reward({ arrival: 1 }),
        inadmissible: false,
        stateKey,
      } as const;
    }
    return { kind: 'ongoing', ...this.#turn(), reward: reward({}), inadmissible: false } as const;
  }

  async close(): Promise<void> {}

  #turn(): Turn<string, string> {
    const observation = `You have walked ${this.#steps} miles.`;
    return {
      observation,
      stateKey: observation,
      anchorKey: observation,
      admissible: moves,
      stepsLeft: stepsAnEpisode - this.#steps,
      seat: 0,
    };
  }
}

const host: Pick<EnvHost<string, string>, 'create' | 'describeTask'> = {
  create: async () => new Treadmill(),
  describeTask: ({ index }) => ({ family: 'treadmill', instruction: 'Walk.', content: index }),
};

const text: Textual<string, string> = {
  observation: (observation) => observation,
  action: (action) => action,
  parse: (action) => ({ kind: 'action', action }),
};

/** Answers each request on a timer of its own, as a server would. */
const sampler: ChoiceSampler = {
  begin: () => ({
    score: (_observation, candidates) =>
      new Promise((resolve) =>
        setTimeout(() => resolve({ logits: new Float32Array(candidates.length), version: 0 }), answerMs),
      ),
    took: () => undefined,
  }),
};

async function measure(round: number): Promise<number> {
  const context = createContext({ seed: round, now: () => performance.now() });
  const envs = createEnvPool(host);
  const tasks = Array.from({ length: episodes / members }, (_, index) => ({ panel: 'train', index }));
  const agent = createChoiceAgent({
    id: 'choice:timer',
    sampler,
    text,
    mode: { kind: 'sampled', temperature: 1 },
  });
  const start = performance.now();
  let steps = 0;
  const groups = runGroups(
    {
      envs,
      env: { id: 'treadmill-v1', config: {} },
      source: host,
      agent,
      limits: episodeLimitsSchema.parse({}),
      label: `round-${round}`,
      members,
      strategy: { kind: 'fail-fast' },
      concurrency: episodes,
      tasks,
      order: 'task',
    },
    context,
  );
  for await (const { group } of groups) for (const member of group.members) steps += member.steps.length;
  const ms = performance.now() - start;
  await envs.close();
  if (steps !== episodes * stepsAnEpisode)
    throw new Error(`${steps} steps were played, not ${episodes * stepsAnEpisode}`);
  return ms;
}

const machine = describeMachine();
await measure(-1); // warms up
const times: number[] = [];
for (let round = 0; round < rounds; round += 1) times.push(await measure(round));
const sorted = times.toSorted((a, b) => a - b);
const ratio = (ms: number | undefined): number => Math.round(((ms ?? Number.NaN) / idealMs) * 1000) / 1000;

printReport({
  what: 'wall time of a rollout over the time that its model needs',
  ...machine,
  episodes,
  stepsAnEpisode,
  answerMs,
  idealMs,
  rounds,
  ratio: {
    median: ratio(sorted[Math.floor(rounds / 2)]),
    best: ratio(sorted[0]),
    worst: ratio(sorted.at(-1)),
  },
});
