import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import type { TemplateSource } from '../chat-template.ts';
import { checked, missing, readJson, readText } from '../folder-file.ts';
import { assertComplete, assertConsistent, pairOf, type Vocabulary } from './check-vocabulary.ts';
import { wrapTokenizer } from './hugging-face-tokenizer.ts';
import { createPieceTokenizer } from './piece-tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import { withUnicodeSplits } from './unicode-splits.ts';

/** The tokenizer and template of a checkpoint folder. */
export interface LoadedTokenizer {
  readonly tokenizer: Tokenizer;
  /** Undefined if the folder has none. */
  readonly template: TemplateSource | undefined;
}

const addedToken = z.looseObject({
  id: z.int().nonnegative(),
  content: z.string().min(1),
  special: z.boolean().default(false),
  single_word: z.literal(false, 'whole-word tokens are not supported').default(false),
  lstrip: z.boolean().default(false),
  rstrip: z.boolean().default(false),
  normalized: z.boolean().optional(),
});

/** Vocabulary and merges are validated by hand: an object of 100,000 arbitrary keys. */
const tokenizerSchema = z.looseObject({
  added_tokens: z.array(addedToken).default([]),
  pre_tokenizer: z.unknown(),
  model: z.looseObject({
    type: z
      .literal('BPE', 'only BPE is supported, as in Llama, Mistral, Gemma, Qwen2 and Qwen3')
      .default('BPE'),
    dropout: z.literal([null, 0], 'a tokenizer with random merge dropout is not supported').optional(),
    unk_token: z.string().nullable().optional(),
    vocab: z.custom<Readonly<Record<string, unknown>>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'it must be an object of ids',
    ),
    merges: z.array(z.unknown()),
  }),
});

const tokenText = z.union([
  z.string(),
  z.looseObject({ content: z.string() }).transform(({ content }) => content),
]);
const namedToken = tokenText.nullable().optional();
const namedTokens = {
  bos_token: namedToken,
  eos_token: namedToken,
  unk_token: namedToken,
  pad_token: namedToken,
};
const configSchema = z.looseObject({
  ...namedTokens,
  additional_special_tokens: z.array(tokenText).nullable().optional(),
  added_tokens_decoder: z.record(z.string(), z.looseObject({ content: z.string() })).optional(),
  chat_template: z
    .union([z.string(), z.array(z.looseObject({ name: z.string(), template: z.string() }))])
    .nullable()
    .optional(),
});
const mapSchema = z.looseObject(namedTokens);
const generationSchema = z.looseObject({
  eos_token_id: z
    .union([z.int().nonnegative(), z.array(z.int().nonnegative())])
    .nullable()
    .optional(),
});

/**
 * Reads the tokenizer of a checkpoint folder: `tokenizer.json` and `tokenizer_config.json`. If they exist, it
 * also reads `special_tokens_map.json`, `generation_config.json` (further ids that end a turn) and
 * `chat_template.jinja`, which overrides the template in the configuration.
 *
 * @param options.complete also refuse missing ids and missing merges, with which text can still be encoded
 * @throws UsageError for a missing, truncated or too long file, and for an unsupported kind of tokenizer. Two
 * tokens with one id are refused, and so is a merge of an unknown token.
 */
