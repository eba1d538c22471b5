import { appendFile, cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cairn } from '../../support/command-line.ts';
import { useFolder } from '../../support/own-folder.ts';
import { root, type Ran } from '../../support/run-program.ts';

const inFolder = useFolder();
const env = (): string => inFolder('letters.ts');
const rules = (): string => inFolder('rules.ts');
const run = (): string => inFolder('run');

const moduleText = `import { defineTextEnv } from 'cairn-gym/envs';
import { opposite } from './rules';
export const environments = [defineTextEnv({
  id: 'my-lab/coin-v1',
  summary: 'Turn the coin',
  turnLimit: 4,
  panels: { train: 8, dev: 4, unseen: 4 },
  task: () => ({ instruction: 'Turn the coin.', start: 'heads' }),
  observe: (side) => \`the coin shows \${side}\`,
  actions: () => ['turn', 'wait'],
  step: (side, action) => action === 'turn' ? { state: opposite(side), outcome: 'solved', reward: { turned: 1 } } : { state: side },
})];
`;
const rulesText =
  "export const opposite = (side: string): string => (side === 'heads' ? 'tails' : 'heads');\n";
const objective = path.join(root, 'examples/tapered-objective.ts');

const settings = [
  'policy.buckets=256',
  'policy.width=4',
  'policy.hidden=4',
  'warmStart.episodes=0',
  'evaluation.tasks=2',
].flatMap((change) => ['--with', change]);
const job = 'train my-lab/coin --backend cpu --iterations 1 --groups 2 --group-size 2 --quiet'.split(' ');

async function succeed(...words: readonly string[]): Promise<Ran> {
  const ran = await cairn(words);
  expect(ran.code, ran.err).toBe(0);
  return ran;
}
async function refused(words: readonly string[], message: RegExp): Promise<void> {
  const { code, err } = await cairn(words);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
}

const documentSchema = z.looseObject({
  versions: z.record(z.string(), z.string()),
  config: z.looseObject({ envModules: z.array(z.string()) }),
});
const readDocument = async (folder = run()): Promise<z.output<typeof documentSchema>> =>
  documentSchema.parse(JSON.parse(await readFile(path.join(folder, 'config.json'), 'utf8')));

beforeAll(async () => {
  await writeFile(env(), moduleText);
  await writeFile(rules(), rulesText);
  await succeed(...job, ...settings, '--env-module', env(), '--run', run());
});

