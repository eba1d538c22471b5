import { contentsOf, type StoredDocument } from '../../engines/retrieval/document.ts';
import { purposes } from '../../engines/questions/world/draw.ts';
import { relationsFrom, type EntityKind, type Relation } from '../../engines/questions/world/relations.ts';
import type { Entity, WorldGraph, WorldPage } from '../../engines/questions/world/world-graph.ts';

const trades = [
  'glass painter',
  'clockmaker',
  'botanist',
  'bookbinder',
  'cartographer',
  'organist',
  'shipwright',
  'chemist',
  'engraver',
  'surveyor',
  'physician',
  'weaver',
  'astronomer',
  'gardener',
  'printer',
  'locksmith',
] as const;
const genres = [
  'novel',
  'play',
  'travel book',
  'cycle of poems',
  'memoir',
  'opera',
  'chronicle',
  'comedy',
] as const;

/** First sentences of pages; `S` is the subject, `T` a trade or genre. */
const leads: Readonly<Record<EntityKind, readonly string[]>> = {
  person: ['S is known as a T.', 'S, a T, is the subject of this page.', 'This page is about the T S.'],
  work: ['S is a T.', 'S is a T in four parts.', 'This page is about the T S.'],
  organisation: ['The S is an organisation of long standing.', 'This page is about the S.'],
  town: ['S is a town.', 'S has some nine thousand people.', 'This page is about the town S.'],
  event: ['The S is an event of note.', 'This page is about the S.'],
};

const fillers: Readonly<Record<EntityKind, readonly string[]>> = {
  person: [
    'Few letters have survived, and most of them are about the weather.',
    'A portrait hangs in a private collection.',
    'Friends remember long walks and short answers.',
    'The house was sold twice and burnt down once.',
    'Later years were quiet, apart from a dispute about a fence.',
    'A street and a small bakery have the same name.',
    'Critics were divided for a long time.',
    'There were many visitors on Sundays.',
  ],
  work: [
    'Early reviews were mixed.',
    'A second printing followed within a year.',
    'Schools used it for a generation.',
    'The manuscript has many corrections in green ink.',
    'It has been translated into eleven languages.',
    'A film was planned but never made.',
    'Collectors look for the copies with the red cover.',
    'The last chapter was added late.',
  ],
  organisation: [
    'It keeps a small library that is open on Tuesdays.',
    'The archive was moved during a flood.',
    'Membership has grown slowly.',
    'Its yearly dinner is well attended.',
    'A new roof was paid for by a lottery.',
    'It publishes a bulletin twice a year.',
    'The rules fill a single page.',
    'Its emblem is a heron.',
  ],
  town: [
    'The market is held on Thursdays.',
    'Two bridges cross the river.',
    'A railway reached it late.',
    'The tower of the old church leans.',
    'Salt and wool made it rich.',
    'The winters are mild and wet.',
    'Its museum has a collection of kites.',
    'The harbour silted up long ago.',
  ],
  event: [
    'Tickets were sold out within a day.',
    'Rain delayed the opening by an hour.',
    'A brass band played between the rounds.',
    'The press wrote about little else for a week.',
    'The rules were changed afterwards.',
    'Several entries were disqualified.',
    'The programme is a rarity today.',
    'The closing dinner lasted until morning.',
  ],
};

const rumourTitles = ['A letter about S', 'Hearsay about S', 'A reader writes about S'] as const;
const rumourStarts = [
  'This letter was printed without a check.',
  'Nobody has confirmed what follows.',
  'The editors do not vouch for this letter.',
] as const;

/** Whether a page with this title may state a wrong fact: outdated editions and letters of readers. */
export const isDoubtfulTitle = (title: string): boolean =>
  /\(edition of \d{4}\)$/.test(title) ||
  rumourTitles.some((form) => title.startsWith(form.replace(/S$/, '')));

/** Writes the page of that number. */
export function pageDocument(graph: WorldGraph, number: number): StoredDocument {
  const page = graph.page(number);
  const writer = new PageWriter(graph, page);
  return { id: String(number), contents: contentsOf(writer.title(), writer.text()) };
}

class PageWriter {
  readonly #graph: WorldGraph;
  readonly #page: WorldPage;
  readonly #name: string;

  constructor(graph: WorldGraph, page: WorldPage) {
    this.#graph = graph;
    this.#page = page;
    const name = graph.nameOf(page.about);
    const initial = String.fromCharCode(65 + graph.draw.below(26, purposes.namesake, page.document));
    this.#name = page.kind === 'namesake' ? name.replace(' ', ` ${initial}. `) : name;
  }

