import { decodeNumbers, halfToFloat } from '../safetensors/decode-numbers.ts';

/** A form in which ggml stores numbers: blocks of equal size, each with its own scale. */
export interface GgmlType {
  readonly name: string;
  /** Numbers of a block. */
  readonly numbers: number;
  /** Bytes of a block. */
  readonly bytes: number;
  /** Decodes all blocks into `out`; `bytes` begins at a multiple of 4 of its buffer. */
  readonly decode: (bytes: Uint8Array, out: Float32Array) => void;
}

const round = Math.fround;
/** Numbers of a block of the older types, and of the K types. */
const [small, large] = [32, 256];

const half = (bytes: Uint8Array, at: number): number =>
  halfToFloat((bytes[at] as number) | ((bytes[at + 1] as number) << 8));
const signed = (byte: number): number => (byte << 24) >> 24;

/** Calls `block` with the first byte of each block and the place of its first number. */
function eachBlock(
  { numbers, bytes: size }: { readonly numbers: number; readonly bytes: number },
  out: Float32Array,
  block: (from: number, to: number) => void,
): void {
  for (let to = 0, from = 0; to < out.length; to += numbers, from += size) block(from, to);
}

/** Decodes blocks of 32 numbers of 4 or 5 bits: the first 16 are in the low halves of the bytes, the others in the high halves. */
function decodeNibbles(options: {
  readonly bytes: number;
  /** Bytes of a block before its nibbles. */
  readonly head: number;
  /** Where four bytes with fifth bits are, for types of 5 bits. */
  readonly fifthBits?: number;
  readonly value: (bytes: Uint8Array, from: number) => (code: number) => number;
}): GgmlType['decode'] {
  const { bytes: size, head, fifthBits, value } = options;
  return (bytes, out) =>
    eachBlock({ numbers: small, bytes: size }, out, (from, to) => {
      const valueOf = value(bytes, from);
      for (let at = 0; at < small / 2; at += 1) {
        const byte = bytes[from + head + at] as number;
        const fifth = (place: number): number =>
          fifthBits === undefined
            ? 0
            : (((bytes[from + fifthBits + (place >> 3)] as number) >> (place & 7)) & 1) << 4;
        out[to + at] = valueOf((byte & 15) | fifth(at));
        out[to + at + small / 2] = valueOf((byte >> 4) | fifth(at + small / 2));
      }
    });
}

/** Code times scale, where `zero` is the code of 0. */
const centred =
  (zero: number) =>
  (bytes: Uint8Array, from: number): ((code: number) => number) => {
    const scale = half(bytes, from);
    return (code) => scale * (code - zero);
  };

/** Code times scale, and the block's minimum. */
function shifted(bytes: Uint8Array, from: number): (code: number) => number {
  const [scale, least] = [half(bytes, from), half(bytes, from + 2)];
  return (code) => round(scale * code) + least;
}

function decodeQ8(bytes: Uint8Array, out: Float32Array): void {
  eachBlock({ numbers: small, bytes: 34 }, out, (from, to) => {
    const scale = half(bytes, from);
    for (let at = 0; at < small; at += 1) out[to + at] = scale * signed(bytes[from + 2 + at] as number);
  });
}

/** The values of codes in IQ4_NL. */
const unevenSteps = [-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113] as const;

function uneven(bytes: Uint8Array, from: number): (code: number) => number {
  const scale = half(bytes, from);
  return (code) => scale * (unevenSteps[code] as number);
}

function decodeQ2K(bytes: Uint8Array, out: Float32Array): void {
  eachBlock({ numbers: large, bytes: 84 }, out, (from, to) => {
    const [scale, least] = [half(bytes, from + 80), half(bytes, from + 82)];
    for (let group = 0; group < 16; group += 1) {
      const packed = bytes[from + group] as number;
      const [factor, offset] = [round(scale * (packed & 15)), round(least * (packed >> 4))];
      const [part, shift] = [from + 16 + 32 * (group >> 3) + 16 * (group & 1), 2 * ((group >> 1) & 3)];
      for (let at = 0; at < 16; at += 1)
        out[to + 16 * group + at] = round(factor * (((bytes[part + at] as number) >> shift) & 3)) - offset;
    }
  });
}

/** The 16 scales of a Q3_K block: 6 bits each, 4 in the first 8 bytes and 2 in the last 4. */
function scaleOfQ3K(bytes: Uint8Array, from: number, group: number): number {
  const low = ((bytes[from + (group & 7)] as number) >> (group < 8 ? 0 : 4)) & 15;
  const high = ((bytes[from + 8 + (group & 3)] as number) >> (2 * (group >> 2))) & 3;
  return (low | (high << 4)) - 32;
}

function decodeQ3K(bytes: Uint8Array, out: Float32Array): void {
  eachBlock({ numbers: large, bytes: 110 }, out, (from, to) => {
    const scale = half(bytes, from + 108);
    for (let group = 0; group < 16; group += 1) {
      const factor = round(scale * scaleOfQ3K(bytes, from + 96, group));
      const [part, shift] = [from + 32 + 32 * (group >> 3) + 16 * (group & 1), 2 * ((group >> 1) & 3)];
      for (let at = 0; at < 16; at += 1) {
        const isHigh = ((bytes[from + 16 * (group & 1) + at] as number) >> (group >> 1)) & 1;
        const code = (((bytes[part + at] as number) >> shift) & 3) - (isHigh === 1 ? 0 : 4);
        out[to + 16 * group + at] = factor * code;
      }
    }
  });
}

