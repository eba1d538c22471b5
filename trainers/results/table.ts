import type { Json } from '../../envs/core/json.ts';
import { terminalLine } from '../../envs/core/terminal-text.ts';
import { describeCalibration } from './calibration.ts';
import { assertSamePanel } from './compare.ts';
import { describeDecoding } from './estimate.ts';
import { arePooledTooFew, noIntervalWorthShowing, trainingsOf } from './few-trainings.ts';
import { percentDigits, percentOf, plural } from './number-words.ts';
import { describeInadmissible, nothingAdmissible } from './inadmissible.ts';
import { describeCheckpoints, describeSeeds } from './lineage.ts';
import { describeReading, describeUnreadable, nothingRead } from './reading.ts';
import { isPolicy, type EvaluationResult, type Shown, type TrainedOn } from './result.ts';
import {
  formatScore,
  isGraded,
  layColumns,
  plainColumns,
  shownRate,
  type TableColumn,
} from './table-columns.ts';
import {
  describeAdmissible,
  describeCharacters,
  describeContext,
  describeFields,
  describeMaxTokens,
  onlyAdmissible,
} from './tell-apart.ts';
import { describeTokens } from './token-counts.ts';
import { describeVerdicts } from './verdicts.ts';

export interface TableOptions {
  /** Bold heads for terminals; without it the text holds no control codes. */
  readonly bold?: boolean;
  /** The success of each family and of all, score, turns and tokens unless given. */
  readonly columns?: readonly TableColumn[];
  /** Explains the other columns in the header: means, or totals of the row. */
  readonly explained?: boolean;
  /** Columns of the terminal: if rows would be longer, agents become columns. Unlimited by default. */
  readonly width?: number;
}

const sections: readonly { readonly kind: Shown['kind']; readonly title: string }[] = [
  { kind: 'choice', title: 'Choice agents: pick among listed actions' },
  { kind: 'text', title: 'Text agents: write their actions' },
  { kind: 'own', title: 'Own agents: from files of the user' },
  { kind: 'scripted', title: 'Scripted agents: not trained' },
];

/** Tables with more columns are hard to read, however wide the terminal is. */
const mostColumns = 16;

/**
 * Formats results on one panel as text: a row for each agent, with a rule before each kind of agent. If rows
 * would be too long, agents become columns, in a table for each kind. Below stands what the agents of each kind
 * were shown. @throws UsageError for results of different panels
 */
export function renderTable(results: readonly EvaluationResult[], options: TableOptions = {}): string {
  const [first] = results;
  if (first === undefined) return 'No results.\n';
  assertSamePanel(results);
  const bold = (text: string): string => (options.bold === true ? `\u001b[1m${text}\u001b[22m` : text);
  const { columns = plainColumns, width = Number.POSITIVE_INFINITY } = options;
  const cells = cellsOf(results, columns);
  const rows = alignColumns(cells);
  const isTooWide = (cells[0]?.length ?? 0) > mostColumns || rows.some((row) => row.length > width);
  const marks = results.flatMap((result) =>
    [
      describeFaults(result),
      ...describeRetries(result),
      tellReading(result),
      tellInadmissible(result),
      describeCalibration(result),
      describeVerdicts(result),
      describeUse(result),
      arePooledTooFew(trainingsOf(result))
        ? `${terminalLine(result.agent)}: ${noIntervalWorthShowing}.`
        : undefined,
    ].filter((mark) => mark !== undefined),
  );
  const hasScore =
    layColumns(
      columns.filter(({ kind }) => kind === 'score'),
      results,
    ).length > 0;
  const lines = [
    bold(
      `${terminalLine(first.env)}, panel ${terminalLine(first.panel.name)} (${shortFingerprint(first.panel.fingerprint)}), ${first.panel.tasks} ${plural(first.panel.tasks, 'task')}`,
    ),
    ...describeIdentity(first.identity ?? first.config),
    `Success in %${hasScore ? ', score as mean reward times 100,' : ','} with 95 % intervals; faults that are left count as failures.${options.explained === true ? explainColumns(columns, results) : ''}`,
  ];
  const members = sections.flatMap(({ kind, title }) => {
    const places = results.flatMap((result, index) => (result.shown.kind === kind ? [index + 1] : []));
    return places.length === 0 ? [] : [{ title, places }];
  });
  if (isTooWide)
    for (const { title, places } of members)
      lines.push(
        '',
        bold(title),
        ...alignColumns(transpose([0, ...places].map((place) => cells[place] ?? []))),
      );
  else {
    lines.push('', bold(rows[0] ?? ''));
    for (const { title, places } of members)
      lines.push(bold(ruled(title, rows[0]?.length ?? 0)), ...places.map((place) => rows[place] ?? ''));
  }
  lines.push(...passLines(results, bold), '');
  for (const { title, places } of members)
    lines.push(
      ...describeMembers(
        title,
        places.flatMap((place) => results[place - 1] ?? []),
      ),
    );
  return `${[...lines, ...(marks.length === 0 ? [] : ['', ...marks])].join('\n')}\n`;
}

