import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChoiceRows } from '../../../models/encode/choice-rows.ts';
import { argumentOf, layOut } from '../../../models/encode/page-layout.ts';
import { Surroundings } from '../../../models/encode/surroundings.ts';
import { amountsIn, contentWords, rememberWords, TaskMatch } from '../../../models/encode/task-match.ts';

const buckets = 2 ** 24;

interface Moment {
  readonly observation: string;
  readonly candidates: readonly string[];
  readonly took?: number;
}

/** The features of the last moment: of the state and of each candidate, sorted. */
function featuresAfter(
  task: string,
  moments: readonly Moment[],
): { readonly state: string; readonly candidates: readonly string[] } {
  const surroundings = new Surroundings(task);
  let rows = new ChoiceRows(buckets);
  for (const { observation, candidates, took } of moments) {
    rows = new ChoiceRows(buckets);
    surroundings.look(observation, candidates);
    surroundings.addState(rows);
    rows.endState();
    for (const index of candidates.keys()) {
      surroundings.addCandidate(index, 1, rows);
      rows.endCandidate();
    }
    rows.endDecision();
    if (took !== undefined) surroundings.took(took);
  }
  const { stateFeatures, candidateFeatures, candidateStart } = rows.pack();
  const sorted = (features: Int32Array): string => [...features].toSorted((a, b) => a - b).join();
  const starts = [...candidateStart];
  return {
    state: sorted(stateFeatures),
    candidates: starts.slice(1).map((end, at) => sorted(candidateFeatures.subarray(starts[at], end))),
  };
}

const hits = (first: string, second: string): string =>
  `Results [SEP] X1 [SEP] ${first} [SEP] $10.0 [SEP] X2 [SEP] ${second} [SEP] $10.0`;
const open = ['open[x1]', 'open[x2]'];
const task = 'a red linen shirt, price lower than 20.00 dollars';

describe('positions of candidates', () => {
  it('extract the argument from any notation of actions', () => {
    expect(
      ['click[Buy Now]', 'open(box 2)', 'go to shelf 1', 'look', 'search[a [b] c]'].map(argumentOf),
    ).toEqual(['buy now', 'box 2', 'to shelf 1', '', 'a [b] c']);
  });

  it('find signs with the text after them, and lists of neighbours', () => {
    const { spots } = layOut(
      'Head [SEP] color [SEP] red [SEP] navy blue [SEP] size [SEP] small [SEP] Title\nBuy',
      ['red', 'small', 'navy blue', 'buy', 'gone'],
    );
    expect(spots.map(({ candidate, list, after }) => [candidate, list, after])).toEqual([
      [0, 0, []],
      [2, 0, ['size']],
      [1, 1, ['Title']],
      [3, 2, []],
    ]);
    expect(layOut('<li>red</li><b>a < b</b>', ['red']).pieces).toEqual(['red', 'a < b']);
  });
});

describe('matches between a text and the task', () => {
  it('include content words without endings, sums of money, and whether they fit', () => {
    expect(contentWords("I'm looking for some shirts")).toEqual(contentWords('shirt'));
    expect(contentWords("women's boots")).toEqual(contentWords('women boot'));
    expect(amountsIn('$1,200.50 to $3, or 20 dollars; 7 inches')).toEqual([1200.5, 3, 20]);
    const match = new TaskMatch(task);
    expect(
      [['$19.99'], ['$20.01'], ['$10.0 to $30.0'], ['nothing']].map((texts) => match.affordable(texts)),
    ).toEqual(['all', 'none', 'some', 'unknown']);
    expect(new TaskMatch('a shirt').affordable(['$5'])).toBe('unknown');
    expect(match.phraseLength(contentWords('Linen Shirt'))).toBe(2);
    expect(match.phraseLength(contentWords('red shirt'))).toBe(0);
    expect(match.shared(new Set(contentWords('blue linen shirts')))).toBe(2);
  });

  it('stay the same when remembered words were forgotten and read again', () => {
    const read = rememberWords(1);
    const first = read('linen shirt');
    expect(read('linen shirt')).toBe(first);
    read('other');
    expect(read('linen shirt')).toEqual(first);
  });
});

