import type { Rng } from '../../core/rng.ts';
import { objectIn, parseQuestion } from '../../engines/questions/world/parse-question.ts';
import type { EntityKind, Relation } from '../../engines/questions/world/relations.ts';
import { blockSize, type Entity, type WorldGraph } from '../../engines/questions/world/world-graph.ts';
import { guessQuestion } from './guess-question.ts';
import type { Specialist } from './roster.ts';

/** A chain of facts that a question asks for. */
export interface Chain {
  readonly subject: Entity;
  readonly relations: readonly Relation[];
}

/** One fact, as a simulated model knows it. */
export interface KnownFact {
  readonly subject: Entity;
  readonly relation: Relation;
  /** What it says the object is; undefined where it says that it does not know. */
  readonly object: Entity | string | undefined;
  readonly isRight: boolean;
}

/** What simulated models know about a world. All of it is a function of the world's seed, the model and the fact. */
export class Knowledge {
  readonly #graph: WorldGraph;
  readonly #rng: Rng;
  #byName: ReadonlyMap<string, Entity> | undefined;

  constructor(graph: WorldGraph, rng: Rng) {
    this.#graph = graph;
    this.#rng = rng.fork('knowledge');
  }

  /** The chain that a question asks for; undefined where it names nothing of the world, or asks for nothing that is known. */
  chainOf(question: string): Chain | undefined {
    const text = question.replaceAll(/\s+/g, ' ').trim();
    const parsed = parseQuestion(text) ?? guessQuestion(text, (name) => this.entityCalled(name)?.kind);
    if (parsed === undefined) return undefined;
    const subject = this.entityCalled(parsed.subject);
    const [first] = parsed.relations;
    return subject === undefined || first?.from !== subject.kind
      ? undefined
      : { subject, relations: parsed.relations };
  }

  /** What a model says about a fact. */
  fact(of: Specialist, subject: Entity, relation: Relation): KnownFact {
    const document = this.#graph.documentOf(subject);
    const draw = this.#rng.fork(of.name).fork(document).fork(relation.name).uniform();
    const right = this.#graph.objectOf(subject, relation);
    if (draw < of.skills[subject.kind]) return { subject, relation, object: right, isRight: true };
    const wrong = of.admits
      ? undefined
      : this.#graph.falseObjectOf(subject, relation, 1 + Math.floor(draw * 1_000));
    return {
      subject,
      relation,
      object: wrong,
      isRight: wrong !== undefined && this.textOf(wrong) === this.textOf(right),
    };
  }

  /** The facts that a model states for a chain, up to the first that it does not know. */
  facts(of: Specialist, { subject: start, relations }: Chain): readonly KnownFact[] {
    const facts: KnownFact[] = [];
    let subject: Entity | string | undefined = start;
    for (const relation of relations) {
      if (subject === undefined || typeof subject === 'string') break;
      const fact = this.fact(of, subject, relation);
      facts.push(fact);
      subject = fact.object;
    }
    return facts;
  }

  right(subject: Entity, relation: Relation): Entity | string {
    return this.#graph.objectOf(subject, relation);
  }

  textOf(object: Entity | string): string {
    return this.#graph.textOf(object);
  }

  entityCalled(name: string): Entity | undefined {
    this.#byName ??= new Map(
      [...entitiesOf(this.#graph)].map((entity) => [this.#graph.nameOf(entity).toLowerCase(), entity]),
    );
    return this.#byName.get(name.trim().toLowerCase());
  }
}

function* entitiesOf(graph: WorldGraph): Generator<Entity, void> {
  for (let document = 0; document < graph.documents; document += 1) {
    if (document % blockSize > 13) continue; // the other pages are about entities that have a page
    const { kind, about } = graph.page(document);
    if (kind === 'main') yield about;
  }
}

/** The question for one fact about a name. */
export function factQuestion(relation: Relation, name: string): string {
  const mention = {
    person: name,
    town: name,
    work: `"${name}"`,
    organisation: `the ${name}`,
    event: `the ${name}`,
  };
  return (relation.questions[0] ?? '').replace('X', () => mention[relation.from]);
}

/**
 * How far texts lead along a chain: for each number of facts from 0, the names that texts state as the object. It reads
 * the texts alone.
 */
export function statedNames(
  { subject, relations }: { readonly subject: string; readonly relations: readonly Relation[] },
  texts: readonly string[],
): readonly (readonly string[])[] {
  const stages: (readonly string[])[] = [[subject]];
  for (const relation of relations) {
    const before = stages.at(-1) ?? [];
    const names = before.flatMap((name) =>
      texts.flatMap((text) => {
        const object = objectIn(text, name, relation);
        return object === undefined ? [] : [object];
      }),
    );
    stages.push([...new Set(names)]);
  }
  return stages;
}

/** The topics of a chain, in the order of its facts. */
export const topicsOf = (relations: readonly Relation[]): readonly EntityKind[] =>
  relations.map(({ from }) => from);
