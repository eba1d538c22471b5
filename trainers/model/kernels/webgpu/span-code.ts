/** Shared memory that {@link findSpan} works in. */
export const declareSpan = `
  var<workgroup> low : atomic<i32>;
  var<workgroup> high : atomic<i32>;
  var<workgroup> span : vec2<i32>;`;

/**
 * Leaves in `seen` the first and the last of the others that any row of a group has to do with: keys of queries, or queries of keys. The group's
 * rows begin at `first`; takes `lane` and the array `sight`.
 */
export function findSpan({ byQuery, rows, threads }: { readonly byQuery: boolean; readonly rows: number; readonly threads: number }): string {
  const ofQueries = `
    if (lane < ${rows} && first + lane < tokens) { atomicMin(&low, sight[first + lane]); atomicMax(&high, sight[tokens + first + lane]); }`;
  const ofKeys = `
    for (var token = lane; token < tokens; token = token + ${threads}) {
      if (sight[token] < first + ${rows} && sight[tokens + token] >= first) { atomicMin(&low, token); atomicMax(&high, token); }
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
