import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KernelLoops } from '../../models/kernels/kernel-loops.ts';
import { plainLoops } from '../../models/kernels/plain-loops.ts';
import { assemble, Variables, type FunctionCode } from '../../models/kernels/simd/assemble.ts';
import { get, i32, set, whileTrue, type Code } from '../../models/kernels/simd/instructions.ts';
import { exponentialsFunction } from '../../models/kernels/simd/rows.ts';
import { simdLoops } from '../../models/kernels/simd/simd-loops.ts';
import { createMemory, instantiate } from '../../models/kernels/simd/web-assembly.ts';

const memory = createMemory(8);

/** Runs a function without parameters. */
function run(code: Omit<FunctionCode, 'name' | 'result'>): unknown {
  const { answer } = instantiate(assemble([{ ...code, name: 'answer', result: 'i32' }]), memory);
  return typeof answer === 'function' ? Reflect.apply(answer, undefined, []) : undefined;
}

const returning = (body: Code): unknown => run({ parameters: [], locals: [], body });

describe('WebAssembly assembler', () => {
  test('encodes every constant exactly, even where its encoding grows by a byte', () => {
    const edges = [
      0,
      1,
      -1,
      63,
      64,
      -64,
      -65,
      127,
      128,
      8191,
      8192,
      -8192,
      -8193,
      1 << 20,
      2 ** 31 - 1,
      -(2 ** 31),
    ];
    for (const edge of edges) expect(returning(i32.constant(edge)), String(edge)).toBe(edge);
    fc.assert(
      fc.property(
        fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        (value) => returning(i32.constant(value)) === value,
      ),
    );
  });

  test('repeats a loop while its condition holds', () => {
    const variables = new Variables();
    const [sum, count] = [variables.local('i32'), variables.local('i32')];
    const body = [
      ...whileTrue(
        i32.lessUnsigned(get(count), i32.constant(10)),
        set(count, i32.add(get(count), i32.constant(1))),
        set(sum, i32.add(get(sum), i32.multiply(get(count), get(count)))),
      ),
      ...get(sum),
    ];
    expect(run({ parameters: variables.parameters, locals: variables.locals, body })).toBe(385);
  });

  test('refuses a parameter after a local variable', () => {
    const variables = new Variables();
    variables.local('i32');
    expect(() => variables.parameter('i32')).toThrow('parameters come before');
  });
});

