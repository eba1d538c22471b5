import { z } from 'zod';
import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { nameOf } from '../../../envs/core/result-shape.ts';
import type { CreditLevel, EstimatorOutput } from '../estimator.ts';
import { isFaulted } from '../parts/batch-rows.ts';
import { countSampledTokens } from '../parts/sampled-tokens.ts';

const fix =
  'Fix the estimator: return one entry for each step of each member of each group, in their order, and none for an episode whose stop.kind is "faulted".';

const parts = ['advantage', 'tokenAdvantage', 'episode', 'step', 'anchors', 'stepReturn'] as const;
const partNames: ReadonlySet<string> = new Set(parts);

/** Names of groupings appear in documents and JSON. */
const groupingName = /^[a-z][a-z0-9-]{0,39}$/;

type Refuse = (place: string, what: string) => never;

/**
 * Validates the shape of an estimator's output: every group, member, step and token has its number, numbers
 * are finite, and faulted episodes have none. Every training batch passes here, so each array is read only
 * once.
 * @throws UsageError that names the estimator, group, member and step
 */
export function validateOutput(
  { name, level }: { readonly name: string; readonly level: CreditLevel },
  groups: readonly TrajectoryGroup[],
  output: unknown,
): asserts output is EstimatorOutput {
  const refuse: Refuse = (place, what) => {
    throw new UsageError({ where: `credit estimator "${name}"${place}`, what, fix });
  };
  if (output instanceof Promise) {
    output.catch(() => undefined); // an unhandled rejection would end the process
    return refuse('', 'assign returned a promise: it must return its output synchronously.');
  }
  const credits = isRecord(output) ? output['groups'] : undefined;
  if (!isRecord(output) || !Array.isArray(credits))
    return refuse(
      '',
      `assign returned ${nameOf(output)}${isRecord(output) ? ' without a list of groups' : ''}.`,
    );
  if (credits.length !== groups.length)
    refuse('', `it returned credit for ${credits.length} groups, and there are ${groups.length}.`);
  const of = { level, ...anchorRules(countSteps(groups)) };
  groups.forEach(({ task, members }, group) => {
    const ofGroup = (credits as readonly unknown[])[group];
    const place = `, group ${group} (${task.panel}/${task.index})`;
    if (!Array.isArray(ofGroup))
      return refuse(place, `its credit is ${nameOf(ofGroup)}, not a list of members.`);
    if (ofGroup.length !== members.length)
      refuse(place, `it returned credit for ${ofGroup.length} members, and there are ${members.length}.`);
    members.forEach((member, index) => {
      const problem = findProblem(member, (ofGroup as readonly unknown[])[index], of);
      if (problem === undefined) return;
      refuse(
        `${place}, member ${index}${problem.step === undefined ? '' : `, step ${problem.step}`}`,
        problem.what,
      );
    });
  });
  validateRest(output, refuse);
}

const countSteps = (groups: readonly TrajectoryGroup[]): number =>
  groups.reduce((sum, { members }) => members.reduce((all, member) => all + member.steps.length, sum), 0);

interface Problem {
  readonly step?: number;
  readonly what: string;
}

/** How to validate anchors: the check of their numbers, and the names already found valid. */
interface AnchorRules {
  readonly check: NumberCheck;
  readonly names: Set<string>;
}

/** @param steps of the whole batch: there cannot be more anchors than steps */
const anchorRules = (steps: number): AnchorRules => ({
  check: {
    find: (values) => findNoAnchor(values, steps),
    expects: 'the number of an anchor, counted from 0 over the batch, or -1',
  },
  names: new Set(),
});

function findProblem(
  member: Trajectory,
  credit: unknown,
  of: AnchorRules & { readonly level: CreditLevel },
): Problem | undefined {
  if (!isRecord(credit))
    return { what: `its credit is ${nameOf(credit)}, not an object with its advantage.` };
  for (const part in credit)
    if (!partNames.has(part))
      return { what: `its part "${part}" is unknown; the parts are ${parts.join(', ')}.` };
  const { advantage, episode, step, anchors, stepReturn } = credit;
  return (
    (advantage === undefined && of.level === 'token'
      ? undefined
      : findColumnProblem(member, 'advantage', advantage, finite)) ??
    findTokenProblem(member, credit['tokenAdvantage'], of.level) ??
    (episode === undefined ? undefined : findColumnProblem(member, 'episode', episode, finite)) ??
    (step === undefined ? undefined : findColumnProblem(member, 'step', step, finite)) ??
    findAnchorProblem(member, anchors, of) ??
    (stepReturn === undefined ? undefined : findColumnProblem(member, 'stepReturn', stepReturn, numeric))
  );
}

/** Returns the index of the first invalid number of a column, or -1; and what is expected instead. */
interface NumberCheck {
  readonly find: (values: ArrayLike<unknown>) => number;
  readonly expects: string;
}

const finite: NumberCheck = { find: findNotFinite, expects: 'a finite number' };
const numeric: NumberCheck = { find: findNoNumber, expects: 'a number, or NaN if unknown' };

