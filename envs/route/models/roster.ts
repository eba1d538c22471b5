import type { Rng } from '../../core/rng.ts';
import { entityKinds, type EntityKind } from '../../engines/questions/world/relations.ts';
import type { PanelName } from '../../engines/questions/files/question-source.ts';
import { levelOf, type Descriptor, type Level } from './descriptor.ts';

/** A simulated model. */
export interface Specialist {
  readonly name: string;
  /** The share of facts that it knows, by the kind of entity that they are about. */
  readonly skills: Readonly<Record<EntityKind, number>>;
  readonly price: number;
  readonly seconds: number;
  readonly tokens: number;
  /** Whether it says what it does not know. Otherwise it states something wrong. */
  readonly admits: boolean;
}

/** The topics of questions in words. */
export const topicWords: Readonly<Record<EntityKind, string>> = {
  person: 'people',
  work: 'works',
  organisation: 'organisations',
  town: 'towns',
  event: 'events',
};

const starts: Readonly<Record<PanelName, readonly string[]>> = {
  train: ['Ar', 'Bol', 'Cen', 'Dra', 'Fen', 'Gol', 'Hel', 'Jor', 'Kir', 'Lum', 'Mer', 'Nol'],
  dev: ['Ost', 'Pel', 'Qua', 'Ris', 'Sol', 'Tam', 'Und', 'Vir', 'Wes', 'Xan', 'Yor', 'Zel'],
  test: ['Abri', 'Chal', 'Ebo', 'Gwin', 'Isk', 'Lod', 'Omni', 'Prax', 'Rhea', 'Stel', 'Trev', 'Ulti'],
};
const ends = ['ax', 'eon', 'ida', 'ora', 'ius', 'emi', 'ova', 'ulo', 'ent', 'ara', 'isk', 'one'];

/** Models of a roster, by kind: large ones know much and cost much, experts know two topics, small ones are cheap. */
const kinds = ['large', 'expert', 'small'] as const;
type Kind = (typeof kinds)[number];
const perRoster: Readonly<Record<Kind, number>> = { large: 2, expert: 8, small: 2 };

const between = (rng: Rng, [low, high]: readonly [number, number], digits: number): number => {
  const scale = 10 ** digits;
  return Math.round((low + rng.uniform() * (high - low)) * scale) / scale;
};

/** The simulated models of a panel. No two panels share a model or a name. */
export function rosterOf(rng: Rng, panel: PanelName): Readonly<Record<Kind, readonly Specialist[]>> {
  const own = rng.fork('roster').fork(panel);
  const names = own.fork('starts').shuffle(starts[panel]);
  const endings = own.fork('ends').shuffle(ends);
  let next = 0;
  const make = (kind: Kind): readonly Specialist[] =>
    Array.from({ length: perRoster[kind] }, (_, index) => {
      const name = `${names[next]}${endings[next]}`;
      next += 1;
      return specialist(kind, name, { rng: own.fork(kind).fork(index), index });
    });
  return { large: make('large'), expert: make('expert'), small: make('small') };
}

function specialist(
  kind: Kind,
  name: string,
  { rng, index }: { readonly rng: Rng; readonly index: number },
): Specialist {
  // experts in turn, so that each topic has three or four
  const [first, second] = [index % 5, (index + 1 + Math.floor(index / 5)) % 5];
  const skillOf = (at: number): number => {
    if (kind === 'large') return between(rng, [0.87, 0.96], 2);
    if (kind === 'small') return between(rng, [0.36, 0.6], 2);
    return at === first || at === second ? between(rng, [0.9, 0.98], 2) : between(rng, [0.05, 0.3], 2);
  };
  const skills = Object.fromEntries(entityKinds.map((topic, at) => [topic, skillOf(at)])) as Record<
    EntityKind,
    number
  >;
  const [prices, tokens, seconds] = {
    large: [
      [4, 8],
      [120, 220],
      [2.5, 6],
    ] as const,
    expert: [
      [0.25, 0.9],
      [60, 120],
      [0.8, 2],
    ] as const,
    small: [
      [0.05, 0.15],
      [25, 60],
      [0.2, 0.5],
    ] as const,
  }[kind];
  return {
    name,
    skills,
    price: between(rng, prices, 2),
    tokens: between(rng, tokens, 0),
    seconds: between(rng, seconds, 1),
    admits: kind === 'large' || rng.uniform() < 0.6,
  };
}

/** What is said of a simulated model. The words are true: levels are those of its skills. */
export function descriptorOf({ name, skills, price, tokens, seconds, admits }: Specialist): Descriptor {
  const levels = Object.fromEntries(
    entityKinds.map((topic) => [topicWords[topic], levelOf(skills[topic])]),
  ) as Readonly<Record<string, Level>>;
  const known = Object.entries(levels)
    .map(([topic, level]) => `${topic} ${level}`)
    .join(', ');
  const habit = admits ? 'Says when it does not know.' : 'Answers always, also when it does not know.';
  return {
    name,
    description: `Knowledge: ${known}. ${habit}`,
    price,
    promptPrice: 0,
    seconds,
    tokens,
    levels,
    admits,
  };
}

/**
 * The models that a task offers: a large one, a small one, and experts. The order is drawn, so that no place says what a
 * model is.
 *
 * @param size number of models, from 3 to 8
 */
export function drawPool(
  rng: Rng,
  roster: Readonly<Record<Kind, readonly Specialist[]>>,
  size: number,
): readonly Specialist[] {
  const experts = rng.fork('experts').shuffle(roster.expert);
  return rng
    .fork('order')
    .shuffle([rng.pick(roster.large), rng.pick(roster.small), ...experts.slice(0, size - 2)]);
}