/** The table of pass@k and pass^k with its conventions, of the results whose tasks were played several times. */
function passLines(results: readonly EvaluationResult[], bold: (text: string) => string): readonly string[] {
  const repeated = results.flatMap((result) =>
    result.passes === undefined ? [] : [{ result, ...result.passes }],
  );
  const [first] = repeated;
  if (first === undefined) return [];
  const ks = [...new Set(repeated.flatMap(({ byK }) => byK.map(({ k }) => k)))].toSorted((a, b) => a - b);
  const cells = (name: 'passAtK' | 'passHatK', head: string): readonly (readonly string[])[] => {
    const shown = ks.filter((k) => k > 1 || name === 'passAtK');
    return [
      ['agent', ...shown.map((k) => `${head}${k}`)],
      ...repeated.map(({ result, byK }) => [
        result.agent,
        ...shown.map((k) => {
          const rate = byK.find((each) => each.k === k)?.[name];
          return rate === undefined ? '-' : formatScore(shownRate(result, rate));
        }),
      ]),
    ];
  };
  const { conventions } = first;
  const [head = '', ...rows] = alignColumns(cells('passAtK', 'pass@'));
  const [hatHead = '', ...hatRows] = alignColumns(cells('passHatK', 'pass^'));
  return [
    '',
    `Several episodes a task: of n episodes c solved it. Means over tasks, in %, with 95 % intervals over tasks.`,
    bold(head),
    ...rows,
    `${conventions.passAtK}.`,
    bold(hatHead),
    ...hatRows,
    `${conventions.passHatK}.`,
  ];
}

/** The title of a kind of agent as a rule across the table: `── Scripted agents: not trained ─────`. */
const ruled = (title: string, width: number): string =>
  `── ${title} `.padEnd(Math.max(width, title.length + 6), '─');

/** ` Turns and tokens are means per episode without a fault; time is that of the whole row, by the clock.`: of the columns that there are. */
function explainColumns(columns: readonly TableColumn[], results: readonly EvaluationResult[]): string {
  const has = (kind: TableColumn['kind']): boolean =>
    layColumns(
      columns.filter((column) => column.kind === kind),
      results,
    ).length > 0;
  const means = [...(has('turns') ? ['turns'] : []), ...(has('tokens') ? ['tokens'] : [])].join(' and ');
  const clauses = [
    ...(means === '' ? [] : [`${means} are means per episode without a fault`]),
    ...(has('time') ? ['time is that of the whole row, by the clock'] : []),
  ].join('; ');
  return clauses === '' ? '' : ` ${clauses.slice(0, 1).toUpperCase()}${clauses.slice(1)}.`;
}

/** The first digits of a fingerprint, enough for people to distinguish panels. */
export function shortFingerprint(fingerprint: string): string {
  return fingerprint.slice(0, 'sha256:'.length + 12);
}

