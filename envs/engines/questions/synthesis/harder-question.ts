import type { Rng } from '../../../core/rng.ts';
import type { Question } from '../files/question.ts';
import type { RelationForms } from '../world/relations.ts';
import {
  chainOf,
  type InverseFacts,
  type KnownFact,
  type RelationWorld,
  type SeedChain,
} from './relation-world.ts';

/** What was done to a question. */
export type Change = 'inject' | 'fuzz';

/** A subject that a question names, or an unknown one that it describes. */
type Reference = { readonly kind: 'named'; readonly subject: number } | Unknown;

interface Unknown {
  readonly kind: 'unknown';
  readonly subject: number;
  readonly clues: readonly Clue[];
}

/** A fact of an unknown subject, as far as the question gives it away. */
interface Clue {
  readonly relation: RelationForms;
  readonly value:
    | { readonly kind: 'subject'; readonly reference: Reference }
    | { readonly kind: 'text'; readonly text: string }
    /** A year by its decade: `185` for 1850 to 1859. */
    | { readonly kind: 'decade'; readonly decade: string };
}

/** What no clue may name: the answers, and the subjects that a reader is to find. */
interface Hidden {
  readonly texts: ReadonlySet<string>;
  readonly subjects: ReadonlySet<number>;
}

/** A question that was made harder, and how. */
export interface HarderQuestion {
  readonly question: string;
  readonly answers: readonly string[];
  readonly supporting: readonly string[];
  readonly changes: readonly Change[];
}

/** Clues of an unknown subject, at most. */
const mostClues = 4;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * Makes questions harder as ASearcher does (arXiv:2508.07976, data synthesis): `inject` puts facts about an entity in the place of
 * its name, `fuzz` makes a detail vaguer: a year becomes a decade, and a name becomes one fact about it. Here all facts are known,
 * so it is certain that exactly one subject fits the description, and the answer stays what it was.
 */
export class QuestionHardener {
  readonly #world: RelationWorld;
  readonly #inverse: InverseFacts;

  constructor(world: RelationWorld, inverse: InverseFacts) {
    this.#world = world;
    this.#inverse = inverse;
  }

