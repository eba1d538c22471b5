import { tile } from './tiles.ts';

/** Shared memory that {@link findSpan} works in. */
export const declareSpan = `
  var<workgroup> low : atomic<i32>;
  var<workgroup> high : atomic<i32>;
  var<workgroup> span : vec2<i32>;`;

/**
 * Of a group of threads its first row, and as `end` what comes behind its last: so many rows a group, or those of a tile of queries or of a part of
 * one. The array `sight` has the tiles behind what the queries see. Groups beyond the last, which may run, have no rows.
 */
export function findRows(
  group: string,
  { inTiles, rows, count }: { readonly inTiles: boolean; readonly rows: number; readonly count: string },
): string {
  if (!inTiles) return `let first = (${group}) * ${rows}; let end = min(first + ${rows}, ${count});`;
  const parts = tile / rows;
  return `
    let place = 2 * ${count} + (${group}) / ${parts};
    let isThere = place + 1 < uniforms.sightShape;
    let first = select(${count}, sight[place] + ((${group}) % ${parts}) * ${rows}, isThere);
    let end = select(${count}, min(first + ${rows}, sight[place + 1]), isThere);`;
}

/**
 * Leaves in `seen` the first and the last of the others that any row of a group has to do with: keys of queries, or queries of keys. The group's
 * rows are those from `first` to before `end`; takes `lane` and the array `sight`.
 */
export function findSpan({
  byQuery,
  rows,
  threads,
}: {
  readonly byQuery: boolean;
  readonly rows: number;
  readonly threads: number;
}): string {
  const ofQueries = `
    if (lane < ${rows} && first + lane < end) { atomicMin(&low, sight[first + lane]); atomicMax(&high, sight[tokens + first + lane]); }`;
  const ofKeys = `
    for (var token = lane; token < tokens; token = token + ${threads}) {
      if (sight[token] < end && sight[tokens + token] >= first) { atomicMin(&low, token); atomicMax(&high, token); }
    }`;
  return `
    let tokens = uniforms.queryShape[0];
    if (lane == 0) { atomicStore(&low, 2147483647); atomicStore(&high, -1); }
    workgroupBarrier();
    ${byQuery ? ofQueries : ofKeys}
    workgroupBarrier();
    if (lane == 0) { span = vec2<i32>(atomicLoad(&low), atomicLoad(&high)); }
    let seen = workgroupUniformLoad(&span);`;
}