/** What an agent was shown, how it decided and with which weights and seeds, in words. */
export function describeShown(
  result: Pick<EvaluationResult, 'agent' | 'shown' | 'training' | 'seeds' | 'episodesPerTask'>,
): string {
  const { shown, episodesPerTask } = result;
  const { remote, written } = shown;
  const prompt = (remote ?? written)?.prompt;
  return [
    ...(remote === undefined
      ? []
      : [`model ${terminalLine(remote.model)} at ${terminalLine(remote.server)}`]),
    ...(prompt === undefined
      ? []
      : [`prompt ${terminalLine(prompt.name)} (${shortFingerprint(prompt.fingerprint)})`]),
    describeAdmissible(shown.admissible),
    `history: ${terminalLine(shown.history)}`,
    ...(remote?.observationCharacters === undefined
      ? []
      : [describeCharacters(remote.observationCharacters)]),
    `decoding: ${describeDecoding(shown.decoding)}${remote === undefined || shown.decoding.kind === 'server' ? '' : restOfDecoding}`,
    remote === undefined ? describeWeights(result) : describeMaxTokens(remote.maxTokens),
    ...(remote?.fields === undefined ? [] : [terminalLine(describeFields(remote.fields))]),
    ...(written === undefined ? [] : describeWritten(written)),
    ...(shown.trainedOn === undefined ? [] : [describeTrainedOn(shown.trainedOn)]),
    describeSeeds(result),
    episodesPerTask === 1 ? 'one episode a task' : `${episodesPerTask} episodes a task`,
  ].join('; ');
}

/**
 * Servers apply filters and penalties of their own, or from the model's files, if a request sets none, and do
 * not report them.
 */
const restOfDecoding = ', else as the server is set';

/** Which weights played. Pooled results of older versions do not say which ones of each seed. */
function describeWeights({
  agent,
  shown,
  training,
  seeds,
}: Pick<EvaluationResult, 'agent' | 'shown' | 'training' | 'seeds'>): string {
  const unsaid = isPolicy(shown) && seeds.length > 1 ? 'one for each seed' : 'none';
  const checkpoint = shown.checkpoint ?? (training === undefined ? unsaid : describeCheckpoints(training));
  return `checkpoint: ${terminalLine(checkpoint)}${isUntrained(agent) ? ', of random weights' : ''}`;
}

function describeWritten({
  maxTokens,
  contextLength,
  restricted,
}: NonNullable<Shown['written']>): readonly string[] {
  return [
    describeMaxTokens(maxTokens),
    describeContext(contextLength),
    ...(restricted ? [onlyAdmissible] : []),
  ];
}

/** A run without demonstrations has its first checkpoint all the same, and calls who plays with it so. */
const isUntrained = (agent: string): boolean => agent === 'untrained' || agent.startsWith('untrained ');

/** The number of differences that are listed. If the whole config differs, the first ones are enough. */
const mostDifferences = 6;

/** `trained on: shop-v1 with catalogue.products 1000 (played: 2000)`. */
function describeTrainedOn({ env, differences }: TrainedOn): string {
  const words = (value: Json | undefined): string =>
    value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value);
  const told = differences
    .slice(0, mostDifferences)
    .map(({ key, trained, played }) => `${key} ${words(trained)} (played: ${words(played)})`);
  const rest =
    differences.length > mostDifferences ? ` and ${differences.length - mostDifferences} more` : '';
  return terminalLine(`trained on: ${env} with ${told.join(', ')}${rest}`);
}

/** A paragraph about an agent's faults: how many, their possible effect, and the cause of the first. */
export function describeFaults(result: EvaluationResult): string | undefined {
  const { agent, faults } = result;
  if (faults.count === 0 && faults.retried === 0) return undefined;
  const success = `success ${percentOf(faults.rateLow)} with faults as failures, ${faults.rateHigh === undefined ? 'unknown' : percentOf(faults.rateHigh)} without them`;
  const { scoreHigh } = faults;
  const score =
    scoreHigh === undefined || !isGraded([result])
      ? ''
      : `; score ${percentDigits(result.score.mean)} with what was paid until a fault, ${percentDigits(scoreHigh)} without them`;
  const bounds = `${success}${score}`;
  const verdict = faults.excessive
    ? `; that is above 1 %: ${isOfServer(result) ? 'check the model and its server' : 'fix the environment'} before you use these numbers`
    : '';
  const { byCause, first } = faults;
  const causes =
    byCause === undefined
      ? ''
      : ` Causes: ${Object.entries(byCause)
          .map(([cause, number]) => `${terminalLine(cause)} ${number}`)
          .join(', ')}.`;
  const why =
    first === undefined
      ? ''
      : ` The first, in task ${first.index} (seed ${first.seed}) after ${first.steps} ${plural(first.steps, 'step')}: ${terminalLine(first.fault ?? first.cause).replace(/\.$/, '')}.`;
  return `${terminalLine(agent)}: ${faults.count} ${plural(faults.count, 'fault')} left (${percentOf(faults.share)} of episodes) after ${faults.retried} ${plural(faults.retried, 'retry', 'retries')}; ${bounds}${verdict}.${causes}${why}`;
}

