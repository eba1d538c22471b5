import { add, mul, sigmoid, sub, type Tensor2D } from '@tensorflow/tfjs-core';

/** silu(gate) times up (SwiGLU: Shazeer 2020, eq. 6), entry by entry. */
export function gate(gating: Tensor2D, up: Tensor2D): Tensor2D {
  return mul(mul(gating, sigmoid(gating)), up);
}

/** The gradient of {@link gate} by both; silu'(g) = s (1 + g (1 - s)) with s = sigmoid(g). */
export function gateGradient(gating: Tensor2D, up: Tensor2D, gradient: Tensor2D): { readonly gating: Tensor2D; readonly up: Tensor2D } {
  const open = sigmoid(gating);
  const slope = mul(open, add(mul(gating, sub(1, open)), 1));
  return { gating: mul(mul(gradient, up), slope), up: mul(gradient, mul(gating, open)) };
}
