import {
  netRewardOf,
  returnOf,
  scoreOf,
  type Trajectory,
  type TrajectoryStep,
} from '../../agents/rollout/trajectory.ts';
import type { ChoiceDecision, Decision, ShownLess, TextDecision } from '../../agents/core/agent.ts';
import { describeFault } from '../../envs/core/errors.ts';
import type { Textual } from '../../envs/core/textual.ts';
import type { TrajectoryCredit } from '../../trainers/credit/estimator.ts';
import { terminalLine, terminalText } from '../../envs/core/terminal-text.ts';
import { plural } from '../../trainers/results/number-words.ts';

/** The credit of a trajectory within its batch. */
export interface TrajectoryCreditView {
  readonly credit: TrajectoryCredit;
  /** False where the estimator gave neither the episode part nor the step part: then they are not shown. */
  readonly hasParts: boolean;
  /** Steps at each anchor of the batch, by the name of the grouping. */
  readonly anchorSizes: Readonly<Record<string, Int32Array>>; // (anchors) each
  /** The other steps at the anchor of each step of this trajectory, by the name of the grouping. Default: only their number is shown. */
  readonly sharers?: Readonly<Record<string, readonly (readonly AnchorSharer[])[]>>; // (steps) each
  /** The key of each step by which the grouping compares, by its name. Absent for groupings whose key is the observation. */
  readonly keys?: Readonly<Record<string, readonly (string | undefined)[]>>; // (steps) each
}

/** A step that an anchor group compares another with. */
export interface AnchorSharer {
  /** Of the group, counted from 0. */
  readonly member: number;
  /** Counted from 0. */
  readonly step: number;
  /** What followed it; NaN where a reward that it needs was never scored. */
  readonly stepReturn: number;
}

export interface TrajectoryViewOptions {
  /** The words of the env; without them observations and actions that are no text are shown as JSON. */
  readonly words?: Pick<Textual<unknown, unknown>, 'observation' | 'action'>;
  /** Longer observations are cut; 600 characters unless given. */
  readonly maxObservation?: number;
  /** Whether the bars of credit have colours, for terminals. */
  readonly colours?: boolean;
}

/**
 * An episode step by step as text: what was seen and done, out of how many candidates and how probable, what it earned, and
 * what credit the step got and why. Text from the env and the model is stripped of whatever a terminal would obey.
 */
export function renderTrajectory(
  trajectory: Trajectory,
  view?: TrajectoryCreditView,
  options: TrajectoryViewOptions = {},
): string {
  const { env, task, family, agent, path, instruction, steps } = trajectory;
  const head = [
    [env.id, `task ${task.panel}/${task.index} (${family})`, agent, path].map(terminalLine).join('  '),
    terminalLine(instruction),
    `${describeStop(trajectory)} after ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}; score ${number(scoreOf(trajectory))}, return ${number(returnOf(trajectory))}`,
  ];
  const blocks = steps.map((step, index) => describeStep(step, { index, of: steps.length, view, options }));
  const last =
    trajectory.finalObservation === undefined
      ? []
      : [rowOf('saw', observationOf(trajectory.finalObservation, options))];
  return [...head, ...blocks.flatMap((lines) => ['', ...lines]), '', ...last, ''].join('\n');
}

interface StepPlace {
  readonly index: number;
  readonly of: number;
  readonly view: TrajectoryCreditView | undefined;
  readonly options: TrajectoryViewOptions;
}

function describeStep(step: TrajectoryStep, { index, of, view, options }: StepPlace): readonly string[] {
  const left = step.stepsLeft === undefined ? '' : `, ${step.stepsLeft} left`;
  const seat = step.seat === 0 ? '' : `, seat ${step.seat}`;
  return [
    `step ${index + 1} of ${of}${left}${seat}`,
    rowOf('saw', observationOf(step.observation, options)),
    rowOf('did', actionOf(step, options)),
    ...(step.decision === undefined
      ? []
      : [
          rowOf(
            step.decision.kind === 'choice' ? 'choice' : 'wrote',
            describeDecision(step.decision, step.policyVersion),
          ),
        ]),
    rowOf('earned', describeReward(step)),
    ...(view === undefined ? [] : describeCredit(view, index, options)),
  ];
}

const rowOf = (name: string, text: string): string =>
  `  ${name.padEnd(8)}${text.replaceAll('\n', `\n${' '.repeat(10)}`)}`;

function observationOf(observation: unknown, { words, maxObservation = 600 }: TrajectoryViewOptions): string {
  const text = terminalText(
    words === undefined ? textOf(observation) : words.observation(observation),
  ).trim();
  return text.length <= maxObservation
    ? text
    : `${text.slice(0, maxObservation)}… (${text.length} characters)`;
}

