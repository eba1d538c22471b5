import { getKernel, registerKernel, type TensorInfo } from '@tensorflow/tfjs-core';
import type { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import { kernelNames } from '../operations.ts';
import {
  attentionGradientKernel,
  attentionKernel,
  tiledAttentionGradientKernel,
  tiledAttentionKernel,
} from './attention-kernels.ts';
import { bagSumKernel, writeRowsKernel } from './bag-kernels.ts';
import { drawRowsKernel } from './draw-kernel.ts';
import {
  adamKernel,
  gateGradientKernel,
  gateKernel,
  rotateKernel,
  scoreRowsGradientKernel,
} from './entry-kernels.ts';
import { KernelCall } from './kernel-call.ts';
import { productKernel } from './product-kernel.ts';
import { rmsNormGradientKernel, rmsNormKernel, scoreRowsKernel } from './row-kernels.ts';
import { sumOfSquaresKernel } from './sum-of-squares-kernel.ts';

export interface WebgpuKernelOptions {
  /** Whether attention is worked out by tiles, which a GPU is for: a software driver takes long to translate such shaders, and gains nothing by them. */
  readonly byTiles: boolean;
}

/** Registers our kernels for `webgpu`. A second call does nothing. */
export function registerWebgpuKernels(Backend: typeof WebGPUBackend, { byTiles }: WebgpuKernelOptions): void {
  const kernels: readonly {
    readonly kernelName: string;
    readonly compute: (call: KernelCall) => TensorInfo | TensorInfo[];
  }[] = [
    { kernelName: kernelNames.bagSum, compute: bagSumKernel },
    { kernelName: kernelNames.adam, compute: adamKernel },
    { kernelName: kernelNames.sumOfSquares, compute: sumOfSquaresKernel },
    { kernelName: kernelNames.product, compute: productKernel },
    { kernelName: kernelNames.drawRows, compute: drawRowsKernel },
    { kernelName: kernelNames.writeRows, compute: writeRowsKernel },
    { kernelName: kernelNames.attention, compute: byTiles ? tiledAttentionKernel : attentionKernel },
    {
      kernelName: kernelNames.attentionGradient,
      compute: byTiles ? tiledAttentionGradientKernel : attentionGradientKernel,
    },
    { kernelName: kernelNames.rmsNorm, compute: rmsNormKernel },
    { kernelName: kernelNames.rmsNormGradient, compute: rmsNormGradientKernel },
    { kernelName: kernelNames.gate, compute: gateKernel },
    { kernelName: kernelNames.gateGradient, compute: gateGradientKernel },
    { kernelName: kernelNames.scoreRows, compute: scoreRowsKernel },
    { kernelName: kernelNames.scoreRowsGradient, compute: scoreRowsGradientKernel },
    { kernelName: kernelNames.rotate, compute: rotateKernel },
  ];
  for (const { kernelName, compute } of kernels) {
    if (getKernel(kernelName, 'webgpu') !== undefined) continue;
    registerKernel({
      kernelName,
      backendName: 'webgpu',
      kernelFunc: ({ inputs, backend, attrs }) => {
        if (!(backend instanceof Backend)) throw new TypeError('a webgpu kernel was given another backend');
        return compute(new KernelCall(inputs, backend, attrs));
      },
    });
  }
}
