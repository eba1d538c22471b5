import { getKernel, type TensorInfo } from '@tensorflow/tfjs-core';
import type { Turns } from '../operations.ts';
import type { KernelCall } from './kernel-call.ts';
import type { ShaderOptions } from './kernel-program.ts';
import {
  declareBlock,
  declareTile,
  eachSum,
  loadBlock,
  multiplyTiles,
  step,
  storeBlock,
  Sums,
  threads,
  tile,
  type TileSource,
} from './tiles.ts';

interface ProductShape extends Turns {
  readonly rows: number;
  readonly depth: number;
  readonly columns: number;
}

/** Products with fewer entries leave most of a tile empty. */
const fewestEntries = 1024;
/** Groups of threads that keep a large GPU busy. */
const enoughGroups = 528;
/** What is summed over by one group at least, where several share it. */
const leastDepth = 128;

/**
 * The product by tiles; where these are few, groups share what is summed over, and their sums are added up in a fixed order. What does not lie in
 * vectors of four is left to TensorFlow.js, as are small products.
 */
export function productKernel(call: KernelCall): TensorInfo[] {
  const shape = shapeOf(call);
  const { rows, depth, columns, turnsLeft, turnsRight } = shape;
  const inFours =
    columns % 4 === 0 && (turnsLeft ? rows : depth) % 4 === 0 && (turnsRight ? depth : columns) % 4 === 0;
  if (!inFours || rows * columns < fewestEntries) return [ordinaryProduct(call, shape)];
  const tiles = Math.ceil(rows / tile) * Math.ceil(columns / tile);
  const splits = Math.max(1, Math.min(Math.floor(enoughGroups / tiles), Math.floor(depth / leastDepth)));
  const sums = call.run(productShader(shape, { splits, tiles }), {
    integers: [step * Math.ceil(depth / splits / step), splits],
  });
  if (splits === 1) return [sums];
  const product = call.run(addUpShader(shape), { others: { sums }, integers: [splits] });
  call.free(sums);
  return [product];
}

function shapeOf(call: KernelCall): ProductShape {
  const [turnsLeft, turnsRight] = [call.flag('turnsLeft'), call.flag('turnsRight')];
  const [rows, depth] = turnsLeft
    ? [call.side('left', 1), call.side('left', 0)]
    : [call.side('left', 0), call.side('left', 1)];
  return { rows, depth, columns: call.side('right', turnsRight ? 0 : 1), turnsLeft, turnsRight };
}

function ordinaryProduct(call: KernelCall, { turnsLeft, turnsRight }: Turns): TensorInfo {
  const kernel = getKernel('BatchMatMul', 'webgpu');
  if (kernel === undefined) throw new TypeError('the backend webgpu has no product of matrices');
  const made = kernel.kernelFunc({
    inputs: { a: call.input('left'), b: call.input('right') },
    backend: call.backend,
    attrs: { transposeA: turnsLeft, transposeB: turnsRight },
  });
  if (Array.isArray(made)) throw new TypeError('a product of matrices is one tensor');
  return made;
}

function productShader(
  { rows, columns, turnsLeft, turnsRight }: ProductShape,
  { splits, tiles }: { readonly splits: number; readonly tiles: number },
): ShaderOptions {
  const left: TileSource = {
    name: 'left',
    alongDepth: !turnsLeft,
    rows: turnsLeft ? 'rows / 4' : 'rows',
    depth: turnsLeft ? 'depth' : 'depth / 4',
    vector: (row, depth) =>
      turnsLeft ? `left[${depth} * (rows / 4) + ${row}]` : `left[${row} * (wholeDepth / 4) + ${depth}]`,
  };
  const right: TileSource = {
    name: 'right',
    alongDepth: turnsRight,
    rows: turnsRight ? 'columns' : 'columns / 4',
    depth: turnsRight ? 'depth / 4' : 'depth',
    vector: (row, depth) =>
      turnsRight ? `right[${row} * (wholeDepth / 4) + ${depth}]` : `right[${depth} * (columns / 4) + ${row}]`,
  };
  const sums = new Sums('sum');
  const first = (corner: string, inFours: boolean): string => (inFours ? `${corner} / 4` : corner);
  const load = (at: string): string =>
    `${loadBlock(left, first('top', turnsLeft), at)} ${loadBlock(right, first('side', !turnsRight), at)}`;
  return {
    name: `product_${turnsLeft ? 'turned' : 'straight'}_${turnsRight ? 'turned' : 'straight'}`,
    variables: ['left', 'right'],
    outputShape: [splits * rows, columns],
    threads,
    groups: splits * tiles,
    uniforms: 'slice : i32, splits : i32,',
    components: { output: 4, inputs: [4, 4] },
    code: () => `
      ${declareTile('leftTile')}
      ${declareTile('rightTile')}
      fn main(index : i32) {
        let lane = i32(localIndex);
        let rows = uniforms.leftShape${turnsLeft ? '.y' : '.x'};
        let wholeDepth = uniforms.leftShape${turnsLeft ? '.x' : '.y'};
        let columns = uniforms.outShape.y;
        let tilesAcross = (columns + ${tile - 1}) / ${tile};
        let tilesDown = (rows + ${tile - 1}) / ${tile};
        let group = index / ${threads};
        let split = group / (tilesAcross * tilesDown);
        let top = ((group / tilesAcross) % tilesDown) * ${tile};
        let side = (group % tilesAcross) * ${tile};
        let begin = split * uniforms.slice;
        let depth = min(wholeDepth, begin + uniforms.slice);
        let down = lane / 8;
        let across = lane % 8;
        ${sums.begin()}
        ${declareBlock(left)}
        ${declareBlock(right)}
        ${load('begin')}
        for (var done = 0; done < uniforms.slice; done = done + ${step}) {
          workgroupBarrier();
          ${storeBlock(left, 'leftTile')}
          ${storeBlock(right, 'rightTile')}
          workgroupBarrier();
          if (done + ${step} < uniforms.slice) { // while these are multiplied
            let next = begin + done + ${step};
            ${load('next')}
          }
          ${multiplyTiles(sums, ['leftTile', 'rightTile'])}
        }
        if (split >= uniforms.splits) { return; }
        ${eachSum(sums, (row, column, sum) => `if (top + ${row} < rows && side + ${column} < columns) { setOutputAtIndex((split * rows + top + ${row}) * (columns / 4) + (side + ${column}) / 4, ${sum}); }`)}
      }`,
  };
}

/** Adds up what groups summed over their shares. */
function addUpShader({ rows, columns }: ProductShape): ShaderOptions {
  return {
    name: 'productSums',
    variables: ['sums'],
    outputShape: [rows, columns],
    components: { output: 4, inputs: [4] },
    groups: Math.ceil((rows * columns) / 4 / 64),
    uniforms: 'splits : i32,',
    code: `
      fn main(index : i32) {
        if (index < uniforms.size) {
          var sum = sums[index];
          for (var split = 1; split < uniforms.splits; split = split + 1) { sum = sum + sums[split * uniforms.size + index]; }
          setOutputAtIndex(index, sum);
        }
      }`,
  };
}
