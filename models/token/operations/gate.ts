import { add, engine, mul, sigmoid, sub, type Tensor2D } from '@tensorflow/tfjs-core';
import { hasKernel, kernelNames } from '../../kernels/operations.ts';

/** silu(gate) times up (SwiGLU: Shazeer 2020, eq. 6), entry by entry. */
export function gate(gating: Tensor2D, up: Tensor2D): Tensor2D {
  if (!hasKernel(kernelNames.gate)) return composedGate(gating, up);
  return engine().runKernel<Tensor2D>(kernelNames.gate, { gating, up });
}

export type GateGradient = { readonly gating: Tensor2D; readonly up: Tensor2D };

/** The gradient of {@link gate} by both. */
export function gateGradient(gating: Tensor2D, up: Tensor2D, gradient: Tensor2D): GateGradient {
  if (!hasKernel(kernelNames.gateGradient)) return composedGateGradient(gating, up, gradient);
  const [overGating, overUp] = engine().runKernel<Tensor2D[]>(kernelNames.gateGradient, {
    gating,
    up,
    gradient,
  });
  if (overGating === undefined || overUp === undefined)
    throw new TypeError('the gradient of a gate is two tensors');
  return { gating: overGating, up: overUp };
}

/** {@link gate} made of other operations, for backends without a kernel. */
export function composedGate(gating: Tensor2D, up: Tensor2D): Tensor2D {
  return mul(mul(gating, sigmoid(gating)), up);
}

/** silu'(g) = s (1 + g (1 - s)) with s = sigmoid(g). */
export function composedGateGradient(gating: Tensor2D, up: Tensor2D, gradient: Tensor2D): GateGradient {
  const open = sigmoid(gating);
  const slope = mul(open, add(mul(gating, sub(1, open)), 1));
  return { gating: mul(mul(gradient, up), slope), up: mul(gradient, mul(gating, open)) };
}
