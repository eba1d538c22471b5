import { UsageError } from '../../../envs/core/errors.ts';
import { byteAlphabet } from './byte-alphabet.ts';
import { learnMerges, type CountedWord } from './learn-merges.ts';
import { specialPattern } from '../special-text.ts';

/** The tokenizer files of a checkpoint folder, by name. */
export interface TokenizerFolderFiles {
  readonly 'tokenizer.json': string;
  readonly 'tokenizer_config.json': string;
}

/**
 * The special tokens of our own models: the beginning of a message of each role, the end of a message, and
 * padding.
 */
export const ownSpecialTokens = [
  '<|system|>',
  '<|user|>',
  '<|assistant|>',
  '<|tool|>',
  '<|end|>',
  '<|pad|>',
] as const;

/**
 * Each message costs two tokens, and a conversation that continues only grows at its end. Jinja interpreters
 * are slow at joining text and building lists, so it joins once for each message. That join also refuses
 * content that is not text.
 */
const ownTemplate =
  "{% set roles = ['system', 'user', 'assistant', 'tool'] %}{% for message in messages %}" +
  "{% if message['role'] not in roles %}{{ raise_exception('there is no role ' + message['role']) }}{% endif %}" +
  "<|{{ message['role'] }}|>{{ message['content'] + '<|end|>' }}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}";

/**
 * Words are letters, single digits or signs, with the space before them. A run of several spaces leaves its
 * last one to the next word.
 */
const splitRegex = ' ?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+';
/** The same in JavaScript, whose `\s` differs from Unicode's. */
const words = new RegExp(
  splitRegex.replaceAll('\\s', '\\p{White_Space}').replaceAll('\\S', '\\P{White_Space}'),
  'gu',
);

/** Longer runs without a space, such as encoded data, teach nothing and cost much. */
const longestWord = 256; // bytes

/** The tokens that every vocabulary has: bytes and special tokens. */
export const smallestVocabulary = byteAlphabet.length + ownSpecialTokens.length;

/** The byte tokenizer: ids 0 to 255 are the bytes, followed by the special tokens. */
export function byteTokenizer(): TokenizerFolderFiles {
  return writeFiles([...byteAlphabet], []);
}

/**
 * Learns a byte-level BPE tokenizer and writes it as the files of a checkpoint folder, with our chat
 * template. The ids are the 256 bytes, the learned tokens, then the special tokens. Equal texts give equal
 * files on every machine: on a tie the pair that appears first is merged.
 *
 * @param vocabulary most tokens; fewer are learned if no pair appears twice
 * @throws UsageError for a vocabulary below the bytes and special tokens, or above a million
 */
export function trainTokenizer(
  texts: Iterable<string>,
  { vocabulary }: { readonly vocabulary: number },
): TokenizerFolderFiles {
  if (!Number.isInteger(vocabulary) || vocabulary < smallestVocabulary || vocabulary > 1_000_000) {
    throw new UsageError({
      where: 'vocabulary of the tokenizer',
      what: `${vocabulary} is invalid.`,
      fix: `It must be an integer from ${smallestVocabulary} (the bytes and the special tokens) to 1000000.`,
    });
  }
  const tokens = [...byteAlphabet];
  const merges = learnMerges(countWords(texts), {
    wanted: () => tokens.length + ownSpecialTokens.length < vocabulary,
    name: ({ left, right }) => tokens.push(`${tokens[left]}${tokens[right]}`) - 1,
  });
  return writeFiles(
    tokens,
    merges.map(({ left, right }) => [tokens[left] as string, tokens[right] as string]),
  );
}

/**
 * The words of the texts as bytes, in the order of first appearance. Special-token texts are skipped, because
 * they are never spelt out.
 */
function countWords(texts: Iterable<string>): CountedWord[] {
  const counts = new Map<string, number>();
  const special = specialPattern(ownSpecialTokens);
  for (const text of texts) {
    for (const part of text.split(special)) {
      for (const [word] of part.matchAll(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([word, count]) => ({ tokens: [...Buffer.from(word)], count }))
    .filter(({ tokens }) => tokens.length <= longestWord);
}

function writeFiles(
  tokens: readonly string[],
  merges: readonly (readonly [string, string])[],
): TokenizerFolderFiles {
  const added = ownSpecialTokens.map((content, index) => ({
    id: tokens.length + index,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false };
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: splitRegex }, behavior: 'Isolated', invert: false },
        byteLevel,
      ],
    },
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(tokens.map((text, id) => [text, id])),
      merges,
    },
  };
  const config = {
    tokenizer_class: 'PreTrainedTokenizerFast',
    eos_token: '<|end|>',
    pad_token: '<|pad|>',
    additional_special_tokens: ownSpecialTokens.filter((text) => text !== '<|end|>' && text !== '<|pad|>'),
    clean_up_tokenization_spaces: false,
    chat_template: ownTemplate,
  };
  return {
    'tokenizer.json': `${JSON.stringify(tokenizer)}\n`,
    'tokenizer_config.json': `${JSON.stringify(config, undefined, 2)}\n`,
  };
}