  /**
   * The question after some changes in turn, the first of which is `inject`; undefined where no fact describes it uniquely.
   *
   * @param rounds changes, at most: a question without a further detail has fewer
   */
  harden(seed: Question, rounds: number, rng: Rng): HarderQuestion | undefined {
    const chain = chainOf(this.#world, seed);
    if (chain === undefined) return undefined;
    const onTheWay = seed.supporting.flatMap((id) => this.#world.find(id) ?? []);
    const texts = new Set(seed.answers.map((answer) => answer.toLowerCase()));
    const hiddenIn = (unknown: Unknown | undefined): Hidden => ({
      texts,
      subjects: new Set([...onTheWay, ...(unknown === undefined ? [] : unknownsIn(unknown))]),
    });
    const [first] = chain.relations;
    let start = this.#injected(chain.subject, hiddenIn(undefined), rng, first?.name);
    const changes: Change[] = ['inject'];
    while (start !== undefined && changes.length < rounds) {
      const wanted: readonly Change[] = changes.length % 2 === 1 ? ['fuzz', 'inject'] : ['inject', 'fuzz'];
      const next = this.#first(start, wanted, hiddenIn(start), rng);
      if (next === undefined) break;
      start = next.unknown;
      changes.push(next.change);
    }
    if (start === undefined) return undefined;
    const { text, supporting } = this.#write(start, chain, rng);
    if ([...texts].some((answer) => text.toLowerCase().includes(answer))) return undefined;
    return {
      question: text,
      answers: seed.answers,
      supporting: [...new Set([...supporting, ...seed.supporting])],
      changes,
    };
  }

  /** All subjects that fit a reference. */
  fitting(reference: Reference): readonly number[] {
    if (reference.kind === 'named') return [reference.subject];
    let left: ReadonlySet<number> | undefined;
    for (const { relation, value } of reference.clues) {
      const found = new Set(
        value.kind === 'text'
          ? this.#inverse.subjectsWith(relation, value.text)
          : value.kind === 'decade'
            ? this.#inverse.subjectsWhere(relation, (text) => text.slice(0, -1) === value.decade)
            : this.fitting(value.reference).flatMap((object) => this.#inverse.subjectsWith(relation, object)),
      );
      const before = left;
      left = before === undefined ? found : new Set([...found].filter((subject) => before.has(subject)));
    }
    return [...(left ?? [])];
  }

  /** The description after the first of these changes that is possible. */
  #first(
    start: Unknown,
    wanted: readonly Change[],
    hidden: Hidden,
    rng: Rng,
  ): { readonly change: Change; readonly unknown: Unknown } | undefined {
    for (const change of wanted) {
      const unknown = this.#changed(start, change, hidden, rng);
      if (unknown !== undefined) return { change, unknown };
    }
    return undefined;
  }

  /** The subject as an unknown one that only it fits. */
  #injected(subject: number, hidden: Hidden, rng: Rng, asked: string | undefined): Unknown | undefined {
    const facts = rng.shuffle(
      this.#usable(subject, hidden).filter(({ relation }) => relation.name !== asked),
    );
    const clues: Clue[] = [];
    for (const { relation, object } of facts.slice(0, mostClues)) {
      clues.push({
        relation,
        value: exactly(object),
      });
      const made: Unknown = { kind: 'unknown', subject, clues: [...clues] };
      if (this.fitting(made).length === 1) return made;
    }
    return undefined;
  }

  /** Facts of a subject that give no answer away, and whose objects have a name. */
  #usable(subject: number, hidden: Hidden): readonly KnownFact[] {
    return this.#world.facts(subject).filter(({ object }) => {
      if (
        typeof object === 'number' &&
        (hidden.subjects.has(object) || this.#world.nameOf(object) === undefined)
      )
        return false;
      return !this.#world.textsOf(object).some((text) => hidden.texts.has(text.toLowerCase()));
    });
  }

  /** The description with one of its details changed, where still exactly one subject fits it. */
  #changed(start: Unknown, change: Change, hidden: Hidden, rng: Rng): Unknown | undefined {
    for (const changed of rng.shuffle([...this.#changes(start, change, hidden, rng)])) {
      const whole = this.fitting(changed).length === 1 ? changed : this.#completed(changed, hidden, rng);
      if (whole !== undefined) return whole;
    }
    return undefined;
  }

  /** Each description in which one detail is changed. */
  *#changes(
    { subject, clues, kind }: Unknown,
    change: Change,
    hidden: Hidden,
    rng: Rng,
  ): Generator<Unknown, void> {
    for (const [at, { relation, value }] of clues.entries()) {
      const put = (next: Clue['value']): Unknown => ({
        kind,
        subject,
        clues: clues.map((clue, index) => (index === at ? { relation, value: next } : clue)),
      });
      if (value.kind === 'text' && change === 'fuzz' && /^\d{4}$/.test(value.text))
        yield put({ kind: 'decade', decade: value.text.slice(0, -1) });
      if (value.kind !== 'subject') continue;
      const { reference } = value;
      if (reference.kind === 'unknown') {
        for (const inner of this.#changes(reference, change, hidden, rng))
          yield put({ kind: 'subject', reference: inner });
      } else if (change === 'inject') {
        const inner = this.#injected(reference.subject, hidden, rng, undefined);
        if (inner !== undefined) yield put({ kind: 'subject', reference: inner });
      } else {
        // one fact that others have as well
        for (const { relation: about, object } of this.#usable(reference.subject, hidden)) {
          if (this.#inverse.subjectsWith(about, object).length < 2) continue;
          const clue: Clue = {
            relation: about,
            value: exactly(object),
          };
          yield put({
            kind: 'subject',
            reference: { kind: 'unknown', subject: reference.subject, clues: [clue] },
          });
        }
      }
    }
  }

  /** A description that several fit, with further facts until only its subject does. */
  #completed({ kind, subject, clues }: Unknown, hidden: Hidden, rng: Rng): Unknown | undefined {
    const used = new Set(clues.map(({ relation }) => relation.name));
    const more = rng.shuffle(
      this.#usable(subject, hidden).filter(({ relation }) => !used.has(relation.name)),
    );
    let all = clues;
    for (const { relation, object } of more) {
      if (all.length === mostClues) return undefined;
      all = [
        ...all,
        {
          relation,
          value: exactly(object),
        },
      ];
      const made: Unknown = { kind, subject, clues: all };
      if (this.fitting(made).length === 1) return made;
    }
    return undefined;
  }

  /** The description in sentences, then the question about it. */
  #write(
    start: Unknown,
    { relations }: SeedChain,
    rng: Rng,
  ): { readonly text: string; readonly supporting: readonly string[] } {
    const sentences: string[] = [];
    const supporting: string[] = [];
    let count = 0;
    const nameOf = (reference: Reference): string => {
      if (reference.kind === 'named') return `"${this.#world.nameOf(reference.subject) ?? ''}"`;
      const name = `${this.#world.nounOf(reference.subject)} ${letters[count % letters.length] ?? ''}`;
      count += 1;
      supporting.push(this.#world.idOf(reference.subject));
      for (const { relation, value } of reference.clues) {
        const object =
          value.kind === 'text'
            ? value.text
            : value.kind === 'decade'
              ? `one of the years ${value.decade}0 to ${value.decade}9`
              : nameOf(value.reference);
        const withSubject = relation.statements.filter((form) => /\bS\b/.test(form));
        const form = rng
          .pick(withSubject)
          .replace(/\b[Tt]he (?=[SO]\b)/g, '')
          .replace(value.kind === 'decade' ? /\bthe year (?=O\b)/ : /$^/, '');
        sentences.push(form.replaceAll(/\b[SO]\b/g, (mark) => (mark === 'S' ? name : object)));
      }
      return name;
    };
    let phrase = nameOf(start);
    for (const { phrases } of relations.slice(0, -1))
      phrase = rng.pick(phrases).replace(/\bX\b/, () => phrase);
    const asked = rng.pick(relations.at(-1)?.questions ?? []).replace(/\bX\b/, () => phrase);
    return { text: [...sentences, asked].join(' '), supporting };
  }
}

/** The subject of a description, and those of the descriptions in it. */
const unknownsIn = ({ subject, clues }: Unknown): readonly number[] => [
  subject,
  ...clues.flatMap(({ value }) =>
    value.kind === 'subject' && value.reference.kind === 'unknown' ? unknownsIn(value.reference) : [],
  ),
];

const exactly = (object: KnownFact['object']): Clue['value'] =>
  typeof object === 'number'
    ? { kind: 'subject', reference: { kind: 'named', subject: object } }
    : { kind: 'text', text: object };