function actionOf({ reply, verdict, decision }: TrajectoryStep, { words }: TrajectoryViewOptions): string {
  if (reply.kind === 'malformed')
    return `${terminalLine(reply.text)} (malformed: ${terminalLine(reply.why)})`;
  const chosen = decision?.kind === 'choice' ? decision.candidates[decision.index] : undefined;
  const text = words === undefined ? (chosen ?? textOf(reply.action)) : words.action(reply.action);
  return `${terminalLine(text)}${verdict === 'admissible' ? '' : ` (${verdict})`}`;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

function describeDecision(decision: Decision, version: number | undefined): string {
  const by = version === undefined ? '' : `, policy version ${version}`;
  if (decision.kind === 'choice') {
    const probability = `probability ${number(Math.exp(decision.logprob))} (log ${number(decision.logprob)})`;
    return [
      `candidate ${decision.index + 1} of ${decision.candidates.length}, ${probability}${by}`,
      ...describeOthers(decision),
    ].join('\n');
  }
  if (decision.kind === 'text') return describeText(decision);
  const sampled = decision.spans.reduce((total, span) => total + span.sampled.length, 0);
  const prompt = decision.spans.reduce((total, { kept, appended }) => total + kept + appended.length, 0);
  const logprobs = decision.spans.flatMap((span) => span.logprobs);
  const sum = logprobs.reduce<number>((total, logprob) => total + (logprob ?? 0), 0);
  const missing = logprobs.filter((logprob) => logprob === null).length;
  const without = missing === 0 ? '' : ` without that of ${missing}, which the server did not give`;
  return [
    `${sampled} tokens sampled behind ${prompt}, log-probability ${number(sum)}${without}${by}`,
    ...describeShownLess(decision),
  ].join('; ');
}

/** `instead: go to sink 0.221`, of the most probable other candidates. */
function describeOthers({ candidates, others = [], index }: ChoiceDecision): readonly string[] {
  const shown = others.flatMap(({ index: other, probability }) =>
    candidates[other] === undefined || probability === 0
      ? []
      : [`${terminalLine(candidates[other])} ${share(probability)}`],
  );
  if (shown.length === 0) return [];
  const rest = candidates.length - shown.length - (candidates[index] === undefined ? 0 : 1);
  return [`instead: ${shown.join(', ')}${rest > 0 ? ` and ${rest} less probable` : ''}`];
}

const share = (probability: number): string =>
  probability > 0 && probability < 0.001 ? 'below 0.001' : number(probability);

/** The whole reply, and under it what was counted. */
function describeText({ text, usage, reasoningCharacters, ...shownLess }: TextDecision): string {
  const counted =
    usage === undefined
      ? 'tokens not counted'
      : `${usage.prompt} prompt tokens, ${usage.completion} of the reply`;
  const asides = [
    ...(reasoningCharacters === 0
      ? []
      : [`${reasoningCharacters} ${plural(reasoningCharacters, 'character')} of reasoning apart`]),
    ...describeShownLess(shownLess),
  ];
  return `${terminalText(text).trim()}\n(${[counted, ...asides].join('; ')})`;
}

function describeShownLess({
  leftOut,
  contextStart,
  charactersCut = 0,
  actionsLeftOut = 0,
}: ShownLess): readonly string[] {
  return [
    ...(contextStart === undefined
      ? []
      : [`the context begins again: the prompt shows the steps from ${contextStart + 1}`]),
    ...(leftOut === 0 ? [] : [`${leftOut} earlier ${plural(leftOut, 'exchange')} left out of the prompt`]),
    ...(charactersCut === 0
      ? []
      : [`${charactersCut} ${plural(charactersCut, 'character')} of the observation left out of the prompt`]),
    ...(actionsLeftOut === 0
      ? []
      : [`${actionsLeftOut} ${plural(actionsLeftOut, 'action')} left out of the list in the prompt`]),
  ];
}

function describeReward(step: TrajectoryStep): string {
  const { reward, penalty = 0 } = step;
  if (reward === undefined) return 'never scored';
  const terms = Object.entries(reward.terms).map(([name, value]) => `${terminalLine(name)} ${signed(value)}`);
  if (penalty > 0) terms.push(`invalid-action ${signed(0 - penalty)}`);
  return `${number(netRewardOf(step) ?? 0)}${terms.length === 0 ? '' : ` = ${terms.join(', ')}`}`;
}

/** Characters of a bar. */
const barLength = 8;

/**
 * A bar as long as the advantage is, compared with the greatest of the episode: full blocks for a positive
 * one, shaded ones for a negative one.
 */
function barOf(advantage: Float64Array, index: number, colours: boolean): string {
  const value = advantage[index] ?? 0;
  const greatest = advantage.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const length = greatest === 0 ? 0 : Math.ceil((Math.abs(value) / greatest) * barLength);
  const blocks = (value < 0 ? '▒' : '█').repeat(length);
  const rest = '·'.repeat(barLength - length);
  if (!colours || length === 0) return `${blocks}${rest}`;
  return `\u001b[${value < 0 ? 31 : 32}m${blocks}\u001b[0m${rest}`;
}

/** Longer keys are cut. */
const longestKey = 160;

function describeKey(key: string): string {
  const line = terminalLine(key);
  return line.length <= longestKey ? line : `${line.slice(0, longestKey)}… (${line.length} characters)`;
}

function describeCredit(
  view: TrajectoryCreditView,
  index: number,
  { colours = false }: TrajectoryViewOptions,
): readonly string[] {
  const { advantage, tokenAdvantage, episode, step, stepReturn } = view.credit;
  const [whole, ofEpisode, ofStep, after] = [
    advantage[index],
    episode[index],
    step[index],
    stepReturn[index],
  ];
  if (whole === undefined || ofEpisode === undefined || ofStep === undefined)
    return [rowOf('credit', 'none: the episode faulted')];
  const rest = after === undefined || Number.isNaN(after) ? '' : `, return from here ${number(after)}`;
  const tokens = tokenAdvantage?.[index];
  const ofTokens = tokens === undefined ? '' : describeTokens(tokens);
  const parts = view.hasParts ? ` (episode ${signed(ofEpisode)}, step ${signed(ofStep)})` : '';
  const groupings = Object.keys(view.anchorSizes);
  return [
    rowOf(
      'credit',
      `${barOf(advantage, index, colours)} advantage ${signed(whole)}${ofTokens}${parts}${rest}`,
    ),
    ...(groupings.length === 0 ? [rowOf('anchor', 'none')] : []),
    ...groupings.map((name) =>
      rowOf('anchor', `${groupings.length === 1 ? '' : `by ${name}: `}${describeAnchor(view, name, index)}`),
    ),
  ];
}

/** More of those that share an anchor are only counted. */
const sharersShown = 3;

/** Token-level credit in short. The advantage of the step beside it is the mean as well, unless the estimator gave another. */
function describeTokens(tokens: Float64Array): string {
  if (tokens.length === 0) return ', no tokens';
  const mean = tokens.reduce((sum, value) => sum + value, 0) / tokens.length;
  const range = `from ${signed(Math.min(...tokens))} to ${signed(Math.max(...tokens))}`;
  return `, ${tokens.length} ${plural(tokens.length, 'token')} (mean ${signed(mean)}, ${range})`;
}

function describeAnchor(
  { credit, anchorSizes, sharers, keys }: TrajectoryCreditView,
  grouping: string,
  index: number,
): string {
  const anchor = credit.anchors[grouping]?.[index] ?? -1;
  if (anchor < 0) return 'none';
  const size = anchorSizes[grouping]?.[anchor] ?? 0;
  const key = keys?.[grouping]?.[index];
  const byKey = key === undefined ? '' : `\nkey ${describeKey(key)}`;
  if (size === 1) return `${anchor}, alone${byKey}`;
  const others = (sharers?.[grouping]?.[index] ?? []).filter(({ stepReturn }) => !Number.isNaN(stepReturn));
  const shown = others
    .slice(0, sharersShown)
    .map(({ member, step, stepReturn }) => `${number(stepReturn)} from step ${step + 1} of member ${member}`);
  const more = others.length > sharersShown ? ` and ${others.length - sharersShown} more` : '';
  return `${anchor}, shared by ${size} steps${shown.length === 0 ? '' : `: return ${shown.join(', ')}${more}`}${byKey}`;
}

function describeStop({ stop }: Trajectory): string {
  switch (stop.kind) {
    case 'terminated':
      return stop.limit === undefined ? stop.outcome : `${stop.outcome} by ${terminalLine(stop.limit)}`;
    case 'truncated':
      return `truncated by ${terminalLine(stop.limit)}`;
    case 'faulted':
      return `faulted (${terminalLine(describeFault(stop.fault))})`;
    default:
      return stop satisfies never;
  }
}

const number = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(3));

const signed = (value: number): string => `${value < 0 ? '' : '+'}${number(value)}`;
