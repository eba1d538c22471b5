import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createChoiceAgent } from '../../../../agents/policy/choice.ts';
import type { Trajectory, TrajectoryGroup } from '../../../../agents/rollout/trajectory.ts';
import { createContext, type Context } from '../../../../envs/core/context.ts';
import { householdEnv } from '../../../../envs/household/definition.ts';
import { createGigpo } from '../../credit/built-in.ts';
import type { BatchCredit } from '../../../../trainers/credit/estimator.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { createChoiceModel } from '../../../../models/choice/choice-model.ts';
import { ChoiceScorer } from '../../../../trainers/update/choice/choice-scorer.ts';
import { learnChoices } from '../../../../trainers/update/choice/learn-choices.ts';
import { packChoices, type PackedChoices } from '../../../../trainers/update/choice/pack-choices.ts';
import type { UpdateSettings } from '../../../../trainers/update/policy.ts';
import {
  openEnvSession,
  playGroups,
  rolloutSettingsSchema,
  type EnvSession,
} from '../../../../trainers/env-session.ts';

const settings: UpdateSettings = {
  epochs: 1,
  batchSteps: 32,
  learningRate: 1e-3,
  objective: { kind: 'clipped', options: {} },
  clipLow: 0.2,
  clipHigh: 0.2,
  zeroAdvantage: 'leave-out',
  klWeight: 0,
  entropyWeight: 0,
  importanceCap: 2,
  optimiser: { kind: 'adamw' },
  maxGradNorm: 1,
  weightDecay: 0,
  temperature: 1,
  synchronous: true,
};

let context: Context;
let envSession: EnvSession;
let policy: ChoiceScorer;
let groups: readonly TrajectoryGroup[];

beforeAll(async () => {
  context = createContext({ seed: 1, now: () => performance.now() });
  envSession = await openEnvSession(
    householdEnv,
    rolloutSettingsSchema.parse({ envConfig: { maxSteps: 6 } }),
    context,
  );
  policy = await beginner();
  const tasks = [0, 1].map((index) => ({ panel: 'train', index }));
  const agent = createChoiceAgent({
    id: 'learner',
    sampler: policy,
    text: envSession.definition.text,
    mode: { kind: 'sampled', temperature: 1 },
  });
  groups = (await playGroups(envSession, { agent, tasks, label: 'test', members: 3 }, context)).map(
    ({ group }) => group,
  );
});
afterAll(async () => {
  await policy.model.dispose();
  await envSession[Symbol.asyncDispose]();
});

/** The policy that has played, before it learnt anything. */
async function beginner(): Promise<ChoiceScorer> {
  const config = { buckets: 512, width: 8, hidden: 8 };
  return new ChoiceScorer(
    createChoiceModel({ backend: await openBackend('cpu'), config, rng: context.rng.fork('weights') }),
  );
}

/** Credit as if the first member of each group had won. */
function credited(of: readonly TrajectoryGroup[], lost = -0.5): BatchCredit {
  const credit = createGigpo().assign(of, {});
  const value = (member: number): number => (member === 0 ? 1 : lost);
  return {
    ...credit,
    groups: credit.groups.map((members) =>
      members.map((one, member) => ({ ...one, advantage: one.advantage.map(() => value(member)) })),
    ),
  };
}

const pack = (of: readonly TrajectoryGroup[], credit: BatchCredit): PackedChoices =>
  packChoices({ groups: of, credit, zeroAdvantage: 'leave-out' }, policy, {
    words: (observation) => envSession.definition.text.observation(observation),
  });

const update = async (
  of: readonly TrajectoryGroup[],
  credit: BatchCredit,
  changed: Partial<UpdateSettings> = {},
  reference?: ChoiceScorer,
) =>
  learnChoices({
    model: policy.model,
    packed: pack(of, credit),
    settings: { ...settings, ...changed },
    reference: reference?.model,
    context,
  });

