import { UsageError } from '../../envs/core/errors.ts';
import type { TokenDecision, TokenSpan } from '../core/agent.ts';
import { allowedNext } from '../core/token-sampler.ts';
import type { Trajectory } from '../rollout/trajectory.ts';

/**
 * Tokens that the policy saw as one sequence: one training row. Every token that an episode's policy wrote is
 * marked in exactly one row.
 */
export interface TokenRow {
  readonly tokens: Int32Array; // (T)
  /**
   * 1 if the policy wrote the token; 0 for prompts, observations, template text, and tokens that are marked
   * in another row.
   */
  readonly sampled: Uint8Array; // (T)
  /** Behaviour log-probability; 0 if not sampled, NaN if the sampler gave none. */
  readonly logprobs: Float32Array; // (T)
  /** Index of the step in which the token was written; -1 if not sampled. */
  readonly steps: Int32Array; // (T)
  /**
   * The tokens that a sampled token was drawn from, by its index; present only where output was restricted.
   */
  readonly allowed: ReadonlyMap<number, readonly number[]>;
}

/**
 * The rows of an episode in order. A prompt that extends all previous tokens joins the current row, any other
 * prompt begins a new one.
 * @throws UsageError for a step without a token decision, or with one that contradicts the tokens before it
 */
export function rowsOf(trajectory: Trajectory): readonly TokenRow[] {
  const drafts: RowDraft[] = [];
  for (const [step, { decision }] of trajectory.steps.entries()) {
    const where = `step ${step} of trajectory ${trajectory.path}`;
    if (decision?.kind !== 'tokens')
      throw new UsageError({
        where,
        what: 'it has no token decision.',
        fix: 'Build rows only from episodes of a token agent.',
      });
    addDecision(drafts, decision, step, where);
  }
  return drafts.map(rowOf);
}

/** A growing row: tokens, and which spans of them were sampled. */
interface RowDraft {
  readonly tokens: number[];
  readonly written: {
    readonly start: number;
    readonly span: TokenSpan;
    readonly step: number;
    readonly choices: readonly (readonly number[])[];
  }[];
}

function addDecision(
  drafts: RowDraft[],
  { spans, allowed }: TokenDecision,
  step: number,
  where: string,
): void {
  for (const span of spans) {
    assertFits(span, drafts.at(-1)?.tokens.length ?? 0, where);
    const draft = draftFor(span, drafts);
    const start = draft.tokens.length;
    append(draft.tokens, span.sampled);
    const choices =
      allowed === undefined
        ? []
        : span.sampled.map((_, place) => allowedNext(allowed, span.sampled.slice(0, place)));
    draft.written.push({ start, span, step, choices });
  }
}

/** The row of a span, with the span's prompt added. */
function draftFor({ kept, appended }: TokenSpan, drafts: RowDraft[]): RowDraft {
  const last = drafts.at(-1);
  if (last !== undefined && kept === last.tokens.length) {
    append(last.tokens, appended);
    return last;
  }
  const begun: RowDraft = { tokens: [...(last?.tokens.slice(0, kept) ?? []), ...appended], written: [] };
  drafts.push(begun);
  return begun;
}

/** A long context passed as call arguments would overflow the stack. */
function append(tokens: number[], more: readonly number[]): void {
  for (const token of more) tokens.push(token);
}

function assertFits({ kept, sampled, logprobs }: TokenSpan, before: number, where: string): void {
  const what =
    kept > before
      ? `it keeps ${kept} tokens, and ${before} precede it.`
      : sampled.length === logprobs.length
        ? undefined
        : `it has ${sampled.length} sampled tokens and ${logprobs.length} log-probabilities.`;
  if (what !== undefined)
    throw new UsageError({
      where,
      what,
      fix: 'Use the whole trajectory, as a token agent recorded it.',
    });
}

function rowOf({ tokens, written }: RowDraft): TokenRow {
  const row = {
    tokens: Int32Array.from(tokens),
    sampled: new Uint8Array(tokens.length),
    logprobs: new Float32Array(tokens.length),
    steps: new Int32Array(tokens.length).fill(-1),
    allowed: new Map<number, readonly number[]>(),
  };
  for (const { start, span, step, choices } of written) {
    const end = start + span.sampled.length;
    row.sampled.fill(1, start, end);
    row.steps.fill(step, start, end);
    row.logprobs.set(
      span.logprobs.map((logprob) => logprob ?? Number.NaN),
      start,
    );
    for (const [place, choice] of choices.entries()) row.allowed.set(start + place, choice);
  }
  return row;
}
