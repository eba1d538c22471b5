import { getKernel, registerKernel, type TensorInfo } from '@tensorflow/tfjs-core';
import type { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import { kernelNames } from '../operations.ts';
import { attentionGradientKernel, attentionKernel } from './attention-kernels.ts';
import { bagSumKernel, writeRowsKernel } from './bag-kernels.ts';
import { adamKernel, gateGradientKernel, gateKernel, rotateKernel, scoreRowsGradientKernel } from './entry-kernels.ts';
import { KernelCall } from './kernel-call.ts';
import { rmsNormGradientKernel, rmsNormKernel, scoreRowsKernel } from './row-kernels.ts';

/** Registers our kernels for `webgpu`. A second call does nothing. */
export function registerWebgpuKernels(Backend: typeof WebGPUBackend): void {
  const kernels: readonly { readonly kernelName: string; readonly compute: (call: KernelCall) => TensorInfo | TensorInfo[] }[] = [
    { kernelName: kernelNames.bagSum, compute: bagSumKernel },
    { kernelName: kernelNames.adam, compute: adamKernel },
    { kernelName: kernelNames.writeRows, compute: writeRowsKernel },
    { kernelName: kernelNames.attention, compute: attentionKernel },
    { kernelName: kernelNames.attentionGradient, compute: attentionGradientKernel },
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
