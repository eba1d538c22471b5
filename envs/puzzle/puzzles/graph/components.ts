import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { graphNode } from './weighted.ts';

const question = z.strictObject({
  nodes: z.int().min(2).max(40),
  edges: z.array(z.tuple([graphNode, graphNode])),
});
interface Graph {
  readonly nodes: number;
  readonly edges: readonly (readonly [number, number])[];
}
type Groups = readonly (readonly number[])[];

/** The smallest node that can be reached from each node; entry 0 is unused. */
function labels({ nodes, edges }: Graph): number[] {
  const label = Array.from({ length: nodes + 1 }, (_, at) => at);
  for (let isOpen = true; isOpen;) {
    isOpen = false;
    for (const [a, b] of edges) {
      const [first, second] = [label[a] as number, label[b] as number];
      if (first === second) continue;
      label[a] = label[b] = Math.min(first, second);
      isOpen = true;
    }
  }
  return label;
}

function group(nodes: number, labelOf: (node: number) => number): number[][] {
  const groups = new Map<number, number[]>();
  for (let node = 1; node <= nodes; node += 1) {
    const list = groups.get(labelOf(node)) ?? [];
    list.push(node);
    groups.set(labelOf(node), list);
  }
  return [...groups.values()];
}

const componentsOf = (given: Graph): number[][] => {
  const label = labels(given);
  return group(given.nodes, (node) => label[node] as number);
};

function drawGraph(rng: Rng, nodes: number, parts: number): Graph {
  const label = Array.from({ length: nodes + 1 }, () => rng.int(parts));
  const edges: [number, number][] = [];
  const seen = new Set<number>();
  for (let tries = 0; tries < 12 * nodes && edges.length < 1.5 * nodes; tries += 1) {
    const [a, b] = [1 + rng.int(nodes), 1 + rng.int(nodes)];
    if (a >= b || label[a] !== label[b] || seen.has(a * 64 + b)) continue;
    seen.add(a * 64 + b);
    edges.push([a, b]);
  }
  return { nodes, edges };
}

const write = (groups: Groups): string => groups.map((each) => each.join(' ')).join('\n');

export const connectedComponents = definePuzzle({
  name: 'connected-components',
  category: 'graph',
  summary: 'The connected components of a graph',
  question,
  levels: [
    { nodes: 6, parts: 2 },
    { nodes: 10, parts: 3 },
    { nodes: 18, parts: 4 },
    { nodes: 30, parts: 6 },
  ],
  generate: (rng, { nodes, parts }) => {
    for (;;) {
      const drawn = drawGraph(rng, nodes, parts);
      const solution: Groups = componentsOf(drawn);
      if (solution.length > 1 && solution.length < nodes) return { question: drawn, solution };
    }
  },
  rules:
    'Two nodes belong to one component if edges lead from one to the other, directly or through other nodes. Edges lead in both directions. Find all components. A node without an edge is a component of its own.',
  render: ({ nodes, edges }) =>
    `Nodes: 1 to ${nodes}\nEdges: ${edges.map(([a, b]) => `${a}-${b}`).join(' ')}`,
  answer: {
    format: 'one line for each component: its nodes with blanks between them.',
    write,
    read: (text, { nodes }): Groups | undefined => {
      const groups = text
        .split(/\s*[\n;]\s*/)
        .map((line) => line.split(/[\s,]+/).map((part) => (/^\d{1,2}$/.test(part) ? Number(part) : 0)));
      const fits = groups.every((each) => each.every((at) => at >= 1 && at <= nodes));
      return fits
        ? groups.map((each) => each.toSorted((a, b) => a - b)).toSorted(([a = 0], [b = 0]) => a - b)
        : undefined;
    },
  },
  verify: (given, groups) => {
    const label = labels(given);
    const seen = new Set<number>();
    for (const each of groups) {
      for (const node of each) {
        if (seen.has(node) || label[node] !== label[each[0] as number]) return false;
        seen.add(node);
      }
    }
    return seen.size === given.nodes && groups.length === new Set(label.slice(1)).size;
  },
  unique: true,
  solve: (given) => ({ answers: [componentsOf(given)], effort: given.nodes + given.edges.length }),
  audit: {
    guess: ({ nodes }, rng) => {
      const label = Array.from({ length: nodes + 1 }, () => rng.int(2));
      return group(nodes, (node) => label[node] as number);
    },
    chance: (level) => [0.1, 0.01, 0.001, 0.001][level - 1] ?? 0,
    mutants: (groups) => ({
      'two components joined': [[...(groups[0] ?? []), ...(groups[1] ?? [])], ...groups.slice(2)],
      'a component missing': groups.slice(1),
      'a node twice': [...groups.slice(0, -1), [...(groups.at(-1) ?? []), groups[0]?.[0] ?? 1]],
      'a component split': groups.flatMap((each) =>
        each.length > 1 ? [each.slice(0, 1), each.slice(1)] : [each],
      ),
    }),
    equivalents: (groups) => ({
      'one line': write(groups).replaceAll('\n', '; '),
      commas: groups.map((each) => each.join(', ')).join('\n'),
      'another order': groups
        .map((each) => each.toReversed().join(' '))
        .toReversed()
        .join('\n'),
    }),
    variety: (level) => (level === 1 ? 20_000 : 1e9),
  },
});
