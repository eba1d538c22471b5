import { UsageError } from '../../../core/errors.ts';
import { createRng, type Rng } from '../../../core/rng.ts';
import type { PanelName } from '../files/question-source.ts';
import type { Question } from '../files/question.ts';
import type { FactGraph } from './fact-graph.ts';
import type { Fact } from './fact-source.ts';

/** Questions of each panel. */
export const factPanelSizes = { train: 1_000, dev: 100, test: 300 } as const satisfies Record<
  PanelName,
  number
>;

export const mostFactHops = 4;
const mostTries = 20_000;

/** A step of a chain of facts. */
interface Link extends Fact {
  readonly subject: number;
}

export interface FactQuestionOptions {
  readonly seed: number;
  /** Wordings of each question, from the plainest. */
  readonly wordings: number;
  /** The numbers of facts, which take turns. */
  readonly hops: readonly number[];
  /** The number of questions; that of {@link factPanelSizes} unless given. */
  readonly count?: number;
}

/**
 * The questions of a panel, each another one: chains of facts about subjects of the panel. Each relation of a chain has exactly one
 * object, and each subject on the way has a name that no other has. So the answer is unique; its other names are right as well.
 *
 * @throws UsageError where there are fewer
 */
export function factQuestions(
  graph: FactGraph,
  panel: PanelName,
  { seed, wordings, hops, count = factPanelSizes[panel] }: FactQuestionOptions,
): readonly Question[] {
  const root = createRng(seed).fork('fact-questions').fork(panel);
  const seen = new Set<string>();
  const turns = graph.ranges.length;
  const hopsAt = (index: number): number => hops[Math.floor(index / turns) % hops.length] ?? 1;
  return Array.from({ length: count }, (_, index) => {
    const rng = root.fork(index);
    const range = graph.ranges[index % turns] ?? [0, graph.size]; // sources take turns
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const made = drawQuestion(graph, rng, { panel, range, wordings, hops: hopsAt(index) });
      if (made === undefined || seen.has(made.question)) continue;
      seen.add(made.question);
      return { ...made, id: `${panel}-${index}` };
    }
    throw new UsageError({
      where: 'world.kind=facts',
      what: `the panel ${panel} has only ${index} of ${count} questions: too few chains of ${hopsAt(index)} facts.`,
      fix: 'Lower world.hops or world.population, or use both sources.',
    });
  });
}

function drawQuestion(
  graph: FactGraph,
  rng: Rng,
  options: {
    readonly panel: PanelName;
    /** Subjects with which a chain begins. */
    readonly range: readonly [start: number, end: number];
    readonly wordings: number;
    readonly hops: number;
  },
): Omit<Question, 'id'> | undefined {
  const { panel, range, wordings, hops } = options;
  const [start, end] = range;
  const subject = start + rng.int(end - start);
  const chain = drawChain(graph, rng, { panel, hops, subject });
  const last = chain?.at(-1);
  if (chain === undefined || last === undefined) return undefined;
  let phrase = `"${graph.labelOf(subject) ?? ''}"`;
  for (const { relation } of chain.slice(0, -1))
    phrase = rng.pick(relation.phrases.slice(0, wordings)).replace(/\bX\b/, () => phrase);
  const question = rng.pick(last.relation.questions.slice(0, wordings)).replace(/\bX\b/, () => phrase);
  const answers = graph.textsOf(last.object);
  const asked = question.toLowerCase();
  if (answers.some((answer) => asked.includes(answer.toLowerCase()))) return undefined;
  return {
    question,
    answers,
    supporting: chain.map(({ subject: on }) => graph.idOf(on)),
    hops,
    path: chain.map(({ subject: on }) => graph.labelOf(on) ?? ''),
    traps: 0,
  };
}

function drawChain(
  graph: FactGraph,
  rng: Rng,
  { panel, hops, subject }: { readonly panel: PanelName; readonly hops: number; readonly subject: number },
): readonly Link[] | undefined {
  const chain: Link[] = [];
  const met = new Set<Fact['object']>();
  let on = subject;
  for (let hop = 1; hop <= hops; hop += 1) {
    if (graph.labelOf(on) === undefined || graph.panelOf(on) !== panel) return undefined;
    met.add(on);
    const facts = graph
      .facts(on)
      .filter(({ object }) => !met.has(object) && (hop === hops || typeof object === 'number'));
    if (facts.length === 0) return undefined;
    const fact = rng.pick(facts);
    chain.push({ ...fact, subject: on });
    if (typeof fact.object === 'string') break;
    on = fact.object;
  }
  return chain.length === hops ? chain : undefined;
}
