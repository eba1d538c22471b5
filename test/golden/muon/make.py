"""Writes steps.json: three steps of Muon for matrices of several shapes.

The orthogonalisation is optax's (float32, with the coefficients of Muon's reference). Momentum and weight decay follow the reference implementation of
Jordan et al. (momentum.lerp_(grad, 1 - beta); update = grad.lerp_(momentum, beta)), and the length of the update Liu et al. (0.2 sqrt(max(rows, columns))).

pip install optax numpy; python test/golden/muon/make.py
"""

import json
import math
import pathlib

import jax.numpy as jnp
import numpy as np
from optax.contrib import _muon

rng = np.random.default_rng(3)
momentum, rate, decay = 0.95, 0.02, 0.1
cases = []
for shape in [(4, 4), (3, 7), (8, 2), (1, 5), (32, 16)]:
    value = rng.normal(size=shape).astype(np.float32)
    start, kept, gradients = value, np.zeros(shape, np.float32), []
    for _ in range(3):
        gradient = rng.normal(size=shape).astype(np.float32)
        gradients.append(gradient)
        kept = momentum * kept + (1 - momentum) * gradient
        ahead = momentum * kept + (1 - momentum) * gradient
        near = np.asarray(
            _muon.orthogonalize_via_newton_schulz(
                jnp.asarray(ahead),
                jnp.asarray([3.4445, -4.7750, 2.0315]),
                5,
                eps=1e-7,
                dimension_numbers=_muon.MuonDimensionNumbers(),
            )
        )
        value = value * (1 - rate * decay) - rate * 0.2 * math.sqrt(max(shape)) * near
    numbers = lambda array: [float(number) for number in np.asarray(array, np.float32).reshape(-1)]
    cases.append(
        {
            "shape": shape,
            "start": numbers(start),
            "gradients": [numbers(gradient) for gradient in gradients],
            "value": numbers(value),
            "momentum": numbers(kept),
        }
    )
pathlib.Path(__file__).with_name("steps.json").write_text(json.dumps(cases) + "\n")
