import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';

/*
 * Entailment in first-order logic with one variable, in the manner of FOLIO (2022): facts about people, rules about everyone, and
 * conclusions that are true, false or uncertain.
 */

/** A property of the list, by its place, or its opposite. */
const literal = z.strictObject({ property: z.int().min(0).max(7), holds: z.boolean() });
/** Everyone who has all of `when` has one of `either`. */
const rule = z.strictObject({ when: z.array(literal).min(1).max(2), either: z.array(literal).min(1).max(2) });
const claim = z.strictObject({ person: z.int().min(0).max(3), either: z.array(literal).min(1).max(2) });
const question = z.strictObject({
  people: z.array(z.string()).min(1).max(4),
  properties: z.array(z.string()).min(3).max(8),
  rules: z.array(rule),
  facts: z.array(claim),
  conclusions: z.array(claim).min(1),
});
interface Literal {
  readonly property: number;
  readonly holds: boolean;
}
interface Rule {
  readonly when: readonly Literal[];
  readonly either: readonly Literal[];
}
interface Claim {
  readonly person: number;
  readonly either: readonly Literal[];
}
interface Given {
  readonly people: readonly string[];
  readonly properties: readonly string[];
  readonly rules: readonly Rule[];
  readonly facts: readonly Claim[];
  readonly conclusions: readonly Claim[];
}

const names = 'Ada Bruno Clara Dario Edith Farid Greta Hugo'.split(' ');
const words =
  'tall, kind, brave, calm, eager, funny, gentle, honest, lucky, patient, quiet, rich, shy, strong, tired, wise'.split(
    ', ',
  );
const verdicts = ['true', 'false', 'uncertain'] as const;
type Verdict = (typeof verdicts)[number];

const has = (model: number, { property, holds }: Literal): boolean =>
  (((model >> property) & 1) === 1) === holds;
const keeps = (model: number, { when, either }: Rule): boolean =>
  !when.every((one) => has(model, one)) || either.some((one) => has(model, one));

/** What one person can be: each model is a set of properties. Rules are about everyone, so people do not limit each other. */
function modelsOf({ properties, rules, facts }: Given, person: number): number[] {
  const own = facts.filter((fact) => fact.person === person);
  return Array.from({ length: 1 << properties.length }, (_, model) => model).filter(
    (model) =>
      rules.every((each) => keeps(model, each)) &&
      own.every(({ either }) => either.some((one) => has(model, one))),
  );
}

/** Whether a conclusion holds in all models, in none, or in some. */
function verdictOf(models: readonly number[], { either }: Claim): Verdict {
  const holds = models.filter((model) => either.some((one) => has(model, one))).length;
  return holds === models.length ? 'true' : holds === 0 ? 'false' : 'uncertain';
}

function solve(given: Given): readonly Verdict[] {
  const models = given.people.map((_name, person) => modelsOf(given, person));
  return given.conclusions.map((claimed) => verdictOf(models[claimed.person] ?? [], claimed));
}

const say = ({ property, holds }: Literal, properties: readonly string[]): string =>
  `${holds ? '' : 'not '}${properties[property]}`;
const join = (literals: readonly Literal[], properties: readonly string[], by: string): string =>
  literals.map((one) => say(one, properties)).join(` ${by} `);
const sayRule = ({ when, either }: Rule, properties: readonly string[]): string =>
  `Everyone who is ${join(when, properties, 'and')} is ${join(either, properties, 'or')}.`;
const sayClaim = ({ person, either }: Claim, { people, properties }: Given): string =>
  `${people[person]} is ${join(either, properties, 'or')}.`;

function drawLiterals(rng: Rng, properties: number, amount: number): Literal[] {
  return rng
    .shuffle(Array.from({ length: properties }, (_, property) => property))
    .slice(0, amount)
    .map((property) => ({ property, holds: rng.uniform() < 0.7 }));
}

interface Level {
  readonly people: number;
  readonly properties: number;
  readonly rules: number;
  readonly conclusions: number;
}

function drawClaim(rng: Rng, { people, properties }: Level): Claim {
  return { person: rng.int(people), either: drawLiterals(rng, properties, rng.uniform() < 0.75 ? 1 : 2) };
}

