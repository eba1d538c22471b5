import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { definePuzzle } from '../../define-puzzle.ts';
import { boardOf } from '../../grid-text.ts';
import { rememberLast } from '../../remember.ts';

const node = z.int().min(1).max(31);
const graph = { nodes: z.int().min(3).max(31), edges: z.array(z.tuple([node, node])) };
const question = z.strictObject(graph);
const state = z.strictObject({ ...graph, path: z.array(node) });
interface Graph {
  readonly nodes: number;
  /** Nodes are numbered from 1. */
  readonly edges: readonly (readonly [number, number])[];
}

/** The neighbours of each node as bits, by node; entry 0 is unused. Steps of an episode ask for the same edges again. */
const neighbours = ({ edges }: Graph): readonly number[] => neighboursBy(edges);
const neighboursBy = rememberLast((edges: Graph['edges']): readonly number[] => {
  const nodes = Math.max(...edges.flat());
  const sets = Array.from({ length: nodes + 1 }, () => 0);
  for (const [a, b] of edges) {
    sets[a] = (sets[a] ?? 0) | (1 << b);
    sets[b] = (sets[b] ?? 0) | (1 << a);
  }
  return sets;
});

/** Whether the path visits each node once along edges, and with `closed` can return to its start. */
function isRight(given: Graph, path: readonly number[], closed: boolean): boolean {
  if (path.length !== given.nodes || new Set(path).size !== given.nodes) return false;
  const sets = neighbours(given);
  const joined = (a: number, b: number): boolean => (((sets[a] ?? 0) >> b) & 1) === 1;
  return (
    path.every((at, index) => index === 0 || joined(path[index - 1] as number, at)) &&
    (!closed || joined(path.at(-1) as number, path[0] as number))
  );
}

/** Most places that a search tries. */
const mostTried = 200_000;

/** Completes a path by search, first to nodes with few ways on (Warnsdorff 1823). Undefined where that is impossible. */
function complete(
  given: Graph,
  begun: readonly number[],
  closed: boolean,
): { readonly path: number[] | undefined; readonly tried: number } {
  const sets = neighbours(given);
  const path = [...begun];
  let free = 0;
  for (let at = 1; at <= given.nodes; at += 1) if (!path.includes(at)) free |= 1 << at;
  let tried = 0;
  const ways = (at: number): number[] => {
    const open = (sets[at] ?? 0) & free;
    const list: number[] = [];
    for (let next = 1; next <= given.nodes; next += 1) if ((open >> next) & 1) list.push(next);
    return list;
  };
  const extend = (): boolean => {
    const last = path.at(-1);
    if (free === 0) return !closed || (((sets[last as number] ?? 0) >> (path[0] as number)) & 1) === 1;
    const starts = Array.from({ length: closed ? 1 : given.nodes }, (_, index) => index + 1);
    const next = last === undefined ? starts : ways(last);
    const ordered = next.map((at) => [at, ways(at).length] as const).toSorted((a, b) => a[1] - b[1]);
    for (const [at] of ordered) {
      if ((tried += 1) > mostTried) return false;
      path.push(at);
      free &= ~(1 << at);
      if (extend()) return true;
      free |= 1 << at;
      path.pop();
    }
    return false;
  };
  return { path: extend() ? path : undefined, tried };
}

/** A graph with a planted path or cycle and some more edges, in random order. */
function plant(rng: Rng, nodes: number, closed: boolean): { readonly graph: Graph; readonly path: number[] } {
  const path = rng.shuffle(Array.from({ length: nodes }, (_, index) => index + 1));
  const seen = new Set<number>();
  const edges: [number, number][] = [];
  const add = (a: number, b: number): void => {
    const [low, high] = a < b ? [a, b] : [b, a];
    if (low === high || seen.has(low * 32 + high)) return;
    seen.add(low * 32 + high);
    edges.push([low, high]);
  };
  for (let index = 1; index < nodes; index += 1) add(path[index - 1] as number, path[index] as number);
  if (closed) add(path[nodes - 1] as number, path[0] as number);
  const wanted = edges.length + Math.ceil(nodes / 2);
  while (edges.length < wanted) add(1 + rng.int(nodes), 1 + rng.int(nodes));
  return { graph: { nodes, edges: rng.shuffle(edges) }, path };
}

