import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KernelLoops, Rows } from '../../../trainers/model/kernels/kernel-loops.ts';
import { plainLoops } from '../../../trainers/model/kernels/plain-loops.ts';
import { assemble, Variables, type FunctionCode } from '../../../trainers/model/kernels/simd/assemble.ts';
import { get, i32, set, whileTrue, type Code } from '../../../trainers/model/kernels/simd/instructions.ts';
import { simdLoops } from '../../../trainers/model/kernels/simd/simd-loops.ts';
import { createMemory, instantiate } from '../../../trainers/model/kernels/simd/web-assembly.ts';

const memory = createMemory(8);

/** Runs a function without parameters. */
function run(code: Omit<FunctionCode, 'name' | 'result'>): unknown {
  const { answer } = instantiate(assemble([{ ...code, name: 'answer', result: 'i32' }]), memory);
  return typeof answer === 'function' ? Reflect.apply(answer, undefined, []) : undefined;
}

const returning = (body: Code): unknown => run({ parameters: [], locals: [], body });

describe('the assembler', () => {
  test('writes every constant as it is, also where its bytes grow by one', () => {
    const edges = [0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, -8192, -8193, 1 << 20, 2 ** 31 - 1, -(2 ** 31)];
    for (const edge of edges) expect(returning(i32.constant(edge)), String(edge)).toBe(edge);
    fc.assert(fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (value) => returning(i32.constant(value)) === value));
  });

  test('runs a loop as often as its condition holds', () => {
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

describe('the SIMD loops', () => {
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
  const numbers = (length: number): fc.Arbitrary<number[]> => fc.array(fc.float({ min: -8, max: 8, noNaN: true }), { minLength: length, maxLength: length });

  test('sum bags as the plain loops do, and write nowhere else', () => {
    const cases = fc.integer({ min: 1, max: 40 }).chain((width) =>
      fc.record({ width: fc.constant(width), table: numbers(5 * width), bags: fc.array(fc.array(fc.nat(4), { maxLength: 9 }), { minLength: 1, maxLength: 4 }) }),
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

  test('take AdamW steps and sum squares as the plain loops do', () => {
    const constants = { learningRate: 0.1, beta1: 0.9, beta2: 0.99, epsilon: 1e-3, weightDecay: 0.2, gradientScale: 0.5, step: 4 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }).chain((length) => fc.tuple(numbers(length), numbers(length), numbers(length), numbers(length))), (drawn) => {
        next = 16;
        const [value, gradient, first, root] = drawn;
        const from = { value: place(value), first: place(first), second: place(root.map((x) => x * x)) };
        const slopes = place(gradient);
        const blank = (): Float32Array => place(value.map(() => 0));
        const to = { value: blank(), first: blank(), second: blank() };
        loops.adam(from, slopes, constants, to);
        const expected = { value: new Float32Array(value.length), first: new Float32Array(value.length), second: new Float32Array(value.length) };
        plainLoops.adam(from, slopes, constants, expected);
        for (const part of ['value', 'first', 'second'] as const) expectNear(to[part], expected[part]);
        expect(loops.sumOfSquares(slopes)).toBeCloseTo(plainLoops.sumOfSquares(slopes), 9);
      }),
    );
  });

  describe('over rows', () => {
    const rowCases = fc.record({ count: fc.integer({ min: 1, max: 19 }), width: fc.constantFrom(4, 8, 20, 32, 36, 64, 100, 128, 5, 30), apart: fc.constantFrom(0, 4, 7), seed: fc.nat() });
    /** Equal arrays for both loops, between numbers that must stay. */
    const prepare = ({ count, width, apart, seed }: { readonly count: number; readonly width: number; readonly apart: number; readonly seed: number }) => {
      next = 16;
      let state = seed >>> 0;
      const draw = (): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return state / 2 ** 30 - 2;
      };
      const stride = width + apart;
      const values = Array.from({ length: 3 + count * stride + 8 }, draw);
      const [vector, weights] = [Array.from({ length: 2 + width + 8 }, draw), Array.from({ length: 24 }, draw)];
      const rowsOf = (array: Float32Array): Rows => ({ values: array, at: 3, stride, count, width });
      const mine = { rows: rowsOf(place(values)), vector: place(vector), weights: place(weights) };
      const plain = { rows: rowsOf(Float32Array.from(values)), vector: Float32Array.from(vector), weights: Float32Array.from(weights) };
      return { mine, plain };
    };

    test('multiply, weigh and add as the plain ones do, and write nowhere else', () => {
      fc.assert(
        fc.property(rowCases, (drawn) => {
          const { mine, plain } = prepare(drawn);
          for (const [own, { rows, vector, weights }] of [[loops, mine], [plainLoops, plain]] as const) {
            own.addScaled(weights, { values: vector, at: 2 }, rows);
            own.weightedSum(weights, rows, 0.25, { values: vector, at: 2 });
            own.dots({ values: vector, at: 2 }, rows, 0.5, weights);
          }
          expectNear(mine.rows.values, plain.rows.values);
          expectNear(mine.vector, plain.vector, 1e-5);
          expectNear(mine.weights, plain.weights, 1e-4);
        }),
      );
    });

    test('exponentiate as the plain ones do, at any shift, and write no further than the vector', () => {
      fc.assert(
        fc.property(fc.array(fc.float({ min: -120, max: 40, noNaN: true }), { minLength: 1, maxLength: 23 }), fc.option(fc.float({ min: -1, max: 3, noNaN: true }), { nil: undefined }), (values, shift) => {
          next = 16;
          const whole = 4 * Math.ceil(values.length / 4);
          const mine = place([...values, ...Array.from({ length: whole + 4 - values.length }, () => 77)]);
          const plain = Float32Array.from(values);
          const got = loops.exponentials(mine, values.length, shift);
          const expected = plainLoops.exponentials(plain, values.length, shift);
          for (const [at, value] of plain.entries()) expect(Math.abs((mine[at] ?? Number.NaN) - value)).toBeLessThanOrEqual(1e-5 * value + 2e-38); // the difference is rounded to float32 first
          expect(Math.abs(got.sum - expected.sum)).toBeLessThanOrEqual(1e-5 * expected.sum + 1e-36);
          expect(got.shift).toBe(expected.shift);
          expect([...mine.subarray(whole)]).toEqual([77, 77, 77, 77]);
        }),
      );
    });

    test('exponentiate within two roundings where nothing is shifted', () => {
      next = 16;
      const powers = Array.from({ length: 1001 }, (_, step) => Math.fround((step - 500) / 6));
      const mine = place([...powers, 0, 0, 0]);
      loops.exponentials(mine, powers.length, 0);
      for (const [at, power] of powers.entries()) expect(Math.abs((mine[at] ?? Number.NaN) / Math.exp(power) - 1)).toBeLessThan(2.4e-7);
    });

    test('leave what is no number none, and make 0 of minus infinity', () => {
      next = 16;
      const mine = place([1, Number.NaN, Number.NEGATIVE_INFINITY, -1000]);
      loops.exponentials(mine, 4, 1);
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
    expect(Math.abs((actual[at] ?? Number.NaN) - value)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(value)));
  }
}
