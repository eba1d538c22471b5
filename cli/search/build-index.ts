import { stat } from 'node:fs/promises';
import { buildCorpusIndex } from '../../envs/engines/retrieval/corpus-index/build-corpus-index.ts';
import type { CorpusFields } from '../../envs/engines/retrieval/corpus/corpus-fields.ts';
import { talliesOf } from '../../envs/engines/retrieval/corpus/corpus-source.ts';
import { assertReadable } from '../../envs/engines/retrieval/read/read-lines.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { assertNew } from '../options/new-file.ts';
import { tallyLine } from '../watch/opening-log.ts';

/** The share of a corpus in JSON lines that its index and the temporary file take together, by what was measured. */
const diskShare = 0.7;
const mebibyte = 2 ** 20;

export interface BuildIndexOptions {
  readonly corpus: string;
  readonly index: string;
  readonly fields: CorpusFields;
}

/** Indexes a corpus on disk. An existing file, or a disk without room, is refused before. */
export async function buildIndex(
  { corpus, index, fields }: BuildIndexOptions,
  session: CommandContext,
): Promise<Outcome> {
  await assertReadable(corpus);
  await assertNew(index, Math.ceil(diskShare * (await stat(corpus)).size));
  const start = session.now();
  const built = await buildCorpusIndex(corpus, index, {
    fields,
    signal: session.signal,
    onAdvance: (part, done, total) =>
      session.progress.report(
        part === 'reading'
          ? { label: 'reading', done: done / mebibyte, total: total / mebibyte, unit: 'MiB' }
          : { label: 'merging', done, total },
      ),
  });
  session.progress.clear();
  for (const [name, count] of talliesOf(built.report))
    session.progress.say(tallyLine({ part: 'documents', name, count }));
  const { documents, bytes, texts } = built;
  const seconds = Math.round((session.now() - start) / 1_000);
  return {
    document: { index, corpus, documents, bytes, texts, seconds, report: built.report },
    lines: [
      `${index}: ${documents} documents, ${Math.round(bytes / mebibyte)} MiB, built in ${seconds} s.`,
      texts === 'corpus'
        ? `Texts stay in ${corpus}: keep the file as it is.`
        : `The index holds the texts, and does not need ${corpus} any more.`,
    ],
  };
}
