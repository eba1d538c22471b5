import { termsOf } from '../../text-search/analyzer.ts';
import { englishAnalyzer } from '../../text-search/english-analyzer.ts';

/** A name or a year where a text has it. */
export interface Mention {
  readonly name: string;
  readonly kind: 'name' | 'year';
  /**
   * The words around it in its sentence: `_` stands for the name, `it` for the title of the document. Other names are
   * left out.
   */
  readonly words: string;
  /** The stems of these words. */
  readonly stems: readonly string[];
}

/** Words that begin sentences and questions, or join names, and are no names. */
const plainWords = new Set(
  `a about after all also among an and another any are as at be because been before both but by can did do does during each early
  every few first for friends from had has have he her here his how i if in into is it its last later letters many most much near
  nearly new no nobody not nothing now of on once one only or other our over several she since so some such than that the
  their them then there these they this those though to together two under until upon was we were what when where which while who
  whom whose why will with within without would you your three tickets guests readers critics schools collectors members`.split(
    /\s+/,
  ),
);
const joiners = new Set(['of', 'the', 'de', 'la', 'von', 'van', 'der', 'and', 'for', '&']);

const leftWords = 4;
const rightWords = 3;
/** Characters of a text that are looked at, so that a long page costs no more than a short one. */
const mostCharacters = 20_000;
const longestName = 200;

interface Token {
  readonly text: string;
  /** Whether the token is a name in quotes, which is not split. */
  readonly isQuoted: boolean;
  readonly endsSentence: boolean;
}

const tokenPattern =
  /"([^"\n]{1,200})"|“([^”\n]{1,200})”|[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}.'’-]*|[.!?;:\n]/gu;

/**
 * The names and years of a text, in order: texts in quotes, runs of words with capitals, and years. It is a rule of
 * thumb that needs no model: it depends on the text alone.
 */
export function mentionsIn(text: string, title: string): readonly Mention[] {
  const found: Mention[] = [];
  const heading = title.toLowerCase();
  let sentence: Token[] = [];
  const flush = (): void => {
    if (sentence.length > 0) addSentence(sentence, heading, found);
    sentence = [];
  };
  for (const [whole, straight, curly] of text.slice(0, mostCharacters).matchAll(tokenPattern)) {
    const quoted = straight ?? curly;
    if (quoted !== undefined) sentence.push({ text: quoted.trim(), isQuoted: true, endsSentence: false });
    else if (/^[.!?;:\n]$/.test(whole)) flush();
    else {
      const isInitial = /^\p{Lu}\.$/u.test(whole);
      const word = isInitial ? whole : whole.replace(/[.'’-]+$/, '').replace(/['’]s$/, '');
      const endsSentence = !isInitial && whole.endsWith('.');
      if (word !== '') sentence.push({ text: word, isQuoted: false, endsSentence });
      if (endsSentence) flush();
    }
  }
  flush();
  return found;
}

interface Span {
  readonly name: string;
  readonly kind: Mention['kind'] | 'word';
}

function addSentence(tokens: readonly Token[], heading: string, found: Mention[]): void {
  const spans = spansOf(tokens).map((span): Span | undefined =>
    span.kind === 'name' && span.name.toLowerCase() === heading ? { name: 'it', kind: 'word' } : span,
  ) as readonly Span[];
  for (const [at, { name, kind }] of spans.entries()) {
    if (kind === 'word' || name.length > longestName) continue;
    const before = spans.slice(Math.max(0, at - leftWords), at);
    const after = spans.slice(at + 1, at + 1 + rightWords);
    const words = [...before.map(wordOf), '_', ...after.map(wordOf)].filter((word) => word !== '').join(' ');
    found.push({ name, kind, words, stems: termsOf(englishAnalyzer, words) });
  }
}

const wordOf = ({ name, kind }: Span): string => (kind === 'word' ? name.toLowerCase() : '');

/** The sentence as words and names. */
function spansOf(tokens: readonly Token[]): readonly Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at] as Token;
    if (token.isQuoted) {
      spans.push({ name: token.text, kind: 'name' });
      at += 1;
    } else if (/^(?:1\d|20)\d\d$/.test(token.text)) {
      spans.push({ name: token.text, kind: 'year' });
      at += 1;
    } else if (isNameWord(token)) {
      const end = nameEnd(tokens, at);
      spans.push({
        name: tokens
          .slice(at, end)
          .map(({ text }) => text)
          .join(' '),
        kind: 'name',
      });
      at = end;
    } else {
      spans.push({ name: token.text, kind: 'word' });
      at += 1;
    }
  }
  return spans;
}

const isNameWord = ({ text, isQuoted }: Token): boolean =>
  !isQuoted && /^\p{Lu}/u.test(text) && !plainWords.has(text.toLowerCase());

/** The end of the name that begins there: words with capitals, and joiners between two of them. */
function nameEnd(tokens: readonly Token[], start: number): number {
  let end = start + 1;
  for (;;) {
    let next = end;
    while (next < tokens.length && next - end < 2 && joiners.has(tokens[next]?.text ?? '')) next += 1;
    const token = tokens[next];
    if (token === undefined || !isNameWord(token)) return end;
    end = next + 1;
  }
}

/** The words of a question that say what is asked: without names and common words, each once. */
export function contentWordsIn(text: string, most: number): readonly string[] {
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
  const names = new Set(mentionsIn(text, '').flatMap(({ name }) => name.toLowerCase().split(' ')));
  return [...new Set(words.filter((word) => !plainWords.has(word) && !names.has(word)))].slice(0, most);
}

/** The stems of the words of a question that say what is asked. */
export const askedStems = (question: string): ReadonlySet<string> =>
  new Set(termsOf(englishAnalyzer, contentWordsIn(question, 100).join(' ')));
