import { z } from 'zod';
import { definePuzzle } from '../../define-puzzle.ts';
import { boardOf } from '../../grid-text.ts';
import {
  drawConnected,
  drawEdges,
  graphNode,
  readEdges,
  weightedEdge,
  writeEdges,
  type WeightedGraph,
} from './weighted.ts';

const graph = { nodes: z.int().min(2).max(40), edges: z.array(weightedEdge) };
const question = z.strictObject(graph);
/** `left` is what the edges to come may cost. */
const state = z.strictObject({ ...graph, tree: z.array(z.tuple([graphNode, graphNode])), left: z.int() });
type Pair = readonly [number, number];

/** Joins sets of nodes; `join` returns false where both nodes are in one set already. */
class Sets {
  readonly #parent: number[];

  constructor(nodes: number) {
    this.#parent = Array.from({ length: nodes + 1 }, (_, at) => at);
  }

  root(node: number): number {
    let at = node;
    while (this.#parent[at] !== at) {
      this.#parent[at] = this.#parent[this.#parent[at] as number] as number;
      at = this.#parent[at] as number;
    }
    return at;
  }

  join(a: number, b: number): boolean {
    const [first, second] = [this.root(a), this.root(b)];
    this.#parent[first] = second;
    return first !== second;
  }
}

/** The cheapest edges that complete a tree (Kruskal 1956), and their cost. */
function complete({ nodes, edges }: WeightedGraph, begun: readonly Pair[]): { tree: Pair[]; cost: number } {
  const sets = new Sets(nodes);
  for (const [a, b] of begun) sets.join(a, b);
  const tree: Pair[] = [];
  let cost = 0;
  for (const [a, b, weight] of edges.toSorted((one, other) => one[2] - other[2])) {
    if (!sets.join(a, b)) continue;
    tree.push([a, b]);
    cost += weight;
  }
  return { tree, cost };
}

const costs = ({ edges }: WeightedGraph): Map<number, number> =>
  new Map(edges.map(([a, b, weight]) => [Math.min(a, b) * 64 + Math.max(a, b), weight]));

export const spanningTree = definePuzzle({
  name: 'minimum-spanning-tree',
  category: 'graph',
  summary: 'A minimum spanning tree: the cheapest edges that connect all nodes',
  question,
  levels: [
    { nodes: 5, more: 3 },
    { nodes: 7, more: 6 },
    { nodes: 10, more: 12 },
    { nodes: 15, more: 20 },
  ],
  generate: (rng, { nodes, more }) => {
    const drawn = drawConnected(rng, { nodes, more, most: 20 });
    return { question: drawn, solution: complete(drawn, []).tree };
  },
  rules:
    'Choose edges that connect all nodes with each other, without a cycle and at the lowest total cost. If several choices cost the least, each of them is right.',
  render: (given) => `Nodes: 1 to ${given.nodes}\nEdges with their costs: ${drawEdges(given)}`,
  answer: {
    format: 'the edges, such as 1-2 2-5, with blanks between them.',
    write: writeEdges,
    read: (text, { nodes }): readonly Pair[] | undefined => readEdges(text, nodes),
  },
  verify: (given, tree) => {
    if (tree.length !== given.nodes - 1) return false;
    const known = costs(given);
    const sets = new Sets(given.nodes);
    let cost = 0;
    for (const [a, b] of tree) {
      const weight = known.get(Math.min(a, b) * 64 + Math.max(a, b));
      if (weight === undefined || !sets.join(a, b)) return false;
      cost += weight;
    }
    return cost === complete(given, []).cost;
  },
  solve: (given) => ({ answers: [complete(given, []).tree], effort: given.edges.length }),
  audit: {
    guess: ({ nodes, edges }, rng) => {
      const sets = new Sets(nodes);
      return rng
        .shuffle(edges)
        .filter(([a, b]) => sets.join(a, b))
        .map(([a, b]) => [a, b] as const);
    },
    chance: (level) => [0.3, 0.1, 0.02, 0.005][level - 1] ?? 0,
    mutants: (tree, { edges, nodes }) => {
      const isIn = (a: number, b: number): boolean => tree.some((pair) => pair[0] === a && pair[1] === b);
      const outside = edges.find(([a, b]) => !isIn(a, b));
      let apart: Pair | undefined;
      for (let b = 2; b <= nodes; b += 1)
        if (!edges.some((edge) => edge[0] === 1 && edge[1] === b)) apart = [1, b];
      return {
        'an edge missing': tree.slice(1),
        'an edge twice': [...tree.slice(1), tree[1] as Pair],
        'a cycle': outside === undefined ? undefined : [...tree, [outside[0], outside[1]] as const],
        'an edge that does not exist': apart === undefined ? undefined : [...tree.slice(1), apart],
      };
    },
    equivalents: (tree) => ({
      commas: tree.map(([a, b]) => `${a}-${b}`).join(', '),
      'the larger node first': tree.map(([a, b]) => `${b}-${a}`).join(' '),
      'another order': writeEdges(tree.toReversed()),
    }),
  },
  moves: {
    rules: 'A move takes an edge that closes no cycle: "take 2-5". What you take cannot be given back.',
    state,
    start: (given) => ({ ...given, tree: [], left: complete(given, []).cost }),
    render: (at) =>
      `Nodes: 1 to ${at.nodes}\nEdges with their costs: ${drawEdges(at)}\nTaken: ${at.tree.length === 0 ? 'none' : writeEdges(at.tree)}\nCost that is left: ${at.left}`,
    list: ({ nodes, edges, tree }) => {
      const sets = new Sets(nodes);
      for (const [a, b] of tree) sets.join(a, b);
      return edges.filter(([a, b]) => sets.root(a) !== sets.root(b)).map(([a, b]) => `take ${a}-${b}`);
    },
    play: (at, move) => {
      const [a = 0, b = 0] = move.slice(5).split('-').map(Number);
      const cost = at.edges.find((edge) => edge[0] === a && edge[1] === b)?.[2] ?? 0;
      return { ...at, tree: [...at.tree, [a, b] as const], left: at.left - cost };
    },
    isSolved: ({ nodes, tree, left }) => tree.length === nodes - 1 && left >= 0,
    isLost: ({ left }) => left < 0,
    plan: (_question, tree) => tree.map(([a, b]) => `take ${a}-${b}`),
    next: (at) => {
      const [edge] = complete(at, at.tree).tree;
      return edge === undefined ? undefined : `take ${edge[0]}-${edge[1]}`;
    },
    turnLimit: ({ nodes }) => nodes,
    // the costs of the edges that close no cycle, by their ends
    features: ({ nodes, edges, tree, left }) => {
      const sets = new Sets(nodes);
      for (const [a, b] of tree) sets.join(a, b);
      const cells = Array.from({ length: nodes * nodes }, () => '-');
      let least = Infinity;
      for (const [a, b, cost] of edges) {
        if (sets.root(a) === sets.root(b)) continue;
        cells[(a - 1) * nodes + b - 1] = `costs ${cost}`;
        least = Math.min(least, cost);
      }
      return { grid: boardOf(cells, nodes), fields: { left, cheapest: `costs ${least}` } };
    },
    target: (move) => {
      const [a = 1, b = 1] = move.slice(5).split('-').map(Number);
      return { verb: 'take', cell: [a - 1, b - 1] };
    },
  },
});
