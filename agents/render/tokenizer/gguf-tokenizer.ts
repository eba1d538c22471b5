import { z } from 'zod';
import { UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import { ggufKinds, piecePartsOf, type TokenizerParts } from './gguf-pieces.ts';
import type { TokenizerFolderFiles } from './train-tokenizer.ts';

/** The tokenizer of a GGUF file as files of a checkpoint folder. */
export interface GgufTokenizerFiles extends TokenizerFolderFiles {
  readonly 'generation_config.json': string;
}

const id = z.int().nonnegative();
const commonKeys = {
  tokens: z.array(z.string()).min(1),
  token_type: z.array(z.int().min(ggufKinds.normal).max(ggufKinds.byte)),
  bos_token_id: id.optional(),
  eos_token_id: id.optional(),
  eot_token_id: id.optional(),
  unknown_token_id: id.optional(),
  padding_token_id: id.optional(),
  add_bos_token: z.boolean().optional(),
  add_eos_token: z.boolean().optional(),
};
const keysSchema = z.discriminatedUnion(
  'model',
  [
    z.object({
      ...commonKeys,
      model: z.literal('gpt2'),
      pre: z.string(),
      merges: z.array(z.string()),
    }),
    z.object({
      ...commonKeys,
      model: z.literal('llama'),
      scores: z.array(z.number()),
      add_space_prefix: z.boolean().default(true),
      remove_extra_whitespaces: z.literal(false, 'removing repeated spaces is not supported').optional(),
      precompiled_charsmap: z
        .array(z.unknown())
        .max(0, 'a table of normal forms is not supported')
        .optional(),
    }),
  ],
  { error: 'only byte-level BPE (gpt2) and BPE of SentencePiece (llama) are supported' },
);
type GgufKeys = z.output<typeof keysSchema>;

const byteLevel = (useRegex: boolean): object => ({
  type: 'ByteLevel',
  add_prefix_space: false,
  trim_offsets: true,
  use_regex: useRegex,
});
const split = (regex: string): object => ({
  type: 'Split',
  pattern: { Regex: regex },
  behavior: 'Isolated',
  invert: false,
});
/** Words of GPT-4's kind, with numbers of at most so many digits. */
const modernWords = (digits: string): string =>
  `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}${digits}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`;

interface Rules {
  readonly normalizer?: object;
  readonly pretokenizers: readonly object[];
  /** A word that is a token is not merged from its parts. */
  readonly ignoreMerges?: boolean;
}

const llama3: Rules = { pretokenizers: [split(modernWords('{1,3}')), byteLevel(false)], ignoreMerges: true };
const qwen: Rules = {
  normalizer: { type: 'NFC' },
  pretokenizers: [split(modernWords('')), byteLevel(false)],
};
const digitsApart: Rules = { pretokenizers: [{ type: 'Digits', individual_digits: true }, byteLevel(true)] };

/** How a text is split before its bytes are merged, by `tokenizer.ggml.pre`: the name that llama.cpp gives the rules of a family. */
const rulesByName: Readonly<Record<string, Rules>> = {
  'gpt-2': { pretokenizers: [byteLevel(true)] },
  smollm: digitsApart,
  starcoder: digitsApart,
  'llama-bpe': llama3,
  llama3,
  'llama-v3': llama3,
  qwen2: qwen,
  'deepseek-r1-qwen': qwen,
};

/**
 * Makes a tokenizer's files of the keys of a GGUF file, so that it encodes as the original.
 *
 * Source: the names of rules in llama.cpp's llama-vocab.cpp; the rules are those of the families' own tokenizer.json.
 * @param keys all keys of the file
 * @throws UsageError for other kinds of tokenizers, rules with an unknown name, and keys that disagree
 */
export function tokenizerFromGguf(keys: ReadonlyMap<string, unknown>, file: string): GgufTokenizerFiles {
  const prefix = 'tokenizer.ggml.';
  const own = [...keys].filter(([key]) => key.startsWith(prefix));
  if (own.length === 0) throw refusal(file, 'it has no tokenizer');
  const parsed = keysSchema.safeParse(
    Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value])),
  );
  if (!parsed.success)
    throw refusal(file, `its keys ${prefix}… do not describe one: ${describeIssues(parsed.error)}`);
  const { tokens, token_type: types } = parsed.data;
  const refuse = (what: string): never => {
    throw refusal(file, what);
  };
  if (types.length !== tokens.length)
    refuse(`it has ${tokens.length} tokens, but the kinds of ${types.length}`);
  const textOf = (of: number | undefined): string | undefined => {
    if (of === undefined) return undefined;
    const text = tokens[of];
    if (text === undefined) throw refusal(file, `it names the token ${of}, but has ${tokens.length} tokens`);
    return text;
  };
  const isSpecial = (type: number | undefined): boolean =>
    type === ggufKinds.control || (type === ggufKinds.unknown && parsed.data.model === 'llama');
  const added = tokens.flatMap((content, at) =>
    isSpecial(types[at]) || types[at] === ggufKinds.userDefined
      ? [
          {
            id: at,
            content,
            single_word: false,
            lstrip: false,
            rstrip: false,
            normalized: false,
            special: isSpecial(types[at]),
          },
        ]
      : [],
  );
  const template = keys.get('tokenizer.chat_template');
  const { model, add_bos_token: addsBos = model === 'llama', add_eos_token: addsEos } = parsed.data;
  // Cairn adds no token of itself: other programs read this
  const bosText = textOf(parsed.data.bos_token_id);
  const bos =
    model === 'llama' && addsBos && bosText !== undefined && parsed.data.bos_token_id !== undefined
      ? { text: bosText, id: parsed.data.bos_token_id }
      : undefined;
  const ends = [parsed.data.eos_token_id, parsed.data.eot_token_id].filter((end) => end !== undefined);
  const parts =
    parsed.data.model === 'llama'
      ? piecePartsOf(parsed.data, textOf(parsed.data.unknown_token_id), refuse)
      : byteLevelPartsOf(parsed.data, refuse);
  return {
    'tokenizer.json': jsonText({
      version: '1.0',
      added_tokens: added,
      normalizer: parts.normalizer,
      pre_tokenizer: parts.pre_tokenizer,
      post_processor: bos === undefined ? null : beginsWith(bos),
      decoder: parts.decoder,
      model: parts.model,
    }),
    'tokenizer_config.json': jsonText({
      tokenizer_class: 'PreTrainedTokenizerFast',
      clean_up_tokenization_spaces: false,
      ...(model === 'llama' ? { add_bos_token: addsBos, add_eos_token: addsEos ?? false } : {}),
      bos_token: bosText,
      eos_token: textOf(parsed.data.eos_token_id),
      unk_token: textOf(parsed.data.unknown_token_id),
      pad_token: textOf(parsed.data.padding_token_id),
      chat_template: typeof template === 'string' ? template : undefined,
    }),
    'generation_config.json': jsonText({ eos_token_id: [...new Set(ends)] }),
  };
}

