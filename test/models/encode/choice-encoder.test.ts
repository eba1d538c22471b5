import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { builtInEnvs } from '../../../envs/catalog.ts';
import { EpisodeMemory } from '../../../models/encode/choice-encoder.ts';
import { ChoiceRows } from '../../../models/encode/choice-rows.ts';
import { Reader, readText } from '../../../models/encode/text.ts';

const buckets = 2 ** 24; // so large that two features meet by accident only once in a blue moon

interface Moment {
  readonly observation: string;
  readonly candidates: readonly string[];
  readonly took?: number;
}

/** The features of the last moment: of the state and of each candidate, sorted. */
function featuresAfter(
  instruction: string,
  moments: readonly Moment[],
): { state: number[]; candidates: number[][] } {
  const reader = new Reader();
  const memory = new EpisodeMemory(instruction, reader);
  let rows = new ChoiceRows(buckets);
  for (const { observation, candidates, took } of moments) {
    rows = new ChoiceRows(buckets);
    memory.encode(observation, candidates, rows);
    if (took !== undefined) memory.took(took);
  }
  const batch = rows.pack();
  const sorted = (features: Int32Array): number[] => [...features].toSorted((a, b) => a - b);
  return {
    state: sorted(batch.stateFeatures),
    candidates: Array.from({ length: batch.candidateStart.length - 1 }, (_, row) =>
      sorted(batch.candidateFeatures.subarray(batch.candidateStart[row], batch.candidateStart[row + 1])),
    ),
  };
}

describe('readText', () => {
  it('joins a number to the word before it and lower-cases', () => {
    const [shelf, , mug] = readText('Shelf 2 , a mug').units;
    expect(shelf?.name).toBe(readText('shelf 2').units[0]?.name);
    expect(shelf?.name).not.toBe(readText('shelf 3').units[0]?.name);
    expect(shelf?.word).toBe(readText('shelf 3').units[0]?.word);
    expect(mug?.before).toBe(readText('a').units[0]?.word);
  });

  it('reads any text without throwing, even numbers alone or an empty text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        readText(text).units.every(({ name }) => Number.isInteger(name)),
      ),
    );
    expect(readText('').units).toEqual([]);
    expect(readText('12 34').units).toHaveLength(1);
  });

  it('forgets readings when full, and reads them again the same', () => {
    const reader = new Reader(2);
    const first = reader.read('go to shelf 1');
    reader.read('b');
    reader.read('c');
    expect(reader.read('go to shelf 1')).toEqual(first);
  });
});

