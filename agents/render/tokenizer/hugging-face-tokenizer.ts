import { Tokenizer as HuggingFaceTokenizer } from '@huggingface/tokenizers';
import { RunError } from '../../../envs/core/errors.ts';
import { specialPattern } from '../special-text.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The validated contents of a tokenizer's files. */
export interface TokenizerFiles {
  /** `tokenizer.json`. */
  readonly model: object;
  /** `tokenizer_config.json`. */
  readonly config: object;
  readonly special: ReadonlyMap<string, number>;
  /** Reserved tokens, including the special ones. */
  readonly reserved: ReadonlyMap<string, number>;
  /** The special token for text outside the vocabulary, if there is one. */
  readonly unknown: string | undefined;
  readonly endOfTurn: ReadonlySet<number>;
  /** Name of the folder in errors. */
  readonly where: string;
}

/**
 * Wraps `@huggingface/tokenizers`, for byte-level BPE. Decoding never removes spaces before punctuation, even if
 * `tokenizer_config.json` asks for it, so that written text is read unchanged.
 * @throws Error of the library for unsupported files
 */
export function wrapTokenizer({
  model,
  config,
  special,
  reserved,
  unknown,
  endOfTurn,
  where,
}: TokenizerFiles): Tokenizer {
  const library = new HuggingFaceTokenizer(model, config);
  let size = 0;
  for (const id of library.get_vocab().values()) size = Math.max(size, id + 1);
  const controls = new Map([...reserved].filter(([text]) => text !== unknown));
  const controlIds = new Set(controls.values());
  const controlTexts = specialPattern(controls.keys());

  const encodeAsLibrary = (text: string): number[] =>
    library.encode(text, { add_special_tokens: false }).ids.map((id) => {
      if (id !== undefined) return id;
      throw new RunError({
        where,
        what: `the tokenizer has no token for part of ${JSON.stringify(text.slice(0, 100))}.`,
        fix: 'Use a tokenizer that covers every byte.',
      });
    });

  /**
   * Encodes text without reserved tokens. Normalisation can create one (U+212A, the kelvin sign, becomes K);
   * then its halves are encoded separately.
   */
  const encodePlain = (text: string): number[] => {
    const ids = encodeAsLibrary(text);
    if (!ids.some((id) => controlIds.has(id))) return ids;
    const characters = Array.from(text);
    if (characters.length < 2) return ids;
    const half = characters.length >> 1;
    return [characters.slice(0, half), characters.slice(half)].flatMap((part) => encodePlain(part.join('')));
  };

  return {
    size,
    special,
    reserved,
    endOfTurn,
    encode: (text) => {
      const ids = encodeAsLibrary(text);
      const expected = text.match(controlTexts)?.length ?? 0;
      if (countOf(ids, controlIds) === expected) return ids;
      return splitAt(text, controlTexts).flatMap((part) => {
        const id = controls.get(part);
        return id === undefined ? encodePlain(part) : [id];
      });
    },
    decode: (ids) => {
      const known = ids.filter((id) => library.id_to_token(id) !== undefined);
      return known.length === 0
        ? ''
        : library.decode(known, { skip_special_tokens: false, clean_up_tokenization_spaces: false });
    },
  };
}

function countOf(ids: readonly number[], wanted: ReadonlySet<number>): number {
  let count = 0;
  for (const id of ids) if (wanted.has(id)) count += 1;
  return count;
}

/** The matches and the text between them, in order. */
function splitAt(text: string, pattern: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(from, match.index), match[0]);
    from = match.index + match[0].length;
  }
  return [...parts, text.slice(from)].filter((part) => part !== '');
}
