import type { TokenRow } from '../../agents/render/rows.ts';
import { netRewardOf, type Trajectory } from '../../agents/rollout/trajectory.ts';
import type { TrajectoryCredit } from '../../trainers/credit/estimator.ts';
import { rowAdvantages } from '../../trainers/update/tokens/row-advantages.ts';
import { episodeFacts, type ExportPlace } from './export-chat.ts';

/** An episode in rows of tokens, and what its steps earned. */
export interface TokenRowsSource {
  readonly trajectory: Trajectory;
  readonly rows: readonly TokenRow[];
  readonly credit: TrajectoryCredit;
  readonly place: ExportPlace;
  /** True where the rows were made of text afterwards: then nobody knows the log-probabilities. */
  readonly isRetokenised: boolean;
}

/** What a step is worth to a trainer. */
interface Worth {
  readonly step: number;
  /** Null where a reward that it needs was never scored, which is not zero. */
  readonly return: number | null;
  readonly score: number | null;
  readonly reward: number | null;
  readonly anchor: string | null;
  readonly version: number | null;
}

/**
 * The rows as verl names their columns, unpadded: `prompts` is what stands before the first token that the policy wrote, `responses` all
 * from there on, in which `response_mask` marks what it wrote. Per token of the response stand its advantage (that of its step, or its own in
 * token-level credit) and its step's discounted return; the anchors are those of the first grouping;
 * what a step was paid stands at the last token that was written in it. Rows in which nothing was written are left out.
 */
export function tokenRows(source: TokenRowsSource): readonly Readonly<Record<string, unknown>>[] {
  const { trajectory, rows, place, isRetokenised } = source;
  const uid = groupUid(trajectory, place);
  const advantages = rowAdvantages(rows, source.credit);
  const worths = trajectory.steps.map((_, step) => worthOf(source, step, uid));
  const lastRow = new Map<number, number>(); // of each step: a reply whose context was reset is in several
  for (const [at, row] of rows.entries()) for (const step of row.steps) if (step >= 0) lastRow.set(step, at);
  return rows.flatMap((row, at) => {
    if (!row.sampled.includes(1)) return [];
    const steps = [...new Set(row.steps)].filter((step) => step >= 0).map((step) => worths[step] as Worth);
    const ending = new Set(
      steps.filter(({ step }) => lastRow.get(step) === at).map(({ step }) => row.steps.lastIndexOf(step)),
    );
    return [
      {
        ...columnsOf(row, worths, { advantages: advantages[at] as Float64Array, ending, isRetokenised }),
        uid,
        traj_uid: `${uid}/member-${place.member}`,
        step: steps.length === 1 ? steps[0]?.step : -1,
        steps: steps.map(({ step }) => step),
        step_rewards: steps.map(({ reward }) => reward),
        anchor_uids: steps.map(({ anchor }) => anchor),
        behaviour_versions: steps.map(({ version }) => version),
        retokenised: isRetokenised,
        restricted: row.allowed.size > 0,
        metadata: episodeFacts(trajectory, place),
      },
    ];
  });
}

/** The columns that have an entry a token. */
function columnsOf(
  row: TokenRow,
  worths: readonly Worth[],
  {
    advantages,
    ending,
    isRetokenised,
  }: {
    readonly advantages: Float64Array;
    readonly ending: ReadonlySet<number>;
    readonly isRetokenised: boolean;
  },
): Readonly<Record<string, unknown>> {
  const first = row.sampled.indexOf(1);
  const tokens = [...row.tokens];
  const mask = [...row.sampled];
  const places = tokens.map((_, place) => place);
  const answered = places.slice(first);
  const perToken = (value: (worth: Worth) => number | null): readonly (number | null)[] =>
    answered.map((place) => (mask[place] === 1 ? value(worths[row.steps[place] as number] as Worth) : 0));
  const atTheEnd = (value: (worth: Worth) => number | null): readonly (number | null)[] =>
    answered.map((place) => (ending.has(place) ? value(worths[row.steps[place] as number] as Worth) : 0));
  return {
    prompts: tokens.slice(0, first),
    responses: tokens.slice(first),
    input_ids: tokens,
    attention_mask: tokens.map(() => 1),
    position_ids: places,
    loss_mask: mask,
    response_mask: mask.slice(first),
    old_log_probs: isRetokenised
      ? null
      : Array.from(row.logprobs.subarray(first), (logprob) => (Number.isNaN(logprob) ? null : logprob)),
    advantages: answered.map((place) => (mask[place] === 1 ? (advantages[place] as number) : 0)),
    returns: perToken((worth) => worth.return),
    token_level_scores: atTheEnd(({ score }) => score),
    token_level_rewards: atTheEnd(({ reward }) => reward),
    step_ids: [...row.steps.subarray(first)],
  };
}

function worthOf({ trajectory, credit }: TokenRowsSource, number: number, uid: string): Worth {
  const step = trajectory.steps[number];
  const [ofSteps] = Object.values(credit.anchors); // of the first grouping
  const anchor = ofSteps?.[number] ?? -1;
  const stepReturn = credit.stepReturn[number] ?? Number.NaN;
  return {
    step: number,
    return: Number.isNaN(stepReturn) ? null : stepReturn,
    score: step?.reward?.total ?? null,
    reward: (step && netRewardOf(step)) ?? null,
    anchor: anchor < 0 ? null : `${uid}/anchor-${anchor}`,
    version: step?.policyVersion ?? null,
  };
}

/** Names the group among all of a run: of the members' paths what they share, and its number, as a task may have several groups. */
const groupUid = ({ path }: Trajectory, { group }: ExportPlace): string =>
  `${path.replace(/\/member-\d+(?:\/try-\d+)?$/, '')}/group-${group}`;
