import type { TensorInfo } from '@tensorflow/tfjs-core';
import type { KernelCall } from './kernel-call.ts';

/** One thread a sum: it walks through its bag, and neighbours read neighbouring columns. No atomics, so the result is fixed. */
export function bagSumKernel(call: KernelCall): TensorInfo {
  const bags = (call.input('start').shape[0] as number) - 1;
  return call.run({
    name: 'bagSum',
    variables: ['table', 'members', 'start'],
    outputShape: [bags, call.side('table', 1)],
    code: `
      fn main(index : i32) {
        if (index < uniforms.size) {
          let width = uniforms.outShape[1];
          let bag = index / width;
          let column = index % width;
          var sum = 0.0;
          for (var at = start[bag]; at < start[bag + 1]; at = at + 1) {
            sum = sum + table[members[at] * width + column];
          }
          setOutputAtIndex(index, sum);
        }
      }`,
  });
}

/** One thread a fresh number. What is not written stays: the program's output is the matrix itself. */
export function writeRowsKernel(call: KernelCall): TensorInfo[] {
  const [count, width] = [call.side('fresh', 0), call.side('fresh', 1)];
  const threads = 64;
  const code = `
    fn main(index : i32) {
      let width = uniforms.outShape[1];
      if (index < uniforms.freshShape[0] * width) {
        setOutputAtIndex(rows[index / width] * width + index % width, fresh[index]);
      }
    }`;
  const shader = {
    name: 'writeRows',
    variables: ['fresh', 'rows'],
    outputShape: call.input('matrix').shape,
    threads,
    groups: Math.ceil((count * width) / threads),
    code,
  };
  call.run(shader, { into: call.input('matrix') });
  return [];
}
