import { createRng, type Rng } from '../../../core/rng.ts';
import type { Question } from '../files/question.ts';
import { entityKinds, isEntityKind, relationsFrom, type Relation } from './relations.ts';
import type { Entity, WorldGraph } from './world-graph.ts';

/** A panel of a world. */
export interface WorldPanel {
  readonly name: 'train' | 'dev' | 'test';
  readonly size: number;
  /** The classes of entities that its questions are about. No other panel has them. */
  readonly classes: readonly number[];
}

export const worldPanels: readonly WorldPanel[] = [
  { name: 'train', size: 1_000, classes: [0, 1, 2, 3, 4, 5] },
  { name: 'dev', size: 100, classes: [6] },
  { name: 'test', size: 300, classes: [7, 8, 9] },
];

/** A step of a chain of facts. */
export interface Link {
  readonly subject: Entity;
  readonly relation: Relation;
  readonly object: Entity | string;
}

const mostTries = 2_000;

/** The questions of a panel, each another one. Their hops take turns over `hops`. */
export function worldQuestions(
  graph: WorldGraph,
  seed: number,
  panel: WorldPanel,
  hops: readonly number[],
): readonly Question[] {
  const root = createRng(seed).fork('search-questions').fork(panel.name);
  const seen = new Set<string>();
  return Array.from({ length: panel.size }, (_, index) => {
    const rng = root.fork(index);
    for (let attempt = 0; attempt < mostTries; attempt += 1) {
      const made = drawQuestion(graph, rng, panel.classes, hops[index % hops.length] ?? 1);
      if (made === undefined || seen.has(made.question)) continue;
      seen.add(made.question);
      return { ...made, id: `${panel.name}-${index}` };
    }
    throw new RangeError(`panel ${panel.name} has no question ${index}`);
  });
}

/** A chain of facts in words, or undefined where the draw repeats an entity or gives its answer away. */
function drawQuestion(
  graph: WorldGraph,
  rng: Rng,
  classes: readonly number[],
  hops: number,
): Omit<Question, 'id'> | undefined {
  const kind = rng.pick(entityKinds);
  const ofClass = rng.pick(classes);
  const start = graph.member(kind, ofClass, rng.int(graph.sizeOf(kind, ofClass)));
  const chain = drawChain(graph, rng, start, hops);
  const last = chain?.at(-1);
  if (chain === undefined || last === undefined) return undefined;
  let phrase = mentionOf(graph, start);
  for (const { relation } of chain.slice(0, -1))
    phrase = rng.pick(relation.phrases.slice(0, graph.wordings)).replace('X', () => phrase);
  const question = rng.pick(last.relation.questions.slice(0, graph.wordings)).replace('X', () => phrase);
  const answer = graph.textOf(last.object);
  if (question.includes(answer)) return undefined;
  return {
    question,
    answers: [answer],
    supporting: chain.map(({ subject }) => String(graph.documentOf(subject))),
    hops,
    path: chain.map(({ subject }) => graph.nameOf(subject)),
    traps: chain.reduce((sum, { subject }) => sum + graph.misleadingAbout(subject).length, 0),
  };
}

function drawChain(graph: WorldGraph, rng: Rng, start: Entity, hops: number): readonly Link[] | undefined {
  const chain: Link[] = [];
  const names = new Set([graph.nameOf(start)]);
  let subject = start;
  for (let hop = 1; hop <= hops; hop += 1) {
    const isLast = hop === hops;
    const choices = relationsFrom(subject.kind).filter(({ to }) => isLast || isEntityKind(to));
    const relation = rng.pick(choices);
    const object = graph.objectOf(subject, relation);
    const name = graph.textOf(object);
    if (names.has(name)) return undefined;
    names.add(name);
    chain.push({ subject, relation, object });
    if (typeof object === 'string') break;
    subject = object;
  }
  return chain.length === hops ? chain : undefined;
}

/** How a question names an entity: works in quotes, organisations and events with an article. */
function mentionOf(graph: WorldGraph, entity: Entity): string {
  const name = graph.nameOf(entity);
  if (entity.kind === 'work') return `"${name}"`;
  return entity.kind === 'organisation' || entity.kind === 'event' ? `the ${name}` : name;
}