function byteLevelPartsOf(
  { tokens, merges, pre }: Extract<GgufKeys, { readonly model: 'gpt2' }>,
  refuse: (what: string) => never,
): TokenizerParts {
  const rules = Object.hasOwn(rulesByName, pre) ? rulesByName[pre] : undefined;
  if (rules === undefined)
    return refuse(
      `it splits texts by the rules "${pre.slice(0, 80)}", which are not among ${Object.keys(rulesByName).join(', ')}`,
    );
  return {
    normalizer: rules.normalizer ?? null,
    pre_tokenizer: { type: 'Sequence', pretokenizers: rules.pretokenizers },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: rules.ignoreMerges ?? false,
      vocab: Object.fromEntries(tokens.map((content, at) => [content, at])),
      merges: merges.map((merge) => merge.split(' ')),
    },
  };
}

/** What writes a token before every text. */
const beginsWith = ({ text, id: of }: { readonly text: string; readonly id: number }): object => {
  const single = (type: 0 | 1, name: 'A' | 'B'): object[] => [
    { SpecialToken: { id: text, type_id: type } },
    { Sequence: { id: name, type_id: type } },
  ];
  return {
    type: 'TemplateProcessing',
    single: single(0, 'A'),
    pair: [...single(0, 'A'), ...single(1, 'B')],
    special_tokens: { [text]: { id: text, ids: [of], tokens: [text] } },
  };
};

const jsonText = (value: object): string => `${JSON.stringify(value, undefined, 1)}\n`;

function refusal(file: string, what: string): UsageError {
  return new UsageError({
    where: `${file}, tokenizer`,
    what: `${what}.`,
    fix: 'Give a model of the Llama, SmolLM, Qwen2 or Qwen3 family, or the checkpoint in the format of Hugging Face.',
  });
}