/** Log-probability of what was chosen, under the weights of now. */
async function chosenLogprobs(
  { model }: ChoiceScorer,
  { batch, chosen }: PackedChoices,
): Promise<readonly number[]> {
  const all = await model.logprobs(batch, 1);
  return [...chosen].map((candidate, at) => all[(batch.rowStart[at] as number) + candidate] as number);
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** The groups with their first decision changed. */
function withFirstDecision(change: (trajectory: Trajectory) => Trajectory): readonly TrajectoryGroup[] {
  return groups.map((group, at) =>
    at > 0
      ? group
      : { ...group, members: group.members.map((member, index) => (index > 0 ? member : change(member))) },
  );
}

describe('packing of choices', () => {
  it('makes one row per decision, in order, with its advantage and behaviour log-probability', () => {
    const credit = credited(groups);
    const packed = pack(groups, credit);
    const steps = groups.flatMap(({ members }) => members.flatMap((member) => member.steps));
    expect([...packed.chosen]).toEqual(
      steps.map(({ decision }) => (decision?.kind === 'choice' ? decision.index : -1)),
    );
    expect([...packed.advantage]).toEqual(
      credit.groups.flatMap((members) => members.flatMap(({ advantage }) => [...advantage])),
    );
    expect(packed.batch.rowStart.at(-1)).toBe(packed.batch.candidateStart.length - 1);
  });

  it('leaves out groups without advantages and members without credit', () => {
    const credit = credited(groups);
    const [first, second] = credit.groups;
    const silent = {
      ...credit,
      groups: [(first ?? []).map((one) => ({ ...one, advantage: one.advantage.map(() => 0) })), second ?? []],
    };
    const packed = pack(groups, silent);
    expect(packed.chosen).toHaveLength(
      groups[1]?.members.reduce((sum, { steps }) => sum + steps.length, 0) ?? -1,
    );
    const inert = { ...credit, groups: [[], second ?? []] };
    expect(pack(groups, inert).chosen).toHaveLength(packed.chosen.length);
  });
});

describe('update of a choice policy', () => {
  it('changes nothing when no group has an advantage', async () => {
    const credit = createGigpo().assign(groups, {}); // nobody solved anything, so all scores are equal
    const before = policy.model.version;
    expect(
      await update(groups, {
        ...credit,
        groups: credit.groups.map((members) =>
          members.map((one) => ({ ...one, advantage: one.advantage.map(() => 0) })),
        ),
      }),
    ).toEqual({ 'update/steps': 0 });
    expect(policy.model.version).toBe(before);
  });

  it('refuses rollouts whose log-probabilities come from other weights', async () => {
    const falsified = withFirstDecision((trajectory) => {
      const [first, ...rest] = trajectory.steps;
      if (first?.decision?.kind !== 'choice') throw new Error('expected a choice');
      return {
        ...trajectory,
        steps: [
          { ...first, decision: { ...first.decision, logprob: first.decision.logprob - 0.01 } },
          ...rest,
        ],
      };
    });
    await expect(update(falsified, credited(groups), { batchSteps: 1000 })).rejects.toThrow(
      /differ from the trainer's by up to 0\.0100/,
    );
  });

  it('refuses trajectories without a choice', async () => {
    const wordless = withFirstDecision((trajectory) => ({
      ...trajectory,
      steps: trajectory.steps.map((step) => ({ ...step, decision: undefined })),
    }));
    await expect(update(wordless, credited(groups))).rejects.toThrow(/holds no choice among listed actions/);
  });

  it('requires a reference for its KL weight', async () => {
    await expect(update(groups, credited(groups), { klWeight: 0.1 })).rejects.toThrow(/needs a reference/);
  });

  it('makes decisions with an advantage likelier, with ratios of 1 before the first step', async () => {
    const credit = credited(groups);
    const packed = pack(groups, credit);
    const gain = async (): Promise<number> => {
      const all = await policy.model.logprobs(packed.batch, 1);
      return packed.chosen.reduce(
        (sum, chosen, at) =>
          sum +
          (packed.advantage[at] as number) * (all[(packed.batch.rowStart[at] as number) + chosen] as number),
        0,
      );
    };
    const before = await gain();
    const version = policy.model.version;
    const figures = await update(groups, credit, { batchSteps: 1000 }, policy);
    expect(figures['update/mean-ratio']).toBeCloseTo(1, 6);
    expect(figures['update/behaviour-gap']).toBeLessThan(1e-5);
    expect(policy.model.version).toBe(version + 1);
    expect(await gain()).toBeGreaterThan(before);
  });

  it('stops between mini-batches when it is cancelled', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const stopped = learnChoices({
      model: policy.model,
      packed: pack(groups, credited(groups)),
      settings: { ...settings, synchronous: false },
      reference: undefined,
      context: { ...context, rng: context.rng, signal: controller.signal },
    });
    await expect(stopped).rejects.toThrow('enough');
  });

  it('measures the KL from any reference, whatever its weight, and reports none without one', async () => {
    expect(await update(groups, credited(groups), { synchronous: false })).not.toHaveProperty(
      'update/reference-kl',
    );
    expect(
      (await update(groups, credited(groups), { klWeight: 0, synchronous: false }, policy))[
        'update/reference-kl'
      ],
    ).toBeGreaterThanOrEqual(0);
  });
});