describe('surroundings', () => {
  it('distinguish signs only by the text after them, whatever the signs are', () => {
    const { candidates } = featuresAfter(task, [
      { observation: hits('Red Linen Shirt', 'Blue Wool Hat'), candidates: open },
    ]);
    const swapped = featuresAfter(task, [
      { observation: hits('Blue Wool Hat', 'Red Linen Shirt'), candidates: open },
    ]);
    const renamed = featuresAfter(task, [
      {
        observation: hits('Red Linen Shirt', 'Blue Wool Hat').replace('X1', 'Y7'),
        candidates: ['open[y7]', 'open[x2]'],
      },
    ]);
    expect(candidates[0]).not.toBe(swapped.candidates[0]);
    expect(renamed.candidates).toEqual(candidates);
  });

  it('encode what is too expensive, and what was tried', () => {
    const fair = { observation: hits('Red Shirt', 'Red Shirt'), candidates: open };
    const dear = { observation: fair.observation.replace('$10.0', '$99.0'), candidates: open };
    expect(featuresAfter(task, [dear]).candidates[0]).not.toBe(featuresAfter(task, [fair]).candidates[0]);
    const back = featuresAfter(task, [
      { ...fair, took: 0 },
      { observation: 'Red Shirt', candidates: ['back'], took: 0 },
      fair,
    ]);
    expect(back.candidates[0]).not.toBe(featuresAfter(task, [fair]).candidates[0]);
  });

  it('remember the result of an action until its alternatives appear again, sub-pages included', () => {
    const list = { observation: hits('Shirt', 'Shirt'), candidates: open };
    const page = (more: string): readonly Moment[] => [
      { ...list, took: 0 },
      { observation: 'Shirt', candidates: ['more', 'back'], took: 0 },
      { observation: more, candidates: ['up'], took: 0 },
      { observation: 'Shirt', candidates: ['more', 'back'], took: 1 },
      list,
    ];
    expect(featuresAfter(task, page('red linen')).candidates[0]).not.toBe(
      featuresAfter(task, page('blue wool')).candidates[0],
    );
    expect(featuresAfter(task, page('red linen')).candidates[1]).toBe(
      featuresAfter(task, page('blue wool')).candidates[1],
    );
  });

  it('remember which entry of a list was taken, even after a detour, until the whole is chosen again', () => {
    const item = {
      observation: 'color [SEP] red [SEP] blue [SEP] Title',
      candidates: ['take[red]', 'take[blue]', 'more[]', 'back[]'],
    };
    const list = { observation: hits('Shirt', 'Hat'), candidates: open };
    const look: Moment = { observation: 'fine', candidates: ['up[]'], took: 0 };
    const fresh = featuresAfter(task, [{ ...list, took: 0 }, item]).candidates;
    const taken = featuresAfter(task, [{ ...list, took: 0 }, { ...item, took: 0 }, item]).candidates;
    const looked = featuresAfter(task, [
      { ...list, took: 0 },
      { ...item, took: 0 },
      { ...item, took: 2 },
      look,
      item,
    ]).candidates;
    const anew = featuresAfter(task, [
      { ...list, took: 0 },
      { ...item, took: 0 },
      { ...item, took: 3 },
      { ...list, took: 0 },
      item,
    ]).candidates;
    expect(taken[0]).not.toBe(fresh[0]);
    expect(taken[1]).not.toBe(fresh[1]); // its rival was taken
    expect(looked.slice(0, 2)).toEqual(taken.slice(0, 2));
    expect(anew.slice(0, 2)).toEqual(fresh.slice(0, 2));
  });

  it('accept any texts without throwing, and depend only on their input', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '[', ']', '$', '1', '<', '>', '\n', 'é') });
    const moment = fc
      .record({ observation: text, candidates: fc.array(text, { minLength: 1, maxLength: 5 }) })
      .map((it): Moment => ({ ...it, took: 0 }));
    fc.assert(
      fc.property(text, fc.array(moment, { minLength: 1, maxLength: 6 }), (words, moments) => {
        expect(featuresAfter(words, moments)).toEqual(featuresAfter(words, moments));
      }),
    );
  });
});
