import type { TensorInfo } from '@tensorflow/tfjs-core';
import { declareHeld, reduceGroup, threads } from './group-reduction.ts';
import type { KernelCall } from './kernel-call.ts';
import type { ShaderOptions } from './kernel-program.ts';

const mostGroups = 1_024;
/** Numbers that a thread adds up at least, where there are as many. */
const share = 16;

/** Many groups add up squares, each those of every so many numbers, and one group adds up their sums: always in the same order. */
export function sumOfSquaresKernel(call: KernelCall): TensorInfo {
  const count = call.input('values').shape.reduce((size, length) => size * length, 1);
  const groups = Math.min(mostGroups, Math.ceil(count / threads / share));
  const sums = call.run(sumShader('values', 'square', groups), { integers: [count, groups] });
  if (groups === 1) return { ...sums, shape: [] };
  const whole = call.run(sumShader('sums', 'sum', 1), { others: { sums }, integers: [groups, 1] });
  call.free(sums);
  return { ...whole, shape: [] };
}

/** A group gives one sum. */
function sumShader(of: string, what: 'square' | 'sum', groups: number): ShaderOptions {
  return {
    name: `sumOf_${what}`,
    variables: [of],
    outputShape: [groups],
    threads,
    groups,
    uniforms: 'count : i32, groups : i32,',
    code: `
      ${declareHeld}
      fn main(index : i32) {
        let lane = i32(localIndex);
        var mine = 0.0;
        for (var at = index; at < uniforms.count; at = at + ${threads} * uniforms.groups) {
          let number = ${of}[at];
          mine = mine + ${what === 'square' ? 'number * number' : 'number'};
        }
        ${reduceGroup('whole', (left, right) => `${left} + ${right}`)}
        if (lane == 0) { setOutputAtIndex(index / ${threads}, whole); }
      }`,
  };
}
