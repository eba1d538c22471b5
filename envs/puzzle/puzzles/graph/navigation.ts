import { z } from 'zod';
import { definePuzzle } from '../../define-puzzle.ts';
import {
  distancesTo,
  drawConnected,
  graphNode,
  lengthOf,
  nodesFrom,
  waysOf,
  weightedEdge,
  type WeightedGraph,
} from './weighted.ts';

const kinds = ['house', 'shop', 'school', 'bank', 'garden', 'cinema', 'clinic'] as const;
const kind = z.enum(kinds);
const town = {
  /** The kinds of the places: the first is place 1, where the walk starts. */
  places: z.array(kind).min(2).max(26),
  /** Roads with their lengths in metres. */
  edges: z.array(weightedEdge),
  goal: kind,
};
const question = z.strictObject(town);
const state = z.strictObject({ ...town, way: z.array(graphNode).min(1), left: z.int() });
interface Town {
  readonly places: readonly string[];
  readonly edges: WeightedGraph['edges'];
  readonly goal: string;
}

const nameOf = ({ places }: Town, node: number): string =>
  `${places[node - 1]} ${String.fromCharCode(64 + node)}`;
const graphOf = ({ places, edges }: Town): WeightedGraph => ({ nodes: places.length, edges });
const isGoal = ({ places, goal }: Town, node: number): boolean => places[node - 1] === goal;

/** The nearest place of the kind that is looked for: the way, its length, and the edges that the search looked at. */
function nearest(given: Town, from: number): { way: number[]; length: number; looked: number } {
  const graph = graphOf(given);
  const { distance, looked, next } = distancesTo(graph, from);
  let goal = 0;
  for (let node = 1; node <= graph.nodes; node += 1)
    if (isGoal(given, node) && (goal === 0 || (distance[node] ?? 0) < (distance[goal] ?? 0))) goal = node;
  const way = goal === 0 ? [] : [goal];
  while (goal !== 0 && way[0] !== from) way.unshift(next[way[0] as number] as number);
  return { way, length: goal === 0 ? Infinity : (distance[goal] ?? Infinity), looked };
}

const describe = (given: Town): string =>
  [
    ...given.edges.map(
      ([a, b, length]) => `A road of ${length} metres joins ${nameOf(given, a)} and ${nameOf(given, b)}.`,
    ),
    `You look for the nearest ${given.goal}.`,
  ].join('\n');

export const navigation = definePuzzle({
  name: 'navigation',
  category: 'graph',
  summary: 'Navigation by words: the shortest walk to the nearest place of a kind',
  question,
  levels: [
    { count: 6, more: 2, steps: 2 },
    { count: 10, more: 5, steps: 2 },
    { count: 15, more: 9, steps: 3 },
    { count: 22, more: 16, steps: 3 },
  ],
  generate: (rng, { count, more, steps }) => {
    for (;;) {
      const { edges } = drawConnected(rng, { nodes: count, more, most: 20 });
      const places = Array.from({ length: count }, () => rng.pick(kinds));
      const drawn = {
        places,
        edges: edges.map(([a, b, length]): [number, number, number] => [a, b, 10 * length]),
        goal: rng.pick(kinds),
      };
      if (places[0] === drawn.goal) continue;
      const { way } = nearest(drawn, 1);
      if (way.length > steps) return { question: drawn, solution: way };
    }
  },
  rules:
    'The roads of a town are described below. Every place has a kind and a letter. Roads lead in both directions. Start at place A and walk to the nearest place of the wanted kind by a shortest way. If several ways are shortest, each of them is right.',
  render: (given) => `${describe(given)}\nYou start at ${nameOf(given, 1)}.`,
  answer: {
    format: 'the letters of the places on the way, from A to the goal, with blanks between them.',
    write: (way) => way.map((node) => String.fromCharCode(64 + node)).join(' '),
    read: (text, { places }) => {
      const letters = text.toUpperCase().split(/\s*(?:->|-|,|\s)\s*/);
      const way = letters.map((letter) => (/^[A-Z]$/.test(letter) ? letter.charCodeAt(0) - 64 : 0));
      return way.every((node) => node >= 1 && node <= places.length) ? way : undefined;
    },
  },
  verify: (given, way) =>
    way[0] === 1 &&
    isGoal(given, way.at(-1) as number) &&
    lengthOf(graphOf(given), way) === nearest(given, 1).length,
  solve: (given) => {
    const { way, looked } = nearest(given, 1);
    return { answers: way.length === 0 ? [] : [way], effort: looked };
  },
  audit: {
    guess: (given, rng) => {
      const ways = waysOf(graphOf(given));
      const way = [1];
      while (!isGoal(given, way.at(-1) as number) && way.length < given.places.length)
        way.push(rng.pick(ways[way.at(-1) as number] ?? []).to);
      return way;
    },
    chance: (level) => [0.25, 0.15, 0.08, 0.05][level - 1] ?? 0,
    mutants: (way) => ({
      'the last place missing': way.slice(0, -1),
      'the first place missing': way.slice(1),
      'a step there and back': [way[0] as number, way[1] as number, ...way],
      backwards: way.toReversed(),
    }),
    equivalents: (way) => {
      const letters = way.map((node) => String.fromCharCode(64 + node));
      return {
        arrows: letters.join(' -> '),
        commas: letters.join(', '),
        'small letters': letters.join(' ').toLowerCase(),
      };
    },
  },
  moves: {
    rules: 'A move walks along a road: "walk to C". The way must be a shortest one, so a detour loses.',
    state,
    start: (given) => ({ ...given, way: [1], left: nearest(given, 1).length }),
    render: (at) =>
      `${describe(at)}\nYour way: ${at.way.map((node) => nameOf(at, node)).join(', ')}\nMetres that are left: ${at.left}`,
    list: ({ edges, way }) => {
      const here = way.at(-1);
      const next = edges.flatMap(([a, b]) => (a === here ? [b] : b === here ? [a] : []));
      return next.toSorted((a, b) => a - b).map((node) => `walk to ${String.fromCharCode(64 + node)}`);
    },
    play: (at, move) => {
      const to = move.charCodeAt(8) - 64;
      const step = lengthOf(graphOf(at), [at.way.at(-1) as number, to]) ?? 0;
      return { ...at, way: [...at.way, to], left: at.left - step };
    },
    isSolved: (at) => isGoal(at, at.way.at(-1) as number) && at.left === 0,
    isLost: ({ left }) => left <= 0,
    plan: (_question, way) => way.slice(1).map((node) => `walk to ${String.fromCharCode(64 + node)}`),
    next: (at) => {
      const [, node] = nearest(at, at.way.at(-1) as number).way;
      return node === undefined ? undefined : `walk to ${String.fromCharCode(64 + node)}`;
    },
    turnLimit: ({ count }) => count,
    features: (at) => ({
      grid: nodesFrom({ ...graphOf(at), left: at.left }, at.way, (node) => isGoal(at, node)),
      fields: { left: at.left / 10 },
    }),
    target: (move) => ({ verb: 'walk', cell: [move.charCodeAt(8) - 65, 0] }),
  },
});
