import { Variables, type FunctionCode } from './assemble.ts';
import { advance, below, integers, sumOfLanes, vectorBytes, vectors } from './counting.ts';
import { exponential, exponentialRoom, type ExponentialRoom } from './exponential.ts';
import { f32x4, get, i32, set, v128, whileTrue, type Code, type Variable } from './instructions.ts';

const next = i32.constant(vectorBytes);
const one = f32x4.constant(1);

/** One over the root of the mean square, of `share` times the sum of the lanes and `epsilon`, four times. */
function inverseRoot(squares: Variable, share: Variable, epsilon: Variable): Code {
  const mean = f32x4.multiply(f32x4.splat(sumOfLanes(squares)), f32x4.splat(get(share)));
  return f32x4.divide(one, f32x4.squareRoot(f32x4.add(mean, f32x4.splat(get(epsilon)))));
}

/**
 * `rmsNorm(x, end, scale, bytes, epsilon, share, out)`: each row of `bytes`, a multiple of 16, from x to `end`, over its root mean square,
 * times the scale. `share` is one over the numbers of a row.
 */
export function rmsNormFunction(): FunctionCode {
  const variables = new Variables();
  const [x, end, scale, bytes] = integers(variables, 'parameter', 4) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const [epsilon, share] = [variables.parameter('f32'), variables.parameter('f32')];
  const out = variables.parameter('i32');
  const [at, rowEnd, scaleAt] = integers(variables, 'local', 3) as [Variable, Variable, Variable];
  const [squares, inverse] = vectors(variables, 2) as [Variable, Variable];
  const square = (values: Code): Code => f32x4.multiply(values, values);
  const body = whileTrue(
    below(x, end),
    set(rowEnd, i32.add(get(x), get(bytes))),
    set(at, get(x)),
    set(squares, v128.zero),
    whileTrue(
      below(at, rowEnd),
      set(squares, f32x4.add(get(squares), square(v128.load(get(at))))),
      advance(at, next),
    ),
    set(inverse, inverseRoot(squares, share, epsilon)),
    set(scaleAt, get(scale)),
    whileTrue(
      below(x, rowEnd),
      v128.store(
        get(out),
        f32x4.multiply(f32x4.multiply(v128.load(get(x)), get(inverse)), v128.load(get(scaleAt))),
      ),
      ...[x, scaleAt, out].map((pointer) => advance(pointer, next)),
    ),
  );
  return {
    name: 'rmsNorm',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/** `rmsNormGradient(x, end, scale, bytes, epsilon, share, gradient, overX, overScale)`: the gradient by x, and that by the scale added to what is there. */
export function rmsNormGradientFunction(): FunctionCode {
  const variables = new Variables();
  const [x, end, scale, bytes] = integers(variables, 'parameter', 4) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const [epsilon, share] = [variables.parameter('f32'), variables.parameter('f32')];
  const [gradient, overX, overScale] = integers(variables, 'parameter', 3) as [Variable, Variable, Variable];
  const [at, rowEnd, scaleAt, gradientAt, overScaleAt] = integers(variables, 'local', 5) as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const [squares, products, inverse, along, four, normed, slope] = vectors(variables, 7) as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const body = whileTrue(
    below(x, end),
    set(rowEnd, i32.add(get(x), get(bytes))),
    set(at, get(x)),
    set(scaleAt, get(scale)),
    set(gradientAt, get(gradient)),
    set(squares, v128.zero),
    set(products, v128.zero),
    whileTrue(
      below(at, rowEnd),
      set(four, v128.load(get(at))),
      set(squares, f32x4.add(get(squares), f32x4.multiply(get(four), get(four)))),
      set(
        products,
        f32x4.add(
          get(products),
          f32x4.multiply(f32x4.multiply(v128.load(get(gradientAt)), v128.load(get(scaleAt))), get(four)),
        ),
      ),
      ...[at, scaleAt, gradientAt].map((pointer) => advance(pointer, next)),
    ),
    set(inverse, inverseRoot(squares, share, epsilon)),
    set(
      along,
      f32x4.multiply(
        f32x4.multiply(f32x4.splat(sumOfLanes(products)), f32x4.splat(get(share))),
        get(inverse),
      ),
    ),
    set(scaleAt, get(scale)),
    set(overScaleAt, get(overScale)),
    whileTrue(
      below(x, rowEnd),
      set(normed, f32x4.multiply(v128.load(get(x)), get(inverse))),
      set(slope, v128.load(get(gradient))),
      v128.store(
        get(overX),
        f32x4.multiply(
          get(inverse),
          f32x4.subtract(
            f32x4.multiply(get(slope), v128.load(get(scaleAt))),
            f32x4.multiply(get(normed), get(along)),
          ),
        ),
      ),
      v128.store(
        get(overScaleAt),
        f32x4.add(v128.load(get(overScaleAt)), f32x4.multiply(get(slope), get(normed))),
      ),
      ...[x, gradient, overX, scaleAt, overScaleAt].map((pointer) => advance(pointer, next)),
    ),
  );
  return {
    name: 'rmsNormGradient',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/** Puts sigmoid of the four numbers of `given` into `open`. */
function sigmoid(given: Variable, open: Variable, room: ExponentialRoom): Code {
  return [
    ...set(open, f32x4.subtract(v128.zero, get(given))),
    ...exponential(open, room),
    ...set(open, f32x4.divide(one, f32x4.add(one, get(open)))),
  ];
}

/** `gate(gating, end, up, out)`: silu(gating) times up, of whole vectors. */
export function gateFunction(): FunctionCode {
  const variables = new Variables();
  const [gating, end, up, out] = integers(variables, 'parameter', 4) as [
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const [value, open] = vectors(variables, 2) as [Variable, Variable];
  const room = exponentialRoom(variables);
  const body = whileTrue(
    below(gating, end),
    set(value, v128.load(get(gating))),
    sigmoid(value, open, room),
    v128.store(get(out), f32x4.multiply(f32x4.multiply(get(value), get(open)), v128.load(get(up)))),
    ...[gating, up, out].map((pointer) => advance(pointer, next)),
  );
  return {
    name: 'gate',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/** `gateGradient(gating, end, up, gradient, overGating, overUp)`, of whole vectors. */
export function gateGradientFunction(): FunctionCode {
  const variables = new Variables();
  const [gating, end, up, gradient, overGating, overUp] = integers(variables, 'parameter', 6) as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const [value, open, slope] = vectors(variables, 3) as [Variable, Variable, Variable];
  const room = exponentialRoom(variables);
  const bend = f32x4.multiply(
    get(open),
    f32x4.add(one, f32x4.multiply(get(value), f32x4.subtract(one, get(open)))),
  );
  const body = whileTrue(
    below(gating, end),
    set(value, v128.load(get(gating))),
    sigmoid(value, open, room),
    set(slope, v128.load(get(gradient))),
    v128.store(get(overGating), f32x4.multiply(f32x4.multiply(get(slope), v128.load(get(up))), bend)),
    v128.store(get(overUp), f32x4.multiply(get(slope), f32x4.multiply(get(value), get(open)))),
    ...[gating, up, gradient, overGating, overUp].map((pointer) => advance(pointer, next)),
  );
  return {
    name: 'gateGradient',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}

/** `rotate(x, end, cos, sin, heads, bytes, out)`: turns the halves of every head, of `bytes` each, a multiple of 16, by its token's angles. */
export function rotateFunction(): FunctionCode {
  const variables = new Variables();
  const [x, end, cos, sin, heads, bytes, out] = integers(variables, 'parameter', 7) as [
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
    Variable,
  ];
  const [head, at, far] = integers(variables, 'local', 3) as [Variable, Variable, Variable];
  const [across, aside, left, right] = vectors(variables, 4) as [Variable, Variable, Variable, Variable];
  const atHalf = (base: Variable): Code => i32.add(get(base), get(at));
  const farHalf = (base: Variable): Code => i32.add(get(base), get(far));
  const body = whileTrue(
    below(x, end),
    set(head, i32.constant(0)),
    whileTrue(
      below(head, heads),
      set(at, i32.constant(0)),
      whileTrue(
        below(at, bytes),
        set(far, i32.add(get(at), get(bytes))),
        set(across, v128.load(atHalf(cos))),
        set(aside, v128.load(atHalf(sin))),
        set(left, v128.load(atHalf(x))),
        set(right, v128.load(farHalf(x))),
        v128.store(
          atHalf(out),
          f32x4.subtract(f32x4.multiply(get(left), get(across)), f32x4.multiply(get(right), get(aside))),
        ),
        v128.store(
          farHalf(out),
          f32x4.add(f32x4.multiply(get(right), get(across)), f32x4.multiply(get(left), get(aside))),
        ),
        advance(at, next),
      ),
      ...[x, out].map((pointer) => advance(pointer, i32.multiply(get(bytes), i32.constant(2)))),
      advance(head, i32.constant(1)),
    ),
    ...[cos, sin].map((pointer) => advance(pointer, get(bytes))),
  );
  return {
    name: 'rotate',
    parameters: variables.parameters,
    locals: variables.locals,
    result: undefined,
    body,
  };
}
