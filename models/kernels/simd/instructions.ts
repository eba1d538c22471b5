/**
 * WebAssembly code as bytes, written inside out like its text format: `i32.add(get(a), get(b))`. Only what our kernels use.
 * Opcodes: WebAssembly core specification 2.0, section 5.4.
 */
export type Code = readonly number[];

/** A float32 four times, as bytes. */
const fourTimes = (value: number): Code =>
  Array.from({ length: 4 }, () => [...new Uint8Array(Float32Array.of(value).buffer)]).flat();

/** The kinds of value, by their byte in the binary format. */
export const valueType = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;
export type ValueType = keyof typeof valueType;

/** A parameter or local variable of a function. */
export interface Variable {
  readonly index: number;
  readonly type: ValueType;
}

/** An unsigned number in LEB128. */
export function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** A signed number in LEB128. */
function signed(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const low = rest & 0x7f;
    const isLast = (rest >> 6 === 0 || rest >> 6 === -1) && rest >> 7 === (low & 0x40 ? -1 : 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}

export const get = (variable: Variable): Code => [0x20, ...unsigned(variable.index)];
export const set = (variable: Variable, value: Code): Code => [...value, 0x21, ...unsigned(variable.index)];

export const drop = (value: Code): Code => [...value, 0x1a];

/** Calls the module's function of that number, in the order in which they are assembled. */
export const call = (index: number, ...values: readonly Code[]): Code => [
  ...values.flat(),
  0x10,
  ...unsigned(index),
];

/** Runs the body as long as the condition holds. */
export function whileTrue(condition: Code, ...body: readonly Code[]): Code {
  const leaveUnless = [...condition, 0x45, 0x0d, 1]; // i32.eqz, br_if to the block around the loop
  return [0x02, 0x40, 0x03, 0x40, ...leaveUnless, ...body.flat(), 0x0c, 0, 0x0b, 0x0b];
}

const unary =
  (...opcode: number[]) =>
  (operand: Code): Code => [...operand, ...opcode];
const binary =
  (...opcode: number[]) =>
  (left: Code, right: Code): Code => [...left, ...right, ...opcode];
/** An instruction of the vector extension: prefix 0xfd and a number in LEB128. */
const vector = (number: number): number[] => [0xfd, ...unsigned(number)];

export const i32 = {
  constant: (value: number): Code => [0x41, ...signed(value)],
  /** The number at `address + offset`. */
  load: (address: Code, offset = 0): Code => [...address, 0x28, 2, ...unsigned(offset)],
  add: binary(0x6a),
  subtract: binary(0x6b),
  multiply: binary(0x6c),
  shiftRight: (operand: Code, bits: number): Code => [...operand, 0x41, ...signed(bits), 0x76],
  lessUnsigned: binary(0x49),
  atMostUnsigned: binary(0x4d),
  /** Both operands are worked out twice. */
  smallerUnsigned: (left: Code, right: Code): Code => [...left, ...right, ...left, ...right, 0x49, 0x1b],
} as const;

export const f32 = {
  load: (address: Code, offset = 0): Code => [...address, 0x2a, 2, ...unsigned(offset)],
  store: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    0x38,
    2,
    ...unsigned(offset),
  ],
  constant: (value: number): Code => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)],
  add: binary(0x92),
  multiply: binary(0x94),
  divide: binary(0x95),
  larger: binary(0x97),
} as const;

export const f64 = { add: binary(0xa0) } as const;

export const v128 = {
  /** Four numbers from `address + offset`, which need only be a multiple of 4. */
  load: (address: Code, offset = 0): Code => [...address, ...vector(0), 2, ...unsigned(offset)],
  /** One number four times. */
  loadSplat: (address: Code): Code => [...address, ...vector(9), 2, 0],
  store: (address: Code, value: Code, offset = 0): Code => [
    ...address,
    ...value,
    ...vector(11),
    2,
    ...unsigned(offset),
  ],
  /** The bits that both operands have. */
  and: binary(...vector(78)),
  /** The bits of the left operand that the right one has not. */
  without: binary(...vector(79)),
  zero: [...vector(12), ...Array.from({ length: 16 }, () => 0)] as Code,
} as const;

export const f32x4 = {
  splat: unary(...vector(19)),
  add: binary(...vector(228)),
  subtract: binary(...vector(229)),
  multiply: binary(...vector(230)),
  divide: binary(...vector(231)),
  squareRoot: unary(...vector(227)),
  larger: binary(...vector(233)),
  /** The left operand or, where it is above the right one, that; no number stays none. */
  notAbove: binary(...vector(234)),
  notBelow: binary(...vector(235)),
  /** All bits where it is so, else none, as where one is no number. */
  isAtMost: binary(...vector(69)),
  lane: (operand: Code, lane: 0 | 1 | 2 | 3): Code => [...operand, ...vector(31), lane],
  constant: (value: number): Code => [...vector(12), ...fourTimes(value)],
  /** Lanes 0 to 3 are of the left operand, 4 to 7 of the right one. */
  pick: (left: Code, right: Code, lanes: readonly [number, number, number, number]): Code => [
    ...left,
    ...right,
    ...vector(13),
    ...lanes.flatMap((lane) => [0, 1, 2, 3].map((byte) => 4 * lane + byte)),
  ],
  /** Its upper two numbers in the place of the lower two. */
  highHalf: (operand: Code): Code => [
    ...operand,
    ...operand,
    ...vector(13),
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
    8,
    9,
    10,
    11,
    12,
    13,
    14,
    15,
  ],
} as const;

export const i32x4 = {
  splat: unary(...vector(17)),
  shiftLeft: (operand: Code, bits: number): Code => [...operand, ...i32.constant(bits), ...vector(171)],
  /** The lower four of eight unsigned 16-bit numbers. */
  extendLow: unary(...vector(169)),
  extendHigh: unary(...vector(170)),
} as const;

export const f64x2 = {
  /** The lower two of four float32. */
  promoteLow: unary(...vector(95)),
  add: binary(...vector(240)),
  multiply: binary(...vector(242)),
  lane: (operand: Code, lane: 0 | 1): Code => [...operand, ...vector(33), lane],
} as const;
