"""Asks a retrieval server as Search-R1's trainer does, and checks that its bytes are those that FastAPI would send.

    npx cairn-gym serve search --corpus test/fixtures/search/client-corpus.jsonl --port 8000 &
    python3 bench/search/search-r1-client.py http://127.0.0.1:8000 [ANSWER]

It needs `requests` and `fastapi` (PyPI). Search-R1 posts `queries`, `topk` and `return_scores`, takes `result`, and joins the
documents of a query to `Doc 1(Title: ...) ...`. The raw answer is written to the file ANSWER, if one is given:
`test/fixtures/search/client-answer.txt` was recorded so.
"""

import json
import sys

import requests
from fastapi import __version__ as fastapi_version
from fastapi.responses import JSONResponse

QUERIES = ["glass painter of the tower", "über 時計 emoji", "town", "nothing has these words qqq", ""]


def passages(retrieved):
    """The text that the trainer puts between <information> and </information>."""
    lines = []
    for number, item in enumerate(retrieved, start=1):
        title, _, text = item["document"]["contents"].partition("\n")
        lines.append(f"Doc {number}(Title: {title}) {text}\n")
    return "".join(lines)


url = sys.argv[1].rstrip("/")
payload = {"queries": QUERIES, "topk": 3, "return_scores": True}
answer = requests.post(f"{url}/retrieve", json=payload, timeout=60)
answer.raise_for_status()
result = answer.json()["result"]
bare = requests.post(f"{url}/retrieve", json={"queries": QUERIES, "topk": 3}, timeout=60)
bare.raise_for_status()
documents = [[item["document"] for item in found] for found in result]
checks = {
    "sameBytesAsFastApi": answer.content == JSONResponse({"result": result}).body,
    "sameBytesWithoutScores": bare.content == JSONResponse({"result": documents}).body,
    "oneListAQuery": len(result) == len(QUERIES),
    "scoresFall": all(a["score"] >= b["score"] for found in result for a, b in zip(found, found[1:])),
    "scoresAreFloats": all(isinstance(item["score"], float) for found in result for item in found),
}
if len(sys.argv) > 2:
    with open(sys.argv[2], "wb") as file:
        file.write(answer.content)
print(json.dumps({**checks, "hits": [len(found) for found in result], "fastapi": fastapi_version}))
print(passages(result[0]), end="")
sys.exit(0 if all(checks.values()) else 1)
