import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { memory } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Decision } from '../../../agents/core/agent.ts';
import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { createContext, type Context } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import type { BatchCredit } from '../../../trainers/credit/estimator.ts';
import { createGigpo } from '../credit/built-in.ts';
import { demonstrate } from '../../../trainers/loop/warm-start/demonstrations.ts';
import {
  passBegins,
  type ImitationSettings,
  type PassOptions,
  type PassPosition,
  type TrainablePolicy,
  type UpdateSettings,
} from '../../../trainers/update/policy.ts';
import {
  openEnvSession,
  playGroups,
  rolloutSettingsSchema,
  type EnvSession,
} from '../../../trainers/env-session.ts';
import { readPanel } from '../../../envs/core/task.ts';
import { temporaryFolder } from '../run/make-run.ts';

export interface PolicyContractOptions {
  /** A policy that has learned nothing, small; the same seed gives the same weights. */
  readonly create: (envSession: EnvSession, seed: number) => Promise<TrainablePolicy>;
  /** The policy of a folder, to play. */
  readonly open: (
    envSession: EnvSession,
    folder: string,
  ) => Promise<Pick<TrainablePolicy, 'agent' | typeof Symbol.asyncDispose>>;
  /** The decision as if it had been likelier than it was by so much, or as it is where the policy makes no such decisions. */
  readonly likelier: (decision: Decision, by: number) => Decision;
}

