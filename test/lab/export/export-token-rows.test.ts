import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parsePrompt, type Prompt } from '../../../agents/prompt/prompt.ts';
import { rowsOf } from '../../../agents/render/rows.ts';
import {
  netRewardOf,
  returnOf,
  scoreOf,
  type Trajectory,
  type TrajectoryGroup,
  type TrajectoryStep,
} from '../../../agents/rollout/trajectory.ts';
import { createCreditEstimator } from '../../../trainers/credit/create-credit-estimator.ts';
import type { TrajectoryCredit } from '../../../trainers/credit/estimator.ts';
import { tokenRows } from '../../../lab/export/export-token-rows.ts';
import { smallPrompt } from '../../agents/prompt/small-prompt.ts';
import { playByTokens } from '../../support/corridor-episodes.ts';
import { anyReply, byteCodec, endToken } from '../../support/token-play.ts';

const numbers = z.array(z.number());
const rowSchema = z.object({
  prompts: numbers,
  responses: numbers,
  input_ids: numbers,
  attention_mask: numbers,
  position_ids: numbers,
  loss_mask: numbers,
  response_mask: numbers,
  old_log_probs: z.array(z.number().nullable()).nullable(),
  advantages: numbers,
  returns: z.array(z.number().nullable()),
  token_level_scores: z.array(z.number().nullable()),
  token_level_rewards: z.array(z.number().nullable()),
  step_ids: numbers,
  uid: z.string(),
  traj_uid: z.string(),
  step: z.number(),
  steps: numbers,
  step_rewards: z.array(z.number().nullable()),
  anchor_uids: z.array(z.string().nullable()),
  behaviour_versions: z.array(z.number().nullable()),
  retokenised: z.boolean(),
  restricted: z.boolean(),
});
type ExportedRow = z.output<typeof rowSchema>;

const promptOf = (history: Prompt['history'] = 'all'): Prompt =>
  parsePrompt({ ...smallPrompt, history, actions: { ...smallPrompt.actions, shown: false } }, 'test');

/** Two episodes of one task as rows, with their credit. */
function exportBoth(
  members: readonly Trajectory[],
  isRetokenised = false,
): readonly {
  readonly rows: readonly ExportedRow[];
  readonly credit: TrajectoryCredit;
  readonly trajectory: Trajectory;
}[] {
  const group: TrajectoryGroup = { task: { panel: 'train', index: 2 }, members };
  const credit = createCreditEstimator({ kind: 'gigpo' }).assign([group], {}).groups[0] ?? [];
  return members.map((trajectory, member) => {
    const earned = credit[member] as TrajectoryCredit;
    const place = { run: 'test', seed: 1, iteration: 3, group: 17, member };
    const rows = tokenRows({ trajectory, rows: rowsOf(trajectory), credit: earned, place, isRetokenised });
    return {
      rows: rows.map((row) => rowSchema.parse(JSON.parse(JSON.stringify(row)))),
      credit: earned,
      trajectory,
    };
  });
}

const roundedOf = (logprob: number | null | undefined): number | null =>
  typeof logprob === 'number' ? Math.fround(logprob) : null;

const sampledIn = ({
  steps,
}: Trajectory): readonly (readonly [token: number, step: number, logprob: number | null])[] =>
  steps.flatMap(({ decision }, step) =>
    decision?.kind === 'tokens'
      ? decision.spans.flatMap(({ sampled, logprobs }) =>
          sampled.map((token, at) => [token, step, roundedOf(logprobs[at])] as const),
        )
      : [],
  );

/** As if a server had given no log-probability of some tokens. */
const withoutSome = (trajectory: Trajectory): Trajectory => ({
  ...trajectory,
  steps: trajectory.steps.map((step) => {
    if (step.decision?.kind !== 'tokens') return step;
    const spans = step.decision.spans.map((span) => ({
      ...span,
      logprobs: span.logprobs.map((logprob, at) => (at % 3 === 1 ? null : logprob)),
    }));
    return { ...step, decision: { ...step.decision, spans } };
  }),
});

const where = <T>(values: readonly T[], mask: readonly number[], mark: number): readonly T[] =>
  values.filter((_, place) => mask[place] === mark);
const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

