import { AddedTokenFinder, withoutLeadingSpace, type AddedToken } from './added-tokens.ts';
import { readDecoder } from './piece-decoder.ts';
import { readPieceModel } from './piece-model.ts';
import { readNormalizer } from './piece-normalizer.ts';
import { readSplitter } from './piece-splitter.ts';
import type { SectionStart } from './section-start.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The validated contents of the files of a tokenizer of SentencePiece's kind. */
export interface PieceTokenizerFiles extends Pick<Tokenizer, 'special' | 'reserved' | 'endOfTurn'> {
  /** `tokenizer.json`. */
  readonly parts: {
    readonly normalizer?: unknown;
    readonly pre_tokenizer?: unknown;
    readonly decoder?: unknown;
    readonly model?: unknown;
  };
  /** Ids by the texts of the model's own tokens. */
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly merges: readonly (readonly [string, string])[];
  readonly added: readonly AddedToken[];
  /** The special token for text outside the vocabulary, if there is one. */
  readonly unknown: string | undefined;
}

/** Halves of surrogate pairs. */
const halves = /\p{Surrogate}/gu;

/**
 * A tokenizer of the kind of SentencePiece: BPE over characters, in which `▁` stands for a space. Ids and texts are those of the Rust library `tokenizers`
 * for the same tokenizer.json. Reserved tokens are the exception: only their exact text becomes one, neither a normal form nor a merge.
 *
 * Source: Kudo and Richardson, 2018, "SentencePiece".
 * @throws Error for unsupported parts
 */
export function createPieceTokenizer(files: PieceTokenizerFiles): Tokenizer {
  const { parts, vocabulary, added, special, reserved, endOfTurn, unknown } = files;
  const normalizer = readNormalizer(parts.normalizer);
  const splitter = readSplitter(parts.pre_tokenizer);
  const decoder = readDecoder(parts.decoder);
  const model = readPieceModel({
    options: parts.model,
    vocabulary,
    merges: files.merges,
    reserved: new Set([...reserved.keys()].filter((text) => text !== unknown)),
  });
  const contents = new Set(added.map(({ content }) => content));
  const named = [...reserved]
    .filter(([content]) => !contents.has(content))
    .map(([content, id]) => ({ id, content, lstrip: false, rstrip: false, normalized: false }));
  const all = [...added, ...named];
  const asWritten = new AddedTokenFinder(
    all.filter(({ normalized }) => !normalized).map((token) => [token.content, token]),
  );
  const inNormal = new AddedTokenFinder(
    all
      .filter(({ normalized }) => normalized)
      .map((token) => [normalizer.apply(token.content, 'text'), token]),
  );
  const addedById = new Map(all.map((token) => [token.id, token]));
  const texts = new Map([...vocabulary].map(([text, id]) => [id, text]));
  for (const { id, content } of all) texts.set(id, content);

  let size = 0;
  for (const id of texts.keys()) size = Math.max(size, id + 1);

  const startAfter = (id: number | undefined): SectionStart => {
    if (id === undefined) return 'text';
    const token = addedById.get(id);
    return token === undefined ? 'inside' : token.normalized ? 'piece' : 'section';
  };
  const isPrefixed = (start: SectionStart): boolean =>
    start === 'text' ||
    (normalizer.prepends && start === 'section') ||
    (splitter.prefix === 'always' && start !== 'inside');

  /** Appends the ids of text without tokens that are found as written. */
  const encodeSection = (text: string, start: SectionStart, ids: number[]): void => {
    let place = start;
    for (const part of inNormal.split(normalizer.apply(text, start))) {
      if (typeof part === 'string') {
        for (const word of splitter.split(part, place)) for (const id of model(word)) ids.push(id);
      } else ids.push(part.id);
      place = 'piece';
    }
  };

  return {
    size,
    special,
    reserved,
    endOfTurn,
    encode: (text, after) => {
      const ids: number[] = [];
      const own = text.replace(halves, '\uFFFD');
      const isStripped = after !== undefined && addedById.get(after)?.rstrip === true;
      let start = startAfter(after);
      for (const part of asWritten.split(isStripped ? withoutLeadingSpace(own) : own)) {
        if (typeof part === 'string') encodeSection(part, start, ids);
        else ids.push(part.id);
        start = 'section';
      }
      return ids;
    },
    decode: (ids, after) => {
      const known = ids.filter((id) => texts.has(id));
      const textsOf = (some: readonly number[]): string[] => some.map((id) => texts.get(id) as string);
      if (after === undefined) return decoder(textsOf(known), true);
      let start = startAfter(after);
      let out = '';
      for (let from = 0; from < known.length;) {
        let to = from;
        while (to < known.length && !addedById.has(known[to] as number)) to += 1;
        if (to > from) out += decoder(textsOf(known.slice(from, to)), isPrefixed(start));
        const token = known[to];
        if (token !== undefined) {
          out += decoder(textsOf([token]), false);
          start = startAfter(token);
        }
        from = to + 1;
      }
      return out;
    },
  };
}
