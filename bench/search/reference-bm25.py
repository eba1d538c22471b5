"""Compares our rankings with those of bm25s (PyPI, 0.2 or newer), on the files of write-terms.ts.

    python3 reference-bm25.py FOLDER

A document counts as found where the reference gives it a score of at least its tenth best, up to rounding: ties have no order.
"""

import json
import sys
from pathlib import Path

import bm25s

folder = Path(sys.argv[1])
corpus = [line.split() for line in (folder / "documents.txt").read_text().splitlines()]
queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
engine = bm25s.BM25(method="lucene", k1=0.9, b=0.4)
engine.index(corpus, show_progress=False)
recall = 0.0
same = 0.0
for query in queries:
    scores = engine.get_scores(query["terms"])
    best = sorted(range(len(scores)), key=lambda number: -scores[number])[:10]
    least = scores[best[-1]]
    ours = [number for number, _ in query["found"]]
    recall += sum(scores[number] >= least - 1e-3 * abs(least) for number in ours) / len(best)
    same += len(set(ours) & set(best)) / len(best)
print(json.dumps({"queries": len(queries), "recallAt10": round(recall / len(queries), 4), "sameAt10": round(same / len(queries), 4), "bm25s": bm25s.__version__}))
