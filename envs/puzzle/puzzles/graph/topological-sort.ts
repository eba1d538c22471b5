import { z } from 'zod';
import { definePuzzle } from '../../define-puzzle.ts';
import { boardOf } from '../../grid-text.ts';
import { graphNode, readNodes } from './weighted.ts';

const graph = { nodes: z.int().min(2).max(31), edges: z.array(z.tuple([graphNode, graphNode])) };
const question = z.strictObject(graph);
const state = z.strictObject({ ...graph, order: z.array(graphNode) });
interface Graph {
  readonly nodes: number;
  readonly edges: readonly (readonly [before: number, after: number])[];
}

/** Whether a node may come next: all that must come before it are there. */
const isFree = ({ edges }: Graph, order: readonly number[], node: number): boolean =>
  edges.every(([before, after]) => after !== node || order.includes(before));

/** Completes an order (Kahn 1962). Undefined where the edges form a cycle. */
function complete(given: Graph, begun: readonly number[]): number[] | undefined {
  const order = [...begun];
  while (order.length < given.nodes) {
    let next = 0;
    for (let node = 1; node <= given.nodes && next === 0; node += 1)
      if (!order.includes(node) && isFree(given, order, node)) next = node;
    if (next === 0) return undefined;
    order.push(next);
  }
  return order;
}

const draw = ({ nodes, edges }: Graph): string =>
  `Tasks: 1 to ${nodes}\n${edges.map(([before, after]) => `${before} before ${after}`).join(', ')}`;

export const topologicalSort = definePuzzle({
  name: 'topological-sort',
  category: 'graph',
  summary: 'Topological sort: an order of tasks in which each comes after those that it needs',
  question,
  levels: [
    { nodes: 5, edges: 6 },
    { nodes: 8, edges: 12 },
    { nodes: 13, edges: 24 },
    { nodes: 20, edges: 42 },
  ],
  generate: (rng, { nodes, edges: count }) => {
    const order = rng.shuffle(Array.from({ length: nodes }, (_, index) => index + 1));
    const edges: [number, number][] = [];
    const seen = new Set<number>();
    while (edges.length < count) {
      const [first, second] = [rng.int(nodes), rng.int(nodes)];
      if (first >= second || seen.has(first * 64 + second)) continue;
      seen.add(first * 64 + second);
      edges.push([order[first] as number, order[second] as number]);
    }
    return { question: { nodes, edges }, solution: order };
  },
  rules:
    'Put all tasks into an order. "3 before 5" means that task 3 must come somewhere before task 5. Every order that keeps all of these is right.',
  render: draw,
  answer: {
    format: 'the numbers of all tasks in order, with blanks between them.',
    write: (order) => order.join(' '),
    read: (text, { nodes }) => readNodes(text, nodes),
  },
  verify: ({ nodes, edges }, order) => {
    if (order.length !== nodes || new Set(order).size !== nodes) return false;
    const place: number[] = [];
    for (const [at, node] of order.entries()) place[node] = at;
    return edges.every(([before, after]) => (place[before] as number) < (place[after] as number));
  },
  solve: (given) => {
    const order = complete(given, []);
    return { answers: order === undefined ? [] : [order], effort: given.nodes * given.edges.length };
  },
  audit: {
    guess: ({ nodes }, rng) => rng.shuffle(Array.from({ length: nodes }, (_, index) => index + 1)),
    chance: (level) => [0.1, 0.01, 0.001, 0.001][level - 1] ?? 0,
    mutants: (order, { edges: [edge] }) => ({
      'a task missing': order.slice(1),
      'a task twice': [...order, order[0] as number],
      backwards: order.toReversed(),
      'a task before one that it needs':
        edge === undefined
          ? undefined
          : order.map((node) => (node === edge[0] ? edge[1] : node === edge[1] ? edge[0] : node)),
    }),
    equivalents: (order) => ({ arrows: order.join(' -> '), commas: order.join(', ') }),
    variety: (level) => (level === 1 ? 1e7 : 1e9),
  },
  moves: {
    rules: 'A move does a task: "do 3". A task that needs another one first loses.',
    state,
    start: (given) => ({ ...given, order: [] }),
    render: (at) => `${draw(at)}\nDone: ${at.order.length === 0 ? 'none' : at.order.join(' ')}`,
    list: ({ nodes, order }) => {
      const list: string[] = [];
      for (let node = 1; node <= nodes; node += 1) if (!order.includes(node)) list.push(`do ${node}`);
      return list;
    },
    play: (at, move) => ({ ...at, order: [...at.order, Number(move.slice(3))] }),
    isSolved: (at) => at.order.length === at.nodes && !isBroken(at),
    isLost: isBroken,
    plan: (_question, order) => order.map((node) => `do ${node}`),
    next: (at) => {
      const node = complete(at, at.order)?.[at.order.length];
      return node === undefined ? undefined : `do ${node}`;
    },
    turnLimit: ({ nodes }) => nodes,
    features: ({ nodes, edges, order }) => {
      const needs = Array.from({ length: nodes }, () => 0);
      for (const [before, after] of edges)
        if (!order.includes(before)) needs[after - 1] = (needs[after - 1] ?? 0) + 1;
      return {
        grid: boardOf(
          needs.map((count, at) => (order.includes(at + 1) ? 'done' : count)),
          1,
        ),
      };
    },
    target: (move) => ({ verb: 'do', cell: [Number(move.slice(3)) - 1, 0] }),
  },
});

/** Whether the last task came too early. */
function isBroken({ order, ...given }: Graph & { readonly order: readonly number[] }): boolean {
  const last = order.at(-1);
  return last !== undefined && !isFree(given, order.slice(0, -1), last);
}
