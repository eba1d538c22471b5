import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadTokenizer } from '../../../agents/render/tokenizer/load-tokenizer.ts';
import { createTextGuard } from '../../../agents/render/special-text.ts';
import { parsePrompt } from '../../../agents/prompt/prompt.ts';
import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { cairn } from '../../support/command-line.ts';
import { root } from '../../support/run-program.ts';
import { playByTokens } from '../../support/corridor-episodes.ts';
import { byteCodec, endToken } from '../../support/token-play.ts';
import { smallPrompt } from '../../agents/prompt/small-prompt.ts';
import { makeRunFolder, playRandomly } from './make-run-folder.ts';
import { itInAll } from '../../support/thorough.ts';

let folder = '';
const at = (name: string): string => path.join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  const settings = [
    'iterations=2',
    'groups=2',
    'groupSize=3',
    'warmStart.episodes=6',
    'evaluation.tasks=2',
    'finalPanels=[]',
  ].flatMap((word) => ['--with', word]);
  const ofModel = [
    'groups=1',
    'groupSize=3',
    'warmStart.episodes=0',
    'policy.maxTokens=8',
    'policy.prompt=terse',
    'evaluation.tasks=1',
    'finalPanels=[]',
    'limits.malformedInARow=2',
  ].flatMap((word) => ['--with', word]);
  for (const words of [
    ['train', 'household', '--run', at('run'), '--seed', '5', '--backend', 'wasm', ...settings],
    ['model', 'init', 'nano', '--tokenizer', 'bytes', '--out', at('nano')],
    [
      'train',
      'lights-out',
      '--policy',
      'token',
      '--model',
      at('nano'),
      '--run',
      at('model-run'),
      '--backend',
      'wasm',
      '--iterations',
      '1',
      ...ofModel,
    ],
    ['eval', 'household', '--agent', 'searcher', '--panel', 'train', '--tasks', '3', '--keep', at('kept')],
  ]) {
    const { code, err } = await cairn([...words, '--quiet']);
    expect(code, err).toBe(0);
  }
  await cp(at('nano'), at('other'), { recursive: true });
  await appendFile(path.join(at('other'), 'tokenizer.json'), ' ');
});
afterAll(() => rm(folder, { recursive: true }));

const metadata = z.strictObject({
  env: z.string(),
  task: z.strictObject({ panel: z.string(), index: z.int() }),
  family: z.string(),
  seed: z.int().nullable(),
  return: z.number(),
  score: z.number(),
  success: z.boolean(),
  stop: z.string(),
  steps: z.int(),
  agent: z.string(),
  run: z.string().nullable(),
  iteration: z.int().nullable(),
  group: z.int(),
  member: z.int(),
  path: z.string(),
  prompt: z.string().optional(),
  rewards: z.array(z.number().nullable()).optional(),
});
const message = z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() });
const chat = z.strictObject({ messages: z.array(message), metadata });
const numbers = z.array(z.number());
const tokenRow = z.looseObject({
  prompts: numbers,
  responses: numbers,
  response_mask: numbers,
  advantages: numbers,
  returns: numbers,
  old_log_probs: numbers.nullable(),
  step_ids: numbers,
  uid: z.string(),
  traj_uid: z.string(),
  anchor_uids: z.array(z.string().nullable()),
  behaviour_versions: z.array(z.number().nullable()),
  retokenised: z.boolean(),
  metadata,
});
const inspected = z.object({
  trajectory: z.object({ path: z.string(), steps: z.array(z.unknown()) }),
  credit: z.array(z.object({ advantage: z.number(), stepReturn: z.number(), anchor: z.number() })),
});

async function lines<Schema extends z.ZodType>(
  schema: Schema,
  ...words: readonly string[]
): Promise<{ readonly rows: readonly z.output<Schema>[]; readonly err: string }> {
  const { code, out, err } = await cairn(['export', ...words]);
  expect(code, err).toBe(0);
  return {
    rows: out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => schema.parse(JSON.parse(line))),
    err,
  };
}

const chatOf = (...words: readonly string[]) => lines(chat, ...words, '--what', 'chat');
const rowsOf = (...words: readonly string[]) => lines(tokenRow, ...words, '--what', 'token-rows');

async function inspect(group: number, member: number, run = 'run'): Promise<z.output<typeof inspected>> {
  const { out } = await cairn([
    'inspect',
    at(run),
    '--group',
    String(group),
    '--member',
    String(member),
    '--json',
  ]);
  return inspected.parse(JSON.parse(out));
}

