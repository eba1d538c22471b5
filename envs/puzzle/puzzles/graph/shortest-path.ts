import { z } from 'zod';
import { definePuzzle } from '../../define-puzzle.ts';
import {
  distancesTo,
  drawConnected,
  drawEdges,
  graphNode,
  lengthOf,
  nodesFrom,
  readNodes,
  shortestWay,
  waysOf,
  weightedEdge,
  type WeightedGraph,
} from './weighted.ts';

const graph = { nodes: z.int().min(2).max(40), edges: z.array(weightedEdge), goal: graphNode };
const question = z.strictObject({ ...graph, from: graphNode });
const state = z.strictObject({ ...graph, way: z.array(graphNode).min(1), left: z.int() });

const draw = (given: WeightedGraph & { readonly goal: number }): string =>
  `Nodes: 1 to ${given.nodes}\nEdges with their lengths: ${drawEdges(given)}\nGoal: ${given.goal}`;

export const shortestPath = definePuzzle({
  name: 'shortest-path',
  category: 'graph',
  summary: 'A shortest path in a graph whose edges have lengths',
  question,
  levels: [
    { nodes: 6, more: 4, steps: 2 },
    { nodes: 9, more: 8, steps: 3 },
    { nodes: 14, more: 14, steps: 4 },
    { nodes: 22, more: 24, steps: 5 },
  ],
  generate: (rng, { nodes, more, steps }) => {
    for (;;) {
      const drawn = drawConnected(rng, { nodes, more, most: 20 });
      const [from, goal] = [1 + rng.int(nodes), 1 + rng.int(nodes)];
      const way = shortestWay(drawn, from, goal) ?? [];
      if (way.length > steps) return { question: { ...drawn, goal, from }, solution: way };
    }
  },
  rules:
    'Find a shortest path from the start to the goal. Edges lead in both directions. The length of a path is the sum of the lengths of its edges. If several paths are shortest, each of them is right.',
  render: (given) => `${draw(given)}\nStart: ${given.from}`,
  answer: {
    format: 'the nodes of the path from the start to the goal, with blanks between them.',
    write: (way) => way.join(' '),
    read: (text, { nodes }) => readNodes(text, nodes),
  },
  verify: (given, way) =>
    way[0] === given.from &&
    way.at(-1) === given.goal &&
    lengthOf(given, way) === distancesTo(given, given.goal).distance[given.from],
  solve: (given) => {
    const way = shortestWay(given, given.from, given.goal);
    return { answers: way === undefined ? [] : [way], effort: distancesTo(given, given.goal).looked };
  },
  audit: {
    guess: (given, rng) => {
      const ways = waysOf(given);
      const way = [given.from];
      while (way.at(-1) !== given.goal && way.length <= given.nodes)
        way.push(rng.pick(ways[way.at(-1) as number] ?? []).to);
      return way;
    },
    chance: (level) => [0.2, 0.08, 0.05, 0.03][level - 1] ?? 0,
    mutants: (way, { nodes }, rng) => ({
      'the last node missing': way.slice(0, -1),
      'the first node missing': way.slice(1),
      'a step there and back': [way[0] as number, way[1] as number, ...way],
      'a node that stays where it is': [way[0] as number, ...way],
      'past the goal': [...way, 1 + rng.int(nodes)],
      backwards: way.toReversed(),
    }),
    equivalents: (way) => ({ arrows: way.join(' -> '), commas: way.join(', ') }),
  },
  moves: {
    rules: 'A move goes along an edge: "go to 4". The path must be a shortest one, so a detour loses.',
    state,
    start: ({ from, ...given }) => ({
      ...given,
      way: [from],
      left: distancesTo(given, given.goal).distance[from] ?? 0,
    }),
    render: (at) => `${draw(at)}\nPath: ${at.way.join(' ')}\nLength that is left: ${at.left}`,
    list: (at) => {
      const here = at.way.at(-1);
      const next = at.edges.flatMap(([a, b]) => (a === here ? [b] : b === here ? [a] : []));
      return next.toSorted((a, b) => a - b).map((each) => `go to ${each}`);
    },
    play: (at, move) => {
      const to = Number(move.slice(6));
      const step = lengthOf(at, [at.way.at(-1) as number, to]) ?? 0;
      return { ...at, way: [...at.way, to], left: at.left - step };
    },
    isSolved: ({ way, goal, left }) => way.at(-1) === goal && left === 0,
    isLost: ({ left }) => left <= 0,
    plan: (_question, way) => way.slice(1).map((each) => `go to ${each}`),
    next: (at) => {
      const next = distancesTo(at, at.goal).next[at.way.at(-1) as number];
      return next === undefined ? undefined : `go to ${next}`;
    },
    turnLimit: ({ nodes }) => nodes,
    features: (at) => ({
      grid: nodesFrom(at, at.way, (node) => node === at.goal),
      fields: { left: at.left },
    }),
    target: (move) => ({ verb: 'go', cell: [Number(move.slice(6)) - 1, 0] }),
  },
});