  title(): string {
    const { kind, document } = this.#page;
    switch (kind) {
      case 'main':
      case 'namesake':
        return this.#name;
      case 'outdated':
        return `${this.#name} (edition of ${this.#edition()})`;
      case 'rumour':
        return fill(this.#graph.draw.pick(rumourTitles, purposes.rumour, document), this.#name, '');
      case 'note':
        return `Annals of ${this.#name}`;
      default:
        return kind satisfies never;
    }
  }

  text(): string {
    const { kind } = this.#page;
    if (kind === 'note') return this.#note();
    const facts = kind === 'rumour' ? this.#rumour() : this.#facts();
    const sentences = [...(kind === 'rumour' ? [] : [this.#lead()]), ...facts];
    if (kind === 'outdated') sentences.push(`This page was last revised in ${this.#edition()}.`);
    return sentences.join(' ');
  }

  #edition(): number {
    return 1985 + this.#graph.draw.below(40, purposes.edition, this.#page.document);
  }

  #lead(): string {
    const { about, document } = this.#page;
    const { draw } = this.#graph;
    const kinds: readonly string[] = about.kind === 'work' ? genres : trades;
    const sentence = draw.pick(leads[about.kind], purposes.wording, document, 99);
    return fill(
      sentence.replace(/\bT\b/, draw.pick(kinds, purposes.trade, document)),
      subjectOf(about, this.#name),
      '',
    );
  }

  /** All facts and some sentences that say nothing, in a drawn order. */
  #facts(): readonly string[] {
    const { about, document } = this.#page;
    const { draw } = this.#graph;
    const stated = relationsFrom(about.kind).map((relation) => this.#statement(relation));
    const first = draw.below(fillers[about.kind].length, purposes.filler, document);
    const extra = [0, 1, 2].map(
      (step) => fillers[about.kind][(first + step * 3) % fillers[about.kind].length] as string,
    );
    return shuffled([...stated, ...extra], (bound, place) =>
      draw.below(bound, purposes.order, document, place),
    );
  }

  #rumour(): readonly string[] {
    const { about, document, wrong } = this.#page;
    const { draw } = this.#graph;
    const fact = wrong === undefined ? [] : [this.#statement(wrong)];
    const first = draw.below(fillers[about.kind].length, purposes.filler, document);
    return [
      draw.pick(rumourStarts, purposes.rumour, document, 1),
      ...fact,
      fillers[about.kind][first] as string,
      fillers[about.kind][(first + 3) % fillers[about.kind].length] as string,
      `So much about ${subjectOf(about, this.#name)}.`,
    ];
  }

  #statement(relation: Relation): string {
    const { kind, about, document, wrong } = this.#page;
    const isFalse = kind === 'namesake' || relation === wrong;
    const object = isFalse
      ? this.#graph.falseObjectOf(about, relation, document)
      : this.#graph.objectOf(about, relation);
    const sentence = this.#graph.draw.pick(
      relation.statements.slice(0, this.#graph.wordings),
      purposes.wording,
      document,
      relation.name.length * 31 + relation.name.charCodeAt(0),
    );
    return fill(sentence, subjectOf(about, this.#name), objectText(this.#graph, object));
  }

  #note(): string {
    const { about, document } = this.#page;
    const { draw } = this.#graph;
    const ofClass = this.#graph.classOf(about);
    const names = (['person', 'work', 'organisation', 'event', 'person'] as const).map((kind, place) => {
      const index = draw.below(this.#graph.sizeOf(kind, ofClass), purposes.note, document, place);
      return objectText(this.#graph, this.#graph.member(kind, ofClass, index));
    });
    const [a, b, c, d, e] = names;
    return `The annals of ${this.#name} mention ${a} in passing. A clerk noted the arrival of a copy of ${b}. There is a long entry about the ${c}, and a short one about the ${d}. The last pages are about ${e} and are hard to read.`;
  }
}

/** Works stand in quotes. */
const subjectOf = ({ kind }: Entity, name: string): string => (kind === 'work' ? `"${name}"` : name);

const objectText = (graph: WorldGraph, object: Entity | string): string =>
  typeof object === 'string' ? object : subjectOf(object, graph.nameOf(object));

const fill = (template: string, subject: string, object: string): string =>
  template.replaceAll(/\b[SO]\b/g, (mark) => (mark === 'S' ? subject : object));

/** Fisher and Yates, with the given draws. */
function shuffled(
  items: readonly string[],
  below: (bound: number, place: number) => number,
): readonly string[] {
  const out = [...items];
  for (let last = out.length - 1; last > 0; last -= 1) {
    const other = below(last + 1, last);
    [out[last], out[other]] = [out[other] as string, out[last] as string];
  }
  return out;
}
