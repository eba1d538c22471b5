import type { NamedAttrMap, NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core';
import { scoreRoom, type AttentionArrays, type HeadShape, type SightArrays } from './attention-arrays.ts';
import { kernelInput } from './kernel-input.ts';
import type { TypedArrayAccess } from './typed-array-kernels.ts';

/** Output, log-sums, and the room that it worked in. */
export function attentionKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo[] {
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
