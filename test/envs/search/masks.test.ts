import { writeFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { parseEnvConfig } from '../../../envs/open.ts';
import { searchEnv } from '../../../envs/search/definition.ts';
import { maskTasks, masksSchema } from '../../../envs/search/masks/mask-tasks.ts';
import { salientSpans, sentencesOf } from '../../../envs/search/masks/salient-spans.ts';
import { useFolder } from '../../support/own-folder.ts';

const at = useFolder();

describe('salient spans', () => {
  it.each([
    [
      'On 3 May 1911 the Tower of the Winds got 1,204 bells.',
      ['date 3 May 1911', 'name Tower of the Winds', 'number 1,204'],
    ],
    ['Born in 1911, Mira Dolven moved to Tarn.', ['date 1911', 'name Mira Dolven', 'name Tarn']],
    ['Tarn lies near the B52 and the 3.5 km long Osk.', ['name B52', 'number 3.5', 'name Osk']],
    ['Osk met Mira, and Mira met Tarn.', ['name Tarn']],
    ['nothing of the kind is here', []],
    ['At 10:30 on 1/2 the Osk was closed', ['name Osk']],
    ['Then Dr. Velk, No. 7 of the U.S. navy, met Mira', ['name Velk', 'number 7', 'name Mira']],
    ['Aron Smith of the U.S. was in Tarn, and “He is” was said', ['name Tarn']],
  ])('%j has %j', (sentence, spans) => {
    expect(salientSpans(sentence).map(({ kind, text }) => `${kind} ${text}`)).toEqual(spans);
  });

  it('sentences end where the next one begins with a capital letter', () => {
    expect(sentencesOf('It is 3.5 km long. "Why?" he asked. Yes!\nOne more')).toEqual([
      'It is 3.5 km long.',
      '"Why?" he asked.',
      'Yes!',
      'One more',
    ]);
    expect(sentencesOf('He met Dr. Aron B. Velk. No. 7 was closed.')).toEqual([
      'He met Dr. Aron B. Velk.',
      'No. 7 was closed.',
    ]);
  });
});

const names = ['Aron', 'Bela', 'Cato', 'Dora', 'Egon', 'Fina', 'Goro', 'Hana'];
const documents = Array.from({ length: 600 }, (_, number) => ({
  id: `d${number}`,
  contents: `"Page ${number}"\nThis is page ${number}. In the year ${1000 + number} the painter ${names[number % 8]} Velk${number} was living quietly in the town of Tarn${number}.`,
}));
const source = {
  size: documents.length,
  documentAt: (number: number) => documents[number] ?? { id: '', contents: '' },
};

describe('tasks of masks', () => {
  it('ask for the masked texts of a sentence, with the numbers of masks in turns', () => {
    const { train, dev, test } = maskTasks(
      source,
      masksSchema.parse({ counts: [1, 3], train: 20, dev: 4, test: 5 }),
    );
    expect([train.length, dev.length, test.length]).toEqual([20, 4, 5]);
    expect(train.map(({ family }) => family).slice(0, 4)).toEqual(['1-mask', '3-mask', '1-mask', '3-mask']);
    for (const { question, parts = [], answers, supporting } of [...train, ...dev, ...test]) {
      const sentence = parts.reduce(
        (masked, part, index) =>
          masked.replace(parts.length === 1 ? '[mask]' : `[mask ${index + 1}]`, () => part),
        question,
      );
      const page = documents.find(({ id }) => id === supporting[0])?.contents ?? '';
      expect(page.endsWith(sentence.slice(sentence.indexOf('In the year')))).toBe(true);
      expect(answers).toEqual([parts.join('; ')]);
      for (const part of parts) expect(question).not.toContain(part);
    }
  });

  it('share no document between panels, and depend on the seed alone', () => {
    const config = masksSchema.parse({ counts: [2] });
    const made = maskTasks(source, config);
    const used = Object.values(made).flatMap((list) => list.map(({ supporting }) => supporting[0]));
    expect(new Set(used).size).toBe(used.length);
    expect(used.length).toBe(600); // fewer than were asked for
    expect(maskTasks(source, config)).toEqual(made);
    expect(maskTasks(source, { ...config, seed: 2 }).train[0]).not.toEqual(made.train[0]);
  });

  it('cannot be made of texts without names', () => {
    const dull = { size: 1, documentAt: () => ({ id: 'x', contents: 'a\nb c d.' }) };
    expect(() => maskTasks(dull, masksSchema.parse({}))).toThrow('no document has a sentence');
  });

  it('mask in mode=choices only what is listed as an answer when the document is read', async () => {
    const file = at('dates.jsonl');
    const text = (number: number): string =>
      `On ${1 + (number % 28)} May ${1900 + number} the long bridge of the old town${number % 2 === 0 ? '' : ` of Tarn${number}`} got ${number + 50} new lamps and doors.`;
    const rows = Array.from({ length: 80 }, (_, number) => ({
      id: `d${number}`,
      title: 'x',
      text: text(number),
    }));
    await writeFile(file, rows.map((row) => JSON.stringify(row)).join('\n'));
    const context = createContext({ seed: 0, now: () => 0 });
    const host = await searchEnv.open(
      parseEnvConfig(searchEnv, { cacheFolder: at('cache'), backend: { kind: 'corpus', file }, masks: {} }),
      context,
    );
    onTestFinished(() => host.close());
    const { size } = host.panels.find(({ name }) => name === 'train') ?? { size: 0 };
    expect(size).toBeGreaterThan(20);
    for (let index = 0; index < size; index += 1) {
      const answer = host.experts?.planner?.({ panel: 'train', index }).at(-1);
      expect(answer?.kind === 'answer' ? answer.text : '').toMatch(/^Tarn\d+$/);
    }
  });

  it('play over a corpus; its gold document has the answer', async () => {
    const file = at('pages.jsonl');
    await writeFile(
      file,
      documents
        .slice(0, 60)
        .map((document) => JSON.stringify(document))
        .join('\n'),
    );
    const context = createContext({ seed: 0, now: () => 0 });
    const open = async (settings: object) =>
      searchEnv.open(parseEnvConfig(searchEnv, { cacheFolder: at('cache'), ...settings }), context);
    const backend = { kind: 'corpus', file };
    const host = await open({ backend, masks: { counts: [2] }, mode: 'text' });
    onTestFinished(() => host.close());
    const task = { panel: 'train', index: 0 };
    expect(host.describeTask(task)).toMatchObject({ family: '2-mask' });
    for (const play of [host.experts?.planner?.(task) ?? [], undefined]) {
      const env = await host.create();
      let turn: Awaited<ReturnType<typeof env.step>> | Awaited<ReturnType<typeof env.reset>> =
        await env.reset(task, context);
      const gold = host.experts?.baselines?.['gold documents']?.play(task, context.rng);
      for (let step = 0; step < 10; step += 1) {
        const action =
          play?.[step] ?? (turn !== undefined && 'admissible' in turn ? gold?.act(turn) : undefined);
        if (action === undefined) break;
        turn = await env.step(action, context);
      }
      expect(turn).toMatchObject({ kind: 'terminated', outcome: 'solved' });
    }
    await expect(open({ backend, masks: { counts: [2] } })).rejects.toThrow('needs mode=text');
    await expect(open({ backend, masks: {}, questions: file })).rejects.toThrow(
      'cannot stand beside questions',
    );
    await expect(open({ backend: { kind: 'http', url: 'http://x' }, masks: {} })).rejects.toThrow(
      'needs documents',
    );
  });
});
