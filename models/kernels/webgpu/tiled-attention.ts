import type { Heads } from './head-code.ts';
import type { KernelCall } from './kernel-call.ts';
import type { ShaderOptions } from './kernel-program.ts';
import { declareSpan, findRows, findSpan } from './span-code.ts';
import {
  declareBlock,
  declareTile,
  eachSum,
  loadBlock,
  multiplyTiles,
  step,
  storeBlock,
  stride,
  Sums,
  threads,
  tile,
  turnSumsInto,
  type TileSource,
} from './tiles.ts';

/** What is gathered: for each query a sum over the keys that it sees, or for each key one over the queries that see it. */
type Gathered = 'output' | 'query' | 'key' | 'value';

interface Gathering {
  /** What the rows are summed up from. */
  readonly from: string;
  readonly byQuery: boolean;
  /** Whether rows are weighed by slopes of scores; else by probabilities. */
  readonly bySlopes: boolean;
}

const gathering: Readonly<Record<Gathered, Gathering>> = {
  output: { from: 'value', byQuery: true, bySlopes: false },
  query: { from: 'key', byQuery: true, bySlopes: true },
  key: { from: 'query', byQuery: false, bySlopes: true },
  value: { from: 'gradient', byQuery: false, bySlopes: false },
};

const scores = new Sums('score');
const sums = new Sums('sum');

/** Bytes of shared memory that the shaders take. */
export const sharedBytes = (2 * step + tile) * stride * 16 + 5 * tile * 4;

/** How heads lie in rows, as uniforms, since these shaders take long to translate. */
const headUniforms = 'scale : f32, heads : i32, keyValueHeads : i32, width : i32,';
const declareHeads = `
  let heads = uniforms.heads;
  let keyValueHeads = uniforms.keyValueHeads;
  let share = heads / keyValueHeads;
  let width = uniforms.width;`; // of a head, in vectors of four

/** The values of the shaders' uniforms. */
export const headValues = ({
  heads,
  keyValueHeads,
  size,
}: Heads): { readonly numbers: readonly number[]; readonly integers: readonly number[] } => ({
  numbers: [1 / Math.sqrt(size)],
  integers: [heads, keyValueHeads, size / 4],
});

const ofQuery = ['query', 'output', 'gradient'];

/** Rows of a matrix of queries or keys, of the head's part. */
function source(name: string, as: 'left' | 'right'): TileSource {
  const isQuery = ofQuery.includes(name);
  const part = isQuery ? '* heads + head' : '* keyValueHeads + sharedHead';
  return {
    name: as,
    alongDepth: true,
    rows: `uniforms.${name}Shape.x`,
    depth: 'width',
    vector: (row, depth) => `${name}[(${row} ${part}) * width + ${depth}]`,
  };
}

/** Products of the rows of both from `first` and from `start` on, summed into the scores. */
function multiplyRows(mine: string, other: string): string {
  const [left, right] = [source(mine, 'left'), source(other, 'right')];
  return `{
    ${declareBlock(left)}
    ${declareBlock(right)}
    for (var depth = 0; depth < width * 4; depth = depth + ${step}) {
      ${loadBlock(left, 'first', 'depth')}
      ${loadBlock(right, 'start', 'depth')}
      workgroupBarrier();
      ${storeBlock(left, 'leftTile')}
      ${storeBlock(right, 'rightTile')}
      workgroupBarrier();
      ${multiplyTiles(scores, ['leftTile', 'rightTile'])}
    }
  }`;
}

/** What is known of each query of a tile, in shared memory. */
const declareFacts = `
  ${declareTile('leftTile')}
  ${declareTile('rightTile')}
  ${declareTile('weights', tile)}
  var<workgroup> lowest : array<i32, ${tile}>;
  var<workgroup> highest : array<i32, ${tile}>;`;

/** A query that is not there sees nothing. */
const bringSight = (firstQuery: string, behindLast: string): string => `{
  let token = ${firstQuery} + lane;
  lowest[lane] = 1;
  highest[lane] = 0;
  if (token < ${behindLast}) { lowest[lane] = sight[token]; highest[lane] = sight[uniforms.queryShape.x + token]; }
}`;

