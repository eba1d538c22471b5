import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../../envs/core/errors.ts';
import { reward, type Reward } from '../../../../../envs/core/step.ts';
import { decodeGroup, encodeGroup } from '../../../../../agents/rollout/format/codec.ts';
import { defaultReadLimits } from '../../../../../agents/rollout/format/read-limits.ts';
import { readTrajectories, readTrajectoryFile } from '../../../../../agents/rollout/store/read-store.ts';
import { readStoredGroup, skimTrajectories } from '../../../../../agents/rollout/store/skim-store.ts';
import { openTrajectoryStore } from '../../../../../agents/rollout/store/store.ts';
import type { TrajectoryGroup, TrajectoryStep } from '../../../../../agents/rollout/trajectory.ts';
import { collect } from '../../../../support/rollout.ts';
import { playGoldenEpisodes } from '../../../../support/golden-episodes.ts';
import { sampleGroup } from '../../../../support/trajectory-arbitrary.ts';

const golden = (schema: number): string =>
  fileURLToPath(new URL(`../../../../golden/trajectories/schema-${schema}-00001.jsonl.gz`, import.meta.url));
const strict = { onTornTail: () => expect.unreachable('the store is whole') };

/** What schema 1 did not store. */
const withoutFinalKeys = ({ task, members }: TrajectoryGroup): TrajectoryGroup => ({
  task,
  members: members.map((member) => ({ ...member, finalStateKey: undefined, finalAnchorKey: undefined })),
});

describe('golden stores', () => {
  it('upgrade episodes of schema 1 to what today’s code plays with the same seed', async () => {
    const played = await playGoldenEpisodes();
    expect(await collect(readTrajectoryFile(golden(1), strict))).toStrictEqual(played.map(withoutFinalKeys));
    const steps = played.flatMap(({ members }) => members.flatMap((member) => member.steps));
    expect(steps.filter(({ penalty }) => penalty === 0.1).length).toBeGreaterThan(10);
    expect(steps.filter(({ penalty }) => penalty === 0.25).length).toBeGreaterThan(10);
  });

  it('yield episodes of schema 2 as today’s code plays them with the same seed', async () => {
    expect(await collect(readTrajectoryFile(golden(2), strict))).toStrictEqual(await playGoldenEpisodes());
  });
});

describe('store of both schemas', () => {
  it('can be continued, read and skimmed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'both-schemas-'));
    await copyFile(golden(1), join(folder, 'train-00001.jsonl.gz'));
    const { size } = await stat(golden(1));
    const store = await openTrajectoryStore({ folder, name: 'train', resumeAt: { file: 1, bytes: size } });
    const played = await playGoldenEpisodes();
    await store.append(...played);
    await store.close();
    const both = [...played.map(withoutFinalKeys), ...played];
    expect(await collect(readTrajectories(folder, 'train', strict))).toStrictEqual(both);
    const skimmed = await collect(skimTrajectories(folder, 'train', strict));
    expect(skimmed.map(({ task, members, label }) => ({ task, members, label }))).toEqual(
      both.map(({ task }) => ({ task, members: 6, label: 'golden' })),
    );
    for (const [index, stored] of skimmed.entries())
      expect(await readStoredGroup(stored)).toStrictEqual(both[index]);
    await rm(folder, { recursive: true });
  });
});

/** Steps as the bytes of a group of schema 1, which differ from today's in the reward alone. */
function stepsOfSchema1(steps: readonly TrajectoryStep[]): string {
  const { task, members } = sampleGroup(1);
  const group = { task, members: members.map((member) => ({ ...member, steps })) };
  return encodeGroup(group).toString().replace('"schema":2', '"schema":1');
}

function stepOf(earned: Reward | undefined, verdict: TrajectoryStep['verdict']): TrajectoryStep {
  return {
    observation: 0,
    seat: 0,
    stateKey: undefined,
    anchorKey: undefined,
    stepsLeft: undefined,
    reply: { kind: 'action', action: 0 },
    decision: { kind: 'tokens', spans: [], leftOut: 0 },
    policyVersion: 1,
    verdict,
    reward: earned,
    penalty: undefined,
  };
}