describe('choice encoder', () => {
  const shelves = ['go to shelf 1', 'go to shelf 2'];

  it('encodes a task word by its role: another task’s features differ only in the words themselves', () => {
    const wordsApart = (thing: string): { state: number[]; candidates: number[][] } =>
      featuresAfter(`put a ${thing} in drawer.`, [
        { observation: 'You are in a room.', candidates: ['go to shelf 1'], took: 0 },
        {
          observation: `On the shelf 1, you see a ${thing} 1.`,
          candidates: [`take ${thing} 1 from shelf 1`],
        },
      ]);
    const [mug, vase] = [wordsApart('mug'), wordsApart('vase')];
    const shared = mug.candidates[0]?.filter((feature) => vase.candidates[0]?.includes(feature)) ?? [];
    // What differs is the word itself, once in its slot and once beside the verb.
    expect(shared.length).toBe((mug.candidates[0]?.length ?? 0) - 2);
  });

  it('remembers over the whole episode where a thing of the task was seen', () => {
    const filler: Moment = {
      observation: 'On the table 1, you see nothing.',
      candidates: ['go to table 1', ...shelves],
      took: 0,
    };
    const story = (seenFirst: string): Moment[] => [
      { observation: 'You are in a room.', candidates: shelves, took: 0 },
      { observation: seenFirst, candidates: ['go to table 1', ...shelves], took: 0 },
      ...Array.from({ length: 40 }, () => filler),
      { observation: 'On the table 1, you see nothing.', candidates: shelves },
    ];
    const saw = featuresAfter('put a mug in drawer.', story('On the shelf 1, you see a mug 1.'));
    const sawNothing = featuresAfter('put a mug in drawer.', story('On the shelf 1, you see nothing.'));
    expect(saw.candidates[0]).not.toEqual(sawNothing.candidates[0]);
    expect(saw.candidates[1]).toEqual(sawNothing.candidates[1]);
  });

  it('distinguishes a thing that was moved from one that was not', () => {
    const story = (action: string): Moment[] => [
      { observation: 'You are in a room.', candidates: ['take mug 1 from shelf 1'], took: 0 },
      { observation: 'You pick up the mug 1.', candidates: [action], took: 0 },
      { observation: 'Done.', candidates: ['go to shelf 1'], took: 0 },
      { observation: 'On the shelf 1, you see a mug 1.', candidates: ['go to shelf 1'] },
    ];
    expect(featuresAfter('find two mug.', story('move mug 1 to shelf 1'))).not.toEqual(
      featuresAfter('find two mug.', story('examine mug 1')),
    );
  });

  it('ignores the task when it is masked, even where the observation repeats it', () => {
    const first = (thing: string): Moment[] => [
      { observation: `A room. Your task is to: find ${thing}.`, candidates: shelves },
    ];
    const masked = (thing: string): Moment[] =>
      [{ observation: 'A room. Your task is to: ', candidates: shelves }].map((moment) => ({
        ...moment,
        thing,
      }));
    expect(featuresAfter('', masked('mug'))).toEqual(featuresAfter('', masked('vase')));
    expect(featuresAfter('find mug.', first('mug'))).not.toEqual(featuresAfter('find vase.', first('vase')));
  });

  it('ignores what else is in the batch', () => {
    const reader = new Reader();
    const moment = { observation: 'On the shelf 1, you see a mug 1.', candidates: shelves };
    const alone = new ChoiceRows(buckets);
    new EpisodeMemory('find mug.', reader).encode(moment.observation, moment.candidates, alone);
    const together = new ChoiceRows(buckets);
    new EpisodeMemory('find vase.', reader).encode('A room.', ['look'], together);
    new EpisodeMemory('find mug.', reader).encode(moment.observation, moment.candidates, together);
    const [one, two] = [alone.pack(), together.pack()];
    expect(two.stateFeatures.subarray(two.stateStart[1])).toEqual(one.stateFeatures);
    expect(two.candidateFeatures.subarray(two.candidateStart[1])).toEqual(one.candidateFeatures);
  });

  it('refuses a candidate that was not offered', () => {
    const reader = new Reader();
    const memory = new EpisodeMemory('find mug.', reader);
    memory.encode('A room.', shelves, new ChoiceRows(buckets));
    expect(() => memory.took(2)).toThrow(/took\(2\) of 2/);
  });

  it('contains no env’s name and no word of one', async () => {
    const sources = ['choice-encoder', 'choice-rows', 'text'].map((name) =>
      readFile(new URL(`../../../models/encode/${name}.ts`, import.meta.url), 'utf8'),
    );
    const code = (await Promise.all(sources)).join('\n').replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*/g, '');
    // The names of puzzles and games have plain words, such as `list` and `path`.
    const ids = builtInEnvs.map(({ id }) => id).filter((id) => !/^(?:puzzle|game)-/.test(id));
    const names = ids.flatMap((id) => id.replace(/-v\d+$/, '').split(/[-/]/));
    for (const word of [
      ...names,
      'shelf',
      'mug',
      'drawer',
      'fridge',
      'nothing',
      'admissible',
      'clean',
      'heat',
    ])
      expect(code).not.toMatch(new RegExp(`\\b${word}\\b`, 'i'));
  });
});
