import type { TensorInfo } from '@tensorflow/tfjs-core';
import { declareHeld, reduceGroup, threads } from './group-reduction.ts';
import type { KernelCall } from './kernel-call.ts';

/**
 * For each row of logits a token and its log-probability, (R, 2): at a factor of 0 the first of the most likely, else that where the shares,
 * one behind the other, reach the point. A row that is not finite gives the token -1. A group of threads a row, each of which has a run of neighbours.
 */
export function drawRowsKernel(call: KernelCall): TensorInfo {
  const rows = call.side('logits', 0);
  return call.run({
    name: 'drawRows',
    variables: ['logits', 'how'],
    outputShape: [rows, 2],
    threads,
    groups: rows,
    code: () => `
      ${declareHeld}
      fn isOdd(x : f32) -> f32 { return select(0.0, 1.0, (bitcast<u32>(x) & 0x7f800000u) == 0x7f800000u); } // by its bits: a shader may take for granted that no number is none
      fn main(index : i32) {
        let lane = i32(localIndex);
        let row = min(index / ${threads}, uniforms.logitsShape.x - 1);
        let count = uniforms.logitsShape.y;
        let run = (count + ${threads - 1}) / ${threads};
        let first = min(lane * run, count);
        let end = min(first + run, count);
        let begin = row * count;
        let factor = how[row * 2];
        var mine = -3.0e38;
        for (var at = first; at < end; at = at + 1) { mine = max(mine, logits[begin + at]); }
        ${reduceGroup('most', (left, right) => `max(${left}, ${right})`)}
        mine = 0.0;
        for (var at = first; at < end; at = at + 1) { mine = max(mine, isOdd(logits[begin + at])); }
        ${reduceGroup('odd', (left, right) => `max(${left}, ${right})`)}
        mine = 3.0e38;
        for (var at = end - 1; at >= first; at = at - 1) { if (logits[begin + at] == most) { mine = f32(at); } }
        ${reduceGroup('likeliest', (left, right) => `min(${left}, ${right})`)}
        mine = 0.0;
        for (var at = first; at < end; at = at + 1) { mine = mine + exponential((logits[begin + at] - most) * factor); }
        let share = mine;
        ${reduceGroup('total', (left, right) => `${left} + ${right}`)}
        held[lane] = share;
        workgroupBarrier();
        if (lane == 0 && index / ${threads} < uniforms.outShape.x) {
          var token = i32(likeliest);
          var logprob = 0.0;
          if (factor > 0.0) {
            var rest = how[row * 2 + 1] * total; // shares are taken off it: added up, small ones would be lost in a large sum
            var owner = 0; // whose run it ends in: the last that has a share where it is never used up, by rounding
            var ofOwner = 0.0;
            for (var other = 0; other < ${threads}; other = other + 1) {
              if (held[other] > 0.0) {
                rest = rest - ofOwner;
                owner = other;
                ofOwner = held[other];
                if (rest < ofOwner) { break; }
              }
            }
            for (var at = min(owner * run, count); at < min(owner * run + run, count); at = at + 1) {
              let part = exponential((logits[begin + at] - most) * factor);
              if (part > 0.0) { token = at; }
              if (rest < part) { break; }
              rest = rest - part;
            }
            logprob = (logits[begin + token] - most) * factor - logarithm(total);
          }
          setOutputAtIndex(row * 2, select(f32(token), -1.0, odd > 0.0));
          setOutputAtIndex(row * 2 + 1, logprob);
        }
      }`,
  });
}
