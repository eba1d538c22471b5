import type { TensorInfo } from '@tensorflow/tfjs-core';
import { gatherShader } from './gather-shader.ts';
import { innerProduct, scaleOf, shaderName, type Heads } from './head-code.ts';
import type { KernelCall } from './kernel-call.ts';
import type { ShaderOptions } from './kernel-program.ts';

/** Output and log-sums. */
export function attentionKernel(call: KernelCall): TensorInfo[] {
  const heads = headsOf(call);
  const logSum = call.run(logSumShader(call, heads));
  return [call.run(gatherShader(call, heads, 'output'), { others: { logSum } }), logSum];
}

/** The gradients by queries, keys and values. */
export function attentionGradientKernel(call: KernelCall): TensorInfo[] {
  const heads = headsOf(call);
  const along = call.run(alongShader(call, heads));
  const made = (['query', 'key', 'value'] as const).map((by) => call.run(gatherShader(call, heads, by), { others: { along } }));
  call.free(along);
  return made;
}

function headsOf(call: KernelCall): Heads {
  const heads = call.number('heads');
  return { heads, keyValueHeads: call.number('keyValueHeads'), size: call.side('query', 1) / heads };
}

const threads = 64;
/** Threads that add up what the others have, before one adds up what they have. */
const abreast = 8;

/** A group of threads a query of a head: each takes every so many keys, with the largest so far and a sum beyond it (Milakov and Gimelshein 2018). */
function logSumShader(call: KernelCall, heads: Heads): ShaderOptions {
  const tokens = call.side('query', 0);
  const share = heads.heads / heads.keyValueHeads;
  const takeIn = `
    let higher = max(most, largest[other]);
    sum = sum * exponential(most - higher) + sums[other] * exponential(largest[other] - higher);
    most = higher;`;
  return {
    name: shaderName('logSum', heads),
    variables: ['query', 'key', 'sight'],
    outputShape: [tokens, heads.heads],
    threads,
    groups: tokens * heads.heads,
    code: `
      var<workgroup> largest : array<f32, ${threads}>;
      var<workgroup> sums : array<f32, ${threads}>;
      ${innerProduct('score', ['query', 'key'], heads)}
      fn main(index : i32) {
        let lane = i32(localIndex);
        let place = index / ${threads};
        let tokens = uniforms.outShape[0];
        let token = place / ${heads.heads};
        let part = (place % ${heads.heads}) / ${share};
        var most = -3.0e38;
        var sum = 0.0;
        if (token < tokens) {
          for (var row = sight[token] + lane; row <= sight[tokens + token]; row = row + ${threads}) {
            let scaled = score(place * ${heads.size}, (row * ${heads.keyValueHeads} + part) * ${heads.size}) * ${scaleOf(heads)};
            let higher = max(most, scaled);
            sum = sum * exponential(most - higher) + exponential(scaled - higher);
            most = higher;
          }
        }
        largest[lane] = most;
        sums[lane] = sum;
        workgroupBarrier();
        if (lane < ${abreast}) {
          for (var other = lane + ${abreast}; other < ${threads}; other = other + ${abreast}) { ${takeIn} }
          largest[lane] = most;
          sums[lane] = sum;
        }
        workgroupBarrier();
        if (lane == 0) {
          for (var other = 1; other < ${abreast}; other = other + 1) { ${takeIn} }
        }
        if (lane == 0 && token < tokens) { setOutputAtIndex(place, most + logarithm(sum)); }
      }`,
  };
}

/** For each query of each head the inner product of its output and the gradient by it. */
function alongShader(call: KernelCall, heads: Heads): ShaderOptions {
  const code = `
    ${innerProduct('inner', ['output', 'gradient'], heads)}
    fn main(index : i32) { if (index < uniforms.size) { setOutputAtIndex(index, inner(index * ${heads.size}, index * ${heads.size})); } }`;
  return { name: shaderName('along', heads), variables: ['output', 'gradient'], outputShape: [call.side('query', 0), heads.heads], code };
}