describe('update of an untrained policy', () => {
  const updateOf = (
    { model }: ChoiceScorer,
    of: readonly TrajectoryGroup[],
    changed: Partial<UpdateSettings>,
  ) =>
    learnChoices({
      model,
      packed: pack(of, credited(of, -0.25)),
      settings: { ...settings, ...changed },
      reference: undefined,
      context,
    });

  it('uses all decisions in each epoch, in a new order', async () => {
    const learner = await beginner();
    const accumulate = vi.spyOn(learner.model, 'accumulate');
    const figures = await updateOf(learner, groups, { epochs: 3, batchSteps: 4 });
    const taken = accumulate.mock.calls.flatMap(([{ behaviourLogprob }]) => [...behaviourLogprob]);
    const count = figures['update/steps'] ?? 0;
    expect(taken).toHaveLength(3 * count);
    const epochs = [0, 1, 2].map((epoch) => taken.slice(epoch * count, (epoch + 1) * count));
    const sorted = epochs.map((epoch) => epoch.toSorted((a, b) => a - b));
    expect(sorted[1]).toEqual(sorted[0]);
    expect(sorted[2]).toEqual(sorted[0]);
    expect(new Set(epochs.map(String)).size).toBe(3);
    await learner.model.dispose();
  });

  it('reports the KL from the earlier weights, the mean of ratio - 1 - log ratio over all mini-batches', async () => {
    const [once, twice] = [await beginner(), await beginner()];
    const packed = pack(groups, credited(groups));
    const whole = { batchSteps: 1000, learningRate: 0.2 };
    const before = await chosenLogprobs(once, packed);
    expect((await updateOf(once, groups, { ...whole, epochs: 1 }))['update/kl']).toBeCloseTo(0, 10);
    const after = await chosenLogprobs(once, packed);
    const moved = mean(
      after.map(
        (logprob, at) => Math.exp(logprob - (before[at] as number)) - 1 - (logprob - (before[at] as number)),
      ),
    );
    expect(moved).toBeGreaterThan(1e-3);
    const figures = await updateOf(twice, groups, { ...whole, epochs: 2 });
    expect((figures['update/kl'] ?? 0) / (moved / 2)).toBeCloseTo(1, 4); // the first of the two epochs begins where the weights were
    await once.model.dispose();
    await twice.model.dispose();
  });

  it.each([
    { importanceCap: 1.5, weight: 1.5 },
    { importanceCap: 2, weight: 2 },
    { importanceCap: 1000, weight: Math.E },
  ])(
    'weights decisions that stale rollouts found e times less likely by $weight under a cap of $importanceCap',
    async ({ importanceCap, weight }) => {
      const stale = groups.map((group) => ({
        ...group,
        members: group.members.map((member) => ({
          ...member,
          steps: member.steps.map((step) =>
            step.decision?.kind === 'choice'
              ? { ...step, decision: { ...step.decision, logprob: step.decision.logprob - 1 } }
              : step,
          ),
        })),
      }));
      const learner = await beginner();
      const figures = await updateOf(learner, stale, { importanceCap, batchSteps: 1000, synchronous: false });
      expect(figures['update/behaviour-gap']).toBeCloseTo(1, 5);
      expect(figures['update/policy-loss']).toBeCloseTo(-weight / 6, 5); // (1 - 0.25 - 0.25) / 3, for all ratios are 1 and all episodes of one length
      await learner.model.dispose();
    },
  );
});
