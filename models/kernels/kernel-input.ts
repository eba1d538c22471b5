import type { NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core';

/** What a kernel was given under that name. */
export function kernelInput(inputs: NamedTensorInfoMap, name: string): TensorInfo {
  const tensor = inputs[name];
  if (tensor === undefined) throw new TypeError(`the kernel needs the input ${name}`);
  return tensor;
}
