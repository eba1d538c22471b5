import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { createContext } from '../../envs/core/context.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import { searchEnv } from '../../envs/search/definition.ts';
import { modelConfigSchema } from '../../envs/engines/chat/model-config.ts';
import { readAssignments } from '../options/assignments.ts';
import { assertNew, writeNew } from '../options/new-file.ts';
import { wholeNumber } from '../options/option-values.ts';
import { defineCommand } from '../program/define-command.ts';
import { createOpeningLog } from '../watch/opening-log.ts';

const keys = z.union([z.array(z.string()), z.record(z.string(), z.unknown())]);

export const questionsCommand = defineCommand({
  arguments: [{ name: 'file', says: 'a new file of JSON lines, for --set questions=FILE', required: true }],
  flags: [
    {
      flags: '--set <key=value>',
      says: 'one key of the config of search-v1, its value as JSON or else as text (repeatable)',
      repeatable: true,
    },
    { flags: '--panel <name>', says: 'train, dev or test, whose questions are changed (default: train)' },
    { flags: '--count <n>', says: 'number of questions, at most (default: 1000)' },
    { flags: '--rounds <n>', says: 'changes of each question, at most (default: 3)' },
    { flags: '--seed <n>', says: 'seed of the choices of facts (default: 0)' },
    {
      flags: '--model <json>',
      says: 'a model that changes and verifies questions about any corpus: {"url": …, "model": …, "keyName": …}',
    },
    { flags: '--tries <n>', says: 'answers of the model for each check (default: 3)' },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    {
      line: 'npx cairn-gym questions harder.jsonl --panel test --rounds 4',
      says: 'by the relations of the generated world, where each answer is certain',
    },
    {
      line: 'npx cairn-gym questions harder.jsonl --set backend.kind=corpus --set backend.file=docs.jsonl --set questions=seeds.jsonl --model \'{"url": "http://127.0.0.1:8000", "model": "NAME"}\'',
      says: 'over a corpus of your own, with a model',
    },
  ],
  options: z.strictObject({
    file: z.string(),
    set: keys.default([]),
    panel: z.enum(['train', 'dev', 'test']).default('train'),
    count: wholeNumber(1).default(1_000),
    rounds: wholeNumber(1).default(3),
    seed: wholeNumber(0).default(0),
    model: z.union([z.string(), modelConfigSchema]).optional(),
    tries: wholeNumber(1).default(3),
  }),
  run: async ({ file, set, panel, count, rounds, seed, model, tries }, session) => {
    await assertNew(file);
    const { synthesiseQuestions } = await import('../../envs/search/synthesise.ts');
    const context = createContext({
      seed,
      now: session.now,
      signal: session.signal,
      log: createOpeningLog(session.progress, session.now),
      path: 'open',
      system: session.environment,
    });
    const config = parseEnvConfig(searchEnv, readAssignments('--set', set));
    const { rows, rejected } = await synthesiseQuestions(config, context, {
      panel,
      count,
      rounds,
      seed,
      tries,
      model: model === undefined ? undefined : readModel(model),
      onAdvance: (tried, made) =>
        session.progress.report({ label: `questions (${tried} seeds)`, done: made, total: count }),
    });
    if (rows.length === 0)
      throw new UsageError({
        where: 'cairn-gym questions',
        what: `no question could be made: ${describeCounts(rejected)}.`,
        fix: 'Give other questions with --panel or --set questions, or another model.',
      });
    await writeNew(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const left = Object.keys(rejected).length === 0 ? '' : ` Left out: ${describeCounts(rejected)}.`;
    return {
      document: { file, questions: rows.length, rejected },
      lines: [`${file}: ${rows.length} questions.${left}`],
    };
  },
});

const describeCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([why, count]) => `${why} (${count})`)
    .join(', ') || 'there are none';

/** The model of a flag, as JSON. */
function readModel(given: string | z.output<typeof modelConfigSchema>): z.output<typeof modelConfigSchema> {
  if (typeof given !== 'string') return given;
  const parsed = modelConfigSchema.safeParse(jsonIn(given));
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where: '--model',
    what: `${given.slice(0, 200)} names no model.`,
    fix: 'Give JSON such as {"url": "http://127.0.0.1:8000", "model": "NAME"}.',
  });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
