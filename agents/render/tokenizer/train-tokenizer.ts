import { UsageError } from '../../../envs/core/errors.ts';
import { byteAlphabet } from './byte-alphabet.ts';
import { learnMerges, type CountedWord } from './learn-merges.ts';
import { specialPattern } from '../special-text.ts';

/** The files of a tokenizer, by name: what a checkpoint folder holds of it. */
export interface TokenizerFolderFiles {
  readonly 'tokenizer.json': string;
  readonly 'tokenizer_config.json': string;
}

/** The special tokens of models of our own: what begins the message of each role, what ends one, and padding. */
export const ownSpecialTokens = [
  '<|system|>',
  '<|user|>',
  '<|assistant|>',
  '<|tool|>',
  '<|end|>',
  '<|pad|>',
] as const;

/**
 * Each message costs two tokens, and a conversation that goes on only ever gets longer at its end. Interpreters are slow at joining texts and making
 * lists, so that it joins but once for each message, which refuses content that is no text.
 */
const ownTemplate =
  "{% set roles = ['system', 'user', 'assistant', 'tool'] %}{% for message in messages %}" +
  "{% if message['role'] not in roles %}{{ raise_exception('there is no role ' + message['role']) }}{% endif %}" +
  "<|{{ message['role'] }}|>{{ message['content'] + '<|end|>' }}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}";

/** Words are letters, single digits or signs, with the space before them; what ends in one of several spaces leaves the last to the word. */
const splitRegex = ' ?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+';
/** The same in JavaScript, whose `\s` is not Unicode's. */
const words = new RegExp(
  splitRegex.replaceAll('\\s', '\\p{White_Space}').replaceAll('\\S', '\\P{White_Space}'),
  'gu',
);

/** Longer runs without a space, such as encoded data, teach nothing and cost much. */
const longestWord = 256; // bytes

/** The tokens that every vocabulary has: bytes and special ones. */
export const smallestVocabulary = byteAlphabet.length + ownSpecialTokens.length;

/** The tokenizer of single bytes: ids 0 to 255 are the bytes, then come the special tokens. */
export function byteTokenizer(): TokenizerFolderFiles {
  return writeFiles([...byteAlphabet], []);
}

/**
 * Learns a byte-level BPE tokenizer (ids: the 256 bytes, what was learned, the special tokens) and writes it as the files of a checkpoint
 * folder, with a chat template of our own. Equal texts give equal files on every machine: among equally frequent pairs the one that
 * stands first is taken.
 *
 * @param vocabulary how many tokens it may have; fewer are learned where no pair stands in the texts twice
 * @throws UsageError for a vocabulary without room for bytes and special tokens, or beyond a million
 */
export function trainTokenizer(
  texts: Iterable<string>,
  { vocabulary }: { readonly vocabulary: number },
): TokenizerFolderFiles {
  if (!Number.isInteger(vocabulary) || vocabulary < smallestVocabulary || vocabulary > 1_000_000) {
    throw new UsageError({
      where: 'vocabulary of the tokenizer',
      what: `${vocabulary} is no size that one can have.`,
      fix: `Give a whole number from ${smallestVocabulary}, which are the bytes and the special tokens, to 1000000.`,
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

/** The words of the texts as bytes, in the order in which they first stand. Texts of special tokens are left out: they are never spelt. */
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