export async function loadTokenizer(
  folder: string,
  { complete = false }: { readonly complete?: boolean } = {},
): Promise<LoadedTokenizer> {
  const model = await readJson(folder, 'tokenizer.json');
  const config = await readJson(folder, 'tokenizer_config.json');
  if (model === undefined) throw missing(folder, 'tokenizer.json');
  if (config === undefined) throw missing(folder, 'tokenizer_config.json');
  const read = checked(join(folder, 'tokenizer.json'), tokenizerSchema, model);
  const settings = checked(join(folder, 'tokenizer_config.json'), configSchema, config);
  const map = checked(
    join(folder, 'special_tokens_map.json'),
    mapSchema,
    (await readJson(folder, 'special_tokens_map.json')) ?? {},
  );
  const generation = checked(
    join(folder, 'generation_config.json'),
    generationSchema,
    (await readJson(folder, 'generation_config.json')) ?? {},
  );
  const file = join(folder, 'tokenizer.json');
  const own = ownTokens(read, file);
  const vocabulary: Vocabulary = { own, added: read.added_tokens, merges: read.model.merges };
  assertConsistent(vocabulary, file);
  if (complete) assertComplete(vocabulary, file);
  const ids = new Map([...own, ...read.added_tokens.map(({ content, id }) => [content, id] as const)]);
  const tokens = namesOf(settings, map);
  assertKnown(
    ids,
    [
      ...Object.values(tokens),
      ...Object.values(settings.added_tokens_decoder ?? {}).map(({ content }) => content),
    ],
    folder,
  );
  const special = specialOf(ids, read, [
    ...Object.values(tokens),
    ...(settings.additional_special_tokens ?? []),
  ]);
  const reserved = new Map([
    ...special,
    ...read.added_tokens.filter(isReserved).map(({ content, id }) => [content, id] as const),
  ]);
  const common = {
    special,
    reserved,
    unknown: read.model.unk_token ?? undefined,
    endOfTurn: endOfTurnOf(ids, tokens.eos_token, generation.eos_token_id, folder),
  };
  const tokenizer = openOrRefuse(folder, () =>
    isByteLevel(read.pre_tokenizer)
      ? wrapTokenizer({ model: withAllParts(model, read), config: settings, where: folder, ...common })
      : createPieceTokenizer({
          parts: read,
          vocabulary: own,
          merges: read.model.merges.flatMap((merge) =>
            [pairOf(merge) ?? []].filter((pair) => pair.length === 2),
          ),
          added: read.added_tokens.map((token) => ({ ...token, normalized: isNormalized(token) })),
          ...common,
        }),
  );
  return { tokenizer, template: await templateOf(folder, settings.chat_template, tokens) };
}

/** Ids by token text, without added tokens. */
function ownTokens({ model }: z.output<typeof tokenizerSchema>, file: string): Map<string, number> {
  const ids = new Map<string, number>();
  for (const [text, id] of Object.entries(model.vocab)) {
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= 2 ** 24) {
      throw new UsageError({
        where: file,
        what: `the token ${JSON.stringify(text)} has the invalid id ${JSON.stringify(id)}.`,
        fix: 'Fix the file, or download it again.',
      });
    }
    ids.set(text, id);
  }
  return ids;
}

