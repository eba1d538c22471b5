import { readInstruction, squeeze } from './instruction-parts.ts';

/** The most searches that are listed. */
const most = 10;

/** Where the name of the product ends and its details start. */
const turn =
  /\b(?:with|without|that|which|for|in|made|featuring|having|from|by|(?<!\b(?:pair|set|pack|box|bottle|bag|case|jar|can|tube|piece|roll)s? )of|on|and has|and is|and comes|it should|they should|it must|should|must)\b/g;

/** Words that find nothing. */
const empty = new Set(
  `a an and are as at be but by can comes do does for from has have having i if in into is it its i'm made me my need needs no not of on or
  should must so some such than that the their them there these they this those to want was which will with would you your also each very
  that's it's they're don't isn't looking product item items something features featuring please like made preferably ideally`.split(
    /\s+/,
  ),
);

/**
 * The searches that are listed for policies that choose from a list. They are a function of the instruction
 * alone, at most ten, the most informative first. In turn: the whole wish without the price and without
 * request phrases; the same without named options; the meaningful words of both; the part before `with`,
 * `for`, `that` and the like, complete and its last part, which names the kind of product; its last two
 * words; the kind with each option value; the kind with what follows.
 */
export function candidateQueries(instruction: string): readonly string[] {
  const { wish, kind, options } = readInstruction(instruction);
  const [before, after] = divide(kind);
  const last = lastPart(before);
  const candidates = [
    wish,
    kind,
    telling(wish),
    telling(kind),
    before,
    last,
    telling(last).split(' ').slice(-2).join(' '),
    ...(options.length > 1 ? [`${last} ${options.map(({ value }) => value).join(' ')}`] : []),
    ...options.map(({ value }) => `${last} ${value}`),
    `${last} ${telling(after)}`,
  ];
  const queries = new Set(candidates.map(squeeze).filter((query) => query !== ''));
  return queries.size === 0 ? ['product'] : [...queries].slice(0, most);
}

/** Splits a text at the first word that introduces details. Such a word at the very start does not count. */
function divide(text: string): readonly [string, string] {
  for (const { index } of text.matchAll(turn))
    if (index > 0) return [text.slice(0, index).trim(), text.slice(index).trim()];
  return [text, ''];
}

/** The part after the last comma or `and`, which names the product. */
function lastPart(text: string): string {
  const parts = text
    .split(/,|\band\b/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.at(-1) ?? text;
}

/** The meaningful words, each once. */
function telling(text: string): string {
  const words = text.split(' ').map((word) => word.replaceAll(/^[,.:;!?()]+|[,.:;!?()]+$/g, ''));
  return [...new Set(words.filter((word) => word !== '' && !empty.has(word)))].join(' ');
}