function expectExact({ rows, credit, trajectory }: ReturnType<typeof exportBoth>[number]): void {
  const written = sampledIn(trajectory);
  expect(rows.flatMap((row) => where(row.responses, row.response_mask, 1))).toEqual(
    written.map(([token]) => token),
  );
  expect(rows.flatMap((row) => where(row.input_ids, row.loss_mask, 1))).toEqual(
    written.map(([token]) => token),
  );
  expect(rows.flatMap((row) => where(row.old_log_probs ?? [], row.response_mask, 1))).toEqual(
    written.map(([, , logprob]) => logprob),
  );
  expect(rows.flatMap((row) => where(row.step_ids, row.response_mask, 1))).toEqual(
    written.map(([, step]) => step),
  );
  expect(rows.flatMap((row) => where(row.advantages, row.response_mask, 1))).toEqual(
    written.map(([, step]) => credit.advantage[step]),
  );
  expect(rows.flatMap((row) => where(row.returns, row.response_mask, 1))).toEqual(
    written.map(([, step]) => credit.stepReturn[step]),
  );
  for (const row of rows) {
    expect([...row.prompts, ...row.responses]).toEqual(row.input_ids);
    expect(row.response_mask[0]).toBe(1);
    expect(row.loss_mask).toEqual([...row.prompts.map(() => 0), ...row.response_mask]);
    expect(row.attention_mask).toEqual(row.input_ids.map(() => 1));
    expect(row.position_ids).toEqual(row.input_ids.map((_, place) => place));
    expect(row.step).toBe(row.steps.length === 1 ? row.steps[0] : -1);
    for (const column of [
      'advantages',
      'returns',
      'old_log_probs',
      'token_level_rewards',
      'token_level_scores',
    ] as const) {
      expect(row[column]).toHaveLength(row.responses.length);
      expect(
        where<number | null>(row[column] ?? [], row.response_mask, 0).every((value) => value === 0),
      ).toBe(true);
    }
  }
  const wrote = new Set(written.map(([, step]) => step));
  if (trajectory.steps.some((_, step) => !wrote.has(step))) return; // what was paid for nothing written has no token to stand at
  expect(sum(rows.flatMap((row) => row.token_level_rewards))).toBeCloseTo(returnOf(trajectory), 9);
  expect(sum(rows.flatMap((row) => row.token_level_scores))).toBeCloseTo(scoreOf(trajectory), 9);
}

describe('exported token rows', () => {
  it('mark exactly the tokens that the policy wrote, each once with the advantage of its step', async () => {
    let [joined, separate, resets, incomplete] = [0, 0, 0, 0];
    const reset = fc.option(
      fc.record({ carriedTokens: fc.nat(3), contexts: fc.integer({ min: 2, max: 3 }) }),
      { nil: undefined },
    );
    const replies = fc.array(anyReply(['go left', 'go right', 'go wait']), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        replies,
        replies,
        fc.constantFrom<Prompt['history']>('all', 0, 2),
        reset,
        async (first, second, history, resetting) => {
          const over = resetting === undefined ? {} : { reset: resetting, maxTokens: 5 };
          const members = [
            await playByTokens(first, promptOf(history), over),
            withoutSome(await playByTokens(second, promptOf(history), over)),
          ];
          for (const exported of exportBoth(members)) {
            expectExact(exported);
            if (exported.rows.some(({ step }) => step === -1)) joined += 1;
            if (exported.rows.length > 1) separate += 1;
            if (exported.rows.length > exported.trajectory.steps.length) resets += 1;
            if (exported.rows.some((row) => row.old_log_probs?.includes(null))) incomplete += 1;
          }
        },
      ),
      { numRuns: 80 },
    );
    expect(Math.min(joined, separate, resets, incomplete)).toBeGreaterThan(10);
  });

  it('list group, trajectory, anchors and the versions of the weights', async () => {
    const go = (action: string): readonly number[] => [...byteCodec.encode(action), endToken];
    const members = [
      await playByTokens([go('go left')], promptOf(0)),
      await playByTokens([go('go right')], promptOf(0)),
    ];
    const [left, right] = exportBoth(members);
    expect(left?.rows.map(({ step }) => step)).toEqual(left?.trajectory.steps.map((_, step) => step));
    for (const [member, exported] of [left, right].entries()) {
      for (const {
        uid,
        traj_uid: of,
        steps,
        behaviour_versions: versions,
        step_rewards: rewards,
        anchor_uids: anchors,
      } of exported?.rows ?? []) {
        expect([uid, of]).toEqual(['train/2/test/group-17', `train/2/test/group-17/member-${member}`]);
        expect(versions).toEqual([3]);
        const taken = exported?.trajectory.steps ?? [];
        expect(rewards).toEqual(steps.map((step) => netRewardOf(taken[step] as TrajectoryStep)));
        expect(anchors).toEqual(
          steps.map((step) => `${uid}/anchor-${exported?.credit.anchors['information']?.[step]}`),
        );
      }
    }
    expect(left?.rows[0]?.anchor_uids).toEqual(right?.rows[0]?.anchor_uids); // both begin with the same decision
  });

  it('contain null, not zero, for unknown values', async () => {
    const played = await playByTokens([[...byteCodec.encode('go left'), endToken]], promptOf(0));
    const unscored = {
      ...played,
      steps: played.steps.map((step, index) => (index === 4 ? { ...step, reward: undefined } : step)),
    };
    const [exported] = exportBoth([unscored, played], true);
    const row = exported?.rows[4];
    expect(row?.old_log_probs).toBeNull();
    expect(row?.step_rewards).toEqual([null]);
    expect([row?.token_level_rewards.at(-1), row?.token_level_scores.at(-1)]).toEqual([null, null]);
    expect(row?.returns.every((value) => value === null)).toBe(true);
    expect(exported?.rows[5]?.returns.every((value) => typeof value === 'number')).toBe(true);
    expect(exported?.rows.map(({ retokenised }) => retokenised)).not.toContain(false);
  });

  it('mark rows that were restricted to admissible actions', async () => {
    const restricted = await playByTokens([[...byteCodec.encode('go wait'), endToken]], promptOf(0), {
      restricted: true,
    });
    const [exported] = exportBoth([restricted, restricted]);
    expect(exported?.rows.map((row) => row.restricted)).not.toContain(false);
  });
});
