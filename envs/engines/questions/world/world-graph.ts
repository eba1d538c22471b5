import { purposes, WorldDraw } from './draw.ts';
import { regionCount, WorldNames } from './names.ts';
import { isEntityKind, relationCalled, relations, type EntityKind, type Relation } from './relations.ts';

/** An entity with a page. */
export interface Entity {
  readonly kind: EntityKind;
  readonly number: number;
}

/** What a page is. Only `main` pages are right in all that they state. */
export type PageKind = 'main' | 'outdated' | 'rumour' | 'namesake' | 'note';

/** A document of the world. */
export interface WorldPage {
  readonly kind: PageKind;
  /** The entity that it is about, or that it resembles. */
  readonly about: Entity;
  readonly document: number;
  /** The relation that it states wrongly, where it misleads. */
  readonly wrong?: Relation;
}

/** What a world is a function of. */
export interface WorldOptions {
  readonly seed: number;
  /** Pages: a multiple of {@link blockSize}, from 400 to 1,000,000. */
  readonly documents: number;
  /** Wordings of each fact and question, from 1 to {@link mostWordings}. */
  readonly wordings: number;
}

export const mostWordings = 4;

/** Documents of a block. Every block has the same kinds of documents in the same places. */
export const blockSize = 20;
/** Entities of a class are related to entities of the same class only. */
export const classCount = 10;

/** The places of main pages in a block. */
const slots: Readonly<Record<EntityKind, { readonly start: number; readonly count: number }>> = {
  person: { start: 0, count: 7 },
  work: { start: 7, count: 3 },
  organisation: { start: 10, count: 2 },
  town: { start: 12, count: 1 },
  event: { start: 13, count: 1 },
};
const kinds = Object.keys(slots) as EntityKind[];

/** Places of the other pages, with the relations that they may state wrongly. */
const others = [
  { slot: 14, kind: 'outdated', about: 'person', wrong: ['employer'], purpose: purposes.outdated },
  { slot: 15, kind: 'outdated', about: 'organisation', wrong: ['seat'], purpose: purposes.outdated },
  {
    slot: 16,
    kind: 'rumour',
    about: 'person',
    wrong: ['mentor', 'birthplace', 'patron'],
    purpose: purposes.rumour,
  },
  { slot: 17, kind: 'rumour', about: 'work', wrong: ['author', 'publisher'], purpose: purposes.rumour },
  { slot: 18, kind: 'namesake', about: 'person', wrong: [], purpose: purposes.namesake },
  { slot: 19, kind: 'note', about: 'town', wrong: [], purpose: purposes.note },
] as const satisfies readonly {
  readonly slot: number;
  readonly kind: PageKind;
  readonly about: EntityKind;
  readonly wrong: readonly string[];
  readonly purpose: number;
}[];

/**
 * Fictional people, works, organisations, towns and events, and the pages about them. Everything is a pure function of
 * seed and number, so that a world of a million pages takes no memory.
 *
 * The entities are in ten classes. All relations stay within a class, apart from regions: so a question about people of
 * one class names nobody of another.
 */
export class WorldGraph {
  readonly documents: number;
  /** Wordings of each fact and question. */
  readonly wordings: number;
  readonly draw: WorldDraw;
  readonly #names: WorldNames;
  readonly #blocks: number;
  readonly #relationPurpose: ReadonlyMap<string, number>;

  constructor({ seed, documents, wordings }: WorldOptions) {
    this.documents = documents;
    this.wordings = wordings;
    this.draw = new WorldDraw(seed);
    this.#names = new WorldNames(this.draw);
    this.#blocks = documents / blockSize;
    this.#relationPurpose = new Map(relations.map(({ name }, index) => [name, 100 + index]));
  }

