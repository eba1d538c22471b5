import type { Family } from './goal-shape.ts';

/** The content of a goal's sentence. */
export interface SpokenGoal {
  readonly family: Exclude<Family, 'other'>;
  readonly object: string;
  /** The words for the receptacle or lamp; undefined for any lamp. */
  readonly target: string | undefined;
}

/** Sentences of ALFWorld, and of TextWorld's own example. */
const sentences: readonly (readonly [SpokenGoal['family'], RegExp])[] = [
  ['clean', /^put a clean (\w+) (?:in|on) (\w+)$/],
  ['clean', /^clean some (\w+) and put it (?:in|on) (\w+)$/],
  ['heat', /^put a hot (\w+) (?:in|on) (\w+)$/],
  ['heat', /^heat some (\w+) and put it (?:in|on) (\w+)$/],
  ['cool', /^put a cool (\w+) (?:in|on) (\w+)$/],
  ['cool', /^cool some (\w+) and put it (?:in|on) (\w+)$/],
  ['pick2', /^put two (\w+) (?:in|on) (\w+)$/],
  ['pick2', /^find two (\w+) and put them (?:in|on) (\w+)$/],
  ['pick', /^put (?:a|some) (\w+) (?:in|on) (\w+)$/],
  ['look', /^look at (\w+) under the (\w+)$/],
  ['look', /^examine (?:a|the) (\w+) with the (\w+)$/],
  ['look', /^examine (?:a|the) (\w+) under a light source$/],
];

/** Parses a goal's sentence; undefined for other wordings. */
export function readSpokenGoal(sentence: string): SpokenGoal | undefined {
  const words = sentence.trim().toLowerCase().replace(/\.$/, '');
  for (const [family, pattern] of sentences) {
    const match = pattern.exec(words);
    if (match !== null) return { family, object: match[1] as string, target: match[2] };
  }
  return undefined;
}