describe('the env module of a run', () => {
  it('stands in the record with its absolute path and its content', async () => {
    const { config, versions } = await readDocument();
    expect(config.envModules).toEqual([env()]);
    expect(versions['env-module-0']).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('need not be named to resume, evaluate, inspect or repeat the run', async () => {
    await succeed('train', '--resume', run(), '--quiet');
    const evaluated = await succeed('eval', '--run', run(), '--panel', 'dev', '--json', '--quiet');
    const { versions } = await readDocument();
    expect(JSON.parse(evaluated.out)).toMatchObject({
      env: 'my-lab/coin-v1',
      versions: { 'env-module-0': versions['env-module-0'] },
    });
    const shown = await succeed('inspect', run(), '--group', '0', '--member', '0');
    expect(shown.out).toContain('the coin shows heads');
    const again = inFolder('again');
    await succeed('train', '--config', path.join(run(), 'config.json'), '--run', again, '--quiet');
    expect((await readDocument(again)).versions['env-module-0']).toBe(versions['env-module-0']);
    expect((await succeed('compare', run(), again)).out).toContain('trained with the same settings');
  });

  it('may stand in a config file, as envModules', async () => {
    const file = inFolder('config-with-module.json');
    await writeFile(file, JSON.stringify({ env: 'my-lab/coin', envModules: [env()] }));
    const { out } = await succeed('train', '--config', file, '--keys', '--json');
    expect(out).toContain(JSON.stringify(env()));
  });

  it('refuses to resume the run with other content of an imported file, and warns elsewhere', async () => {
    const before = inFolder('before');
    await cp(run(), before, { recursive: true });
    await appendFile(rules(), '// changed\n');
    try {
      const what =
        /its environment is defined in .*letters\.ts, and that file or one that it imports has changed/;
      await refused(
        ['train', '--resume', run(), '--quiet'],
        new RegExp(
          `${what.source}: .*Restore .*, continue with the changed file \\(--accept-changed-env\\), or start`,
        ),
      );
      expect((await succeed('inspect', run())).out).toMatch(what);
      const shown = await succeed('inspect', run(), '--group', '0', '--member', '0');
      expect(shown.err).toMatch(what);
      expect(shown.err).toContain('the words of the environment cannot be shown');
      expect((await succeed('eval', '--run', run(), '--panel', 'dev')).err).toMatch(what);
      await refused(['export', run(), '--what', 'chat', '--prompt', 'plain'], what);
      const other = inFolder('other');
      await succeed(...job, ...settings, '--env-module', env(), '--run', other);
      const compared = await succeed('compare', run(), other);
      expect(compared.out).toMatch(/settings that differ in envModules/);
      expect(compared.out).toMatch(/The environment module changed between .*run .* and .*other/);
      expect(compared.out).toMatch(what);

      await succeed('train', '--resume', before, '--accept-changed-env', '--quiet');
      const [old, now] = [await readDocument(), await readDocument(before)];
      expect(now.versions).toMatchObject({
        'env-module-0': (await readDocument(other)).versions['env-module-0'],
        'env-module-0-earlier': old.versions['env-module-0'],
      });
      expect((await succeed('inspect', before)).out).not.toMatch(what);
    } finally {
      await writeFile(rules(), rulesText);
    }
  });

  it('can move if it is named where it is now', async () => {
    const moved = inFolder('moved.ts');
    await rename(env(), moved);
    try {
      const missing = /its environment is defined in .*letters\.ts, and that file does not exist/;
      await refused(['train', '--resume', run()], missing);
      await refused(
        ['eval', '--run', run(), '--panel', 'dev'],
        /that file does not exist\. Name the file where it is now/,
      );
      await refused(['train', '--resume', run(), '--env-module', moved], /has changed/); // its own name is part of the fingerprint
    } finally {
      await rename(moved, env());
    }
    const copies = inFolder('copies');
    await cp(env(), path.join(copies, 'letters.ts'), { recursive: true });
    await cp(rules(), path.join(copies, 'rules.ts'));
    await rename(env(), moved);
    try {
      await succeed('train', '--resume', run(), '--env-module', path.join(copies, 'letters.ts'), '--quiet');
    } finally {
      await rename(moved, env());
      await rm(copies, { recursive: true });
    }
  });

  it('refuses another number of modules, and --accept-changed-env without a run to resume', async () => {
    await refused(
      ['train', '--resume', run(), '--env-module', env(), '--env-module', rules()],
      /it was started with 1 env module \(.*\), and 2 are named/,
    );
    await refused(['train', 'lights-out', '--accept-changed-env'], /applies to a run that is resumed/);
  });
});

describe('other files of a run', () => {
  it('count by their content, whatever their path', async () => {
    const [one, two] = [inFolder('one.ts'), inFolder('two.ts')];
    await cp(objective, one);
    await cp(objective, two);
    for (const [file, name] of [
      [one, 'first'],
      [two, 'second'],
    ] as const)
      await succeed(
        ...job,
        ...settings,
        '--env-module',
        env(),
        '--run',
        inFolder(name),
        '--with',
        'update.objective.kind=module',
        '--with',
        `update.objective.file=${file}`,
      );
    const compare = ['compare', inFolder('first'), inFolder('second')];
    expect((await succeed(...compare)).out).toContain('trained with the same settings');
    await appendFile(two, '// changed\n');
    const changed = /its objective is defined in .*two\.ts, and that file or one that it imports has changed/;
    expect((await succeed(...compare)).out).toMatch(changed);
    expect((await succeed('inspect', inFolder('second'))).out).toMatch(changed);
    await refused(['train', '--resume', inFolder('second')], changed);
  });
});
