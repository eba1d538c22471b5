import { createRng, type Rng } from '../../envs/core/rng.ts';

// Texts that are to a search engine what product texts are: as long, with words as frequent, and a tail of words that hardly
// recur. They mean nothing.

const exponent = 1.45;
const offset = 40;
const vocabulary = 500_000;
const medianWords = 106;
const spread = 0.55;
const rareShare = 0.002;
const titleWords = 14;

const stopWords =
  'the and for with of to in a is this it are on be or as not by that at no such will an'.split(' ');
/** From words that stand in most texts to words that stand in one of a hundred. */
const known =
  'size color women large fit men black cotton white blue shoes green set home wood sleeve slim waist table stripe steel jumpsuit'.split(
    ' ',
  );
const ranksOfKnown = new Map(known.map((word, at) => [10 + Math.round(6 * 1.3 ** at), word]));
const onsets = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'f',
  'fl',
  'g',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
];
const vowels = ['a', 'e', 'i', 'o', 'u', 'ea', 'oo'];
const codas = ['', 'n', 'r', 'l', 't', 'ck', 'm', 'st'];
const endings = ['', '', '', '', 's', 's', 'ed', 'ing', 'er', 'ly'];
const separators = [' ', ' ', ' ', ' ', ' ', ' ', ', ', '. ', ' - ', ': ', ' & ', '/'];

/** The word of a rank, put together from syllables where it is none of those above. */
function wordOf(rank: number): string {
  if (rank % 3 === 0 && rank / 3 < stopWords.length) return stopWords[rank / 3] ?? '';
  const familiar = ranksOfKnown.get(rank);
  if (familiar !== undefined) return familiar;
  let rest = rank;
  let word = '';
  const take = (list: readonly string[]): string => {
    const part = list[rest % list.length] ?? '';
    rest = Math.floor(rest / list.length);
    return part;
  };
  do word += take(onsets) + take(vowels) + take(codas);
  while (rest > 0);
  return word + (endings[(rank * 7) % endings.length] ?? '');
}

const words: (string | undefined)[] = [];

/** A word, by the law of Zipf and Mandelbrot. */
function drawWord(uniform: number): string {
  const low = (1 + offset) ** (1 - exponent);
  const high = (vocabulary + offset) ** (1 - exponent);
  const rank = Math.floor((low - uniform * (low - high)) ** (1 / (1 - exponent)) - offset) - 1;
  return (words[rank] ??= wordOf(rank));
}

/** A normal draw. */
const drawNormal = (rng: Rng): number =>
  Math.sqrt(-2 * Math.log(1 - rng.uniform())) * Math.cos(2 * Math.PI * rng.uniform());

/** Texts from the first on; the same for the same seed. */
export function* productTexts(count: number, seed: number): Generator<string, void, undefined> {
  const rng = createRng(seed).fork('texts');
  for (let document = 0; document < count; document += 1) {
    const length = Math.max(8, Math.round(medianWords * Math.exp(spread * drawNormal(rng))));
    const parts: string[] = [];
    for (let word = 0; word < length; word += 1) {
      parts.push(
        rng.uniform() < rareShare ? `${rng.int(1_000_000_000).toString(36)}x` : drawWord(rng.uniform()),
        separators[rng.int(separators.length)] ?? ' ',
      );
    }
    yield parts.join('');
  }
}

/** Queries of 3 to 10 words from titles, as an agent derives them from its task. */
export function productQueries(count: number, seed: number): readonly string[] {
  const rng = createRng(seed).fork('queries');
  const query = (): string => {
    const title = Array.from({ length: titleWords }, () => drawWord(rng.uniform())).filter(
      (word) => !stopWords.includes(word),
    );
    return title.slice(0, 3 + rng.int(8)).join(' ');
  };
  return [...Array.from({ length: count - 1 }, query), 'womens jumpsuit slim fit green stripe large'];
}
