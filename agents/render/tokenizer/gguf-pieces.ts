import { byteTokenText } from './piece-model.ts';

/** Kinds of tokens in `tokenizer.ggml.token_type`. */
export const ggufKinds = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

/** Those keys `tokenizer.ggml.…` that give the pieces of SentencePiece. */
export interface PieceKeys {
  readonly tokens: readonly string[];
  readonly token_type: readonly number[];
  /** The logarithm of a probability, or the negative rank of the merge. */
  readonly scores: readonly number[];
  /** Whether a space is written before every text. */
  readonly add_space_prefix: boolean;
}

/** Those parts of tokenizer.json that depend on the kind of the tokenizer. */
export interface TokenizerParts {
  readonly normalizer: object | null;
  readonly pre_tokenizer: object | null;
  readonly decoder: object;
  readonly model: object;
}

const space = '▁';
const replaced = (from: string, to: string): object => ({
  type: 'Replace',
  pattern: { String: from },
  content: to,
});

/**
 * The parts of tokenizer.json for a GGUF tokenizer `llama`: BPE of SentencePiece, which merges the neighbours that make the token of the
 * highest score, the leftmost first.
 *
 * Source: `llm_tokenizer_spm` of llama.cpp's llama-vocab.cpp, and `generate_merges` of transformers, which makes merges of scores.
 * @param refuse throws the error of the file
 */
export function piecePartsOf(
  keys: PieceKeys,
  unknown: string | undefined,
  refuse: (what: string) => never,
): TokenizerParts {
  const { tokens, token_type: types, scores, add_space_prefix: prefixes } = keys;
  if (scores.length !== tokens.length)
    refuse(`it has ${tokens.length} tokens, but the scores of ${scores.length}`);
  const nan = scores.findIndex((score) => Number.isNaN(score));
  if (nan >= 0) refuse(`the score of the token ${nan} is not a number`);
  const ofKind = (kind: number): string[] => tokens.filter((_, at) => types[at] === kind);
  const bytes = ofKind(ggufKinds.byte);
  const known = new Set(Array.from({ length: 256 }, (_, byte) => byteTokenText(byte)));
  const strange = bytes.find((text) => !known.has(text));
  if (strange !== undefined)
    refuse(`the byte token ${JSON.stringify(strange.slice(0, 80))} is not of the form <0x0A>`);
  return {
    normalizer: prefixes
      ? { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: space }, replaced(' ', space)] }
      : replaced(' ', space),
    pre_tokenizer: null,
    decoder: {
      type: 'Sequence',
      decoders: [
        replaced(space, ' '),
        { type: 'ByteFallback' },
        { type: 'Fuse' },
        ...(prefixes ? [{ type: 'Strip', content: ' ', start: 1, stop: 0 }] : []),
      ],
    },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: unknown ?? ofKind(ggufKinds.unknown)[0] ?? null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: true,
      byte_fallback: bytes.length > 0,
      ignore_merges: false,
      vocab: Object.fromEntries(tokens.map((content, at) => [content, at])),
      merges: mergesOf(keys, refuse),
    },
  };
}

/**
 * All pairs of tokens that make a token, by falling score. Of those that make the same token, the pair with the longer left token comes first.
 * Two tokens of one score are refused: SentencePiece takes the leftmost of both, which no order of merges does.
 */
function mergesOf(
  { tokens, token_type: types, scores }: PieceKeys,
  refuse: (what: string) => never,
): readonly (readonly [string, string])[] {
  const pieces = new Map(
    tokens.flatMap((text, at): [string, number][] =>
      types[at] === ggufKinds.normal || types[at] === ggufKinds.unused ? [[text, scores[at] as number]] : [],
    ),
  );
  const merges: { readonly pair: readonly [string, string]; readonly score: number }[] = [];
  for (const [text, score] of pieces) {
    for (let at = 1; at < text.length; at += 1) {
      const pair = [text.slice(0, at), text.slice(at)] as const;
      if (pieces.has(pair[0]) && pieces.has(pair[1])) merges.push({ pair, score });
    }
  }
  merges.sort((a, b) => b.score - a.score || b.pair[0].length - a.pair[0].length);
  for (const [place, { pair, score }] of merges.entries()) {
    const next = merges[place + 1];
    const [one, other] = [pair.join(''), next?.pair.join('') ?? ''];
    if (next?.score === score && one !== other)
      refuse(
        `the tokens ${JSON.stringify(one.slice(0, 80))} and ${JSON.stringify(other.slice(0, 80))} have the same score, which is not supported`,
      );
  }
  return merges.map(({ pair }) => pair);
}
