/** Why a transcript breaks the format. */
export type FormatFlaw =
  | 'no-tags'
  | 'unclosed'
  | 'nested'
  | 'empty-thought'
  | 'no-thought-first'
  | 'one-answer'
  | 'no-information'
  | 'text-after-answer'
  | 'query'
  | 'unknown-model';

const tags = ['search', 'answer', 'think', 'information'] as const;
const tagged = /<(search|answer|think|information)>([\s\S]*?)<\/\1>/g;
const countOf = (text: string, part: string): number => text.split(part).length - 1;

/**
 * The first flaw of a transcript by the rules of Router-R1's reward; undefined for one in the right form.
 *
 * It begins with a thought and ends with the only answer. Each `<search>NAME: question</search>` has its `<information>`. No tag
 * stands in another. A search has one colon, with a known name before it. The question does not contain the name.
 *
 * @param models names of the models that can be called
 */
export function routeFormatFlaw(transcript: string, models: readonly string[]): FormatFlaw | undefined {
  const parts = [...transcript.matchAll(tagged)].map(([, tag = '', content = '']) => ({
    tag,
    content: content.trim(),
  }));
  if (parts.length === 0) return 'no-tags';
  if (tags.some((tag) => countOf(transcript, `<${tag}>`) !== countOf(transcript, `</${tag}>`)))
    return 'unclosed';
  const contents = (wanted: string): readonly string[] =>
    parts.filter(({ tag }) => tag === wanted).map(({ content }) => content);
  if (contents('think').some((thought) => thought === '' || thought === '...')) return 'empty-thought';
  if (parts.some(({ content }) => /<\/?(?:search|answer|think|information)>/.test(content))) return 'nested';
  if (contents('answer').length !== 1) return 'one-answer';
  if (contents('search').length !== contents('information').length) return 'no-information';
  const text = transcript.trim();
  if (!text.startsWith('<think>')) return 'no-thought-first';
  if (!text.endsWith('</answer>')) return 'text-after-answer';
  const known = new Set(models.map((name) => name.toLowerCase()));
  const calls = contents('search').map((content) => content.split(':').map((part) => part.trim()));
  const isQuery = ([name = '', query = '', ...more]: readonly string[]): boolean =>
    more.length === 0 && query !== '' && !query.toLowerCase().includes(name.toLowerCase());
  if (!calls.every(isQuery)) return 'query';
  return calls.every(([name = '']) => known.has(name.toLowerCase())) ? undefined : 'unknown-model';
}
