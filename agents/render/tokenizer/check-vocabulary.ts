import { UsageError } from '../../../envs/core/errors.ts';

/** The parts of `tokenizer.json` that have to agree. */
export interface Vocabulary {
  /** Ids by the texts of the model's own tokens. */
  readonly own: ReadonlyMap<string, number>;
  readonly added: readonly { readonly content: string; readonly id: number }[];
  /** Pairs, as a list of two or with a blank between. */
  readonly merges: readonly unknown[];
}

/** Of a hundred tokens, those that may be without a merge: some tokenizers keep special tokens in their vocabulary. */
const mostUnmadePercent = 1;

/**
 * @param file names tokenizer.json in errors
 * @throws UsageError where two tokens have one id, or a merge is no pair or names a token that does not exist
 */
export function assertConsistent({ own, added, merges }: Vocabulary, file: string): void {
  const texts = new Map<number, string>();
  for (const [text, id] of [...own, ...added.map(({ content, id: of }) => [content, of] as const)]) {
    const other = texts.get(id) ?? text;
    if (other !== text)
      throw refusal(file, `the tokens ${quoted(other)} and ${quoted(text)} both have the id ${id}.`);
    texts.set(id, text);
  }
  for (const { content, id } of added) {
    const other = own.get(content) ?? id;
    if (other !== id) throw refusal(file, `the token ${quoted(content)} has two ids, ${other} and ${id}.`);
  }
  for (const [place, merge] of merges.entries()) {
    const pair = pairOf(merge);
    if (pair === undefined) throw refusal(file, `merge ${place} is no pair of tokens.`);
    const unknown = [...pair, pair.join('')].find((text) => !own.has(text));
    if (unknown !== undefined)
      throw refusal(file, `merge ${place} needs the token ${quoted(unknown)}, which the vocabulary lacks.`);
  }
}

/**
 * @throws UsageError where ids are missing between the first and the last, or where so many tokens have no merge that merges must be missing
 */
export function assertComplete({ own, added, merges }: Vocabulary, file: string): void {
  const ids = new Set([...own.values(), ...added.map(({ id }) => id)]);
  for (let id = 0, seen = 0; seen < ids.size; id += 1) {
    if (!ids.has(id)) throw refusal(file, `no token has the id ${id}, though higher ids are in use.`);
    seen += 1;
  }
  const names = new Set(added.map(({ content }) => content));
  const made = new Set(merges.map((merge) => pairOf(merge)?.join('')));
  const long = [...own.keys()].filter(
    (text) => Array.from(text).length > 1 && !names.has(text) && !/^<.*>$/su.test(text),
  );
  const unmade = long.filter((text) => !made.has(text));
  const [first] = unmade;
  if (first === undefined || unmade.length * 100 <= long.length * mostUnmadePercent) return;
  throw refusal(
    file,
    `no merge makes ${unmade.length} of its ${long.length} tokens of several characters, ${quoted(first)} among them.`,
  );
}

/** The two tokens of a merge; undefined if it is no pair. */
export function pairOf(merge: unknown): readonly [string, string] | undefined {
  const parts: readonly unknown[] =
    typeof merge === 'string' ? merge.split(' ') : Array.isArray(merge) ? merge : [];
  const [one, other] = parts;
  return parts.length === 2 && typeof one === 'string' && typeof other === 'string'
    ? [one, other]
    : undefined;
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100));

const refusal = (file: string, what: string): UsageError =>
  new UsageError({ where: file, what, fix: 'The file is damaged or was edited: download it again.' });