const settings: UpdateSettings = {
  epochs: 2,
  batchSteps: 8,
  learningRate: 3e-3,
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
const onePass: PassOptions = { from: passBegins, signal: new AbortController().signal };
const meanLoss = ({ lossSum, weight }: PassPosition): number => lossSum / weight;
const whole: ImitationSettings = {
  batchSteps: 10_000,
  learningRate: () => 3e-3,
  optimiser: { kind: 'adamw' },
  maxGradNorm: 1,
  weightDecay: 0,
};
const sampled = { kind: 'sampled', temperature: 1 } as const;

/** What the training loop relies on, whatever the policy is. */
export function policyContract(options: PolicyContractOptions): void {
  let envSession: EnvSession;
  let context: Context;
  let policy: TrainablePolicy;
  /** That `policy` has played before it learned anything. */
  let groups: readonly TrajectoryGroup[];

  beforeAll(async () => {
    context = createContext({ seed: 7, now: () => performance.now() });
    envSession = await openEnvSession(
      lightsOutEnv,
      rolloutSettingsSchema.parse({ envConfig: { size: 3 } }),
      context,
    );
    policy = await options.create(envSession, 1);
    groups = await play(policy);
  });
  afterAll(async () => {
    await policy[Symbol.asyncDispose]();
    await envSession[Symbol.asyncDispose]();
  });

  async function play(
    player: Pick<TrainablePolicy, 'agent'>,
    decoding: Parameters<TrainablePolicy['agent']>[0] = sampled,
    label = 'contract',
  ): Promise<readonly TrajectoryGroup[]> {
    const tasks = [0, 1].map((index) => ({ panel: 'train', index }));
    return (
      await playGroups(envSession, { agent: player.agent(decoding), tasks, label, members: 2 }, context)
    ).map(({ group }) => group);
  }

  /** Beginners all have the weights of the one that has played. */
  const beginner = (): Promise<TrainablePolicy> => options.create(envSession, 1);
  const learn = (
    learner: TrainablePolicy,
    changed: Partial<UpdateSettings> = {},
    from = groups,
    value = winsFirst,
  ) => learner.learn({ groups: from, credit: credited(from, value) }, { ...settings, ...changed }, context);
  /** Mean cross entropy of what was done, by the weights of now. */
  const lossOf = async (of: TrainablePolicy, done: readonly TrajectoryGroup[]): Promise<number> =>
    meanLoss(
      await (
        await of.imitate(done)
      ).pass({ ...whole, learningRate: () => 0 }, context.rng.fork('loss'), onePass),
    );

  describe('play', () => {
    it('plays the same with the same seed, and records its weights’ version', async () => {
      expect(policy.version).toBe(0);
      expect(decisionsOf(groups).length).toBeGreaterThan(0);
      expect(
        groups.flatMap(({ members }) =>
          members.flatMap(({ steps }) => steps.map(({ policyVersion }) => policyVersion)),
        ),
      ).toEqual(decisionsOf(groups).map(() => 0));
      expect(await play(policy)).toEqual(groups);
      expect(await play(policy, sampled, 'other luck')).not.toEqual(groups);
    });

    it('ignores the seed when greedy', async () => {
      const [once, twice] = [
        await play(policy, { kind: 'greedy' }),
        await play(policy, { kind: 'greedy' }, 'other luck'),
      ];
      expect(repliesOf(twice)).toEqual(repliesOf(once));
    });
  });

  describe('learning', () => {
    it('makes decisions with an advantage likelier than others, and raises the version', async () => {
      await using learner = await beginner();
      const [won, lost] = [
        onlyMember(groups, (member) => member === 0),
        onlyMember(groups, (member) => member !== 0),
      ];
      const margin = async (): Promise<number> =>
        (await lossOf(learner, lost)) - (await lossOf(learner, won));
      const before = await margin();
      const { version } = learner;
      const figures = await learn(learner, { synchronous: false });
      expect(learner.version).toBeGreaterThan(version);
      expect(Object.entries(figures).filter(([, value]) => !Number.isFinite(value))).toEqual([]);
      expect(figures['update/steps']).toBe(decisionsOf(groups).length);
      expect(await margin()).toBeGreaterThan(before);
    });

    it('learns nothing from groups without an advantage', async () => {
      await using learner = await beginner();
      expect(await learn(learner, {}, groups, () => 0)).toEqual({ 'update/steps': 0 });
      expect(learner.version).toBe(0);
    });

    it('applies the entropy to groups without an advantage when they are kept', async () => {
      await using learner = await beginner();
      const once = { epochs: 1, batchSteps: 10_000, synchronous: false, zeroAdvantage: 'keep' } as const;
      const plain = await learn(learner, once, groups, () => 0);
      expect([plain['update/steps'], plain['update/policy-loss'], plain['update/gradient-norm']]).toEqual([
        decisionsOf(groups).length,
        0,
        0,
      ]);
      expect(
        (await learn(learner, { ...once, entropyWeight: 1 }, groups, () => 0))['update/gradient-norm'],
      ).toBeGreaterThan(0);
    });

    it('recomputes the log-probabilities of play, and refuses episodes whose recorded ones differ', async () => {
      await using learner = await beginner();
      const falsified = mapSteps(groups, (step) => ({
        ...step,
        ...(step.decision === undefined ? {} : { decision: options.likelier(step.decision, 0.01) }),
      }));
      await expect(learn(learner, { batchSteps: 10_000 }, falsified)).rejects.toThrow(
        /differ from the trainer's by up to 0\.0100/,
      );
      expect(learner.version).toBe(0);
      expect((await learn(learner))['update/behaviour-gap']).toBeLessThan(1e-4);
    });

    it('refuses episodes of another policy', async () => {
      await using learner = await beginner();
      const foreign = mapSteps(groups, (step) => ({ ...step, decision: undefined }));
      await expect(learn(learner, {}, foreign)).rejects.toSatisfy((thrown) => UsageError.is(thrown));
      expect(learner.version).toBe(0);
    });

    it('stops when it is cancelled', async () => {
      await using learner = await beginner();
      const controller = new AbortController();
      controller.abort(new Error('enough'));
      const stopped = learner.learn({ groups, credit: credited(groups, winsFirst) }, settings, {
        ...context,
        rng: context.rng,
        signal: controller.signal,
      });
      await expect(stopped).rejects.toThrow('enough');
      expect(learner.version).toBe(0);
    });
  });

  describe('KL reference', () => {
    it('yields the KL from the kept weights, and no KL without a reference', async () => {
      await using learner = await beginner();
      const once = { epochs: 1, batchSteps: 10_000, synchronous: false };
      expect(await learn(learner, once)).not.toHaveProperty('update/reference-kl');
      await learner.keepReference();
      expect((await learn(learner, once))['update/reference-kl']).toBeCloseTo(0, 6);
      const moved = (await learn(learner, once))['update/reference-kl'] ?? 0;
      expect(moved).toBeGreaterThan(1e-6);
      await learner.keepReference();
      expect((await learn(learner, once))['update/reference-kl']).toBeCloseTo(0, 6);
    });

    it('stays the same when other weights are loaded', async () => {
      using folder = temporaryFolder();
      await using learner = await beginner();
      await learner.save(join(folder.path, 'first'));
      await learn(learner);
      await learner.keepReference();
      await learner.load(join(folder.path, 'first'));
      expect(
        (await learn(learner, { epochs: 1, batchSteps: 10_000 }))['update/reference-kl'],
      ).toBeGreaterThan(1e-6);
    });

    it('must be kept before a KL weight is used', async () => {
      await using learner = await beginner();
      await expect(learn(learner, { klWeight: 0.1 })).rejects.toThrow(/needs a reference/);
    });
  });

  describe('imitation', () => {
    it('reduces the loss on the searcher’s actions, pass by pass', async () => {
      await using learner = await beginner();
      const panel = readPanel(envSession.host, {
        env: lightsOutEnv.id,
        config: envSession.envConfig,
        name: 'train',
      });
      const demonstrations = await demonstrate(envSession, { panel, episodes: 4 }, context);
      const imitation = await learner.imitate(demonstrations);
      const losses: number[] = [];
      for (let pass = 0; pass < 6; pass += 1)
        losses.push(meanLoss(await imitation.pass(whole, context.rng.fork(pass), onePass)));
      expect(losses).toEqual(losses.toSorted((a, b) => b - a));
      expect(losses[5]).toBeLessThan(losses[0] as number);
    });

    it('asks for the learning rate of every mini-batch, and uses it', async () => {
      await using learner = await beginner();
      const panel = readPanel(envSession.host, {
        env: lightsOutEnv.id,
        config: envSession.envConfig,
        name: 'train',
      });
      const demonstrations = await demonstrate(envSession, { panel, episodes: 4 }, context);
      const before = await lossOf(learner, demonstrations);
      const asked: [at: number, count: number][] = [];
      const imitation = await learner.imitate(demonstrations);
      const pass = (rate: (at: number) => number): Promise<unknown> =>
        imitation.pass(
          { ...whole, batchSteps: 1, learningRate: (at, count) => (asked.push([at, count]), rate(at)) },
          context.rng.fork('pass'),
          onePass,
        );
      await pass(() => 0);
      expect(asked.length).toBeGreaterThan(1);
      expect(asked).toEqual(asked.map((_, at) => [at, asked.length]));
      expect(await lossOf(learner, demonstrations)).toBe(before);
      await pass((at) => (at === 1 ? 3e-3 : 0));
      expect(await lossOf(learner, demonstrations)).not.toBe(before);
    });

    it('stops between two mini-batches on request, and continues as if never stopped', async () => {
      await using together = await beginner();
      await using cut = await beginner();
      const panel = readPanel(envSession.host, {
        env: lightsOutEnv.id,
        config: envSession.envConfig,
        name: 'train',
      });
      const demonstrations = await demonstrate(envSession, { panel, episodes: 4 }, context);
      const settings = { ...whole, batchSteps: 1, learningRate: (at: number) => 1e-3 * (at + 1) };
      const expected = await (
        await together.imitate(demonstrations)
      ).pass(settings, context.rng.fork('pass'), onePass);
      expect(expected).toMatchObject({ isWhole: true });
      const imitation = await cut.imitate(demonstrations);
      const stop = new AbortController();
      const sofar = await imitation.pass(settings, context.rng.fork('pass'), {
        from: passBegins,
        signal: stop.signal,
        onDone: () => stop.abort(),
      });
      expect(sofar).toMatchObject({ batches: 1, isWhole: false });
      expect(
        await imitation.pass(settings, context.rng.fork('pass'), { from: sofar, signal: stop.signal }),
      ).toEqual(sofar);
      expect(await imitation.pass(settings, context.rng.fork('pass'), { ...onePass, from: sofar })).toEqual(
        expected,
      );
      const other = await imitation.pass({ ...settings, learningRate: () => 0 }, context.rng.fork('pass'), {
        ...onePass,
        from: { ...sofar, batches: expected.of + 1, of: expected.of + 1 },
      });
      expect(other).toMatchObject({ batches: expected.of, of: expected.of, isWhole: true }); // a state of other mini-batches starts again
      expect(await lossOf(cut, demonstrations)).toBe(await lossOf(together, demonstrations));
    });
  });

  describe('storage', () => {
    it('continues as if never saved, and plays the same', async () => {
      using folder = temporaryFolder();
      const saved = join(folder.path, 'deep', 'policy');
      await using one = await beginner();
      await using other = await options.create(envSession, 2);
      await learn(one);
      await one.save(saved);
      await other.load(saved);
      expect(other.version).toBe(one.version);
      const played = await play(one);
      expect(await play(other)).toEqual(played);
      await using player = await options.open(envSession, saved);
      expect(await play(player)).toEqual(played);
      expect(await learn(other, {}, played)).toEqual(await learn(one, {}, played));
      expect(await play(other)).toEqual(await play(one));
    });

    it('needs about as much space as it reports', async () => {
      using folder = temporaryFolder();
      await using learner = await beginner();
      await learn(learner); // from then on there are moments
      await learner.save(folder.path);
      const sizes = await Promise.all(
        (await readdir(folder.path)).map(async (name) => (await stat(join(folder.path, name))).size),
      );
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      expect(bytes / learner.checkpointBytes).toBeGreaterThan(0.9);
      expect(bytes - learner.checkpointBytes).toBeLessThan(0.1 * learner.checkpointBytes + 10_000);
    });
  });

  it('reports traits of its inputs that do not depend on the weights', async () => {
    await using other = await options.create(envSession, 2);
    expect(policy.traits.length).toBeGreaterThan(0);
    for (const { fingerprint } of policy.traits) expect(fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(other.traits).toEqual(policy.traits);
  });

  it('reports the memory of an update, including any reference', async () => {
    await using learner = await beginner();
    const figures = await learn(learner);
    const [without, beside] = [0, 0.1].map((klWeight) =>
      learner.memoryOf(figures, { batchSteps: settings.batchSteps, klWeight }),
    );
    expect(without?.reference).toBe(0);
    expect(without?.peak).toBeGreaterThanOrEqual(
      (without?.weights ?? 0) + (without?.optimiser ?? 0) + (without?.gradient ?? 0),
    );
    expect((beside?.peak ?? 0) - (without?.peak ?? 0)).toBe(beside?.reference);
    expect(() => learner.assertFits(groups, settings)).not.toThrow();
  });

  it('leaves no tensors behind', async () => {
    const before = memory().numTensors;
    {
      await using learner = await beginner();
      await learner.keepReference();
      await learn(learner);
      const held = memory().numTensors;
      for (let round = 0; round < 3; round += 1) {
        await learn(learner, { synchronous: false });
        await (await learner.imitate(groups)).pass(whole, context.rng.fork(round), onePass);
        await play(learner);
        await learner.keepReference();
      }
      await expect.poll(() => memory().numTensors).toBe(held); // a sampler gives back what it held for play a moment later
    }
    expect(memory().numTensors).toBe(before);
  });
}

const decisionsOf = (groups: readonly TrajectoryGroup[]): readonly Decision[] =>
  groups.flatMap(({ members }) =>
    members.flatMap(({ steps }) => steps.flatMap(({ decision }) => decision ?? [])),
  );

const repliesOf = (groups: readonly TrajectoryGroup[]): unknown =>
  groups.map(({ members }) => members.map(({ steps }) => steps.map(({ reply }) => reply)));

/** Of three members the first has an advantage, and the others pay for it. */
const winsFirst = (member: number): number => (member === 0 ? 1 : -0.5);

function credited(groups: readonly TrajectoryGroup[], value: (member: number) => number): BatchCredit {
  const credit = createGigpo().assign(groups, {});
  return {
    ...credit,
    groups: credit.groups.map((members) =>
      members.map((one, member) => ({ ...one, advantage: one.advantage.map(() => value(member)) })),
    ),
  };
}

const onlyMember = (
  groups: readonly TrajectoryGroup[],
  holds: (member: number) => boolean,
): readonly TrajectoryGroup[] =>
  groups.map((group) => ({ ...group, members: group.members.filter((_, member) => holds(member)) }));

const mapSteps = (
  groups: readonly TrajectoryGroup[],
  change: (step: Trajectory['steps'][number]) => Trajectory['steps'][number],
): readonly TrajectoryGroup[] =>
  groups.map((group) => ({
    ...group,
    members: group.members.map((member) => ({ ...member, steps: member.steps.map(change) })),
  }));
