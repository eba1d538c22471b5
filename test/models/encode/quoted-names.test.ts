import { describe, expect, it } from 'vitest';
import { ChoiceRows } from '../../../models/encode/choice-rows.ts';
import { EpisodeMemory } from '../../../models/encode/choice-encoder.ts';
import { QuotedNames } from '../../../models/encode/quoted-names.ts';
import { Reader } from '../../../models/encode/text.ts';

/** Features of each candidate, in order, by their hashes; of the state first. */
function featuresOf(
  task: string,
  candidates: readonly string[],
  done: readonly number[] = [],
): readonly (readonly number[])[] {
  const quoted = new QuotedNames(task);
  quoted.look(candidates);
  for (const index of done) quoted.took(index);
  quoted.look(candidates);
  const read = (add: (rows: ChoiceRows) => void): readonly number[] => {
    const rows = new ChoiceRows(1 << 20);
    add(rows);
    rows.endState();
    rows.endCandidate();
    rows.endDecision();
    return [...rows.pack().stateFeatures];
  };
  return [
    read((rows) => quoted.addState(rows)),
    ...candidates.map((_, index) => read((rows) => quoted.addCandidate(index, 7, rows))),
  ];
}

describe('quoted names', () => {
  it('add no features when actions contain none', () => {
    expect(featuresOf('take "a mug"', ['go to shelf 1', 'look']).flat()).toEqual([]);
    const encode = (task: string): unknown => {
      const rows = new ChoiceRows(1 << 16);
      new EpisodeMemory(task, new Reader()).encode('You see a mug.', ['take mug 1', 'look'], rows);
      return rows.pack();
    };
    expect(encode('take mug')).toEqual(encode('take "mug"')); // the words are the same: quotes alone say nothing
  });

  it('encode whether a value is requested, and for that field', () => {
    const task = 'Set "City" to "Rome" and the first name to "Bo".';
    const [, right, otherField, name, notAsked] = featuresOf(task, [
      'type [e1] "Rome" textbox "City"',
      'type [e2] "Rome" textbox "First name"',
      'type [e2] "Bo" textbox "First name"',
      'type [e1] "Paris" textbox "City"',
    ]);
    const all = [right, otherField, name, notAsked].map((features) => JSON.stringify(features));
    expect(new Set(all).size).toBe(4);
  });

  it('yield the same features whatever the names are', () => {
    const one = featuresOf('Enter "Rome" as the city.', [
      'type [e1] "Rome" textbox "City"',
      'type [e1] "Oslo" textbox "City"',
      'click [e2] button "Send"',
    ]);
    const other = featuresOf('Enter "Kiel" as the city.', [
      'type [e1] "Kiel" textbox "City"',
      'type [e1] "Bonn" textbox "City"',
      'click [e2] button "Send"',
    ]);
    expect(other).toEqual(one);
  });

  it('encode what is still to do, and change when it is done', () => {
    const task = 'Tick "lamp" and "mug".';
    const candidates = [
      'click [e1] checkbox "lamp"',
      'click [e2] checkbox "mug"',
      'click [e3] checkbox "pen"',
      'click [e4] button "Send"',
    ];
    const states = [[], [0], [0, 1]].map((done) => featuresOf(task, candidates, done));
    expect(new Set(states.map(([state]) => JSON.stringify(state))).size).toBe(3);
    expect(new Set(states.map((features) => JSON.stringify(features[4]))).size).toBe(3); // the features of sending depend on what is left
  });

  it('distinguish actions with all requested names from those with some, and count only the former as to do', () => {
    const task = 'Give every post of "Bo" a "Like" and press Done.';
    const candidates = [
      'click [e1] button "Like" in article "Bo" "a cat"',
      'click [e2] button "Like" in article "Ann" "a dog"',
      'click [e3] button "Share" in article "Bo" "a cat"',
      'click [e4] button "Done"',
    ];
    const [, both, oneAlone, otherAlone] = featuresOf(task, candidates).map((features) =>
      JSON.stringify(features),
    );
    expect(new Set([both, oneAlone, otherAlone]).size).toBe(3);
    const done = (which: readonly number[]) => JSON.stringify(featuresOf(task, candidates, which)[4]);
    expect(done([0])).not.toBe(done([])); // nothing is left
    expect(done([1])).toBe(done([])); // what was not asked for counts for nothing
  });

  it('encode decisions alike that differ only in requested names and positions', () => {
    const encode = (task: string, candidates: readonly string[]): unknown => {
      const rows = new ChoiceRows(1 << 16);
      new EpisodeMemory(task, new Reader()).encode('A page.', candidates, rows);
      return rows.pack();
    };
    const one = encode('Press "Ship" for "Ann".', [
      'click button "Ship" in row "Ann"',
      'click button "Refund" in row "Bo" "a mug"',
    ]);
    expect(
      encode('Press "Open" for "Zoe".', [
        'click button "Open" in row "Zoe"',
        'click button "Refund" in row "Lea" "a vase"',
      ]),
    ).toEqual(one);
    expect(
      encode('Press "Ship" for "Ann".', [
        'click button "Ship" in row "Ann"',
        'click button "Cancel" in row "Bo" "a mug"',
      ]),
    ).not.toEqual(one); // what is not asked for is known by its words
    expect(
      encode('Press "Ship" with "Ann".', [
        'click button "Ship" in row "Ann"',
        'click button "Refund" in row "Bo" "a mug"',
      ]),
    ).not.toEqual(one);
  });

  it('recognise a completed action although its text has changed', () => {
    const [, before] = featuresOf('Tick "lamp".', ['click [e1] checkbox "lamp"'], [0]);
    const [, after] = featuresOf('Tick "lamp".', ['click [e1] checkbox "lamp" checked'], [0]);
    expect(after).toEqual(before);
  });
});
