import { z } from 'zod';
import { byType, patternSchema } from './piece-normalizer.ts';
import { metaspaceSchema } from './piece-splitter.ts';

/**
 * Joins the texts of tokens.
 * @param isStart whether the decoder may take away the space that encoding writes at the beginning of a text
 */
export type PieceDecoder = (tokens: readonly string[], isStart: boolean) => string;

const partSchema = byType('decoder', [
  z.object({ type: z.literal('Sequence'), decoders: z.array(z.unknown()) }),
  z.object({ type: z.literal('Replace'), pattern: patternSchema, content: z.string() }),
  z.object({ type: z.literal(['ByteFallback', 'Fuse']) }),
  z.object({
    type: z.literal('Strip'),
    content: z.string().refine((text) => Array.from(text).length === 1, 'it must be one character'),
    start: z.int().nonnegative(),
    stop: z.int().nonnegative(),
  }),
  metaspaceSchema,
]);
type Part = Exclude<z.output<typeof partSchema>, { readonly type: 'Sequence' }>;

/**
 * Reads `decoder` of tokenizer.json: Sequence, Replace, ByteFallback, Fuse, Strip and Metaspace.
 * @throws z.ZodError for others, or where there is none
 */
export function readDecoder(given: unknown): PieceDecoder {
  const parts = partsOf(given);
  return (tokens, isStart) =>
    parts.reduce<readonly string[]>((texts, part) => decoded(texts, part, isStart), tokens).join('');
}

function partsOf(given: unknown): Part[] {
  const part = partSchema.parse(given);
  return part.type === 'Sequence' ? part.decoders.flatMap(partsOf) : [part];
}

function decoded(tokens: readonly string[], part: Part, isStart: boolean): readonly string[] {
  switch (part.type) {
    case 'Replace':
      return tokens.map((token) => token.replaceAll(part.pattern.String, () => part.content));
    case 'Fuse':
      return [tokens.join('')];
    case 'ByteFallback':
      return joinBytes(tokens);
    case 'Strip':
      return tokens.map((token) => strip(token, { ...part, start: isStart ? part.start : 0 }));
    case 'Metaspace': {
      const drops = isStart && part.scheme !== 'never';
      return tokens.map((token, place) =>
        token.replaceAll(part.replacement, place === 0 && drops ? '' : ' '),
      );
    }
  }
}

const byteToken = /^<0x([0-9a-f]{2}|\+[0-9a-f])>$/i;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Tokens of bytes become text. Of a run that is not UTF-8 each byte becomes U+FFFD, as in the Rust library. */
function joinBytes(tokens: readonly string[]): readonly string[] {
  const texts: string[] = [];
  let bytes: number[] = [];
  const flush = (): void => {
    if (bytes.length > 0) texts.push(decodeFallback(Uint8Array.from(bytes)));
    bytes = [];
  };
  for (const token of tokens) {
    const byte = byteToken.exec(token)?.[1];
    if (byte === undefined) {
      flush();
      texts.push(token);
    } else bytes.push(Number.parseInt(byte, 16));
  }
  flush();
  return texts;
}

/** The text of a run of bytes; one U+FFFD for each byte where it is not UTF-8. */
function decodeFallback(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return '\uFFFD'.repeat(bytes.length);
  }
}

/** Takes away at most that many of a character from both ends. */
function strip(
  token: string,
  { content, start, stop }: { readonly content: string; readonly start: number; readonly stop: number },
): string {
  let text = token;
  for (let taken = 0; taken < start && text.startsWith(content); taken += 1)
    text = text.slice(content.length);
  for (let taken = 0; taken < stop && text.endsWith(content); taken += 1)
    text = text.slice(0, -content.length);
  return text;
}
