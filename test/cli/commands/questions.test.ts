import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loadQuestions } from '../../../envs/engines/questions/files/load-questions.ts';
import { cairn } from '../../support/command-line.ts';
import { useFolder } from '../../support/own-folder.ts';

const at = useFolder();

describe('cairn questions', () => {
  it('writes a file of harder questions, which search-v1 reads', async () => {
    const file = at('harder.jsonl');
    const made = await cairn(['questions', file, '--count', '5', '--rounds', '2', '--json']);
    expect(made.code).toBe(0);
    expect(JSON.parse(made.out)).toMatchObject({ file, questions: 5 });
    const rows = (await readFile(file, 'utf8')).trim().split('\n');
    expect(JSON.parse(rows[0] ?? '')).toMatchObject({ id: 'train-0', changes: ['inject', 'fuzz'] });
    const { questions, bad } = await loadQuestions(file, 'auto', new AbortController().signal);
    expect([questions.length, bad]).toEqual([5, 0]);
    expect(await cairn(['questions', file])).toMatchObject({ code: 2 });
  });

  it('refuses questions of a file without a model, and a model that is not named', async () => {
    const seeds = at('seeds.jsonl');
    await writeFile(seeds, JSON.stringify({ question: 'Who?', answers: ['Osk'] }));
    const refused = await cairn(['questions', at('a.jsonl'), '--set', `questions=${seeds}`]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('Name a model');
    expect(await cairn(['questions', at('b.jsonl'), '--model', 'gpt'])).toMatchObject({ code: 2 });
  });
});
