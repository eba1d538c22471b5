import { bytesPerNumber, type StoredType } from './layout.ts';

/** Little-endian numbers as float32; `bytes` must begin at a multiple of 4 of its buffer. */
export function decodeNumbers(type: StoredType, bytes: Uint8Array): Float32Array {
  switch (type) {
    case 'F32':
      return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / bytesPerNumber.F32);
    case 'F16':
      return widen(bytes, halfBits);
    case 'BF16':
      return widen(bytes, (half) => half << 16);
    default:
      return type satisfies never;
  }
}

function widen(bytes: Uint8Array, bitsOf: (half: number) => number): Float32Array {
  const halves = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
  const bits = new Uint32Array(halves.length);
  for (let at = 0; at < halves.length; at += 1) bits[at] = bitsOf(halves[at] as number);
  return new Float32Array(bits.buffer);
}

const one = new Uint32Array(1);
const oneFloat = new Float32Array(one.buffer);

/** The number of an IEEE 754 half given by its 16 bits. */
export function halfToFloat(bits: number): number {
  one[0] = halfBits(bits);
  return oneFloat[0] as number;
}

/** The float32 bits of an IEEE 754 half: 1 sign bit, 5 exponent bits (bias 15), 10 fraction bits. */
function halfBits(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0x1f) return sign | 0x7f80_0000 | (fraction << 13); // infinities and NaNs
  if (exponent > 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  if (fraction === 0) return sign;
  const shift = Math.clz32(fraction) - 21; // subnormal: shift the leading 1 to where it is implied
  return sign | ((113 - shift) << 23) | (((fraction << shift) & 0x3ff) << 13);
}
