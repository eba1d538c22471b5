import { z } from 'zod';
import type { Grid } from '../../../core/features.ts';
import type { Rng } from '../../../core/rng.ts';

const node = z.int().min(1).max(40);
/** An edge: its two nodes and its length, cost or capacity. */
export const weightedEdge = z.tuple([node, node, z.int().min(1).max(999)]);
export const graphNode = node;

/** Nodes are numbered from 1. */
export interface WeightedGraph {
  readonly nodes: number;
  readonly edges: readonly (readonly [from: number, to: number, weight: number])[];
}

/** A way out of a node. */
export interface Way {
  readonly to: number;
  readonly weight: number;
}

/** The ways out of each node, by node; entry 0 is empty. */
export function waysOf({ nodes, edges }: WeightedGraph, isDirected = false): Way[][] {
  const ways: Way[][] = Array.from({ length: nodes + 1 }, () => []);
  for (const [from, to, weight] of edges) {
    ways[from]?.push({ to, weight });
    if (!isDirected) ways[to]?.push({ to: from, weight });
  }
  return ways;
}

/**
 * The distance of every node to the goal, `Infinity` where there is no way, and the next node on a shortest way (Dijkstra 1959). Edges
 * lead in both directions.
 */
export function distancesTo(
  given: WeightedGraph,
  goal: number,
): { readonly distance: readonly number[]; readonly next: readonly number[]; readonly looked: number } {
  const ways = waysOf(given);
  const distance = Array.from({ length: given.nodes + 1 }, () => Infinity);
  const next = Array.from({ length: given.nodes + 1 }, () => 0);
  const isDone = new Uint8Array(given.nodes + 1);
  distance[goal] = 0;
  let looked = 0;
  for (;;) {
    let at = 0;
    for (let each = 1; each <= given.nodes; each += 1)
      if (isDone[each] === 0 && (distance[each] ?? 0) < (at === 0 ? Infinity : (distance[at] ?? 0)))
        at = each;
    if (at === 0) return { distance, next, looked };
    isDone[at] = 1;
    for (const { to, weight } of ways[at] ?? []) {
      looked += 1;
      const through = (distance[at] ?? 0) + weight;
      if (through >= (distance[to] ?? 0)) continue;
      distance[to] = through;
      next[to] = at;
    }
  }
}

/** The nodes of a shortest way; undefined where there is none. */
export function shortestWay(given: WeightedGraph, from: number, goal: number): number[] | undefined {
  const { distance, next } = distancesTo(given, goal);
  if (distance[from] === Infinity) return undefined;
  const way = [from];
  while (way.at(-1) !== goal) way.push(next[way.at(-1) as number] as number);
  return way;
}

/** The length of a way along edges; undefined where a step has no edge. Of parallel edges the shortest counts. */
export function lengthOf({ edges }: WeightedGraph, way: readonly number[]): number | undefined {
  let sum = 0;
  for (let at = 1; at < way.length; at += 1) {
    const [a, b] = [way[at - 1], way[at]];
    let step = Infinity;
    for (const [from, to, weight] of edges)
      if (((from === a && to === b) || (from === b && to === a)) && weight < step) step = weight;
    if (step === Infinity) return undefined;
    sum += step;
  }
  return sum;
}

/** A connected graph without parallel edges: a random tree and `more` edges, in random order. */
export function drawConnected(
  rng: Rng,
  { nodes, more, most }: { readonly nodes: number; readonly more: number; readonly most: number },
): { nodes: number; edges: [number, number, number][] } {
  const order = rng.shuffle(Array.from({ length: nodes }, (_, index) => index + 1));
  const seen = new Set<number>();
  const edges: [number, number, number][] = [];
  const add = (a: number, b: number): void => {
    const [low, high] = a < b ? [a, b] : [b, a];
    if (low === high || seen.has(low * 64 + high)) return;
    seen.add(low * 64 + high);
    edges.push([low, high, 1 + rng.int(most)]);
  };
  for (let index = 1; index < nodes; index += 1) add(order[rng.int(index)] as number, order[index] as number);
  for (let tries = 0; edges.length < nodes - 1 + more && tries < 10 * more; tries += 1)
    add(1 + rng.int(nodes), 1 + rng.int(nodes));
  return { nodes, edges: rng.shuffle(edges) };
}

/** Reads node numbers with blanks, commas, arrows or hyphens between them. Undefined for anything else. */
export function readNodes(text: string, nodes: number): number[] | undefined {
  const list = text.split(/\s*(?:->|-|,|\s)\s*/).map((part) => (/^\d{1,2}$/.test(part) ? Number(part) : 0));
  return list.every((at) => at >= 1 && at <= nodes) ? list : undefined;
}

/** Reads edges such as `1-2 3-4`, each with its smaller node first. Undefined for anything else. */
export function readEdges(text: string, nodes: number): [number, number][] | undefined {
  const edges: [number, number][] = [];
  for (const part of text.split(/[\s,;]+/)) {
    const [, a = '', b = ''] = /^(\d{1,2})-(\d{1,2})$/.exec(part) ?? [];
    const [low, high] = [Math.min(Number(a), Number(b)), Math.max(Number(a), Number(b))];
    if (low < 1 || high > nodes) return undefined;
    edges.push([low, high]);
  }
  return edges;
}

export const writeEdges = (edges: readonly (readonly [number, number])[]): string =>
  edges.map(([a, b]) => `${a}-${b}`).join(' ');

/** `1-2 (7)`: an edge with its weight. */
export const drawEdges = ({ edges }: WeightedGraph): string =>
  edges.map(([a, b, weight]) => `${a}-${b} (${weight})`).join(', ');

/**
 * The nodes as a board for a walk of a given length that must end at a goal. It looks two edges ahead and searches no further. The columns:
 *
 * - what a step to the node leaves of the length
 * - what the direct edge from there to a goal leaves then
 * - the length of the step
 */
export function nodesFrom(
  graph: WeightedGraph & { readonly left: number },
  way: readonly number[],
  isGoal: (node: number) => boolean,
): Grid {
  const ways = waysOf(graph);
  const steps = new Map((ways[way.at(-1) ?? 0] ?? []).map(({ to, weight }) => [to, weight]));
  const rows = Array.from({ length: graph.nodes }, (_, at): readonly string[] => {
    const node = at + 1;
    const step = steps.get(node);
    if (step === undefined) return ['far', '-', '-'];
    const left = graph.left - step;
    const direct = Math.min(...(ways[node] ?? []).map(({ to, weight }) => (isGoal(to) ? weight : Infinity)));
    const kind = isGoal(node) ? 'goal' : way.includes(node) ? 'visited' : 'node';
    return [
      `${kind}, ${leaves(left)}`,
      direct === Infinity ? 'no edge' : leaves(left - direct),
      String(step),
    ];
  });
  return { rows };
}

const leaves = (length: number): string => (length < 0 ? 'too long' : length === 0 ? 'exact' : 'short');
