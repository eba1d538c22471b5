import { z } from 'zod';
import type { Trajectory, TrajectoryStep } from '../../agents/rollout/trajectory.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';
import { grouped, percentOf, plural } from './number-words.ts';
import type { AgentReading } from './reading.ts';

const count = z.int().min(0);

/** Actions of an episode that the env rejected as inadmissible, and the first of them. */
export const inadmissibleSchema = z.strictObject({ actions: count.min(1), first: z.string() });
type Inadmissible = Readonly<z.output<typeof inadmissibleSchema>>;

/** How many steps were actions that the env found inadmissible. */
export const inadmissibleShareSchema = z.strictObject({
  actions: count,
  /** Share of all steps, including unreadable replies. */
  share: z.number().min(0).max(1),
  /** Beginning of the first one, in the order of seeds and tasks; absent if there was none. */
  first: z.string().optional(),
});
export type InadmissibleShare = Readonly<z.output<typeof inadmissibleShareSchema>>;

/** Most characters of an action to keep. */
const longestQuote = 80;

/** Undefined if there were none. */
export function inadmissibleOf({ steps }: Pick<Trajectory, 'steps'>): Inadmissible | undefined {
  const all = steps.filter(({ verdict }) => verdict === 'inadmissible');
  const [first] = all;
  return first === undefined ? undefined : { actions: all.length, first: wordsOf(first) };
}

/** The action as the model wrote it, if stored; otherwise the action itself. */
function wordsOf({ reply, decision }: TrajectoryStep): string {
  const action = reply.kind === 'action' ? reply.action : reply.text;
  const words =
    typeof action === 'string'
      ? action
      : decision?.kind === 'text'
        ? decision.text
        : (JSON.stringify(action) ?? '');
  const text = terminalLine(words).trim();
  return text.length > longestQuote
    ? `${text.slice(0, longestQuote).replace(/[\ud800-\udbff]$/, '')}…`
    : text; // a character is not split
}

/** Over all episodes. */
export function inadmissibleIn(
  rows: readonly { readonly turns: number; readonly inadmissible?: Inadmissible | undefined }[],
): InadmissibleShare {
  const steps = rows.reduce((sum, { turns }) => sum + turns, 0);
  const actions = rows.reduce((sum, { inadmissible }) => sum + (inadmissible?.actions ?? 0), 0);
  const first = rows.find(({ inadmissible }) => inadmissible !== undefined)?.inadmissible?.first;
  return { actions, share: steps === 0 ? 0 : actions / steps, ...(first === undefined ? {} : { first }) };
}

interface ReplyCounts {
  readonly steps: number;
  readonly reading?: AgentReading | undefined;
  readonly inadmissible?: InadmissibleShare | undefined;
}

/**
 * True if actions were tried and none was admissible: the result then measures how the agent writes, not how
 * it plays.
 */
export const nothingAdmissible = ({ steps, reading, inadmissible }: ReplyCounts): boolean =>
  inadmissible !== undefined &&
  inadmissible.actions > 0 &&
  inadmissible.actions + (reading?.unreadable ?? 0) === steps;

/** `12 of 72 steps (16.7 %) were inadmissible actions; the first was "fly"`; undefined where there was none, and of results that do not say. */
export function describeInadmissible(told: ReplyCounts): string | undefined {
  const { steps, inadmissible } = told;
  if (inadmissible === undefined || inadmissible.actions === 0) return undefined;
  const { actions, share, first = '' } = inadmissible;
  const many = `${grouped(actions)} of ${grouped(steps)} ${plural(steps, 'step')} (${percentOf(share)}) ${plural(actions, 'was an inadmissible action', 'were inadmissible actions')}`;
  return `${many}${nothingAdmissible(told) ? ', and not one was admissible' : ''}; the first was ${JSON.stringify(first)}`;
}
