import type { FactGraph } from '../facts/fact-graph.ts';
import { factRelations } from '../facts/fact-relations.ts';
import { parseChain } from '../world/parse-question.ts';
import { relations, relationsFrom, type RelationForms } from '../world/relations.ts';
import type { WorldGraph } from '../world/world-graph.ts';

/** A fact: the object is another subject by its number, or a text. */
export interface KnownFact {
  readonly relation: RelationForms;
  readonly object: number | string;
}

/** A world whose facts are all known, so that it is certain what a description fits. */
export interface RelationWorld {
  readonly relations: readonly RelationForms[];
  subjects(): Iterable<number>;
  /** What an unknown subject of the kind is called in a question, such as `Person`. */
  nounOf(subject: number): string;
  idOf(subject: number): string;
  find(id: string): number | undefined;
  /** A name that no other subject of the kind has; undefined where there is none. */
  nameOf(subject: number): string | undefined;
  textsOf(object: KnownFact['object']): readonly string[];
  facts(subject: number): readonly KnownFact[];
}

/** The entities of a generated world; their main pages number them. */
export function generatedRelations(graph: WorldGraph): RelationWorld {
  const nouns = {
    person: 'Person',
    work: 'Work',
    organisation: 'Organisation',
    town: 'Town',
    event: 'Event',
  };
  return {
    relations,
    *subjects() {
      for (let document = 0; document < graph.documents; document += 1)
        if (graph.page(document).kind === 'main') yield document;
    },
    nounOf: (subject) => nouns[graph.page(subject).about.kind],
    idOf: String,
    find: (id) => {
      const document = /^\d{1,7}$/.test(id) ? Number(id) : graph.documents;
      return document < graph.documents && graph.page(document).kind === 'main' ? document : undefined;
    },
    nameOf: (subject) => graph.nameOf(graph.page(subject).about),
    textsOf: (object) => [typeof object === 'string' ? object : graph.nameOf(graph.page(object).about)],
    facts: (subject) => {
      const { about } = graph.page(subject);
      return relationsFrom(about.kind).map((relation) => {
        const object = graph.objectOf(about, relation);
        return { relation, object: typeof object === 'string' ? object : graph.documentOf(object) };
      });
    },
  };
}

/** The subjects of true facts. */
export function trueRelations(graph: FactGraph): RelationWorld {
  const nouns = { word: 'Term', city: 'Place', country: 'Country' };
  return {
    relations: factRelations,
    subjects: () => Array.from({ length: graph.size }, (_, subject) => subject),
    nounOf: (subject) => nouns[graph.kindOf(subject)],
    idOf: (subject) => graph.idOf(subject),
    find: (id) => graph.find(id),
    nameOf: (subject) => graph.labelOf(subject),
    textsOf: (object) => graph.textsOf(object),
    facts: (subject) => graph.facts(subject),
  };
}

/** The subjects of which a relation has an object. */
export class InverseFacts {
  readonly #world: RelationWorld;
  #subjects: ReadonlyMap<string, readonly number[]> | undefined;

  constructor(world: RelationWorld) {
    this.#world = world;
  }

  subjectsWith({ name }: RelationForms, object: KnownFact['object']): readonly number[] {
    this.#subjects ??= this.#read();
    return this.#subjects.get(keyOf(name, object)) ?? [];
  }

  /** All objects of a relation that are texts, with their subjects. */
  subjectsWhere({ name }: RelationForms, fits: (text: string) => boolean): readonly number[] {
    this.#subjects ??= this.#read();
    const start = keyOf(name, '');
    return [...this.#subjects].flatMap(([key, subjects]) =>
      key.startsWith(start) && fits(key.slice(start.length)) ? subjects : [],
    );
  }

  #read(): ReadonlyMap<string, readonly number[]> {
    const all = new Map<string, number[]>();
    for (const subject of this.#world.subjects()) {
      for (const { relation, object } of this.#world.facts(subject)) {
        const key = keyOf(relation.name, object);
        const list = all.get(key);
        if (list === undefined) all.set(key, [subject]);
        else list.push(subject);
      }
    }
    return all;
  }
}

const keyOf = (relation: string, object: KnownFact['object']): string =>
  typeof object === 'number' ? `${relation}\n#${object}` : `${relation}\n"${object}`;

/** A question as a chain of relations from a subject. */
export interface SeedChain {
  readonly subject: number;
  readonly relations: readonly RelationForms[];
}

/** The chain behind a question of the world; undefined for another form. */
export function chainOf(
  world: RelationWorld,
  { question, supporting }: { readonly question: string; readonly supporting: readonly string[] },
): SeedChain | undefined {
  const parsed = parseChain(question, world.relations);
  const subject = world.find(supporting[0] ?? '');
  if (parsed === undefined || subject === undefined || world.nameOf(subject) !== parsed.subject)
    return undefined;
  return { subject, relations: parsed.relations };
}