describe('SIMD loops', () => {
  const loops: KernelLoops = simdLoops(memory);
  let next = 0;
  const place = (values: readonly number[]): Float32Array => {
    const array = new Float32Array(memory.buffer, next, values.length);
    next += 4 * values.length;
    array.set(values);
    return array;
  };
  const integers = (values: readonly number[]): Int32Array => {
    const array = new Int32Array(memory.buffer, next, values.length);
    next += 4 * values.length;
    array.set(values);
    return array;
  };
  const numbers = (length: number): fc.Arbitrary<number[]> =>
    fc.array(fc.float({ min: -8, max: 8, noNaN: true }), { minLength: length, maxLength: length });

  test('sum bags like the plain loops, and write nowhere else', () => {
    const cases = fc.integer({ min: 1, max: 40 }).chain((width) =>
      fc.record({
        width: fc.constant(width),
        table: numbers(5 * width),
        bags: fc.array(fc.array(fc.nat(4), { maxLength: 9 }), { minLength: 1, maxLength: 4 }),
      }),
    );
    fc.assert(
      fc.property(cases, ({ width, table, bags }) => {
        next = 16;
        const start = [0];
        for (const bag of bags) start.push((start.at(-1) ?? 0) + bag.length);
        const [values, packed] = [place(table), { members: integers(bags.flat()), start: integers(start) }];
        const out = place(Array.from({ length: bags.length * width + 8 }, () => 77));
        loops.bagSum(values, packed, width, out.subarray(0, bags.length * width));
        const expected = new Float32Array(bags.length * width);
        plainLoops.bagSum(values, packed, width, expected);
        expectNear(out.subarray(0, expected.length), expected);
        expect([...out.subarray(bags.length * width)]).toEqual(Array.from({ length: 8 }, () => 77));
      }),
    );
  });

  test('take AdamW steps and sum squares like the plain loops', () => {
    const constants = {
      learningRate: 0.1,
      beta1: 0.9,
      beta2: 0.99,
      epsilon: 1e-3,
      weightDecay: 0.2,
      gradientScale: 0.5,
      step: 4,
    };
    fc.assert(
      fc.property(
        fc
          .integer({ min: 0, max: 30 })
          .chain((length) => fc.tuple(numbers(length), numbers(length), numbers(length), numbers(length))),
        (drawn) => {
          next = 16;
          const [value, gradient, first, root] = drawn;
          const from = { value: place(value), first: place(first), second: place(root.map((x) => x * x)) };
          const slopes = place(gradient);
          const blank = (): Float32Array => place(value.map(() => 0));
          const to = { value: blank(), first: blank(), second: blank() };
          loops.adam(from, slopes, constants, to);
          const expected = {
            value: new Float32Array(value.length),
            first: new Float32Array(value.length),
            second: new Float32Array(value.length),
          };
          plainLoops.adam(from, slopes, constants, expected);
          for (const part of ['value', 'first', 'second'] as const) expectNear(to[part], expected[part]);
          expect(loops.sumOfSquares(slopes)).toBeCloseTo(plainLoops.sumOfSquares(slopes), 9);
        },
      ),
    );
  });

  /** What loops make of inputs and of room for outputs, which must be the same in both kinds; behind every output four numbers stay as they are. */
  const compare = (
    inputs: Readonly<Record<string, readonly number[]>>,
    outputs: Readonly<Record<string, number>>,
    body: (own: KernelLoops, arrays: Record<string, Float32Array>) => void,
    tolerance = 1e-5,
  ): void => {
    next = 16;
    const results = [loops, plainLoops].map((own) => {
      const make = (values: readonly number[]): Float32Array =>
        own === loops ? place(values) : Float32Array.from(values);
      const made = Object.entries(outputs).map(
        ([name, size]) => [name, make(Array.from({ length: size + 4 }, () => 77))] as const,
      );
      const used = made.map(([name, array]) => [name, array.subarray(0, array.length - 4)] as const);
      body(own, {
        ...Object.fromEntries(Object.entries(inputs).map(([name, values]) => [name, make(values)])),
        ...Object.fromEntries(used),
      });
      for (const [name, array] of made) expect([...array.subarray(-4)], name).toEqual([77, 77, 77, 77]);
      return used;
    });
    for (const [at, [name, values]] of (results[0] ?? []).entries())
      if (!name.startsWith('room'))
        expectNear(values, results[1]?.[at]?.[1] ?? new Float32Array(0), tolerance);
  };
  const draw = (seed: number, length: number): number[] => {
    let state = seed >>> 0;
    return Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 30 - 2;
    });
  };
  const of = (arrays: Record<string, Float32Array>, name: string): Float32Array =>
    arrays[name] as Float32Array;

  test('compute attention and its gradient like the plain loops', () => {
    const sizes = fc.constantFrom(4, 8, 20, 32, 36, 64, 100, 5, 30);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 3 })),
        sizes,
        fc.nat(),
        (tokens, [keyValueHeads, share], size, seed) => {
          const heads = keyValueHeads * share;
          const keys = 11;
          const ends = draw(seed, 2 * tokens).map((value) => Math.floor(((value + 2) / 4) * keys));
          const sight = (which: 0 | 1): Int32Array =>
            Int32Array.from(
              { length: tokens },
              (_, token) =>
                [
                  Math.min(...ends.slice(2 * token, 2 * token + 2)),
                  Math.max(...ends.slice(2 * token, 2 * token + 2)),
                ][which] as number,
            );
          const [wide, narrow] = [tokens * heads * size, keys * keyValueHeads * size];
          const inputs = {
            query: draw(seed + 1, wide),
            key: draw(seed + 2, narrow),
            value: draw(seed + 3, narrow),
            overOutput: draw(seed + 4, wide),
          };
          const outputs = {
            output: wide,
            logSum: tokens * heads,
            overQuery: wide,
            overKey: narrow,
            overValue: narrow,
            roomScores: 16,
            roomOver: 16,
            roomShifts: tokens * heads,
          };
          compare(
            inputs,
            outputs,
            (own, arrays) => {
              const spread = (values: Int32Array): Int32Array =>
                own === loops ? integers([...values]) : values;
              const given = {
                heads,
                keyValueHeads,
                size,
                from: spread(sight(0)),
                until: spread(sight(1)),
                query: of(arrays, 'query'),
                key: of(arrays, 'key'),
                value: of(arrays, 'value'),
              };
              const [scores, output, logSum] = [
                of(arrays, 'roomScores'),
                of(arrays, 'output'),
                of(arrays, 'logSum'),
              ];
              own.attend(given, { output, logSum, scores, shifts: of(arrays, 'roomShifts') });
              const made = {
                query: of(arrays, 'overQuery'),
                key: of(arrays, 'overKey'),
                value: of(arrays, 'overValue'),
              };
              own.attendBackwards(
                { ...given, output, logSum, overOutput: of(arrays, 'overOutput') },
                { ...made, scores, overScores: of(arrays, 'roomOver') },
              );
            },
            2e-4, // scores of up to 100, in float32
          );
        },
      ),
    );
  });

  test('normalise rows, gate and rotate pairs like the plain loops, gradients included', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 13 }),
        fc.nat(),
        (rows, half, seed) => {
          const size = rows * 2 * half;
          const inputs = {
            x: draw(seed, size),
            other: draw(seed + 1, size),
            gradient: draw(seed + 2, size),
            scale: draw(seed + 3, 2 * half),
            cos: draw(seed + 4, rows * half),
            sin: draw(seed + 5, rows * half),
          };
          const outputs = {
            normed: size,
            overX: size,
            overScale: 2 * half,
            gated: size,
            overGating: size,
            overUp: size,
            turned: size,
            turnedAsOne: size,
          };
          compare(inputs, outputs, (own, arrays) => {
            const norm = { x: of(arrays, 'x'), scale: of(arrays, 'scale'), epsilon: 0.1 };
            own.rmsNorm(norm, of(arrays, 'normed'));
            own.rmsNormGradient(norm, of(arrays, 'gradient'), {
              x: of(arrays, 'overX'),
              scale: of(arrays, 'overScale'),
            });
            const gated = { gating: of(arrays, 'x'), up: of(arrays, 'other') };
            own.gate(gated, of(arrays, 'gated'));
            own.gateGradient(gated, of(arrays, 'gradient'), {
              gating: of(arrays, 'overGating'),
              up: of(arrays, 'overUp'),
            });
            const turned = { x: of(arrays, 'x'), cos: of(arrays, 'cos'), sin: of(arrays, 'sin') };
            own.rotate({ ...turned, heads: 1, pairs: half }, of(arrays, 'turned'));
            own.rotate({ ...turned, heads: rows, pairs: half }, of(arrays, 'turnedAsOne'));
          });
        },
      ),
    );
  });

  test('score rows of logits like the plain loops, gradients included', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 23 }),
        fc.nat(),
        fc.constantFrom(0.7, 1, 6),
        (rows, width, seed, factor) => {
          const inputs = {
            logits: draw(seed, rows * width).map((value, at) => ((at % width) % 5 === 4 ? -1e30 : value)),
            overLogprob: draw(seed + 1, rows),
            overEntropy: draw(seed + 2, rows),
          };
          compare(
            inputs,
            { logprob: rows, logSum: rows, entropy: rows, overLogits: rows * width },
            (own, arrays) => {
              const given = {
                logits: of(arrays, 'logits'),
                targets: Int32Array.from({ length: rows }, (_, row) => (seed + row) % width),
                factor,
              };
              const scores = {
                logprob: of(arrays, 'logprob'),
                logSum: of(arrays, 'logSum'),
                entropy: of(arrays, 'entropy'),
              };
              own.scoreRows(given, scores);
              own.scoreRowsGradient(
                given,
                { ...scores, overLogprob: of(arrays, 'overLogprob'), overEntropy: of(arrays, 'overEntropy') },
                of(arrays, 'overLogits'),
              );
            },
            1e-4,
          ); // exponents of up to 24, in float32
        },
      ),
    );
  });

  describe('SIMD exponentials', () => {
    const { exponentials } = instantiate(assemble([exponentialsFunction()]), memory);
    const exponentiate = (values: Float32Array, shift: number): number =>
      typeof exponentials === 'function'
        ? Number(Reflect.apply(exponentials, undefined, [values.byteOffset, values.byteLength, shift]))
        : Number.NaN;

    test('differ from Math.exp by two roundings at most, as does their sum', () => {
      next = 16;
      const powers = Array.from({ length: 1000 }, (_, step) => Math.fround((step - 500) / 6));
      const mine = place([...powers, 77]);
      const sum = exponentiate(mine.subarray(0, powers.length), 0);
      for (const [at, power] of powers.entries())
        expect(Math.abs((mine[at] ?? Number.NaN) / Math.exp(power) - 1)).toBeLessThan(2.4e-7);
      expect(mine[powers.length]).toBe(77);
      expect(sum / powers.reduce((total, power) => total + Math.exp(power), 0)).toBeCloseTo(1, 6);
    });

    test('keep NaN, and return 0 for minus infinity', () => {
      next = 16;
      const mine = place([1, Number.NaN, Number.NEGATIVE_INFINITY, -1000]);
      exponentiate(mine, 1);
      expect([...mine]).toEqual([1, Number.NaN, 0, 0]);
    });
  });
  test('refuse arrays outside their memory', () => {
    expect(() => loops.sumOfSquares(new Float32Array(4))).toThrow('outside its memory');
  });
});

/** Within a few roundings of float32. */
function expectNear(actual: Float32Array, expected: Float32Array, tolerance = 1e-5): void {
  for (const [at, value] of expected.entries()) {
    expect(Math.abs((actual[at] ?? Number.NaN) - value)).toBeLessThanOrEqual(
      tolerance * Math.max(1, Math.abs(value)),
    );
  }
}