describe('cairn-gym export --what chat', () => {
  it('writes every episode of a run as a conversation, with its outcome', async () => {
    const { rows, err } = await chatOf(at('run'), '--prompt', 'terse');
    expect(err).toBe('12 lines of 12 episodes\n');
    for (const { messages, metadata: of } of rows) {
      const { trajectory } = await inspect(of.group, of.member);
      expect(of).toMatchObject({
        env: 'household-v1',
        seed: 5,
        run: 'run',
        path: trajectory.path,
        steps: trajectory.steps.length,
        prompt: 'terse',
        task: { panel: 'train' },
      });
      expect(of.path).toContain(`/iteration-${of.iteration}/member-${of.member}`);
      expect(messages.map(({ role }) => role)).toEqual(trajectory.steps.flatMap(() => ['user', 'assistant']));
      expect(messages.some(({ content }) => /^(?:go to|open|take) /.test(content))).toBe(true);
    }
    expect(new Set(rows.map(({ metadata: { path: of } }) => of)).size).toBe(12);
  });

  it('uses the default prompt of the environment, system and examples included', async () => {
    const { rows } = await chatOf(at('run'), '--limit', '1');
    expect(rows[0]?.metadata.prompt).toBe('household-react');
    expect(rows[0]?.messages[0]?.role).toBe('system');
    expect(rows[0]?.messages.at(-1)?.content).toMatch(/^Action: /);
  });

  it('filters episodes, and reports how many it left out', async () => {
    const { rows: all } = await chatOf(at('run'), '--prompt', 'terse');
    const ofSecond = await chatOf(at('run'), '--prompt', 'terse', '--iteration', '2');
    expect(ofSecond.rows).toEqual(all.filter(({ metadata: { iteration } }) => iteration === 2));
    const solved = all.filter(({ metadata: { success } }) => success);
    expect(solved.length).toBeGreaterThan(0);
    expect(solved.length).toBeLessThan(12);
    const successful = await chatOf(at('run'), '--prompt', 'terse', '--successful', '--panel', 'train');
    expect(successful.rows).toEqual(solved);
    expect(successful.err).toBe(
      `${solved.length} ${solved.length === 1 ? 'line' : 'lines'} of ${solved.length} ${solved.length === 1 ? 'episode' : 'episodes'}; ${12 - solved.length} episodes left out by the filters\n`,
    );
    const least = Math.max(...all.map(({ metadata: { return: earned } }) => earned));
    expect(
      (await chatOf(at('run'), '--prompt', 'terse', '--min-return', String(least))).rows.map(
        ({ metadata: of }) => of.return,
      ),
    ).toEqual(all.filter(({ metadata: of }) => of.return >= least).map(({ metadata: of }) => of.return));
    expect((await chatOf(at('run'), '--prompt', 'terse', '--min-return', '-1000')).rows).toHaveLength(12);
    const first = await chatOf(at('run'), '--prompt', 'terse', '--limit', '5');
    expect(first.rows).toEqual(all.slice(0, 5));
    expect(first.err).toBe('5 lines of 5 episodes; 7 episodes not looked at, beyond --limit\n');
  });

  it('reports how many episodes the prompt shows only in part', async () => {
    const prompt = at('short.json');
    await writeFile(
      prompt,
      JSON.stringify({
        ...smallPrompt,
        observationCharacters: 120,
        actions: { ...smallPrompt.actions, shown: false },
      }),
    );
    const said = '12 episodes told with less than was seen, because the prompt shows no more\n';
    expect((await chatOf(at('run'), '--prompt', prompt)).err).toContain(said);
    expect((await rowsOf(at('run'), '--prompt', prompt, '--tokenizer', at('nano'))).err).toContain(said);
  });

  it('exports the episodes that an evaluation kept, which have no run', async () => {
    const { rows } = await chatOf(path.join(at('kept'), 'searcher'), '--prompt', 'plain');
    expect(
      rows.map(({ metadata: { run, seed, iteration, success } }) => [run, seed, iteration, success]),
    ).toEqual([1, 2, 3].map(() => [null, null, null, true]));
  });

  it('reports its progress when it takes long, and prints nothing under --quiet', async () => {
    let seconds = 0;
    const { err } = await cairn(['export', at('run'), '--what', 'chat', '--prompt', 'terse'], {
      now: () => (seconds += 3) * 1_000,
    });
    expect(err).toMatch(/episodes \d+\/12 .*\nepisodes \d+\/12 \(\d+ %\) {2}\d+ (?:s|min).* left\n/);
    expect((await cairn(['export', at('run'), '--what', 'chat', '--prompt', 'terse', '--quiet'])).err).toBe(
      '',
    );
  });
});

