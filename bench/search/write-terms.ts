import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { contentKeyOf } from '../../envs/engines/text-search/content-key.ts';
import { termsOf } from '../../envs/engines/text-search/analyzer.ts';
import { englishAnalyzer } from '../../envs/engines/text-search/english-analyzer.ts';
import { pageDocument } from '../../envs/search/world/page-text.ts';
import { WorldGraph } from '../../envs/engines/questions/world/world-graph.ts';
import { openWorld } from '../../envs/search/world/open-world.ts';
import { worldPanels, worldQuestions } from '../../envs/engines/questions/world/world-questions.ts';
import { inTemporaryFolder } from '../report/temporary-folder.ts';
import { printReport } from '../report/print-report.ts';

/*
 * Writes the terms of the pages of a world, of 1,000 questions, and our ten best pages of each, for `reference-bm25.py`:
 * SEARCH_TERMS=FOLDER npm run perf -- search/write-terms
 */
const folder = process.env['SEARCH_TERMS'];
const documents = 100_000;
const topk = 10;

if (folder === undefined) {
  printReport({ what: 'terms for a reference', skipped: 'SEARCH_TERMS names no folder' });
} else {
  mkdirSync(folder, { recursive: true });
  const world = { seed: 1, documents, wordings: 4 };
  const graph = new WorldGraph(world);
  const lines = Array.from({ length: documents }, (_, number) =>
    termsOf(englishAnalyzer, pageDocument(graph, number).contents).join(' '),
  );
  writeFileSync(path.join(folder, 'documents.txt'), `${lines.join('\n')}\n`);
  const panel = worldPanels[0];
  const questions = panel === undefined ? [] : worldQuestions(graph, 1, panel, [1, 2, 3, 4, 5]);
  await inTemporaryFolder('bench-search', async (cacheFolder) => {
    const { retriever } = await openWorld({ ...world, cacheFolder, signal: new AbortController().signal });
    const rows = questions.map(({ question }) =>
      JSON.stringify({
        terms: termsOf(englishAnalyzer, question),
        found: retriever.searchNow(question, topk).map(({ id, score }) => [Number(id), score]),
      }),
    );
    writeFileSync(path.join(folder, 'queries.jsonl'), `${rows.join('\n')}\n`);
  });
  printReport({
    what: 'terms for a reference',
    documents,
    queries: questions.length,
    key: await contentKeyOf(lines),
  });
}
