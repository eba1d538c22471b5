import type { NamedAttrMap, NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core';
import { scoreRoom, type AttentionArrays, type HeadShape, type SightArrays } from './attention-arrays.ts';
import { isBfloat16 } from './bfloat16.ts';
import { kernelInput } from './kernel-input.ts';
import type { TypedArrayAccess } from './typed-array-kernels.ts';

/** Output, log-sums, and the room that it worked in. */
export function attentionKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo[] {
  if (isBfloat16(kernelInput(inputs, 'key'))) return bfloat16AttentionKernel(inputs, access, attributes);
  const shape = headShape(inputs, attributes);
  const query = kernelInput(inputs, 'query');
  const places = [query.shape[0] as number, shape.heads];
  const made = [query.shape, places, [scoreRoom(sightOf(inputs, access))], places].map((of) =>
    access.make(of),
  );
  const [output, logSum, scores, shifts] = made.map((tensor) => access.floats(tensor)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  access.loops.attend({ ...shape, ...arraysOf(inputs, access) }, { output, logSum, scores, shifts });
  return made;
}

/** Queries that begin at the same key, and what they see together. */
interface Lookers {
  readonly first: number;
  /** Number of the first query that begins elsewhere. */
  readonly end: number;
  readonly from: number;
  readonly rows: number;
}

/** The same over keys and values of bfloat16: those that queries see are widened once for neighbours that begin at the same key. */
function bfloat16AttentionKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo[] {
  const shape = headShape(inputs, attributes);
  const query = kernelInput(inputs, 'query');
  const tokens = query.shape[0] as number;
  const lookers = lookersOf(sightOf(inputs, access));
  const width = shape.keyValueHeads * shape.size;
  const room = width * lookers.reduce((most, { rows }) => Math.max(most, rows), 0);
  const places = [tokens, shape.heads];
  const shapes = [
    query.shape,
    places,
    [scoreRoom(sightOf(inputs, access))],
    places,
    [room],
    [room],
    [2, tokens],
  ];
  const made = shapes.map((of) => access.make(of));
  const [output, logSum, scores, shifts, key, value, sights] = made.map((tensor) =>
    access.floats(tensor),
  ) as [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array, Float32Array, Float32Array];
  const sight = new Int32Array(sights.buffer, sights.byteOffset, 2 * tokens).fill(0);
  const { until } = sightOf(inputs, access);
  const [queries, keys, values] = [
    access.floats(query),
    access.integers(kernelInput(inputs, 'key')),
    access.integers(kernelInput(inputs, 'value')),
  ];
  for (const { first, end, from, rows } of lookers) {
    const seen = [(from * width) / 2, ((from + rows) * width) / 2] as const;
    access.loops.widen(keys.subarray(...seen), key.subarray(0, rows * width));
    access.loops.widen(values.subarray(...seen), value.subarray(0, rows * width));
    for (let token = first; token < end; token += 1) sight[tokens + token] = (until[token] as number) - from;
    const numbers = [first * shape.heads * shape.size, end * shape.heads * shape.size] as const;
    const heads = [first * shape.heads, end * shape.heads] as const;
    access.loops.attend(
      {
        ...shape,
        query: queries.subarray(...numbers),
        key,
        value,
        from: sight.subarray(first, end),
        until: sight.subarray(tokens + first, tokens + end),
      },
      {
        output: output.subarray(...numbers),
        logSum: logSum.subarray(...heads),
        scores,
        shifts: shifts.subarray(...heads),
      },
    );
  }
  return made;
}

function lookersOf({ from, until }: SightArrays): readonly Lookers[] {
  const all: Lookers[] = [];
  for (let first = 0; first < from.length;) {
    const start = from[first] as number;
    let [end, last] = [first, start];
    for (; end < from.length && from[end] === start; end += 1) last = Math.max(last, until[end] as number);
    all.push({ first, end, from: start, rows: last + 1 - start });
    first = end;
  }
  return all;
}

/** The gradients by queries, keys and values, and the room that it worked in. */
export function attentionGradientKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo[] {
  const shape = headShape(inputs, attributes);
  const room = scoreRoom(sightOf(inputs, access));
  const made = [
    ...['query', 'key', 'value'].map((name) => access.make(kernelInput(inputs, name).shape)),
    access.make([room]),
    access.make([room]),
  ];
  const [query, key, value, scores, overScores] = made.map((tensor) => access.floats(tensor)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  key.fill(0);
  value.fill(0);
  const read = (name: string): Float32Array => access.floats(kernelInput(inputs, name));
  const given = {
    ...shape,
    ...arraysOf(inputs, access),
    output: read('output'),
    logSum: read('logSum'),
    overOutput: read('gradient'),
  };
  access.loops.attendBackwards(given, { query, key, value, scores, overScores });
  return made;
}

function headShape(inputs: NamedTensorInfoMap, attributes: NamedAttrMap | undefined): HeadShape {
  const { heads, keyValueHeads } = attributes ?? {};
  if (typeof heads !== 'number' || typeof keyValueHeads !== 'number')
    throw new TypeError('the attention kernels need the numbers of heads');
  return { heads, keyValueHeads, size: (kernelInput(inputs, 'query').shape[1] as number) / heads };
}

function sightOf(inputs: NamedTensorInfoMap, access: TypedArrayAccess): SightArrays {
  const [queries] = kernelInput(inputs, 'query').shape as [number];
  const sight = access.integers(kernelInput(inputs, 'sight'));
  return { from: sight.subarray(0, queries), until: sight.subarray(queries, 2 * queries) };
}

function arraysOf(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
): Omit<AttentionArrays, keyof HeadShape> {
  const read = (name: string): Float32Array => access.floats(kernelInput(inputs, name));
  return { query: read('query'), key: read('key'), value: read('value'), ...sightOf(inputs, access) };
}
