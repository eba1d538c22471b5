import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';

const someone = z.int().min(0).max(9);
/** A claim about who is a knight. Persons are numbered from 0. */
const claim = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('is'), who: someone, knight: z.boolean() }),
  z.strictObject({ kind: z.literal('same'), who: someone, other: someone, same: z.boolean() }),
  z.strictObject({
    kind: z.enum(['and', 'or', 'implies']),
    who: someone,
    knight: z.boolean(),
    other: someone,
    otherKnight: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('count'), knights: z.int().min(0).max(10) }),
]);
type Claim = z.output<typeof claim>;

/** Everyone's claim, by person. */
const question = z.strictObject({ names: z.array(z.string()), claims: z.array(claim) });
interface Village {
  readonly names: readonly string[];
  readonly claims: readonly Claim[];
}

const allNames = ['Ann', 'Bob', 'Cid', 'Dora', 'Eve', 'Fred', 'Gus', 'Hope', 'Ian', 'Jill'];

/** Whether a claim holds. Bit `n` of `knights` says that person `n` is a knight. */
function holds(said: Claim, knights: number): boolean {
  const is = (who: number, knight: boolean): boolean => ((knights >> who) & 1) === (knight ? 1 : 0);
  switch (said.kind) {
    case 'is':
      return is(said.who, said.knight);
    case 'same':
      return (((knights >> said.who) ^ (knights >> said.other)) & 1) === (said.same ? 0 : 1);
    case 'and':
      return is(said.who, said.knight) && is(said.other, said.otherKnight);
    case 'or':
      return is(said.who, said.knight) || is(said.other, said.otherKnight);
    case 'implies':
      return !is(said.who, said.knight) || is(said.other, said.otherKnight);
    case 'count':
      return count(knights) === said.knights;
  }
}

function count(bits: number): number {
  let ones = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) ones += 1;
  return ones;
}

/** Knights speak the truth and knaves do not. */
const isConsistent = (claims: readonly Claim[], knights: number): boolean =>
  claims.every((said, who) => holds(said, knights) === (((knights >> who) & 1) === 1));

function solve(claims: readonly Claim[], most: number): readonly number[] {
  const found: number[] = [];
  for (let knights = 0; knights < 1 << claims.length && found.length < most; knights += 1)
    if (isConsistent(claims, knights)) found.push(knights);
  return found;
}

function drawClaim(rng: Rng, people: number, speaker: number): Claim {
  const who = (speaker + 1 + rng.int(people - 1)) % people;
  const rest = Array.from({ length: people }, (_, person) => person).filter((person) => person !== who);
  const other = rng.pick(rest);
  const [knight, otherKnight] = [rng.int(2) === 0, rng.int(2) === 0];
  const kind = rng.pick(['is', 'same', 'and', 'or', 'implies', 'count'] as const);
  switch (kind) {
    case 'is':
      return { kind, who, knight };
    case 'same':
      return { kind, who, other, same: knight };
    case 'count':
      return { kind, knights: rng.int(people + 1) };
    default:
      return { kind, who, knight, other, otherKnight };
  }
}

function say(said: Claim, names: readonly string[]): string {
  const is = (who: number, knight: boolean): string => `${names[who]} is a ${knight ? 'knight' : 'knave'}`;
  switch (said.kind) {
    case 'is':
      return is(said.who, said.knight);
    case 'same':
      return `${names[said.who]} and ${names[said.other]} are ${said.same ? 'of the same kind' : 'of different kinds'}`;
    case 'and':
    case 'or':
      return `${is(said.who, said.knight)} ${said.kind} ${is(said.other, said.otherKnight)}`;
    case 'implies':
      return `if ${is(said.who, said.knight)}, then ${is(said.other, said.otherKnight)}`;
    case 'count':
      return `exactly ${said.knights} of us ${said.knights === 1 ? 'is a knight' : 'are knights'}`;
  }
}

const flags = (knights: number, people: number): boolean[] =>
  Array.from({ length: people }, (_, who) => ((knights >> who) & 1) === 1);
const bitsOf = (answer: readonly boolean[]): number =>
  answer.reduce((bits, isKnight, who) => bits | (isKnight ? 1 << who : 0), 0);

export const knightsAndKnaves = definePuzzle({
  name: 'knights-and-knaves',
  category: 'logic',
  summary: 'Knights and knaves: who speaks the truth and who lies',
  question,
  levels: [2, 3, 4, 6, 8],
  generate: (rng, people) => {
    const names = rng.shuffle(allNames).slice(0, people);
    for (;;) {
      const knights = rng.int(1 << people);
      const claims = names.map((_name, who) => {
        for (;;) {
          const said = drawClaim(rng, people, who);
          if (holds(said, knights) === (((knights >> who) & 1) === 1)) return said;
        }
      });
      if (solve(claims, 2).length === 1)
        return { question: { names, claims }, solution: flags(knights, people) };
    }
  },
  rules:
    'Everyone here is a knight or a knave. Knights always speak the truth, and knaves always lie. Find out who is what. The word "or" allows that both hold.',
  render: ({ names, claims }: Village) =>
    names.map((name, who) => `${name}: "${say(claims[who] as Claim, names)}."`).join('\n'),
  answer: {
    format: 'one line for each person, such as "Ann: knight" or "Bob: knave".',
    write: (answer, { names }) =>
      names.map((name, who) => `${name}: ${answer[who] === true ? 'knight' : 'knave'}`).join('\n'),
    read: (text, { names }) => {
      const parts = text
        .split(/[\n,;.]+|\band\b/)
        .map((part) => part.trim())
        .filter((part) => part !== '');
      const said = new Map<string, boolean>();
      for (const part of parts) {
        const [, name = '', kind = ''] =
          /^([a-z]+)(?:\s*:\s*|\s+is\s+an?\s+|\s+)(knight|knave)$/i.exec(part) ?? [];
        const known = names.find((one) => one.toLowerCase() === name.toLowerCase());
        if (known === undefined || said.has(known)) return undefined;
        said.set(known, kind.toLowerCase() === 'knight');
      }
      return said.size === names.length ? names.map((name) => said.get(name) === true) : undefined;
    },
  },
  verify: ({ claims }, answer) => isConsistent(claims, bitsOf(answer)),
  unique: true,
  solve: ({ claims }) => ({
    answers: solve(claims, 2).map((knights) => flags(knights, claims.length)),
    effort: 1 << claims.length,
  }),
  audit: {
    variety: (level) => [8_000, 10_000_000][level - 1] ?? 1e9,
    guess: ({ names }, rng) => names.map(() => rng.int(2) === 0),
    chance: (level) => 2 ** -([2, 3, 4, 6, 8][level - 1] ?? 2),
    mutants: (answer, _question, rng) => {
      const at = rng.int(answer.length);
      return {
        'one person changed': answer.map((isKnight, who) => (who === at ? !isKnight : isKnight)),
        'all persons changed': answer.map((isKnight) => !isKnight),
      };
    },
    equivalents: (answer, { names }) => {
      const lines = names.map((name, who) => `${name} is a ${answer[who] === true ? 'knight' : 'knave'}`);
      return {
        sentences: `${lines.join('. ')}.`,
        'one sentence': `${lines.slice(0, -1).join(', ')}, and ${lines.at(-1)}.`,
        'upper case': lines.join('\n').toUpperCase(),
        'another order': lines.toReversed().join('\n'),
      };
    },
  },
});