function findColumnProblem(
  member: Trajectory,
  name: string,
  values: unknown,
  check: NumberCheck,
): Problem | undefined {
  const wrong = findLengthProblem(member, name, values);
  if (wrong !== undefined) return wrong;
  const numbers = values as ArrayLike<unknown>;
  const step = check.find(numbers);
  return step < 0
    ? undefined
    : { step, what: `its ${name} is ${shown(numbers[step])}, not ${check.expects}.` };
}

function findLengthProblem(member: Trajectory, name: string, values: unknown): Problem | undefined {
  if (!isList(values)) return { what: `its ${name} is ${nameOf(values)}, not an array.` };
  const expected = isFaulted(member) ? 0 : member.steps.length;
  if (values.length === expected) return undefined;
  const why = isFaulted(member)
    ? 'the episode faulted, so it must have none'
    : `the episode has ${expected} steps`;
  return { what: `its ${name} has ${values.length} entries, and ${why}.` };
}

function findTokenProblem(member: Trajectory, values: unknown, level: CreditLevel): Problem | undefined {
  if (level === 'step')
    return values === undefined
      ? undefined
      : { what: "it has a tokenAdvantage, and the estimator does not declare level: 'token'." };
  const wrong = findLengthProblem(member, 'tokenAdvantage', values);
  if (wrong !== undefined) return wrong;
  for (const [step, ofStep] of Array.from(values as ArrayLike<unknown>).entries()) {
    const sampled = countSampledTokens(member, step);
    if (sampled === undefined)
      return { step, what: 'it has no token decision, so token-level credit does not apply to it.' };
    if (!isList(ofStep)) return { step, what: `its tokenAdvantage is ${nameOf(ofStep)}, not an array.` };
    if (ofStep.length !== sampled)
      return {
        step,
        what: `its tokenAdvantage has ${ofStep.length} entries, and ${sampled} tokens were sampled.`,
      };
    const token = findNotFinite(ofStep);
    if (token >= 0)
      return {
        step,
        what: `the tokenAdvantage of token ${token} is ${shown(ofStep[token])}, not a finite number.`,
      };
  }
  return undefined;
}

function findAnchorProblem(
  member: Trajectory,
  anchors: unknown,
  { check, names }: AnchorRules,
): Problem | undefined {
  if (anchors === undefined) return undefined;
  if (!isRecord(anchors) || isList(anchors))
    return { what: `its anchors are ${nameOf(anchors)}, not arrays by grouping name.` };
  for (const name in anchors) {
    if (!names.has(name) && !groupingName.test(name))
      return { what: `its grouping ${JSON.stringify(name)} is not a lower-case name such as "information".` };
    names.add(name);
    if (findColumnProblem(member, name, anchors[name], check) !== undefined)
      // the text is needed only for an error
      return findColumnProblem(member, `anchors.${name}`, anchors[name], check);
  }
  return undefined;
}

function findNotFinite(values: ArrayLike<unknown>): number {
  if (values instanceof Float64Array && isAllFinite(values)) return -1;
  for (let at = 0; at < values.length; at += 1) if (!Number.isFinite(values[at])) return at;
  return -1;
}

/** Fast path with one sum: 0 times a finite number is 0, otherwise NaN. */
function isAllFinite(values: Float64Array): boolean {
  let sum = 0;
  for (let at = 0; at < values.length; at += 1) sum += 0 * (values[at] as number);
  return sum === 0;
}

function findNoNumber(values: ArrayLike<unknown>): number {
  if (values instanceof Float64Array) return -1;
  for (let at = 0; at < values.length; at += 1) if (typeof values[at] !== 'number') return at;
  return -1;
}

/** Anchor numbers are bounded, because memory is allocated for the largest. */
function findNoAnchor(values: ArrayLike<unknown>, steps: number): number {
  if (values instanceof Int32Array) return findOutOfRange(values, steps);
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at];
    if (typeof value !== 'number' || !Number.isInteger(value) || value < -1 || value >= steps) return at;
  }
  return -1;
}

function findOutOfRange(values: Int32Array, steps: number): number {
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] as number;
    if (value < -1 || value >= steps) return at;
  }
  return -1;
}

const json = z.json();

function validateRest(
  { statistics, stepWeight, state }: Readonly<Record<string, unknown>>,
  refuse: Refuse,
): void {
  if (stepWeight !== undefined && !Number.isFinite(stepWeight))
    refuse(', stepWeight', `it is ${shown(stepWeight)}, not a finite number.`);
  if (state !== undefined && !json.safeParse(state).success) refuse(', state', 'it is not JSON.');
  validateStatistics(statistics, refuse);
}

/** Validates statistics by name. */
export function validateStatistics(statistics: unknown, refuse: Refuse): void {
  if (statistics === undefined) return;
  if (!isRecord(statistics))
    return refuse(', statistics', `they are ${nameOf(statistics)}, not numbers by name.`);
  for (const [name, value] of Object.entries(statistics))
    if (!Number.isFinite(value))
      refuse(`, statistics["${name}"]`, `it is ${shown(value)}, not a finite number.`);
}

const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : nameOf(value));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isList = (value: unknown): value is ArrayLike<unknown> =>
  value instanceof Float64Array ||
  Array.isArray(value) ||
  (ArrayBuffer.isView(value) && !(value instanceof DataView));