/** Scale and minimum of a group of 32 numbers in Q4_K and Q5_K: 6 bits each, in 12 bytes. */
function scaleOfK(bytes: Uint8Array, from: number, group: number): readonly [scale: number, least: number] {
  const byte = (at: number): number => bytes[from + at] as number;
  if (group < 4) return [byte(group) & 63, byte(group + 4) & 63];
  return [
    (byte(group + 4) & 15) | ((byte(group - 4) >> 6) << 4),
    (byte(group + 4) >> 4) | ((byte(group) >> 6) << 4),
  ];
}

/** Q4_K, and Q5_K, whose fifth bits are in 32 bytes before the nibbles. */
function decodeK(options: { readonly bytes: number; readonly hasFifthBits: boolean }): GgmlType['decode'] {
  const { bytes: size, hasFifthBits } = options;
  const nibbles = hasFifthBits ? 48 : 16;
  return (bytes, out) =>
    eachBlock({ numbers: large, bytes: size }, out, (from, to) => {
      const [scale, least] = [half(bytes, from), half(bytes, from + 2)];
      for (let group = 0; group < 8; group += 1) {
        const [ownScale, ownLeast] = scaleOfK(bytes, from + 4, group);
        const [factor, offset] = [round(scale * ownScale), round(least * ownLeast)];
        for (let at = 0; at < 32; at += 1) {
          const byte = bytes[from + nibbles + 32 * (group >> 1) + at] as number;
          const fifth = hasFifthBits ? (((bytes[from + 16 + at] as number) >> group) & 1) << 4 : 0;
          const code = ((group & 1) === 0 ? byte & 15 : byte >> 4) | fifth;
          out[to + 32 * group + at] = round(factor * code) - offset;
        }
      }
    });
}

function decodeQ6K(bytes: Uint8Array, out: Float32Array): void {
  eachBlock({ numbers: large, bytes: 210 }, out, (from, to) => {
    const scale = half(bytes, from + 208);
    for (let group = 0; group < 8; group += 1) {
      const [side, quarter] = [group >> 2, group & 3];
      const low = from + 64 * side + 32 * (quarter & 1);
      const high = from + 128 + 32 * side;
      for (let at = 0; at < 32; at += 1) {
        const four = ((bytes[low + at] as number) >> (quarter < 2 ? 0 : 4)) & 15;
        const two = ((bytes[high + at] as number) >> (2 * quarter)) & 3;
        const factor = round(scale * signed(bytes[from + 192 + 2 * group + (at >> 4)] as number));
        out[to + 32 * group + at] = factor * ((four | (two << 4)) - 32);
      }
    }
  });
}

/**
 * The types that can be decoded, by their numbers in GGUF. Decoding rounds to float32 after each operation, as ggml does, so that the numbers
 * are equal bit by bit.
 *
 * Source: ggml-quants.c of ggml.
 */
export const ggmlTypes: ReadonlyMap<number, GgmlType> = new Map([
  [0, { name: 'F32', numbers: 1, bytes: 4, decode: (bytes, out) => out.set(decodeNumbers('F32', bytes)) }],
  [1, { name: 'F16', numbers: 1, bytes: 2, decode: (bytes, out) => out.set(decodeNumbers('F16', bytes)) }],
  [30, { name: 'BF16', numbers: 1, bytes: 2, decode: (bytes, out) => out.set(decodeNumbers('BF16', bytes)) }],
  [
    2,
    {
      name: 'Q4_0',
      numbers: small,
      bytes: 18,
      decode: decodeNibbles({ bytes: 18, head: 2, value: centred(8) }),
    },
  ],
  [
    3,
    {
      name: 'Q4_1',
      numbers: small,
      bytes: 20,
      decode: decodeNibbles({ bytes: 20, head: 4, value: shifted }),
    },
  ],
  [
    6,
    {
      name: 'Q5_0',
      numbers: small,
      bytes: 22,
      decode: decodeNibbles({ bytes: 22, head: 6, fifthBits: 2, value: centred(16) }),
    },
  ],
  [
    7,
    {
      name: 'Q5_1',
      numbers: small,
      bytes: 24,
      decode: decodeNibbles({ bytes: 24, head: 8, fifthBits: 4, value: shifted }),
    },
  ],
  [8, { name: 'Q8_0', numbers: small, bytes: 34, decode: decodeQ8 }],
  [
    20,
    {
      name: 'IQ4_NL',
      numbers: small,
      bytes: 18,
      decode: decodeNibbles({ bytes: 18, head: 2, value: uneven }),
    },
  ],
  [10, { name: 'Q2_K', numbers: large, bytes: 84, decode: decodeQ2K }],
  [11, { name: 'Q3_K', numbers: large, bytes: 110, decode: decodeQ3K }],
  [12, { name: 'Q4_K', numbers: large, bytes: 144, decode: decodeK({ bytes: 144, hasFifthBits: false }) }],
  [13, { name: 'Q5_K', numbers: large, bytes: 176, decode: decodeK({ bytes: 176, hasFifthBits: true }) }],
  [14, { name: 'Q6_K', numbers: large, bytes: 210, decode: decodeQ6K }],
] satisfies readonly (readonly [number, GgmlType])[]);
