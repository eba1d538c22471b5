import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { defineCommand } from '../program/define-command.ts';

const text = z.string().min(1, 'must not be empty');

export const indexCommand = defineCommand({
  arguments: [{ name: 'corpus', says: 'documents in JSON lines, CSV or Parquet', required: true }],
  flags: [
    { flags: '--out <file>', says: 'a new file for the index (default: that of the corpus, with .index)' },
    {
      flags: '--id-field <name>',
      says: 'column of the id (default: id, _id, docid or url, else the row number)',
    },
    { flags: '--title-field <name>', says: 'column of the title (default: title)' },
    {
      flags: '--text-field <name>',
      says: 'column of the text (default: contents, whose first line is the title, else text, passage, content or body)',
    },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    {
      line: 'npx cairn-gym index wiki-18.jsonl --out wiki-18.index',
      says: 'reads the corpus once; then `serve search --index wiki-18.index`',
    },
    {
      line: 'npx cairn-gym index docs.parquet --text-field passage --out docs.index',
      says: 'the index of a Parquet or CSV file also holds the texts',
    },
  ],
  options: z.strictObject({
    corpus: text,
    out: text.optional(),
    idField: text.optional(),
    titleField: text.optional(),
    textField: text.optional(),
  }),
  run: async ({ corpus, out, idField, titleField, textField }, session) => {
    const { buildIndex } = await import('../search/build-index.ts');
    const fields = { id: idField, title: titleField, text: textField };
    const index = out ?? `${corpus}.index`;
    if (index === corpus)
      throw new UsageError({
        where: 'cairn-gym index, --out',
        what: 'it names the corpus.',
        fix: 'Name another file.',
      });
    return buildIndex({ corpus, index, fields }, session);
  },
});
