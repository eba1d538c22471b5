import { Variables, type FunctionCode } from './assemble.ts';
import { advance, below, integers, sumOfLanes, vectorBytes, vectors } from './counting.ts';
import { exponential, exponentialRoom } from './exponential.ts';
import { f32, f32x4, get, i32, set, v128, whileTrue, type Code, type Variable } from './instructions.ts';

/**
 * `shareSums(logits, bytes, factor, shift, weighted)`: with z = factor * logit - shift the sum of e^z, and at `weighted` that of z e^z;
 * `bytes` is a multiple of 16.
 */
export function shareSumsFunction(): FunctionCode {
  const variables = new Variables();
  const [logits, bytes] = integers(variables, 'parameter', 2) as [Variable, Variable];
  const [factor, shift] = [variables.parameter('f32'), variables.parameter('f32')];
  const [weighted, end] = [variables.parameter('i32'), variables.local('i32')];
  const [power, share, sum, weightedSum] = vectors(variables, 4) as [Variable, Variable, Variable, Variable];
  const room = exponentialRoom(variables);
  const body = [
    ...set(end, i32.add(get(logits), get(bytes))),
    ...whileTrue(
      below(logits, end),
      set(power, scaledLogits(logits, factor, shift)),
      set(share, get(power)),
      exponential(share, room),
      set(sum, f32x4.add(get(sum), get(share))),
      set(weightedSum, f32x4.add(get(weightedSum), f32x4.multiply(get(share), get(power)))),
      advance(logits, i32.constant(vectorBytes)),
    ),
    ...f32.store(get(weighted), sumOfLanes(weightedSum)),
    ...sumOfLanes(sum),
  ];
  return {
    name: 'shareSums',
    parameters: variables.parameters,
    locals: variables.locals,
    result: 'f32',
    body,
  };
}

/**
 * `logitSlopes(logits, bytes, factor, logSum, slope, entropySlope, entropy, out)`: with z = factor * logit - logSum the gradient by each
 * logit but for what the target alone has, -factor e^z (slope + entropySlope (z + entropy)); `bytes` is a multiple of 16.
 */
export function logitSlopesFunction(): FunctionCode {
  const variables = new Variables();
  const [logits, bytes] = integers(variables, 'parameter', 2) as [Variable, Variable];
  const [factor, logSum, slope, entropySlope, entropy] = Array.from({ length: 5 }, () =>
    variables.parameter('f32'),
  ) as [Variable, Variable, Variable, Variable, Variable];
  const [out, end] = [variables.parameter('i32'), variables.local('i32')];
  const [power, share] = vectors(variables, 2) as [Variable, Variable];
  const room = exponentialRoom(variables);
  const ofEntropy = f32x4.multiply(
    f32x4.splat(get(entropySlope)),
    f32x4.add(get(power), f32x4.splat(get(entropy))),
  );
  const body = [
    ...set(end, i32.add(get(logits), get(bytes))),
    ...whileTrue(
      below(logits, end),
      set(power, scaledLogits(logits, factor, logSum)),
      set(share, get(power)),
      exponential(share, room),
      v128.store(
        get(out),
        f32x4.subtract(
          v128.zero,
          f32x4.multiply(
            f32x4.multiply(f32x4.splat(get(factor)), get(share)),
            f32x4.add(f32x4.splat(get(slope)), ofEntropy),
          ),
        ),
      ),
      ...[logits, out].map((pointer) => advance(pointer, i32.constant(vectorBytes))),
    ),
  ];
  return {
    name: 'logitSlopes',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

const scaledLogits = (logits: Variable, factor: Variable, shift: Variable): Code =>
  f32x4.subtract(f32x4.multiply(v128.load(get(logits)), f32x4.splat(get(factor))), f32x4.splat(get(shift)));