function bitsIn(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

const draw = ({ nodes, edges }: Graph): string =>
  `Nodes: 1 to ${nodes}\nEdges: ${edges.map(([a, b]) => `${a}-${b}`).join(' ')}`;
const numberIn = (move: string): number => Number(move.replaceAll(/\D/g, ''));

/** Paths or cycles through all nodes of a graph. */
export function defineHamiltonian<Name extends string>({
  name,
  closed,
  chance,
}: {
  readonly name: Name;
  /** Whether an edge must lead from the last node back to the first. */
  readonly closed: boolean;
  readonly chance: (level: number) => number;
}) {
  const what = closed ? 'cycle' : 'path';
  return definePuzzle({
    name,
    category: 'graph',
    summary: `A Hamiltonian ${what}: through every node of a graph once`,
    question,
    levels: [6, 9, 13, 18],
    generate: (rng, nodes) => {
      const { graph: drawn, path } = plant(rng, nodes, closed);
      return { question: drawn, solution: path };
    },
    rules: `Visit every node of the graph once. Each step follows an edge, in either direction.${closed ? ' An edge must also lead from the last node back to the first.' : ''} You may start anywhere.`,
    render: draw,
    answer: {
      format: `all nodes in the order of the ${what}, with blanks between them${closed ? '; do not repeat the first node' : ''}.`,
      write: (path) => path.join(' '),
      read: (text, { nodes }) => {
        const path = text
          .split(/\s*(?:->|-|,|\s)\s*/)
          .map((part) => (/^\d{1,2}$/.test(part) ? Number(part) : 0));
        return path.every((at) => at >= 1 && at <= nodes) ? path : undefined;
      },
    },
    verify: (given, path) => isRight(given, path, closed),
    solve: (given) => {
      const { path, tried } = complete(given, [], closed);
      return { answers: path === undefined ? [] : [path], effort: tried };
    },
    audit: {
      guess: ({ nodes }, rng) => rng.shuffle(Array.from({ length: nodes }, (_, index) => index + 1)),
      chance,
      mutants: (path, given, rng) => {
        const at = rng.int(path.length);
        const apart = path.findIndex((first, index) => {
          const swapped = [...path];
          [swapped[0], swapped[index]] = [
            swapped[index] as number,
            first === path[0] ? first : (path[0] as number),
          ];
          return index > 0 && !isRight(given, swapped, closed);
        });
        return {
          'a node missing': path.filter((_node, index) => index !== at),
          'a node twice': [...path.slice(0, at), path[at] as number, ...path.slice(at)],
          'a node in place of another': path.map((here, index) =>
            index === at ? (path[(at + 1) % path.length] as number) : here,
          ),
          'a step without an edge': apart < 0 ? undefined : swap(path, 0, apart),
        };
      },
      equivalents: (path) => ({
        arrows: path.join(' -> '),
        commas: path.join(', '),
        backwards: path.toReversed().join(' '),
        ...(closed ? { 'another start': [...path.slice(1), path[0]].join(' ') } : {}),
      }),
    },
    moves: {
      rules: 'A move goes to a node that was not visited: the first to any node, the others along an edge.',
      state,
      start: (given) => ({ ...given, path: [] }),
      render: (at) => `${draw(at)}\nPath: ${at.path.length === 0 ? 'none' : at.path.join(' ')}`,
      list: ({ path, ...given }) => {
        const last = path.at(-1);
        const open = last === undefined ? -1 : (neighbours(given)[last] ?? 0);
        const list: string[] = [];
        for (let next = 1; next <= given.nodes; next += 1)
          if (((open >> next) & 1) === 1 && !path.includes(next)) list.push(`go to ${next}`);
        return list;
      },
      play: (before, move) => ({ ...before, path: [...before.path, numberIn(move)] }),
      isSolved: ({ path, ...given }) => path.length === given.nodes && isRight(given, path, closed),
      plan: (_question, path) => path.map((at) => `go to ${at}`),
      next: ({ path, ...given }) => {
        const next = complete(given, path, closed).path?.[path.length];
        return next === undefined ? undefined : `go to ${next}`;
      },
      turnLimit: (nodes) => nodes + 1,
      // how many ways lead on from a node to nodes that were not visited
      features: ({ path, ...given }) => {
        const sets = neighbours(given);
        let free = 0;
        for (let node = 1; node <= given.nodes; node += 1) if (!path.includes(node)) free |= 1 << node;
        const first = closed ? (sets[path[0] ?? 0] ?? 0) : 0;
        const cells = Array.from({ length: given.nodes }, (_, at) => {
          if (path.includes(at + 1)) return at + 1 === path.at(-1) ? 'here' : 'visited';
          const returns = (first >> (at + 1)) & 1 ? ' and back' : '';
          return `${bitsIn((sets[at + 1] ?? 0) & free)} ways${returns}`;
        });
        return { grid: boardOf(cells, 1), fields: { left: given.nodes - path.length } };
      },
      target: (move) => ({ verb: 'go', cell: [numberIn(move) - 1, 0] }),
    },
  });
}

function swap(path: readonly number[], a: number, b: number): number[] {
  const swapped = [...path];
  [swapped[a], swapped[b]] = [path[b] as number, path[a] as number];
  return swapped;
}