describe('cairn-gym export --what token-rows', () => {
  itInAll('tokenises episodes of other agents, with the advantages that inspect shows', async () => {
    const { tokenizer } = await loadTokenizer(at('nano'));
    const { rows } = await rowsOf(at('run'), '--prompt', 'terse', '--tokenizer', at('nano'));
    const { rows: told } = await chatOf(at('run'), '--prompt', 'terse');
    expect(rows).toHaveLength(12);
    for (const [index, row] of rows.entries()) {
      const { group, member, path: of } = row.metadata;
      const { credit, trajectory } = await inspect(group, member);
      expect(row).toMatchObject({
        retokenised: true,
        old_log_probs: null,
        traj_uid: `${of.replace(/\/member-\d+$/, '')}/group-${group}/member-${member}`,
      });
      expect(row.behaviour_versions).toHaveLength(trajectory.steps.length);
      for (const [place, mark] of row.response_mask.entries()) {
        const step = credit[row.step_ids[place] as number];
        expect([row.advantages[place], row.returns[place]]).toEqual(
          mark === 1 ? [step?.advantage, step?.stepReturn] : [0, 0],
        );
      }
      const said = tokenizer.decode(row.responses.filter((_, place) => row.response_mask[place] === 1));
      const replies = (told[index]?.messages ?? [])
        .filter(({ role }) => role === 'assistant')
        .map(({ content }) => content);
      expect(said.split('<|end|>').slice(0, -1)).toEqual(replies);
    }
    const shared = rows.flatMap(({ anchor_uids: uids }) => [...new Set(uids)]);
    expect(shared.length).toBeGreaterThan(new Set(shared).size); // some anchors join episodes
  });

  it('needs only the run of a language model: its sampled tokens, and their text in its own prompt', async () => {
    const { rows, err } = await rowsOf(at('model-run'));
    expect(err).toMatch(/^\d+ lines of 3 episodes\n$/);
    const { tokenizer } = await loadTokenizer(at('nano'));
    const guard = createTextGuard(tokenizer);
    for (const row of rows) {
      const { group, member } = row.metadata;
      const { credit } = await inspect(group, member, 'model-run');
      expect(row).toMatchObject({ retokenised: false });
      expect(
        row.old_log_probs?.every((logprob, place) =>
          row.response_mask[place] === 1 ? logprob < 0 : logprob === 0,
        ),
      ).toBe(true);
      for (const [place, mark] of row.response_mask.entries())
        expect(row.advantages[place]).toBe(mark === 1 ? credit[row.step_ids[place] as number]?.advantage : 0);
    }
    const told = await chatOf(at('model-run'));
    expect(told.err).toBe('3 lines of 3 episodes\n');
    for (const { messages, metadata: of } of told.rows) {
      expect(of.prompt).toBe('terse');
      const first = rows.find(({ metadata: { path: other } }) => other === of.path);
      const said = tokenizer.decode(
        (first?.responses ?? []).filter((_, place) => first?.step_ids[place] === 0),
      );
      expect(`${messages.find(({ role }) => role === 'assistant')?.content}`).toBe(
        guard.message(said.replace(/<\|end\|>$/, '')),
      ); // a random policy writes texts of special tokens
    }
  });

  it('exports the tokens of a token policy as sampled, and decodes them for chat', async () => {
    const prompt = parsePrompt(
      { ...smallPrompt, history: 'all', actions: { ...smallPrompt.actions, shown: false }, grammar: 'react' },
      'test',
    );
    const said = ['Hm.\nAction: go right', 'Action: go left'].map((reply) => [
      ...byteCodec.encode(reply),
      endToken,
    ]);
    const played = [await playByTokens(said, prompt), await playByTokens(said.slice(0, 1), prompt)];
    const members = played.map((member): Trajectory => ({
      ...member,
      env: { id: 'my-lab/corridor-v1', config: {} },
    }));
    await makeRunFolder(at('tokens'), [{ task: { panel: 'train', index: 2 }, members }]);
    const { rows } = await rowsOf(at('tokens'));
    const written = members.map(({ steps }) =>
      steps.flatMap(({ decision }) =>
        decision?.kind === 'tokens' ? decision.spans.flatMap(({ sampled }) => sampled) : [],
      ),
    );
    expect(
      rows.map(({ responses, response_mask: mask }) => responses.filter((_, place) => mask[place] === 1)),
    ).toEqual(written);
    expect(
      rows.every(
        ({ retokenised, old_log_probs: logprobs, responses }) =>
          !retokenised && logprobs?.length === responses.length,
      ),
    ).toBe(true);

    const files = { module: at('corridor.ts'), prompt: at('small.json') };
    await writeFile(
      files.module,
      `import { corridor } from ${JSON.stringify(path.join(root, 'test', 'support', 'corridor.ts'))};\nexport const environments = [{ ...corridor, id: 'my-lab/corridor-v1' }];\n`,
    );
    await writeFile(files.prompt, JSON.stringify({ ...smallPrompt, history: 'all', grammar: 'react' }));
    const words = [at('tokens'), '--prompt', files.prompt, '--env-module', files.module];
    const alone = await chatOf(...words);
    expect(alone.rows[1]?.messages.at(-1)?.content).toBe('Action: go right');
    expect(alone.err).toContain(
      '2 episodes of a token policy told by their actions alone: --tokenizer gives what was written',
    );
    const bytes = await chatOf(...words, '--tokenizer', at('nano'));
    expect(bytes.err).toBe('2 lines of 2 episodes\n');
  });
});

