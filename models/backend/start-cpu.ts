import { plainLoops } from '../kernels/plain-loops.ts';
import { registerTypedArrayKernels } from '../kernels/typed-array-kernels.ts';
import { startRegistered, type BackendStart } from './start.ts';

/** Plain JavaScript: slow, and the oracle that the other backends are checked against. */
export async function startCpu(): Promise<BackendStart> {
  const { MathBackendCPU } = await import('@tensorflow/tfjs-backend-cpu');
  registerTypedArrayKernels('cpu', (backend) => {
    if (!(backend instanceof MathBackendCPU)) throw new TypeError('a cpu kernel was given another backend');
    return {
      make: (shape) =>
        backend.makeTensorInfo(
          shape,
          'float32',
          new Float32Array(shape.reduce((size, length) => size * length, 1)),
        ),
      floats: (tensor) => {
        const values = backend.readSync(tensor.dataId);
        if (!(values instanceof Float32Array)) throw new TypeError('a kernel needs float32 here');
        return values;
      },
      integers: (tensor) => {
        const values = backend.readSync(tensor.dataId);
        if (!(values instanceof Int32Array)) throw new TypeError('a kernel needs int32 here');
        return values;
      },
      loops: plainLoops,
    };
  });
  const failure = await startRegistered('cpu');
  if (failure !== undefined)
    return { kind: 'unavailable', reason: failure, fix: 'Reinstall the packages with `npm ci`.' };
  return { kind: 'started', summary: 'plain JavaScript on the processor', notes: [], hardware: 'processor' };
}