  /** The page with that number, from 0. */
  page(document: number): WorldPage {
    const block = Math.floor(document / blockSize);
    const slot = document % blockSize;
    for (const kind of kinds) {
      const { start, count } = slots[kind];
      if (slot < start || slot >= start + count) continue;
      return { kind: 'main', about: { kind, number: block * count + slot - start }, document };
    }
    const other = others[slot - 14] as (typeof others)[number];
    const inClass = this.#inClass(block % classCount, other.about);
    const index = Math.floor(block / classCount);
    const about = this.member(
      other.about,
      block % classCount,
      this.draw.permuteBelow(index, inClass, other.purpose),
    );
    const { wrong } = other;
    if (wrong.length === 0) return { kind: other.kind, about, document };
    const name = this.draw.pick<string>(wrong, purposes.falseFact, document);
    return { kind: other.kind, about, document, wrong: relationCalled(name) };
  }

  /** The number of the main page of an entity. */
  documentOf({ kind, number }: Entity): number {
    const { start, count } = slots[kind];
    return Math.floor(number / count) * blockSize + start + (number % count);
  }

  /** The misleading pages about an entity. */
  misleadingAbout(entity: Entity): readonly WorldPage[] {
    const inClass = this.#inClass(this.classOf(entity), entity.kind);
    const own = this.#indexInClass(entity);
    return others.flatMap(({ slot, about, purpose, wrong }) => {
      if (about !== entity.kind || wrong.length === 0) return [];
      const index = this.draw.unpermuteBelow(own, inClass, purpose);
      const block = index * classCount + this.classOf(entity);
      return block < this.#blocks ? [this.page(block * blockSize + slot)] : [];
    });
  }

  classOf({ kind, number }: Entity): number {
    return Math.floor(number / slots[kind].count) % classCount;
  }

  /** An entity of a class by its index there. */
  member(kind: EntityKind, ofClass: number, index: number): Entity {
    const { count } = slots[kind];
    return { kind, number: (ofClass + classCount * Math.floor(index / count)) * count + (index % count) };
  }

  /** The number of entities of a kind in a class. */
  sizeOf(kind: EntityKind, ofClass: number): number {
    return this.#inClass(ofClass, kind);
  }

  nameOf({ kind, number }: Entity): string {
    return this.#names[kind](number);
  }

  /** The object of a relation: an entity, or the text of a value. */
  objectOf(entity: Entity, relation: Relation): Entity | string {
    return this.#drawn(entity, relation, 0);
  }

  /** Another object, which misleading pages state. */
  falseObjectOf(entity: Entity, relation: Relation, document: number): Entity | string {
    const right = this.textOf(this.objectOf(entity, relation));
    for (let attempt = 1; ; attempt += 1) {
      const other = this.#drawn(entity, relation, document * 16 + attempt);
      if (this.textOf(other) !== right || attempt > 15) return other;
    }
  }

  textOf(object: Entity | string): string {
    return typeof object === 'string' ? object : this.nameOf(object);
  }

  #drawn(entity: Entity, { name, to }: Relation, salt: number): Entity | string {
    const purpose = this.#relationPurpose.get(name) ?? 0;
    const key = this.documentOf(entity);
    if (to === 'year') return String(1780 + this.draw.below(200, purpose, key, salt));
    if (to === 'region') return this.#names.region(this.draw.below(regionCount, purpose, key, salt));
    if (!isEntityKind(to)) return to satisfies never;
    const ofClass = this.classOf(entity);
    const size = this.#inClass(ofClass, to);
    const index = this.draw.below(size, purpose, key, salt);
    const isSelf = to === entity.kind && index === this.#indexInClass(entity);
    return this.member(to, ofClass, isSelf ? (index + 1) % size : index);
  }

  #inClass(ofClass: number, kind: EntityKind): number {
    return Math.ceil((this.#blocks - ofClass) / classCount) * slots[kind].count;
  }

  #indexInClass({ kind, number }: Entity): number {
    const { count } = slots[kind];
    return Math.floor(Math.floor(number / count) / classCount) * count + (number % count);
  }
}