describe('cairn-gym export of untrainable episodes', () => {
  let groups: readonly TrajectoryGroup[] = [];
  const changed = (
    group: TrajectoryGroup | undefined,
    change: (member: Trajectory, index: number) => Trajectory,
  ): TrajectoryGroup => ({
    task: group?.task ?? { panel: '', index: 0 },
    members: (group?.members ?? []).map(change),
  });
  beforeAll(async () => {
    const played = await playRandomly();
    const fault = { kind: 'env-crashed', where: 'step', message: 'it broke' } as const;
    groups = [
      changed(played[0], (member, index) =>
        index === 1
          ? { ...member, stop: { kind: 'faulted', fault } }
          : index === 2
            ? { ...member, stop: { kind: 'truncated', limit: 'wall' } }
            : member,
      ),
      changed(played[1], (member, index) =>
        index === 0 ? member : { ...member, stop: { kind: 'faulted', fault } },
      ),
      changed(played[2], (member, index) =>
        index === 3
          ? { ...member, steps: [] }
          : { ...member, steps: member.steps.map((step) => ({ ...step, decision: undefined })) },
      ),
    ];
    await makeRunFolder(at('bad'), groups);
  });
  const pathOf = (group: number, member: number): string => groups[group]?.members[member]?.path ?? '?';

  it('counts and names them, and prints notes on the exported episodes', async () => {
    const { rows, err } = await chatOf(at('bad'));
    expect(rows).toHaveLength(7);
    expect(rows.map(({ metadata: { stop } }) => stop).filter((stop) => stop === 'truncated')).toHaveLength(1);
    const faulted = [pathOf(0, 1), pathOf(1, 1), pathOf(1, 2), pathOf(1, 3)];
    expect(err.split('\n')).toEqual([
      '7 lines of 7 episodes',
      `4 episodes left out because the world failed: ${faulted.join(', ')}`,
      `1 episode left out because nothing was done in them: ${pathOf(2, 3)}`,
      `1 episode cut off by a limit that is not the task's, and exported as they are: ${pathOf(0, 2)}`,
      '',
    ]);
    const tokens = await rowsOf(at('bad'), '--tokenizer', at('nano'));
    expect(tokens.err).toContain('1 episode with advantages of 0: no other of their group came to an end\n');
    expect(tokens.err).toContain('3 episodes told without the list of actions that the prompt shows');
    const alone = tokens.rows.filter(({ metadata: { group } }) => group === 1);
    expect(alone.flatMap(({ advantages }) => advantages).every((value) => value === 0)).toBe(true);
  });

  it('lists all of them in the JSON document', async () => {
    const out = at('bad.jsonl');
    const written = await cairn(['export', at('bad'), '--what', 'chat', '--out', out, '--json']);
    expect(JSON.parse(written.out)).toEqual({
      file: out,
      lines: 7,
      episodes: 7,
      filtered: 0,
      unread: 0,
      faulted: [pathOf(0, 1), pathOf(1, 1), pathOf(1, 2), pathOf(1, 3)],
      empty: [pathOf(2, 3)],
      truncated: [pathOf(0, 2)],
      cutObservations: 0,
      withoutListOfActions: 0,
      withoutPeers: 0,
      actionsAlone: 0,
    });
    const text = await readFile(out, 'utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(7);
    expect(text.match(/"return":-?\d+\.\d+/g)).toHaveLength(7);
    const gathered = z
      .object({ rows: z.array(chat), faulted: z.array(z.string()) })
      .parse(JSON.parse((await cairn(['export', at('bad'), '--what', 'chat', '--json'])).out));
    expect([gathered.rows.length, gathered.faulted.length]).toEqual([7, 4]);
  });

  it('includes them in exports meant for inspection', async () => {
    const { out, err } = await cairn(['export', at('bad'), '--what', 'episodes']);
    expect([out.trimEnd().split('\n').length, err]).toEqual([12, '']);
    expect(
      (await cairn(['export', at('bad'), '--what', 'episodes', '--limit', '2', '--panel', 'train'])).out
        .trimEnd()
        .split('\n'),
    ).toHaveLength(2);
  });
});

describe('cairn-gym export', () => {
  it.each([
    [
      ['run', '--what', 'chat', '--panel', 'dev'],
      /--panel dev: no episode of that panel is stored\. There are those of train\./,
    ],
    [['run', '--what', 'chat', '--iteration', '9'], /iteration 9: no episodes of it are stored/],
    [['run', '--what', 'chat', '--prompt', 'shop-react'], /prompt shop-react: it is for shop-v1/],
    [['run', '--what', 'chat', '--tokenizer', 'nowhere'], /nowhere/],
    [
      ['model-run', '--what', 'chat', '--tokenizer', 'other'],
      /--what chat, --tokenizer \S+: it is not the one by which the model of this run wrote\. Leave it out: the run has its own/,
    ],
    [
      ['model-run', '--what', 'token-rows', '--tokenizer', 'nano'],
      /--tokenizer, trajectory \S+: \S+ played it token by token, and the rows are of the very tokens that were sampled\. Leave it out/,
    ],
    [
      ['model-run', '--what', 'token-rows', '--prompt', 'plain'],
      /--prompt, trajectory \S+: \S+ played it token by token/,
    ],
    [
      ['run', '--what', 'token-rows'],
      /did not play it token by token, so that it has no tokens\. Give --tokenizer FOLDER/,
    ],
    [
      ['kept/searcher', '--what', 'token-rows', '--tokenizer', 'nano'],
      /it has no credit settings.* use --what chat/,
    ],
    [
      ['run', '--what', 'metrics', '--successful'],
      /--successful: it has no effect on metrics\. Remove it, or add --what episodes, steps, chat or token-rows/,
    ],
    [
      ['run', '--what', 'steps', '--prompt', 'plain'],
      /--prompt: it has no effect on steps\. Remove it, or add --what chat or token-rows/,
    ],
    [['run', '--what', 'chat', '--format', 'csv'], /chat cannot be exported in that format/],
    [['run', '--what', 'chat', '--limit', '0'], /--limit: must be at least 1/],
  ])('refuses %j', async ([place = '', ...words], message) => {
    const out = at('refused.jsonl');
    const given = words.map((word, index) => (words[index - 1] === '--tokenizer' ? at(word) : word));
    const { code, err } = await cairn(['export', at(place), ...given, '--out', out]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
    expect(
      (await readdir(folder)).filter((name) => name.startsWith('refused') || name.endsWith('.part')),
    ).toEqual([]);
  });

  it('refuses a prompt that always needs the list of actions', async () => {
    const prompt = at('always.json');
    await writeFile(
      prompt,
      JSON.stringify({ ...smallPrompt, actions: { ...smallPrompt.actions, shown: 'always' } }),
    );
    expect((await cairn(['export', at('run'), '--what', 'chat', '--prompt', prompt])).err).toMatch(
      /prompt small, --what chat: it always lists the admissible actions/,
    );
    expect(
      (await rowsOf(at('run'), '--prompt', prompt, '--tokenizer', at('nano'), '--limit', '1')).rows.length,
    ).toBeGreaterThan(1);
  });
});
