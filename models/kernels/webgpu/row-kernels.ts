import type { TensorInfo } from '@tensorflow/tfjs-core';
import type { KernelCall } from './kernel-call.ts';
import type { ShaderOptions } from './kernel-program.ts';

/** Threads of a group. */
const [few, many] = [64, 256] as const;
type Threads = typeof few | typeof many;
/** Numbers of a row from which on many threads walk through it. */
const wide = 4_096;

/** Adds up, or takes the largest of, what the threads of a group have in an array of theirs, in two steps; all then have it under that name. */
function reduce(name: string, array: string, combine: 'sum' | 'largest', threads: Threads = few): string {
  const abreast = Math.sqrt(threads);
  const combined = (left: string, right: string): string =>
    combine === 'sum' ? `${left} + ${right}` : `max(${left}, ${right})`;
  return `
    workgroupBarrier();
    if (lane < ${abreast}) {
      for (var other = lane + ${abreast}; other < ${threads}; other = other + ${abreast}) { ${array}[lane] = ${combined(`${array}[lane]`, `${array}[other]`)}; }
    }
    workgroupBarrier();
    var ${name} = ${array}[0];
    for (var other = 1; other < ${abreast}; other = other + 1) { ${name} = ${combined(name, `${array}[other]`)}; }`;
}

/** A group of threads a row of x, which it walks through together. */
function rowShader(
  call: KernelCall,
  of: Pick<ShaderOptions, 'name' | 'variables' | 'outputShape'> & {
    readonly code: string;
    readonly rowsOf: string;
    readonly threads?: Threads;
  },
): ShaderOptions {
  const { rowsOf, code, threads = few, ...options } = of;
  return {
    ...options,
    threads,
    groups: call.side(rowsOf, 0),
    uniforms: 'factor : f32,',
    code: `
      var<workgroup> first : array<f32, ${threads}>;
      var<workgroup> second : array<f32, ${threads}>;
      fn main(index : i32) {
        let lane = i32(localIndex);
        let row = index / ${threads};
        let width = uniforms.${rowsOf}Shape[1];
        let start = row * width;
        let end = select(start, start + width, row < uniforms.${rowsOf}Shape[0]);
        ${code}
      }`,
  };
}

const squares = `
  first[lane] = 0.0;
  for (var at = start + lane; at < end; at = at + ${few}) { first[lane] = first[lane] + x[at] * x[at]; }
  ${reduce('square', 'first', 'sum')}
  let inverse = inverseSqrt(square / f32(width) + uniforms.factor);`;

export function rmsNormKernel(call: KernelCall): TensorInfo {
  const code = `
    ${squares}
    for (var at = start + lane; at < end; at = at + ${few}) { setOutputAtIndex(at, x[at] * inverse * scale[at - start]); }`;
  return call.run(
    rowShader(call, {
      name: 'rmsNorm',
      variables: ['x', 'scale'],
      outputShape: call.input('x').shape,
      rowsOf: 'x',
      code,
    }),
    { numbers: [call.number('epsilon')] },
  );
}

/** The gradients by x and by the scale. */
export function rmsNormGradientKernel(call: KernelCall): TensorInfo[] {
  const numbers = [call.number('epsilon')];
  const code = `
    ${squares}
    second[lane] = 0.0;
    for (var at = start + lane; at < end; at = at + ${few}) { second[lane] = second[lane] + gradient[at] * scale[at - start] * x[at]; }
    ${reduce('product', 'second', 'sum')}
    let along = product * inverse / f32(width);
    for (var at = start + lane; at < end; at = at + ${few}) {
      setOutputAtIndex(at, inverse * (gradient[at] * scale[at - start] - x[at] * inverse * along));
    }`;
  const overX = call.run(
    rowShader(call, {
      name: 'rmsNormOverX',
      variables: ['x', 'scale', 'gradient'],
      outputShape: call.input('x').shape,
      rowsOf: 'x',
      code,
    }),
    { numbers },
  );
  const inverses = `
    ${squares}
    if (lane == 0 && start < end) { setOutputAtIndex(row, inverse); }`;
  const inverse = call.run(
    rowShader(call, {
      name: 'rmsNormInverse',
      variables: ['x'],
      outputShape: [call.side('x', 0)],
      rowsOf: 'x',
      code: inverses,
    }),
    { numbers },
  );
  const overScale = call.run(overScaleShader(call), { others: { inverse } });
  call.free(inverse);
  return [overX, overScale];
}

