import { defineInduction, type ListStep } from './induction.ts';

type List = readonly number[];
const rule = (words: string, apply: ListStep['apply']): ListStep => ({ words, apply });
const numbered = (words: string, drawn: List, apply: ListStep['apply']): ListStep => ({
  words,
  drawn,
  apply,
});

/** A run of equal colours; 0 is the background. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly colour: number;
}

function runsOf(list: List): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < list.length;) {
    const colour = list[from] as number;
    let to = from + 1;
    while (list[to] === colour) to += 1;
    if (colour !== 0) runs.push({ from, to, colour });
    from = to;
  }
  return runs;
}

function paint(length: number, runs: readonly Run[]): List {
  const list = Array.from({ length }, () => 0);
  for (const { from, to, colour } of runs) list.fill(colour, Math.max(0, from), Math.max(0, to));
  return list;
}

const sizeOf = ({ from, to }: Run): number => to - from;
const mostOf = (runs: readonly Run[]): number => Math.max(0, ...runs.map(sizeOf));
const leastOf = (runs: readonly Run[]): number => Math.min(99, ...runs.map(sizeOf));
/** Blocks are runs of one colour. */
const onRuns = (words: string, change: (runs: readonly Run[]) => readonly Run[]): ListStep =>
  rule(words, (list) => paint(list.length, change(runsOf(list))));

const known: readonly ListStep[] = [
  numbered('Push everything N cells to the right. What leaves is lost.', [1, 2, 3, 4], (list, n) => [
    ...Array.from({ length: n }, () => 0),
    ...list.slice(0, -n),
  ]),
  numbered('Push everything N cells to the left. What leaves is lost.', [1, 2, 3, 4], (list, n) => [
    ...list.slice(n),
    ...Array.from({ length: n }, () => 0),
  ]),
  rule('Mirror the row.', (list) => list.toReversed()),
  rule('Move all coloured cells to the left end, in their order.', (list) => [
    ...list.filter((each) => each !== 0),
    ...list.filter((each) => each === 0),
  ]),
  rule('Move all coloured cells to the right end, in their order.', (list) => [
    ...list.filter((each) => each === 0),
    ...list.filter((each) => each !== 0),
  ]),
  onRuns('Keep the longest blocks only.', (runs) => runs.filter((run) => sizeOf(run) === mostOf(runs))),
  onRuns('Keep the shortest blocks only.', (runs) => runs.filter((run) => sizeOf(run) === leastOf(runs))),
  onRuns('Remove the blocks of one cell.', (runs) => runs.filter((run) => sizeOf(run) > 1)),
  onRuns('Make blocks hollow: only their first and last cells stay.', (runs) =>
    runs.flatMap((run) => [
      { ...run, to: run.from + 1 },
      { ...run, from: run.to - 1 },
    ]),
  ),
  onRuns('Fill the cells between a block and the next one of its colour.', (runs) =>
    runs.flatMap((run, at) => {
      const next = runs[at + 1];
      return next?.colour === run.colour ? [run, { ...run, to: next.from }] : [run];
    }),
  ),
  onRuns('Keep only the first cell of each block.', (runs) =>
    runs.map((run) => ({ ...run, to: run.from + 1 })),
  ),
  onRuns('Let each block take the colour of the block after it; the last takes that of the first.', (runs) =>
    runs.map((run, at) => ({ ...run, colour: runs[(at + 1) % runs.length]?.colour ?? 0 })),
  ),
  numbered('Give colour N to everything coloured.', [1, 2, 3, 5, 8], (list, n) =>
    list.map((each) => (each === 0 ? 0 : n)),
  ),
  numbered('Remove colour N.', [1, 2, 3, 4, 5], (list, n) => list.map((each) => (each === n ? 0 : each))),
  numbered('Give colour N to the background.', [7, 9], (list, n) =>
    list.map((each) => (each === 0 ? n : each)),
  ),
  numbered('Replace colour N by the next one, N + 1.', [1, 2, 3, 4], (list, n) =>
    list.map((each) => (each === n ? n + 1 : each)),
  ),
];

export const arc1d = defineInduction({
  name: 'arc-1d',
  summary: 'ARC in one dimension: find the rule that changes rows of coloured cells, and apply it',
  rules:
    'Each row shows cells by the numbers of their colours; 0 is the background, and a block is a run of cells of one colour. One rule turns each row on the left into the row on the right. Find the rule and apply it to the last row. Every rule that fits all examples gives the same result.',
  known,
  range: [1, 9],
  levels: [
    { depth: 1, examples: 3, length: 12 },
    { depth: 1, examples: 3, length: 20 },
    { depth: 2, examples: 4, length: 16 },
    { depth: 2, examples: 3, length: 26 },
  ],
  drawList: (rng, length) => {
    const runs: Run[] = [];
    for (let from = 1 + rng.int(3); from < length - 1;) {
      const to = Math.min(length - 1, from + 1 + rng.int(4));
      runs.push({ from, to, colour: 1 + rng.int(5) });
      from = to + 1 + rng.int(4);
    }
    return paint(length, runs);
  },
});