/** A group of threads a tile of queries of a head: tile by tile of keys, each thread keeps a query's largest score and a sum beyond it (Milakov and Gimelshein 2018). */
export function tiledLogSumShader(call: KernelCall, heads: Heads): ShaderOptions {
  return {
    name: 'attention_tiled_logSum',
    variables: ['query', 'key', 'sight'],
    outputShape: [call.side('query', 0), heads.heads],
    components: { output: 1, inputs: [4, 4, 1] },
    threads,
    groups: call.number('tiles') * heads.heads,
    uniforms: headUniforms,
    code: () => `
      ${declareFacts}
      ${declareSpan}
      fn main(index : i32) {
        ${declareHeads}
        let lane = i32(localIndex);
        let group = index / ${threads};
        ${findRows('group / heads', { inTiles: true, rows: tile, count: 'uniforms.queryShape.x' })}
        let head = group % heads;
        let sharedHead = head / share;
        let down = lane / 8;
        let across = lane % 8;
        ${bringSight('first', 'end')}
        ${findSpan({ byQuery: true, rows: tile, threads })}
        ${scores.begin()}
        var most = -3.0e38;
        var sum = 0.0;
        for (var start = seen.x; start <= seen.y; start = start + ${tile}) {
          ${scores.begin({ again: true })}
          ${multiplyRows('query', 'key')}
          ${turnSumsInto('weights', scores, ({ four }) => four)}
          workgroupBarrier();
          let nearest = max(0, lowest[lane] - start);
          let farthest = min(${tile - 1}, highest[lane] - start);
          var higher = most;
          for (var other = nearest; other <= farthest; other = other + 1) { higher = max(higher, weights[other * ${stride} + lane / 4][lane % 4] * uniforms.scale); }
          sum = sum * exponential(most - higher);
          most = higher;
          for (var other = nearest; other <= farthest; other = other + 1) { sum = sum + exponential(weights[other * ${stride} + lane / 4][lane % 4] * uniforms.scale - most); }
          workgroupBarrier();
        }
        if (first + lane < end) { setOutputAtIndex((first + lane) * heads + head, most + logarithm(sum)); }
      }`,
  };
}

/**
 * A group of threads computes some rows of one head, with at most as many columns as a tile has. It processes
 * the other rows tile by tile. It computes the weights between both and adds up the weighted values (Dao
 * 2023, algorithms 1 and 2). For keys there is one result for each head of queries. The results of heads that
 * share keys are added afterwards. A value that is not a number spoils all queries of the tiles that read its
 * row, including those that do not see it.
 */
export function tiledGatherShader(call: KernelCall, heads: Heads, gathered: Gathered): ShaderOptions {
  const { from, byQuery, bySlopes } = gathering[gathered];
  const rows = call.side(byQuery ? 'query' : 'key', 0);
  const inputs = [
    'query',
    'key',
    'sight',
    'logSum',
    ...new Set(bySlopes ? ['value', 'gradient', 'along'] : [from]),
  ];
  return {
    name: `attention_tiled_${gathered}`,
    variables: inputs,
    outputShape: [rows, heads.heads * heads.size],
    components: {
      output: 4,
      inputs: inputs.map((name) => (['sight', 'logSum', 'along'].includes(name) ? 1 : 4)),
    },
    threads,
    groups:
      (byQuery ? call.number('tiles') : Math.ceil(rows / tile)) * heads.heads * Math.ceil(heads.size / tile),
    uniforms: headUniforms,
    code: () => gatherCode(gathering[gathered]),
  };
}

/** What a weight is worked out from, besides its score, of each query of a tile. */
function bringFacts({ byQuery, bySlopes }: Gathering): string {
  const firstQuery = byQuery ? 'first' : 'start';
  return `
    ${bringSight(firstQuery, byQuery ? 'end' : 'uniforms.queryShape.x')}
    {
      let place = min(${firstQuery} + lane, uniforms.queryShape.x - 1) * heads + head;
      logs[lane] = logSum[place];
      ${bySlopes ? 'alongs[lane] = along[place];' : ''}
    }`;
}

/** Turns the scores of a tile into probabilities, four at a time. */
function probabilities({ byQuery }: Gathering): string {
  const four = ['x', 'y', 'z', 'w'].map((part, at) =>
    byQuery
      ? `probability(four.${part}, row + ${at}, start + column)`
      : `probability(four.${part}, column, first + row + ${at})`,
  );
  return `
    workgroupBarrier();
    for (var at = lane; at < ${tile * (tile / 4)}; at = at + ${threads}) {
      let column = at / ${tile / 4};
      let row = (at % ${tile / 4}) * 4;
      let four = weights[column * ${stride} + row / 4];
      weights[column * ${stride} + row / 4] = vec4<f32>(${four.join(', ')});
    }
    workgroupBarrier();`;
}

