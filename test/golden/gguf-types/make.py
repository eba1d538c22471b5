"""Writes types.json: random blocks of every type that Cairn decodes, with the numbers that the Python package `gguf` decodes from them.

pip install gguf numpy; python test/golden/gguf-types/make.py
"""

import base64
import json
import pathlib

import numpy as np
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as Type
from gguf.quants import dequantize

rng = np.random.default_rng(7)
# Where the halves are that scale a block: they are drawn as ordinary numbers, since random bits are mostly huge or no numbers.
halves = {
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "IQ4_NL": [0],
    "Q2_K": [80, 82], "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208],
}
cases = []
for name, places in halves.items():
    kind = Type[name]
    numbers, size = GGML_QUANT_SIZES[kind]
    count = 2 if numbers == 256 else 4
    data = rng.integers(0, 256, (count, size), dtype=np.uint8)
    for block in data:
        for place in places:
            block[place : place + 2] = np.frombuffer(np.float16(rng.normal() / 50).tobytes(), np.uint8)
    values = dequantize(data, kind).astype(np.float32).reshape(-1)
    assert values.size == count * numbers
    cases.append(
        {
            "type": int(kind),
            "name": name,
            "blocks": base64.b64encode(data.tobytes()).decode(),
            "values": base64.b64encode(values.tobytes()).decode(),
        }
    )
pathlib.Path(__file__).with_name("types.json").write_text(json.dumps(cases, indent=1) + "\n")
