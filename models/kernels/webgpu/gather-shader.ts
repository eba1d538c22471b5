import { tile } from './tiles.ts';
import { innerProduct, scaleOf, shaderName, type Heads } from './head-code.ts';
import type { KernelCall } from './kernel-call.ts';
import type { ShaderOptions } from './kernel-program.ts';
import { declareSpan, findRows, findSpan } from './span-code.ts';

/** What is gathered: for each query a sum over the keys that it sees, or for each key one over the queries that see it. */
type Gathered = 'output' | 'query' | 'key' | 'value';

/** What the rows gathered from are, and whether they are weighed by probabilities or by slopes of scores. */
const gathering: Readonly<
  Record<
    Gathered,
    {
      readonly from: string;
      readonly weights: 'probabilities' | 'slopes';
      readonly inputs: readonly string[];
    }
  >
> = {
  output: { from: 'value', weights: 'probabilities', inputs: ['value'] },
  query: { from: 'key', weights: 'slopes', inputs: ['value', 'gradient', 'along'] },
  key: { from: 'query', weights: 'slopes', inputs: ['value', 'gradient', 'along'] },
  value: { from: 'gradient', weights: 'probabilities', inputs: ['gradient'] },
};

/** Queries of a tile, on average, from which on it is of use to take them together. */
const fewestOfTile = 8;

/** Whether neighbours mostly see the same keys, as those of many episodes do not that write. */
export const seeAlike = (call: KernelCall): boolean =>
  call.side('query', 0) >= fewestOfTile * call.number('tiles');

const threads = 256;
/** Rows of a group where neighbours see the same. */
const rowsOfGroup = 16;

/** How the work is shared out. */
interface Plan extends Heads {
  readonly gathered: Gathered;
  readonly byQuery: boolean;
  /** Query heads that share keys and values. */
  readonly share: number;
  /** Heads that the result has. */
  readonly parts: number;
  /** Rows of the result that a group of threads works out. */
  readonly rows: number;
  /** Rows that they see at a time, and columns that they work on at a time. */
  readonly others: number;
}

/**
 * A group of threads computes a few rows of one head. It processes the other rows a few at a time. First it
 * computes their weights, one a thread. Then it adds up the weighted values, some columns a thread (Dao 2023,
 * algorithms 1 and 2). If the queries belong to episodes with separate keys, a group takes one row, so that
 * it does not read the keys of all episodes.
 */
export function gatherShader(call: KernelCall, heads: Heads, gathered: Gathered): ShaderOptions {
  const byQuery = gathered === 'output' || gathered === 'query';
  const rows = byQuery && !seeAlike(call) ? 1 : rowsOfGroup;
  const inTiles = byQuery && rows > 1;
  const parts = byQuery ? heads.heads : heads.keyValueHeads;
  const plan: Plan = {
    ...heads,
    gathered,
    byQuery,
    parts,
    rows,
    others: threads / rows,
    share: heads.heads / heads.keyValueHeads,
  };
  const { shape } = call.input(byQuery ? 'query' : 'key');
  return {
    name: shaderName(`${gathered}_${rows}`, heads),
    variables: ['query', 'key', 'sight', 'logSum', ...gathering[gathered].inputs],
    outputShape: shape,
    threads,
    groups: (inTiles ? call.number('tiles') * (tile / rows) : Math.ceil((shape[0] as number) / rows)) * parts,
    code: () => `
      ${weightFunction(plan)}
      var<workgroup> weights : array<f32, ${threads}>;
      ${declareSpan}
      fn main(index : i32) {
        let lane = i32(localIndex);
        let group = index / ${threads};
        ${findRows(`group / ${parts}`, { inTiles, rows, count: 'uniforms.outShape[0]' })}
        let part = group % ${parts};
        let mine = lane / ${plan.others};
        let column = lane % ${plan.others};
        ${findSpan({ byQuery, rows, threads })}
        ${sumCode(plan)}
      }`,
  };
}

const queryAt = ({ heads, size }: Plan): string => `(token * ${heads} + head) * ${size}`;
const keyAt = ({ keyValueHeads, share, size }: Plan): string =>
  `(row * ${keyValueHeads} + head / ${share}) * ${size}`;

/** The weight between the query of a token and the key of a row. */
function weightFunction(plan: Plan): string {
  const isSlope = gathering[plan.gathered].weights === 'slopes';
  const places = `${queryAt(plan)}, ${keyAt(plan)}`;
  return `
    ${innerProduct('score', ['query', 'key'], plan)}
    ${isSlope ? innerProduct('change', ['gradient', 'value'], plan) : ''}
    fn weight(token : i32, row : i32, head : i32) -> f32 {
      if (row < sight[token] || row > sight[uniforms.queryShape[0] + token]) { return 0.0; }
      let place = token * ${plan.heads} + head;
      let probability = exponential(score(${places}) * ${scaleOf(plan)} - logSum[place]);
      return probability${isSlope ? ` * (change(${places}) - along[place]) * ${scaleOf(plan)}` : ''};
    }`;
}

/** Works out weights and adds up, some others at a time, then writes the sums. */
function sumCode(plan: Plan): string {
  const { gathered, byQuery, share, parts, others, size } = plan;
  const eachColumn = (write: (number: number) => string): string =>
    Array.from(
      { length: Math.ceil(size / others) },
      (_, number) => `${guarded(number, plan)} ${write(number)} }`,
    ).join('\n');
  return `
    ${Array.from({ length: Math.ceil(size / others) }, (_, number) => `var sum${number} = 0.0;`).join(' ')}
    for (var member = 0; member < ${byQuery ? 1 : share}; member = member + 1) {
      let head = ${byQuery ? 'part' : `part * ${share} + member`};
      for (var start = seen.x; start <= seen.y; start = start + ${others}) {
        let outer = first + mine;
        let inner = start + column;
        weights[lane] = 0.0;
        if (outer < end && inner <= seen.y) { weights[lane] = weight(${byQuery ? 'outer, inner' : 'inner, outer'}, head); }
        workgroupBarrier();
        for (var next = 0; next < ${others}; next = next + 1) {
          let factor = weights[mine * ${others} + next];
          if (bitcast<u32>(factor) != 0u) { // by its bits: a shader may take for granted that no number is none
            let ${byQuery ? 'row' : 'token'} = start + next;
            let at = ${byQuery ? keyAt(plan) : queryAt(plan)} + column;
            ${eachColumn((number) => `sum${number} = sum${number} + factor * ${gathering[gathered].from}[at + ${number * others}];`)}
          }
        }
        workgroupBarrier();
      }
    }
    if (first + mine < end) {
      let at = ((first + mine) * ${parts} + part) * ${size} + column;
      ${eachColumn((number) => `setOutputAtIndex(at + ${number * others}, sum${number});`)}
    }`;
}

/** Opens a block for those columns of a part that there are. */
const guarded = (number: number, { others, size }: Plan): string =>
  (number + 1) * others <= size ? '{' : `if (column + ${number * others} < ${size}) {`;