/** Makes slopes of the probabilities. */
function slopes({ byQuery }: Gathering): string {
  const [mine, others] = byQuery ? (['gradient', 'value'] as const) : (['value', 'gradient'] as const);
  const alongsOf = (rows: string, column: string): string =>
    byQuery
      ? `vec4<f32>(${[0, 1, 2, 3].map((row) => `alongs[${rows} * 4 + ${row}]`).join(', ')})`
      : `vec4<f32>(alongs[${column}])`;
  return `
    ${scores.begin({ again: true })}
    ${multiplyRows(mine, others)}
    ${turnSumsInto('weights', scores, ({ four, rows, column, before }) => `${before} * (${four} - ${alongsOf(rows, column)}) * uniforms.scale`)}`;
}

function gatherCode(of: Gathering): string {
  const { from, byQuery, bySlopes } = of;
  const [mine, others] = byQuery ? (['query', 'key'] as const) : (['key', 'query'] as const);
  const { vector } = source(from, 'right');
  const read: TileSource = {
    name: 'right',
    alongDepth: false,
    rows: 'width',
    depth: `uniforms.${from}Shape.x`,
    vector: (column, row) => vector(row, column),
  };
  return `
    ${declareFacts}
    ${declareSpan}
    var<workgroup> logs : array<f32, ${tile}>;
    ${bySlopes ? `var<workgroup> alongs : array<f32, ${tile}>;` : ''}
    fn probability(score : f32, query : i32, key : i32) -> f32 {
      return select(exponential(score * uniforms.scale - logs[query]), 0.0, key < lowest[query] || key > highest[query]);
    }
    fn main(index : i32) {
      ${declareHeads}
      let lane = i32(localIndex);
      let group = index / ${threads};
      let columnTiles = (width * 4 + ${tile - 1}) / ${tile};
      ${findRows('group / (heads * columnTiles)', { inTiles: byQuery, rows: tile, count: 'uniforms.outShape.x' })}
      let head = (group / columnTiles) % heads;
      let sharedHead = head / share;
      let firstColumn = (group % columnTiles) * ${tile};
      let down = lane / 8;
      let across = lane % 8;
      ${byQuery ? bringFacts(of) : ''}
      ${findSpan({ byQuery, rows: tile, threads })}
      ${scores.begin()}
      ${sums.begin()}
      ${declareBlock(read)}
      for (var start = seen.x; start <= seen.y; start = start + ${tile}) {
        ${byQuery ? '' : bringFacts(of)}
        ${scores.begin({ again: true })}
        ${multiplyRows(mine, others)}
        ${turnSumsInto('weights', scores, ({ four }) => four)}
        ${probabilities(of)}
        ${bySlopes ? slopes(of) : ''}
        for (var other = 0; other < ${tile}; other = other + ${step}) {
          ${loadBlock(read, 'firstColumn / 4', 'start + other')}
          workgroupBarrier();
          ${storeBlock(read, 'rightTile')}
          workgroupBarrier();
          ${multiplyTiles(sums, ['weights', 'rightTile'], 'other')}
        }
        workgroupBarrier();
      }
      ${eachSum(sums, (row, column, sum) => `if (first + ${row} < end && firstColumn + ${column} < width * 4) { setOutputAtIndex(((first + ${row}) * heads + head) * width + (firstColumn + ${column}) / 4, ${sum}); }`)}
    }`;
}

/** Adds up what was gathered for keys by heads of queries that share them: (S, heads d) to (S, keyValueHeads d). */
export function sharedHeadsShader({ keyValueHeads, size }: Heads, rows: number): ShaderOptions {
  return {
    name: 'attention_sharedHeads',
    variables: ['gathered'],
    outputShape: [rows, keyValueHeads * size],
    components: { output: 4, inputs: [4] },
    groups: Math.ceil((rows * keyValueHeads * size) / 4 / 64),
    uniforms: headUniforms,
    code: `
      fn main(index : i32) {
        ${declareHeads}
        if (index < uniforms.size) {
          let first = (index / width) * share * width + index % width;
          var sum = gathered[first];
          for (var member = 1; member < share; member = member + 1) { sum = sum + gathered[first + member * width]; }
          setOutputAtIndex(index, sum);
        }
      }`,
  };
}