const columnsAtATime = 16;

/** Groups of threads a few columns, which walk through the rows with as many threads abreast. */
function overScaleShader(call: KernelCall): ShaderOptions {
  const rowsAbreast = 256 / columnsAtATime;
  return {
    name: 'rmsNormOverScale',
    variables: ['x', 'gradient', 'inverse'],
    outputShape: call.input('scale').shape,
    threads: 256,
    groups: Math.ceil(call.side('x', 1) / columnsAtATime),
    code: `
      var<workgroup> sums : array<f32, 256>;
      fn main(index : i32) {
        let lane = i32(localIndex);
        let column = (index / 256) * ${columnsAtATime} + lane % ${columnsAtATime};
        let width = uniforms.xShape[1];
        var sum = 0.0;
        if (column < width) {
          for (var row = lane / ${columnsAtATime}; row < uniforms.xShape[0]; row = row + ${rowsAbreast}) {
            sum = sum + gradient[row * width + column] * x[row * width + column] * inverse[row];
          }
        }
        sums[lane] = sum;
        workgroupBarrier();
        if (lane < ${columnsAtATime} && column < width) {
          for (var other = 1; other < ${rowsAbreast}; other = other + 1) { sum = sum + sums[other * ${columnsAtATime} + lane]; }
          setOutputAtIndex(column, sum);
        }
      }`,
  };
}

/** Log-probabilities, log-sums and entropies. */
export function scoreRowsKernel(call: KernelCall): TensorInfo[] {
  const rows = call.side('logits', 0);
  const threads = call.side('logits', 1) < wide ? few : many;
  const code = `
    first[lane] = -3.0e38;
    for (var at = start + lane; at < end; at = at + ${threads}) { first[lane] = max(first[lane], uniforms.factor * logits[at]); }
    ${reduce('most', 'first', 'largest', threads)}
    workgroupBarrier();
    first[lane] = 0.0;
    second[lane] = 0.0;
    for (var at = start + lane; at < end; at = at + ${threads}) {
      let beyond = uniforms.factor * logits[at] - most;
      first[lane] = first[lane] + exponential(beyond);
      second[lane] = second[lane] + exponential(beyond) * beyond;
    }
    ${reduce('total', 'first', 'sum', threads)}
    ${reduce('weighted', 'second', 'sum', threads)}
    if (lane == 0 && start < end) {
      let logTotal = logarithm(total);
      setOutputAtIndex(row * 3, uniforms.factor * logits[start + targets[row]] - most - logTotal);
      setOutputAtIndex(row * 3 + 1, most + logTotal);
      setOutputAtIndex(row * 3 + 2, logTotal - weighted / total);
    }`;
  const shader = rowShader(call, {
    name: `scoreRows_${threads}`,
    variables: ['logits', 'targets'],
    outputShape: [rows, 3],
    rowsOf: 'logits',
    threads,
    code,
  });
  const scores = call.run(shader, { numbers: [call.number('factor')] });
  const column = (which: number): TensorInfo =>
    call.run(
      {
        name: `scoreColumn${which}`,
        variables: ['scores'],
        outputShape: [rows, 1],
        code: `fn main(index : i32) { if (index < uniforms.size) { setOutputAtIndex(index, scores[3 * index + ${which}]); } }`,
      },
      { others: { scores } },
    );
  const made = [0, 1, 2].map(column);
  call.free(scores);
  return made;
}
