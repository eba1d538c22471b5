import { writeFile } from 'node:fs/promises';
import { expect, it, test } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { openEnv } from '../../../envs/open.ts';
import { searchEnv } from '../../../envs/search/definition.ts';
import { canBeListed } from '../../../envs/search/unlisted-answers.ts';
import { useFolder } from '../../support/own-folder.ts';

const at = useFolder();

test.each([
  ['Velk', true],
  ['Ada Lovelace', true],
  ['University of Osk', true],
  ['1911', true],
  ['12 May 1990', false],
  ['42', false],
  ['yes', false],
  ['a red kite', false],
])('the answer %s can be listed: %s', (answer, listed) => {
  expect(canBeListed({ answers: [answer] })).toBe(listed);
});

it('opening reports answers that mode=choices never lists, and mode=text reports none', async () => {
  const pages = ['Velk', 'Osk'].map((title) =>
    JSON.stringify({ id: title, title, text: `${title} flew 42 kites.` }),
  );
  await writeFile(at('pages.jsonl'), pages.join('\n'));
  const asked = [
    { question: 'Who flew kites first?', answers: ['Velk'] },
    { question: 'How many kites flew?', answers: ['42'] },
  ].map((question) => JSON.stringify(question));
  await writeFile(at('asked.jsonl'), asked.join('\n'));
  const config = {
    cacheFolder: at('cache'),
    backend: { kind: 'corpus' as const, file: at('pages.jsonl') },
    questions: { test: at('asked.jsonl') },
  };
  const told = async (mode: 'choices' | 'text'): Promise<readonly unknown[]> => {
    const events: unknown[] = [];
    const log = { event: (_path: string, event: { readonly type: string }) => void events.push(event) };
    const context = createContext({ seed: 0, now: () => 0 });
    await (await openEnv(searchEnv, { ...config, mode }, { ...context, log })).close();
    return events.filter((event) => JSON.stringify(event).includes('mode=choices'));
  };
  expect(await told('choices')).toMatchObject([
    {
      type: 'opening-tally',
      part: 'questions',
      count: 1,
      name: expect.stringMatching(
        /^questions whose answers .*"42".*set mode=text.*2 questions in all/,
      ) as string,
    },
  ]);
  expect(await told('text')).toEqual([]);
});
