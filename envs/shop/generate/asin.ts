import { mix } from './draw.ts';

/** Letters and digits that are not confused with each other. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const half = 0xfffff; // 20 bits

/**
 * The id of a product: `B0` and eight characters of 5 bits each. A Feistel network of four rounds scatters
 * the numbers over all 2^40 ids. So different numbers have different ids, and an id reveals nothing.
 */
export function asinOf(key: Uint32Array, number: number): string {
  let left = Math.floor(number / (half + 1)) & half;
  let right = number & half;
  for (let round = 0; round < 4; round += 1) {
    const next = left ^ (mix(right ^ (key[round] as number)) & half);
    left = right;
    right = next;
  }
  return `B0${letters(left)}${letters(right)}`;
}

function letters(bits: number): string {
  let text = '';
  for (let shift = 15; shift >= 0; shift -= 5) text += alphabet[(bits >>> shift) & 31];
  return text;
}
