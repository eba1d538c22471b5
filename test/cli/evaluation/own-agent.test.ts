import { appendFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { cairn } from '../../support/command-line.ts';
import { useFolder } from '../../support/own-folder.ts';
import type { Ran } from '../../support/run-program.ts';

const inFolder = useFolder();
const file = (): string => inFolder('first.ts');

/** The text of an agent's file that answers by this expression over `turn`, `call` and `options`. */
const agentText = (answer: string, more = ''): string => `import { defineAgent } from 'cairn-gym/agents';
import { pick } from './pick';
import { z } from 'zod';
export const agent = defineAgent({
  kind: 'first in the list',
  summary: 'takes an action at a place in the list',
  options: z.strictObject({ place: z.int().min(0).default(0) }),
  ${more}
  create: (options) => () => async (turn, call) => (${answer}),
});
`;
const usual =
  '{ action: pick(turn.actions, options.place), text: `Thought: why not?\\n${turn.actions[0]}`, usage: { prompt: 10, completion: 2 } }';

beforeAll(async () => {
  await writeFile(
    inFolder('pick.ts'),
    'export const pick = (list: string[], at: number) => list[at] ?? "";\n',
  );
  await writeFile(file(), agentText(usual));
});

const play = (agent: string, ...words: readonly string[]): Promise<Ran> =>
  cairn(['eval', 'lights-out', '--tasks', '3', '--agent', agent, '--quiet', ...words]);

const refused = async (agent: string, words: readonly string[], message: RegExp): Promise<void> => {
  const { code, err } = await play(agent, ...words);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
};

describe('--agent FILE', () => {
  it('plays under a heading of its own, and records the content of the file', async () => {
    const out = inFolder('own.json');
    const ran = await play(file(), '--out', out);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).toMatch(/^── Own agents: from files of the user ─+\nfirst in the list /m);
    expect(ran.out).toMatch(/^Own agents: admissible actions shown; history: all steps;/m);
    const result = parseResult(JSON.parse(await readFile(out, 'utf8')), 'file');
    expect(result).toMatchObject({
      agent: 'first in the list',
      shown: { kind: 'own', history: 'all steps' },
      versions: { 'agent-file': expect.stringMatching(/^sha256:/) as string },
      tokens: { prompt: 10 * result.steps, completion: 2 * result.steps },
    });
    const random = inFolder('random.json');
    await play('random', '--out', random);
    expect((await cairn(['compare', out, random])).out).toContain('first in the list against random');
  });

  it('takes options, and facts for tables', async () => {
    await writeFile(inFolder('facts.ts'), agentText(usual, "facts: { admissible: false, history: 'none' },"));
    const { out } = await play(inFolder('facts.ts'), '--agent-option', 'place=1', '--json');
    expect(JSON.parse(out)).toMatchObject({ shown: { admissible: false, history: 'none' } });
    const beyond = await play(file(), '--agent-option', 'place=99');
    expect(beyond.err).toContain('no reply could be read'); // the list ends before that place
    await refused(
      file(),
      ['--agent-option', 'place=-1'],
      /agent "first in the list", options: .*place.*--agent-option KEY=VALUE/,
    );
    await refused(
      'random',
      ['--agent-option', 'place=1'],
      /--agent-option: it applies to agents of your own, and none plays/,
    );
    await refused(
      file(),
      ['--temperature', '0.5'],
      /--temperature: it applies to the policy of a run and to language models/,
    );
  });

  it('keeps episodes, which inspect shows, and continues them only with the same content', async () => {
    const keep = inFolder('kept');
    await writeFile(inFolder('kept.ts'), agentText(usual));
    expect((await play(inFolder('kept.ts'), '--keep', keep)).code).toBe(0);
    const folder = path.join(keep, 'first-in-the-list');
    const { out } = await cairn(['inspect', folder, '--group', '0', '--member', '0']);
    expect(out).toContain('own:first in the list');
    expect(out).toMatch(
      /wrote {3}Thought: why not\?\n {10}press row 1 column 1\n {10}\(10 prompt tokens, 2 of the reply\)/,
    );
    expect((await cairn(['inspect', folder, '--failed'])).out).toContain('failed');
    await appendFile(inFolder('kept.ts'), '// changed\n');
    await refused(
      inFolder('kept.ts'),
      ['--keep', keep],
      /belongs to another evaluation: player\.content is "sha256:/,
    );
  });

  it('plays beside others in bench, once each', async () => {
    const words = ['bench', 'lights-out', '--tasks', '2', '--agent', 'random', '--agent', file(), '--quiet'];
    const ran = await cairn(words);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).toMatch(/Own agents: [\s\S]*first in the list [\s\S]*Scripted agents: [\s\S]*random /);
    expect((await cairn([...words, '--agent', file()])).err).toMatch(/first\.ts is named twice/);
  });

  it.each([
    [
      'neither text nor an action',
      '42',
      2,
      /agent own:first in the list, task 0 of dev: it answered a number, which is neither text nor/,
    ],
    ['nothing', 'undefined', 2, /it answered undefined, which is neither/],
    [
      'an error',
      '(() => { throw new Error("no luck"); })()',
      1,
      /agent own:first in the list, task \d of dev: no luck/,
    ],
    ['text that is no action', '"jump"', 1, /no reply could be read, so nothing was measured/],
  ])('reports an agent that answers %s', async (name, answer, code, message) => {
    const own = inFolder(`${name.replaceAll(' ', '-')}.ts`);
    await writeFile(own, agentText(answer));
    const ran = await play(own);
    expect({ code: ran.code, err: ran.err }).toEqual({ code, err: expect.stringMatching(message) as string });
  });

  it('stops waiting for an agent when the episode takes too long', async () => {
    const own = inFolder('waits.ts');
    await writeFile(own, agentText('new Promise(() => undefined)'));
    const ran = await play(own, '--episode-timeout', '0.05');
    expect(ran.code).toBe(1);
    expect(ran.err).toContain('did not finish within 50 ms');
  });

  it.each([
    ['missing.ts', undefined, /agent module ".*missing\.ts": the file .* does not exist/],
    [
      'named.ts',
      'export const player = 1;\n',
      /it exports player but no `agent`\. Export it: export const agent = defineAgent/,
    ],
    ['shape.ts', "export const agent = { kind: 'x' };\n", /agent module ".*shape\.ts", agent: .*summary/],
    ['throws.ts', "throw new Error('broken');\n", /it could not be imported: broken/],
    [
      'create.ts',
      "import { defineAgent } from 'cairn-gym/agents';\nexport const agent = defineAgent({ kind: 'c', summary: '', create: () => 1 as never });\n",
      /agent module ".*create\.ts", create: it does not return a function/,
    ],
  ])('refuses %s', async (name, text, message) => {
    if (text !== undefined) await writeFile(inFolder(name), text);
    await refused(inFolder(name), [], message);
  });
});