/** Named tokens, such as `bos_token`. */
function namesOf(
  settings: z.output<typeof configSchema>,
  map: z.output<typeof mapSchema>,
): Readonly<Partial<Record<keyof typeof namedTokens, string>>> {
  const names = Object.keys(namedTokens) as (keyof typeof namedTokens)[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = settings[name] ?? map[name] ?? undefined;
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function assertKnown(ids: ReadonlyMap<string, number>, texts: readonly string[], folder: string): void {
  const strange = texts.find((text) => !ids.has(text));
  if (strange === undefined) return;
  throw new UsageError({
    where: join(folder, 'tokenizer_config.json'),
    what: `it names the token ${JSON.stringify(strange)}, which is not in tokenizer.json.`,
    fix: 'Take both files from one checkpoint, or load and save the tokenizer with transformers, which rewrites them.',
  });
}

/** The special tokens of tokenizer.json and the named tokens. */
function specialOf(
  ids: ReadonlyMap<string, number>,
  { added_tokens: added }: z.output<typeof tokenizerSchema>,
  named: readonly string[],
): Map<string, number> {
  const texts = [...added.filter(({ special }) => special).map(({ content }) => content), ...named];
  return new Map(
    texts.flatMap((text) => {
      const id = ids.get(text);
      return id === undefined ? [] : [[text, id] as const];
    }),
  );
}

/**
 * Added tokens that are not special are of two kinds. Some are plain text, such as a word or a run of blanks.
 * Others steer the model like special ones, such as `<think>`, `[INST]` and `<｜User｜>`: words between marks.
 */
const isReserved = ({ content, special }: z.output<typeof addedToken>): boolean =>
  special || /^[\p{P}\p{S}].*[\p{L}\p{N}].*[\p{P}\p{S}]$/su.test(content);

function endOfTurnOf(
  ids: ReadonlyMap<string, number>,
  text: string | undefined,
  more: number | readonly number[] | null | undefined,
  folder: string,
): Set<number> {
  const known = new Set(ids.values());
  const further = [more ?? []].flat();
  const strange = further.find((id) => !known.has(id));
  if (strange !== undefined) {
    throw new UsageError({
      where: join(folder, 'generation_config.json'),
      what: `eos_token_id names ${strange}, which is not in tokenizer.json.`,
      fix: 'Take both files from one checkpoint.',
    });
  }
  const named = text === undefined ? undefined : ids.get(text);
  return new Set([...(named === undefined ? [] : [named]), ...further]);
}

/** Reserved tokens are matched in the original text, never in its normalised form. */
const isNormalized = (token: z.output<typeof addedToken>): boolean =>
  !isReserved(token) && (token.normalized ?? !token.special);

const sequenceSchema = z.looseObject({ type: z.literal('Sequence'), pretokenizers: z.array(z.unknown()) });

/** Byte-level tokenizers write the bytes of every word as characters. */
function isByteLevel(splits: unknown): boolean {
  const sequence = sequenceSchema.safeParse(splits);
  if (sequence.success) return sequence.data.pretokenizers.some(isByteLevel);
  return z.looseObject({ type: z.literal('ByteLevel') }).safeParse(splits).success;
}

/** The library requires every part to be present, and finds named tokens only in the vocabulary. */
function withAllParts(model: object, { added_tokens: added }: z.output<typeof tokenizerSchema>): object {
  const own = added.map((token) => ({ ...token, normalized: isNormalized(token) }));
  const parts = {
    normalizer: null,
    pre_tokenizer: null,
    post_processor: null,
    decoder: null,
    ...model,
    added_tokens: own,
  };
  return { ...parts, pre_tokenizer: withUnicodeSplits(parts.pre_tokenizer) };
}

function openOrRefuse(folder: string, open: () => Tokenizer): Tokenizer {
  try {
    return open();
  } catch (thrown) {
    const why = thrown instanceof z.ZodError ? describeIssues(thrown) : messageOf(thrown);
    throw new UsageError(
      {
        where: join(folder, 'tokenizer.json'),
        what: `this tokenizer cannot be used (${why.slice(0, 300)}).`,
        fix: 'Use a checkpoint of the Llama, Mistral, Gemma, Qwen2 or Qwen3 family, whose tokenizers are byte-level BPE or BPE of SentencePiece.',
      },
      { cause: thrown },
    );
  }
}

async function templateOf(
  folder: string,
  given: z.output<typeof configSchema>['chat_template'],
  tokens: TemplateSource['tokens'],
): Promise<TemplateSource | undefined> {
  const own = await readText(folder, 'chat_template.jinja');
  if (own !== undefined) return { where: join(folder, 'chat_template.jinja'), text: own, tokens };
  if (given === undefined || given === null) return undefined;
  const where = `chat_template of ${join(folder, 'tokenizer_config.json')}`;
  if (typeof given === 'string') return { where, text: given, tokens };
  const chosen = given.find(({ name }) => name === 'default');
  if (chosen !== undefined) return { where, text: chosen.template, tokens };
  throw new UsageError({
    where,
    what: `none of its templates is named default (${given.map(({ name }) => name).join(', ') || 'there are none'}).`,
    fix: 'Put the template to use into chat_template.jinja in the same folder.',
  });
}