/** People, rules and facts, without conclusions. */
function draw(rng: Rng, level: Level): Given {
  const { people, properties, rules } = level;
  const drawRule = (): Rule => {
    const [first, ...others] = drawLiterals(rng, properties, 2 + rng.int(2));
    const second = others.length > 1 && rng.uniform() < 0.5;
    return {
      when: [first, ...(second ? others.slice(0, 1) : [])].filter((one) => one !== undefined),
      either: second ? others.slice(1) : others,
    };
  };
  return {
    people: rng.shuffle(names).slice(0, people),
    properties: rng.shuffle(words).slice(0, properties),
    rules: Array.from({ length: rules }, drawRule),
    facts: Array.from({ length: people + rng.int(people + 1) }, (_, at) => ({
      ...drawClaim(rng, level),
      person: at % people,
    })),
    conclusions: [],
  };
}

export const firstOrder = definePuzzle({
  name: 'first-order',
  category: 'logic',
  summary: 'First-order logic: which conclusions about people are true, false or uncertain',
  question,
  levels: [
    { people: 1, properties: 4, rules: 3, conclusions: 2 },
    { people: 2, properties: 5, rules: 4, conclusions: 3 },
    { people: 2, properties: 6, rules: 6, conclusions: 4 },
    { people: 3, properties: 8, rules: 8, conclusions: 4 },
  ],
  generate: (rng, level) => {
    const wishes = Array.from({ length: level.conclusions }, () => rng.int(verdicts.length));
    for (;;) {
      const base = draw(rng, level);
      const models = base.people.map((_name, person) => modelsOf(base, person));
      if (models.some((own) => own.length === 0)) continue;
      // conclusions are drawn again until they have the wanted verdicts, so that none is likelier than the others
      const told = new Set(base.facts.map((fact) => sayClaim(fact, base)));
      const conclusions: Claim[] = [];
      const found: Verdict[] = [];
      for (let attempt = 0; attempt < 100 && conclusions.length < level.conclusions; attempt += 1) {
        const wanted = verdicts[wishes[conclusions.length] ?? 0] ?? 'true';
        const claimed = drawClaim(rng, level);
        const text = sayClaim(claimed, base);
        if (told.has(text) || verdictOf(models[claimed.person] ?? [], claimed) !== wanted) continue;
        told.add(text);
        conclusions.push(claimed);
        found.push(wanted);
      }
      const given = { ...base, conclusions };
      const solution: readonly Verdict[] = found;
      if (conclusions.length === level.conclusions)
        return { question: given as z.output<typeof question>, solution };
    }
  },
  rules:
    'Read the facts and rules. Say of each numbered conclusion whether it is true (it follows), false (its opposite follows) or uncertain (neither follows). "Or" means one of them or both. What is not said may be so or not.',
  render: (given) =>
    [
      ...given.rules.map((each) => sayRule(each, given.properties)),
      ...given.facts.map((fact) => sayClaim(fact, given)),
      'Conclusions:',
      ...given.conclusions.map((claimed, at) => `${at + 1}. ${sayClaim(claimed, given)}`),
    ].join('\n'),
  answer: {
    format: 'true, false or uncertain for each conclusion in their order, with blanks between them.',
    write: (answer) => answer.join(' '),
    read: (text, { conclusions }) => {
      const parts = text.toLowerCase().split(/[\s,]+/);
      if (parts.length !== conclusions.length) return undefined;
      const read = parts.flatMap((part) => verdicts.filter((verdict) => verdict === part));
      return read.length === parts.length ? read : undefined;
    },
  },
  verify: (given, answer) => {
    const right = solve(given);
    return right.every((verdict, at) => verdict === answer[at]);
  },
  unique: true,
  solve: (given) => ({
    answers: [solve(given)],
    effort: given.people.length * 2 ** given.properties.length,
  }),
  audit: {
    guess: ({ conclusions }, rng): readonly Verdict[] => conclusions.map(() => rng.pick(verdicts)),
    chance: (level) => 3 ** -([2, 3, 4, 4][level - 1] ?? 1),
    mutants: (answer, _question, rng): Readonly<Record<string, readonly Verdict[]>> => {
      const at = rng.int(answer.length);
      const other = rng.pick(verdicts.filter((verdict) => verdict !== answer[at]));
      const turned = { true: 'false', false: 'uncertain', uncertain: 'true' } as const;
      return {
        'one verdict changed': answer.with(at, other),
        'all verdicts changed': answer.map((verdict) => turned[verdict]),
      };
    },
    equivalents: (answer) => ({
      commas: answer.join(', '),
      capitals: answer.join(' ').toUpperCase(),
      'one line each': answer.join('\n'),
    }),
  },
});