const read = (lines: string): readonly TrajectoryStep[] =>
  decodeGroup(Buffer.from(lines), { file: 'old.jsonl.gz', firstLine: 1 }, defaultReadLimits).group.members[0]
    ?.steps ?? [];

const upgrade = (earned: Reward | undefined, verdict: TrajectoryStep['verdict']) =>
  read(stepsOfSchema1([stepOf(earned, verdict)])).map((step) => [step.reward, step.penalty]);

describe('step of schema 1', () => {
  const amount = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0);
  const termName = fc.stringMatching(/^[a-z]{1,8}$/);

  it('recovers the reward of the env to the last bit, and the penalty', () => {
    const price = fc.double({ min: 0, max: 1e3, noNaN: true });
    fc.assert(
      fc.property(fc.dictionary(termName, amount, { noNullPrototype: true }), price, (terms, penalty) => {
        const paid = reward(terms);
        const stored = { total: paid.total - penalty, terms: { ...terms, 'invalid-action': 0 - penalty } };
        expect(upgrade(stored, 'inadmissible')).toStrictEqual([[paid, penalty]]);
      }),
    );
  });

  it('removes the penalty from its total when the env’s terms do not sum to it exactly', () => {
    const stored = { total: 0.5 + 2 ** -40 - 0.25, terms: { goal: 0.5, 'invalid-action': -0.25 } };
    expect(upgrade(stored, 'inadmissible')).toStrictEqual([
      [{ total: 0.5 + 2 ** -40, terms: { goal: 0.5 } }, 0.25],
    ]);
  });

  it('gets a penalty of 0 when an inadmissible action cost nothing, and none when it was never scored', () => {
    const paid = { total: 1, terms: { goal: 1 } };
    expect(upgrade(paid, 'inadmissible')).toStrictEqual([[paid, 0]]);
    expect(upgrade(paid, 'admissible')).toStrictEqual([[paid, undefined]]);
    expect(upgrade(undefined, 'admissible')).toStrictEqual([[undefined, undefined]]);
  });

  it('cannot have a penalty that is a gain', () => {
    const stored = { total: 1, terms: { 'invalid-action': 1 } };
    expect(() => upgrade(stored, 'malformed')).toThrow(UsageError);
    expect(() => upgrade(stored, 'malformed')).toThrow('old.jsonl.gz, line 2: a reward has a term');
  });

  it('cannot have fields of schema 2', () => {
    const lines = stepsOfSchema1([stepOf(undefined, 'admissible')]);
    expect(() => read(lines.replace('"verdict"', '"penalty":1,"verdict"'))).toThrow(/line 2: .*penalty/);
    expect(() => read(lines.replace('"strings"', '"evidence":{},"strings"'))).toThrow(/line 2: .*evidence/);
  });

  it('may have a token decision with a mask over all tokens', () => {
    const once = (decision: string): string =>
      stepsOfSchema1([stepOf(undefined, 'admissible')]).replace(
        '{"kind":"spans","spans":[],"leftOut":0}',
        decision,
      );
    const [step] = read(
      once('{"kind":"tokens","tokens":[1,2,3,4,5],"sampled":[0,1,1,0,1],"logprobs":[0,-1,-2,0,-3]}'),
    );
    expect(step?.decision).toStrictEqual({
      kind: 'tokens',
      spans: [
        { kept: 0, appended: [1], sampled: [2, 3], logprobs: [-1, -2] },
        { kept: 3, appended: [4], sampled: [5], logprobs: [-3] },
      ],
      leftOut: 0,
    });
    expect(() => read(once('{"kind":"tokens","tokens":[1],"sampled":[],"logprobs":[0]}'))).toThrow(
      'line 2: a decision has 1 tokens, 0 marks and 1 log-probabilities',
    );
  });
});
