import { adamCoefficients } from '../adam-coefficients.ts';
import type { AdamArrays, KernelLoops } from '../kernel-loops.ts';
import { plainLoops } from '../plain-loops.ts';
import { adamFunction, adamParameters } from './adam.ts';
import { assemble } from './assemble.ts';
import { attendBackwardsFunction, attendFunction, type RowFunctionNumbers } from './attention.ts';
import { bagSumFunction } from './bag-sum.ts';
import { multiplyByRowsFunction, packWidenedFunction, widenFunction } from './bfloat16.ts';
import { logitSlopesFunction, shareSumsFunction } from './logits.ts';
import { multiplyPanelFunction, packColumnFunction, packRowsFunction } from './panel-product.ts';
import {
  addScaledFunction,
  dotsFunction,
  exponentialsFunction,
  largestFunction,
  weightedSumFunction,
} from './rows.ts';
import { simdAttention } from './simd-attention.ts';
import { simdBfloat16 } from './simd-bfloat16.ts';
import { simdProduct } from './simd-product.ts';
import { simdTokenLoops } from './simd-token-loops.ts';
import { sumOfSquaresFunction } from './sum-of-squares.ts';
import {
  gateFunction,
  gateGradientFunction,
  rmsNormFunction,
  rmsNormGradientFunction,
  rotateFunction,
} from './token-rows.ts';
import { instantiate, type WasmMemory } from './web-assembly.ts';

const lanes = 4;

/**
 * The loops in WebAssembly SIMD over arrays that lie in `memory`, which is shared with the tensor backend so that nothing is
 * copied. Three to six times as fast as {@link plainLoops}; sums run in float32. What does not fill a vector is left to
 * the plain loops.
 */
export function simdLoops(memory: WasmMemory): KernelLoops {
  const functions = moduleFunctions(memory);
  const { bagSum, adam, sumOfSquares } = functions;
  const addressOf = (array: Float32Array | Int32Array): number => {
    if (array.buffer !== memory.buffer)
      throw new TypeError('a SIMD kernel was given an array outside its memory');
    return array.byteOffset;
  };
  return {
    ...simdAttention(functions, addressOf),
    ...simdProduct(functions, addressOf),
    ...simdBfloat16(functions, addressOf),
    ...simdTokenLoops(functions, addressOf),
    bagSum: (table, bags, width, out) => {
      if (width % lanes !== 0) return plainLoops.bagSum(table, bags, width, out);
      bagSum(
        addressOf(table),
        addressOf(bags.members),
        addressOf(bags.start),
        bags.start.length - 1,
        width * 4,
        addressOf(out),
      );
    },
    adam: (from, gradient, constants, to) => {
      const whole = gradient.length - (gradient.length % lanes);
      const coefficients = adamCoefficients(constants);
      const addresses = [from.value, gradient, from.first, from.second, to.value, to.first, to.second].map(
        addressOf,
      );
      adam(...addresses, whole * 4, ...adamParameters.map((name) => coefficients[name]));
      plainLoops.adam(tail(from, whole), gradient.subarray(whole), constants, tail(to, whole));
    },
    sumOfSquares: (values) => {
      const whole = values.length - (values.length % lanes);
      return sumOfSquares(addressOf(values), whole * 4) + plainLoops.sumOfSquares(values.subarray(whole));
    },
  };
}

function tail(arrays: AdamArrays, from: number): AdamArrays {
  return {
    value: arrays.value.subarray(from),
    first: arrays.first.subarray(from),
    second: arrays.second.subarray(from),
  };
}

/** The functions of `rows.ts` and `widen`, where the module has them: first, so that others can call them by number. */
const rowNumbers: RowFunctionNumbers & { readonly widen: number } = {
  dots: 0,
  largest: 1,
  exponentials: 2,
  weightedSum: 3,
  addScaled: 4,
  widen: 5,
};

function moduleFunctions(memory: WasmMemory) {
  const rows = [
    dotsFunction(),
    largestFunction(),
    exponentialsFunction(),
    weightedSumFunction(),
    addScaledFunction(),
    widenFunction(),
  ];
  const attention = [attendFunction(rowNumbers), attendBackwardsFunction(rowNumbers)];
  const products = [multiplyPanelFunction(), packRowsFunction(), packColumnFunction()];
  const bfloat16 = [packWidenedFunction(), multiplyByRowsFunction(rowNumbers)];
  const tokens = [
    rmsNormFunction(),
    rmsNormGradientFunction(),
    gateFunction(),
    gateGradientFunction(),
    rotateFunction(),
    shareSumsFunction(),
    logitSlopesFunction(),
  ];
  const exports = instantiate(
    assemble([
      ...rows,
      ...attention,
      ...products,
      ...bfloat16,
      ...tokens,
      bagSumFunction(),
      adamFunction(),
      sumOfSquaresFunction(),
    ]),
    memory,
  );
  return {
    attend: callable(exports, 'attend'),
    attendBackwards: callable(exports, 'attendBackwards'),
    multiplyPanel: callable(exports, 'multiplyPanel'),
    packRows: callable(exports, 'packRows'),
    packColumn: callable(exports, 'packColumn'),
    widen: callable(exports, 'widen'),
    packWidened: callable(exports, 'packWidened'),
    multiplyByRows: callable(exports, 'multiplyByRows'),
    rmsNorm: callable(exports, 'rmsNorm'),
    rmsNormGradient: callable(exports, 'rmsNormGradient'),
    gate: callable(exports, 'gate'),
    gateGradient: callable(exports, 'gateGradient'),
    rotate: callable(exports, 'rotate'),
    largest: callable(exports, 'largest'),
    shareSums: callable(exports, 'shareSums'),
    logitSlopes: callable(exports, 'logitSlopes'),
    bagSum: callable(exports, 'bagSum'),
    adam: callable(exports, 'adam'),
    sumOfSquares: callable(exports, 'sumOfSquares'),
  };
}

function callable(exports: Readonly<Record<string, unknown>>, name: string): (...values: number[]) => number {
  const found = exports[name];
  if (typeof found !== 'function') throw new TypeError(`the module exports no function ${name}`);
  return (...values) => Number(Reflect.apply(found, undefined, values));
}
