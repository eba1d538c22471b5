import { z } from 'zod';
import { definePuzzle } from '../../define-puzzle.ts';

const people = [
  'Ada',
  'Ben',
  'Cleo',
  'Dan',
  'Ella',
  'Finn',
  'Gwen',
  'Hugo',
  'Iris',
  'Jack',
  'Kim',
  'Leo',
  'Mia',
  'Noah',
];
const person = z
  .int()
  .min(0)
  .max(people.length - 1);
const task = z.int().min(0).max(25);
/** `can[p]` lists the tasks that person `p` can do. */
const office = { can: z.array(z.array(task)).min(2).max(people.length), tasks: z.int().min(2).max(26) };
const question = z.strictObject(office);
const state = z.strictObject({ ...office, pairs: z.array(z.tuple([person, task])), most: z.int() });
type Can = readonly (readonly number[])[];
type Pair = readonly [person: number, task: number];

const taskName = (each: number): string => String.fromCharCode(65 + each);

/** A matching of the most pairs by augmenting paths (Kuhn 1955); `taken` tasks and people stay as they are. */
function complete(can: Can, begun: readonly Pair[]): { pairs: Pair[]; looked: number } {
  const owner = new Map<number, number>();
  const busy = new Set(begun.map(([who]) => who));
  const closed = new Set(begun.map(([, what]) => what));
  let looked = 0;
  const place = (who: number, seen: Set<number>): boolean => {
    for (const what of can[who] ?? []) {
      looked += 1;
      if (closed.has(what) || seen.has(what)) continue;
      seen.add(what);
      const other = owner.get(what);
      if (other !== undefined && !place(other, seen)) continue;
      owner.set(what, who);
      return true;
    }
    return false;
  };
  for (let who = 0; who < can.length; who += 1) if (!busy.has(who)) place(who, new Set());
  const added = [...owner].map(([what, who]) => [who, what] as const).toSorted((a, b) => a[0] - b[0]);
  return { pairs: [...begun, ...added], looked };
}

const draw = ({ can }: { readonly can: Can }): string =>
  can.map((tasks, who) => `${people[who]}: ${tasks.map(taskName).join(' ')}`).join('\n');
const write = (pairs: readonly Pair[]): string =>
  pairs.map(([who, what]) => `${people[who]}: ${taskName(what)}`).join('\n');

export const matching = definePuzzle({
  name: 'matching',
  category: 'graph',
  summary: 'A maximum matching of people and tasks',
  question,
  levels: [4, 6, 9, 14],
  generate: (rng, count) => {
    const can = Array.from({ length: count }, () => {
      const tasks = rng.shuffle(Array.from({ length: count }, (_, each) => each));
      return tasks.slice(0, 1 + rng.int(3)).toSorted((a, b) => a - b);
    });
    return { question: { can, tasks: count }, solution: complete(can, []).pairs };
  },
  rules:
    'Each person is followed by the tasks that this person can do. Give tasks to people so that as many people as possible have one. A person does at most one task, and a task is done by at most one person. If several answers reach the most, each of them is right.',
  render: draw,
  answer: {
    format: 'one line for each person who has a task, such as "Ada: C".',
    write,
    read: (text): readonly Pair[] | undefined => {
      const pairs: Pair[] = [];
      for (const part of text.split(/\s*[\n,;]\s*/)) {
        const [, name = '', letter = ''] = /^([a-z]+)\s*(?::|\s)\s*([a-z])$/i.exec(part) ?? [];
        const who = people.findIndex((each) => each.toLowerCase() === name.toLowerCase());
        if (who < 0) return undefined;
        pairs.push([who, letter.toUpperCase().charCodeAt(0) - 65]);
      }
      return pairs;
    },
  },
  verify: ({ can }, pairs) =>
    pairs.every(([who, what]) => can[who]?.includes(what) === true) &&
    new Set(pairs.map(([who]) => who)).size === pairs.length &&
    new Set(pairs.map(([, what]) => what)).size === pairs.length &&
    pairs.length === complete(can, []).pairs.length,
  solve: ({ can }) => {
    const { pairs, looked } = complete(can, []);
    return { answers: [pairs], effort: looked };
  },
  audit: {
    guess: ({ can }, rng) => can.map((tasks, who) => [who, rng.pick(tasks)] as const),
    chance: (level) => [0.2, 0.08, 0.02, 0.005][level - 1] ?? 0,
    mutants: (pairs, { can }) => {
      const [who, what] = pairs[0] as Pair;
      const foreign = can.findIndex((tasks) => !tasks.includes(what));
      return {
        'a pair missing': pairs.slice(1),
        'a pair twice': [...pairs.slice(0, -1), pairs[0] as Pair],
        'a task that the person cannot do':
          foreign < 0
            ? undefined
            : [...pairs.filter(([each]) => each !== who && each !== foreign), [foreign, what] as const],
      };
    },
    equivalents: (pairs) => ({
      'one line': write(pairs).replaceAll('\n', ', '),
      'small letters': write(pairs).toLowerCase(),
      'another order': write(pairs.toReversed()),
    }),
    variety: (level) => (level === 1 ? 20_000 : 1e9),
  },
  moves: {
    rules:
      'A move gives a task to a person: "give C to Ada". What is given stays given. All who can have a task must get one.',
    state,
    start: (given) => ({ ...given, pairs: [], most: complete(given.can, []).pairs.length }),
    render: (at) =>
      `${draw(at)}\nGiven: ${at.pairs.length === 0 ? 'none' : write(at.pairs).replaceAll('\n', ', ')}\nTasks to give: ${at.most - at.pairs.length}`,
    list: ({ can, pairs }) => {
      const busy = new Set(pairs.map(([who]) => who));
      const taken = new Set(pairs.map(([, what]) => what));
      const list: string[] = [];
      for (const [who, tasks] of can.entries()) {
        if (busy.has(who)) continue;
        for (const what of tasks) if (!taken.has(what)) list.push(`give ${taskName(what)} to ${people[who]}`);
      }
      return list;
    },
    play: (at, move) => {
      const pair = [people.indexOf(move.slice(10)), move.charCodeAt(5) - 65] as const;
      return { ...at, pairs: [...at.pairs, pair] };
    },
    isSolved: ({ pairs, most }) => pairs.length === most,
    plan: (_question, pairs) => pairs.map(([who, what]) => `give ${taskName(what)} to ${people[who]}`),
    next: ({ can, pairs }) => {
      const pair = complete(can, pairs).pairs[pairs.length];
      return pair === undefined ? undefined : `give ${taskName(pair[1])} to ${people[pair[0]]}`;
    },
    turnLimit: (count) => count,
    // people by rows and tasks by columns: what can still be given
    features: ({ can, tasks, pairs, most }) => {
      const busy = new Set(pairs.map(([who]) => who));
      const taken = new Set(pairs.map(([, what]) => what));
      const rows = can.map((able, who) =>
        Array.from({ length: tasks }, (_, what) =>
          able.includes(what) && !busy.has(who) && !taken.has(what) ? 'o' : '.',
        ).join(''),
      );
      return { grid: { rows }, fields: { left: most - pairs.length } };
    },
    target: (move) => ({ verb: 'give', cell: [people.indexOf(move.slice(10)), move.charCodeAt(5) - 65] }),
  },
});
