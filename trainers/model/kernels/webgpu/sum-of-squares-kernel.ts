import type { TensorInfo } from '@tensorflow/tfjs-core';
import type { KernelCall } from './kernel-call.ts';
import type { ShaderOptions } from './kernel-program.ts';

const threads = 256;
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
      var<workgroup> held : array<f32, ${threads}>;
      fn main(index : i32) {
        let lane = i32(localIndex);
        var sum = 0.0;
        for (var at = index; at < uniforms.count; at = at + ${threads} * uniforms.groups) {
          let number = ${of}[at];
          sum = sum + ${what === 'square' ? 'number * number' : 'number'};
        }
        held[lane] = sum;
        workgroupBarrier();
        if (lane < 16) {
          for (var other = lane + 16; other < ${threads}; other = other + 16) { sum = sum + held[other]; }
          held[lane] = sum;
        }
        workgroupBarrier();
        if (lane == 0) {
          for (var other = 1; other < 16; other = other + 1) { sum = sum + held[other]; }
          setOutputAtIndex(index / ${threads}, sum);
        }
      }`,
  };
}