/** True if only the model and its server failed, not the env. */
export const isOfServer = ({ shown, faults }: EvaluationResult): boolean =>
  shown.kind === 'text' && Object.keys(faults.byCause ?? {}).every((cause) => cause === 'sampler-failed');

/** A line for each kind of fault that was played again: how often, and where it first was. */
export function describeRetries({ agent, faults: { retries = [] } }: EvaluationResult): readonly string[] {
  return [...new Set(retries.map(({ cause }) => cause))].flatMap((cause) => {
    const alike = retries.filter((each) => each.cause === cause);
    const [first] = alike;
    if (first === undefined) return [];
    const which = `${alike.length === 1 ? 'in' : 'the first in'} task ${first.index} of ${terminalLine(first.family)} (seed ${first.seed}) after ${first.steps} ${plural(first.steps, 'step')}`;
    return `${terminalLine(agent)}: played again for ${terminalLine(cause)} ${alike.length} ${plural(alike.length, 'time')}, ${which}: ${terminalLine(first.fault).replace(/\.$/, '')}.`;
  });
}

/** `Choice agents: …` where all agents of a kind were treated alike, else a line for each. */
function describeMembers(title: string, results: readonly EvaluationResult[]): readonly string[] {
  const kind = title.slice(0, title.indexOf(':'));
  const described = results.map(describeShown);
  if (new Set(described).size === 1) return [`${kind}: ${described[0] ?? ''}`];
  return [
    kind,
    ...results.map((result, index) => `  ${terminalLine(result.agent)}: ${described[index] ?? ''}`),
  ];
}

/** What fingerprints hold beside env and tasks, as `catalogue.kind generated; nouns.name recorded`: every value by its path. No line where there is none. */
function describeIdentity(identity: Json): readonly string[] {
  const tell = (value: Json, path: readonly string[]): readonly string[] => {
    if (typeof value !== 'object' || value === null)
      return [terminalLine(`${path.join('.')} ${String(value)}`.trim())];
    return Object.entries(value).flatMap(([name, part]) => tell(part, [...path, name]));
  };
  const parts = tell(identity, []);
  return parts.length === 0 ? [] : [parts.join('; ')];
}

/** A sentence for each text agent: how many of its replies could be read. */
function tellReading({ agent, reading, episodes }: EvaluationResult): string | undefined {
  if (reading === undefined) return undefined;
  const verdict = nothingRead(reading) ? ': nothing was measured' : '';
  const first =
    reading.first === undefined ? '' : `; ${describeUnreadable(reading.first, reading.toolCallsOnly)}`;
  return `${terminalLine(agent)}: ${describeReading(reading, episodes.length)}${verdict}${first}.`;
}

/** A sentence for each agent that tried what could not be done. */
function tellInadmissible(result: EvaluationResult): string | undefined {
  const said = describeInadmissible(result);
  return said === undefined ? undefined : `${terminalLine(result.agent)}: ${said}.`;
}

/** A sentence for each text agent: what it used. */
function describeUse({
  agent,
  shown,
  tokens,
  replacedTokens: replaced,
}: EvaluationResult): string | undefined {
  return tokens === undefined && replaced === undefined
    ? undefined
    : `${terminalLine(agent)}: ${describeTokens(tokens, { replaced, countedBy: shown.remote === undefined ? 'us' : 'server' })}.`;
}

/** The head and a row a result. */
function cellsOf(
  results: readonly EvaluationResult[],
  columns: readonly TableColumn[],
): readonly (readonly string[])[] {
  const laid = layColumns(columns, results);
  const cells = results.map((result) => [
    result.faults.excessive || nothingRead(result.reading) || nothingAdmissible(result)
      ? `${result.agent} (!)`
      : result.agent,
    ...laid.map(({ cell }) => cell(result)),
  ]);
  return [['agent', ...laid.map(({ head }) => head)], ...cells];
}

/** Rows as columns. All are of one length. */
const transpose = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? ''));

/** Cells in columns: the first to the left, the others to the right, two spaces apart. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const clean = rows.map((row) => row.map(terminalLine));
  const widths = (clean[0] ?? []).map((_, column) =>
    Math.max(...clean.map((row) => row[column]?.length ?? 0)),
  );
  return clean.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}
