import type { TensorInfo } from '@tensorflow/tfjs-core';
import { gatherShader, seeAlike } from './gather-shader.ts';
import { innerProduct, scaleOf, shaderName, type Heads } from './head-code.ts';
import type { KernelCall } from './kernel-call.ts';
import type { ShaderOptions } from './kernel-program.ts';
import {
  headValues,
  sharedBytes,
  sharedHeadsShader,
  tiledGatherShader,
  tiledLogSumShader,
} from './tiled-attention.ts';

/** Output and log-sums. */
export function attentionKernel(call: KernelCall): TensorInfo[] {
  const heads = headsOf(call);
  const logSum = call.run(logSumShader(call, heads));
  return [call.run(gatherShader(call, heads, 'output'), { others: { logSum } }), logSum];
}

/** The same by tiles, where the call fits them. */
export function tiledAttentionKernel(call: KernelCall): TensorInfo[] {
  const heads = headsOf(call);
  if (!fitsTiles(call, heads)) return attentionKernel(call);
  const logSum = call.run(tiledLogSumShader(call, heads), headValues(heads));
  return [
    call.run(tiledGatherShader(call, heads, 'output'), { others: { logSum }, ...headValues(heads) }),
    logSum,
  ];
}

/** The gradients by queries, keys and values. */
export function attentionGradientKernel(call: KernelCall): TensorInfo[] {
  const heads = headsOf(call);
  return gradients(call, heads, (by, along) =>
    call.run(gatherShader(call, heads, by), { others: { along } }),
  );
}

/** The same by tiles, where the call fits them. */
export function tiledAttentionGradientKernel(call: KernelCall): TensorInfo[] {
  const heads = headsOf(call);
  if (!fitsTiles(call, heads)) return attentionGradientKernel(call);
  return gradients(call, heads, (by, along) => {
    const gathered = call.run(tiledGatherShader(call, heads, by), {
      others: { along },
      ...headValues(heads),
    });
    if (by === 'query' || heads.heads === heads.keyValueHeads) return gathered;
    const sums = call.run(sharedHeadsShader(heads, call.side('key', 0)), {
      others: { gathered },
      ...headValues(heads),
    });
    call.free(gathered);
    return sums;
  });
}

function gradients(
  call: KernelCall,
  heads: Heads,
  gather: (by: 'query' | 'key' | 'value', along: TensorInfo) => TensorInfo,
): TensorInfo[] {
  const along = call.run(alongShader(call, heads));
  const made = (['query', 'key', 'value'] as const).map((by) => gather(by, along));
  call.free(along);
  return made;
}

/** Tiles of queries are of use where neighbours see the same keys. */
function fitsTiles(call: KernelCall, { size }: Heads): boolean {
  return (
    size % 4 === 0 &&
    seeAlike(call) &&
    call.backend.device.limits.maxComputeWorkgroupStorageSize >= sharedBytes
  );
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
    code: () => `
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
  return {
    name: shaderName('along', heads),
    variables: ['output', 'gradient'],
    outputShape: [call.side('query', 0), heads.heads],
    code,
  };
}
