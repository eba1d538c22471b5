import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { weightedEdge, type WeightedGraph } from './weighted.ts';

/** Water flows from node 1, the source, to the last node, the drain. Edges have a direction and a capacity. */
const question = z.strictObject({ nodes: z.int().min(2).max(40), edges: z.array(weightedEdge) });

/** The flow on each edge that has some. */
type Flow = readonly (readonly [from: number, to: number, flow: number])[];

interface Arc {
  readonly to: number;
  readonly back: number;
  room: number;
}

/** A maximum flow (Edmonds and Karp 1972), and the number of edges that the search looked at. */
function maximum({ nodes, edges }: WeightedGraph): { flow: Flow; value: number; looked: number } {
  const arcs: Arc[] = [];
  const out: number[][] = Array.from({ length: nodes + 1 }, () => []);
  for (const [from, to, capacity] of edges) {
    out[from]?.push(arcs.length);
    out[to]?.push(arcs.length + 1);
    arcs.push({ to, back: arcs.length + 1, room: capacity }, { to: from, back: arcs.length, room: 0 });
  }
  let [value, looked] = [0, 0];
  for (;;) {
    const by = Array.from({ length: nodes + 1 }, () => -1);
    const queue = [1];
    for (const at of queue) {
      for (const index of out[at] ?? []) {
        looked += 1;
        const { to, room } = arcs[index] as Arc;
        if (room === 0 || to === 1 || by[to] !== -1) continue;
        by[to] = index;
        queue.push(to);
      }
      if (by[nodes] !== -1) break;
    }
    if (by[nodes] === -1) break;
    const path: Arc[] = [];
    for (let at = nodes; at !== 1;) {
      const arc = arcs[by[at] as number] as Arc;
      path.push(arc);
      at = (arcs[arc.back] as Arc).to;
    }
    const more = Math.min(...path.map(({ room }) => room));
    for (const arc of path) {
      arc.room -= more;
      (arcs[arc.back] as Arc).room += more;
    }
    value += more;
  }
  const flow = edges
    .map(([from, to], index) => [from, to, (arcs[2 * index + 1] as Arc).room] as const)
    .filter(([, , amount]) => amount > 0);
  return { flow, value, looked };
}

/** What arrives at the drain; undefined where the flow breaks the rules. */
function valueOf({ nodes, edges }: WeightedGraph, flow: Flow): number | undefined {
  const balance = Array.from({ length: nodes + 1 }, () => 0);
  const seen = new Set<number>();
  for (const [from, to, amount] of flow) {
    const edge = edges.find(([a, b]) => a === from && b === to);
    if (edge === undefined || amount > edge[2] || seen.has(from * 64 + to)) return undefined;
    seen.add(from * 64 + to);
    balance[from] = (balance[from] as number) - amount;
    balance[to] = (balance[to] as number) + amount;
  }
  for (let node = 2; node < nodes; node += 1) if (balance[node] !== 0) return undefined;
  return balance[nodes];
}

function drawNetwork(rng: Rng, nodes: number, count: number): WeightedGraph {
  const edges: [number, number, number][] = [];
  const seen = new Set<number>();
  for (let tries = 0; edges.length < count && tries < 20 * count; tries += 1) {
    const [from, to] = [1 + rng.int(nodes - 1), 2 + rng.int(nodes - 1)];
    // No way leads straight through, and none leads both there and back.
    if (from === to || (from === 1 && to === nodes) || seen.has(from * 64 + to) || seen.has(to * 64 + from))
      continue;
    seen.add(from * 64 + to);
    edges.push([from, to, 1 + rng.int(12)]);
  }
  return { nodes, edges };
}

const write = (flow: Flow): string => flow.map(([from, to, amount]) => `${from}>${to}: ${amount}`).join('\n');

export const maxFlow = definePuzzle({
  name: 'max-flow',
  category: 'graph',
  summary: 'A maximum flow through a network of pipes',
  question,
  levels: [
    { nodes: 5, edges: 8, least: 4 },
    { nodes: 7, edges: 14, least: 6 },
    { nodes: 10, edges: 24, least: 8 },
    { nodes: 14, edges: 38, least: 10 },
  ],
  generate: (rng, { nodes, edges, least }) => {
    for (;;) {
      const drawn = drawNetwork(rng, nodes, edges);
      const { flow, value } = maximum(drawn);
      if (value >= least) return { question: { nodes, edges: drawn.edges }, solution: flow };
    }
  },
  rules:
    'Water flows through pipes from node 1 to the last node. Each pipe has a direction and a capacity, the most that may flow through it. At every other node as much must leave as arrives. Let as much water as possible arrive at the last node. If several flows reach the most, each of them is right.',
  render: ({ nodes, edges }) =>
    `Nodes: 1 to ${nodes}\nPipes with their capacities: ${edges.map(([from, to, capacity]) => `${from}>${to} (${capacity})`).join(', ')}`,
  answer: {
    format: 'one line for each pipe that is used, such as "1>3: 4" for a flow of 4 from node 1 to node 3.',
    write,
    read: (text): Flow | undefined => {
      const flow: [number, number, number][] = [];
      for (const part of text.split(/\s*[\n,;]\s*/)) {
        const [, from, to, amount] = /^(\d{1,2})\s*-?>\s*(\d{1,2})\s*:\s*(\d{1,3})$/.exec(part) ?? [];
        if (amount === undefined) return undefined;
        flow.push([Number(from), Number(to), Number(amount)]);
      }
      return flow;
    },
  },
  verify: (given, flow) => valueOf(given, flow) === maximum(given).value,
  solve: (given) => {
    const { flow, looked } = maximum(given);
    return { answers: [flow], effort: looked };
  },
  audit: {
    guess: ({ edges }, rng) =>
      edges
        .map(([from, to, capacity]) => [from, to, rng.int(capacity + 1)] as const)
        .filter(([, , amount]) => amount > 0),
    chance: 0.001,
    mutants: (flow, { edges }) => {
      const full = edges.find(([from, to, capacity]) =>
        flow.some((pipe) => pipe[0] === from && pipe[1] === to && pipe[2] === capacity),
      );
      return {
        'a pipe missing': flow.slice(1),
        'a pipe twice': [...flow, flow[0] as Flow[number]],
        'more than the capacity':
          full === undefined
            ? undefined
            : flow.map(
                ([from, to, amount]) =>
                  [from, to, from === full[0] && to === full[1] ? amount + 1 : amount] as const,
              ),
        'one unit lost': flow.map(
          ([from, to, amount], index) => [from, to, index === 0 ? amount - 1 : amount] as const,
        ),
        'against the direction': flow.map(([from, to, amount]) => [to, from, amount] as const),
      };
    },
    equivalents: (flow) => ({
      'one line': write(flow).replaceAll('\n', ', '),
      arrows: write(flow).replaceAll('>', ' -> '),
      'another order': write(flow.toReversed()),
    }),
  },
});
