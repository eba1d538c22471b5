import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cairn } from '../support/command-line.ts';
import { isThorough, itInAll } from '../support/thorough.ts';
import { root, spawnCairn } from '../support/run-program.ts';
import { tinyPolicy } from '../support/tiny-policy.ts';

/** A small training, but for what `changes` sets otherwise. */
const jobWith = (changes: Readonly<Record<string, string>>): readonly string[] => [
  ...'train lights-out --backend cpu --iterations 3 --groups 2 --group-size 2 --warm-start 0 --set size=3 --quiet'.split(
    ' ',
  ),
  ...Object.entries({
    'evaluation.tasks': '2',
    finalPanels: '[]',
    'trajectories.every': '1',
    'policy.buckets': '256',
    'policy.width': '4',
    'policy.hidden': '4',
    ...changes,
  }).flatMap(([key, value]) => ['--with', `${key}=${value}`]),
];
const job = jobWith({});

let folder = '';
const inFolder = (...parts: readonly string[]): string => path.join(folder, ...parts);

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  for (const [name, seed] of [
    ['run', '1'],
    ['other', '2'],
  ] as const) {
    const ran = await cairn([...job, '--seed', seed, '--run', inFolder(name)]);
    expect(ran.code, ran.err).toBe(0);
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** What must not change when a resume is refused. */
async function recordOf(name: string): Promise<readonly Buffer[]> {
  const logs = (await readdir(inFolder(name))).filter((file) => file.endsWith('.jsonl'));
  const files = [
    ...logs,
    ...(await readdir(inFolder(name, 'trajectories'))).map((file) => path.join('trajectories', file)),
  ];
  return Promise.all(files.map((file) => readFile(inFolder(name, file))));
}

async function refusedResume(name: string): Promise<string> {
  const before = await recordOf(name);
  const ran = await cairn(['train', '--resume', inFolder(name), '--quiet']);
  expect(ran.code, ran.err).toBe(2);
  expect(await recordOf(name)).toEqual(before);
  return ran.err;
}

const copyOf = async (name: string): Promise<void> =>
  cp(inFolder('run'), inFolder(name), { recursive: true });

describe('resume', () => {
  it('refuses a run without checkpoints', async () => {
    await copyOf('gone');
    await rm(inFolder('gone', 'checkpoints'), { recursive: true });
    expect(await refusedResume('gone')).toMatch(/records 3 iterations but has no checkpoint/);
  });

  it('refuses a checkpoint of another run', async () => {
    await copyOf('foreign');
    await cp(
      inFolder('other', 'checkpoints', 'iteration-00002'),
      inFolder('foreign', 'checkpoints', 'iteration-00009'),
      { recursive: true },
    );
    expect(await refusedResume('foreign')).toMatch(/belongs to another configuration/);
  });

  it('refuses a checkpoint that was renamed or changed by hand', async () => {
    await copyOf('renamed');
    await rename(
      inFolder('renamed', 'checkpoints', 'iteration-00002'),
      inFolder('renamed', 'checkpoints', 'iteration-00009'),
    );
    expect(await refusedResume('renamed')).toMatch(/it was made after iteration 2, and its name says 9\./);
    await copyOf('changed');
    const manifest = inFolder('changed', 'checkpoints', 'iteration-00003', 'checkpoint.json');
    await writeFile(
      manifest,
      (await readFile(manifest, 'utf8')).replace(/"episodes": ?\d+/, '"episodes": 900'),
    );
    expect(await refusedResume('changed')).toMatch(/its checkpoint\.json was changed: the digest differs\./);
  });

  it.each([
    ['metrics.jsonl', 'is cut', (file: string) => truncate(file, 100)],
    [
      'metrics.jsonl',
      'holds rubbish',
      async (file: string) =>
        writeFile(file, `${await readFile(file, 'utf8')}`.replace('\n', '}\n').replace(/\n$/, '')),
    ],
    ['timings.jsonl', 'is gone', (file: string) => rm(file)],
  ])('refuses when %s %s and the last checkpoint is missing', async (log, how, spoil) => {
    const name = `${log} ${how}`;
    await copyOf(name);
    await rm(inFolder(name, 'checkpoints', 'iteration-00003'), { recursive: true });
    await spoil(inFolder(name, log));
    expect(await refusedResume(name)).toContain(inFolder(name, log));
  });

  it('refuses metrics that end before the newest checkpoint, and names what to delete', async () => {
    await copyOf('behind');
    const checkpoints = inFolder('behind', 'checkpoints');
    const { logs } = z
      .looseObject({ logs: z.object({ metrics: z.number() }) })
      .parse(
        JSON.parse(await readFile(path.join(checkpoints, 'iteration-00002', 'checkpoint.json'), 'utf8')),
      );
    await truncate(inFolder('behind', 'metrics.jsonl'), logs.metrics);
    const newest = path.join(checkpoints, 'iteration-00003');
    expect(await refusedResume('behind')).toContain(
      `restore it from a copy, or delete ${newest} to go on from iteration 2.`,
    );
    await truncate(inFolder('behind', 'metrics.jsonl'), 1);
    expect(await refusedResume('behind')).toContain(
      `restore it from a copy, or start a new run in another folder with --config ${inFolder('behind', 'config.json')}.`,
    );
  });

  /** Leaves a part of a file of a checkpoint, as a bad disk would. */
  async function cut(
    name: string,
    checkpoint: string,
    file = path.join('policy', 'weights.safetensors'),
  ): Promise<string> {
    const place = inFolder(name, 'checkpoints', checkpoint);
    await writeFile(path.join(place, file), (await readFile(path.join(place, file))).subarray(0, 100));
    return place;
  }

  it('refuses a damaged newest checkpoint, and continues exactly from the older one it names', async () => {
    await copyOf('cut');
    const newest = await cut('cut', 'iteration-00003');
    expect(await refusedResume('cut')).toContain(`weights.safetensors has 100 bytes and should have`);
    expect(await refusedResume('cut')).toContain(`Delete ${newest} to go on from iteration 2.`);
    const older = await cut('cut', 'iteration-00002', 'checkpoint.json');
    expect(await refusedResume('cut')).toContain(
      `Delete ${newest} and ${older} to go on from the end of the warm start.`,
    );
    await rm(newest, { recursive: true });
    await rm(older, { recursive: true });
    const resumed = await cairn(['train', '--resume', inFolder('cut'), '--quiet']);
    expect(resumed.code, resumed.err).toBe(0);
    expect(await readFile(inFolder('cut', 'metrics.jsonl'))).toEqual(
      await readFile(inFolder('run', 'metrics.jsonl')),
    );
  });

  it('refuses when every checkpoint is damaged', async () => {
    await copyOf('ruined');
    for (const checkpoint of ['iteration-00002', 'iteration-00003']) await cut('ruined', checkpoint);
    await cut('ruined', 'warm-start', 'checkpoint.json');
    const err = await refusedResume('ruined');
    expect(err).toContain(
      "None of the run's checkpoints is valid: restore one from a copy, or start a new run in another folder",
    );
    expect(err).toContain(`--config ${inFolder('ruined', 'config.json')}`);
  });

  it.each([
    [
      'panel',
      /"fingerprint": "sha256:[0-9a-f]{64}"/,
      `"fingerprint": "sha256:${'0'.repeat(64)}"`,
      /the tasks of its panel train have changed: it was started with sha256:0{64}, and now it has sha256:/,
    ],
    [
      'encoder',
      /"encoder": "sha256:[0-9a-f]{64}"/,
      '"encoder": "sha256:other"',
      /the encoder of observations has changed: the run was started with sha256:other/,
    ],
  ])('refuses a run whose %s has changed', async (what, pattern, replacement, message) => {
    const name = what.replace(' ', '-');
    await copyOf(name);
    const config = inFolder(name, 'config.json');
    await writeFile(config, (await readFile(config, 'utf8')).replace(pattern, replacement));
    const err = await refusedResume(name);
    expect(err).toMatch(message);
    expect(err).toContain(`or start a new run with --config ${config}.`);
  });

  it('refuses a run without the checkpoint of its warm start', async () => {
    await copyOf('cold');
    await rename(inFolder('cold', 'checkpoints', 'warm-start'), inFolder('cold', 'elsewhere'));
    expect(await refusedResume('cold')).toContain('warm-start');
  });
});

describe('resume from the newest checkpoint', () => {
  it('accepts truncated trajectories, which costs readers the lost episodes and training nothing', async () => {
    await copyOf('short');
    await rm(inFolder('short', 'checkpoints', 'iteration-00003'), { recursive: true });
    const file = inFolder('short', 'trajectories', 'train-00001.jsonl.gz');
    const { trajectories } = z
      .looseObject({ trajectories: z.object({ train: z.object({ bytes: z.int() }) }) })
      .parse(
        JSON.parse(
          await readFile(inFolder('short', 'checkpoints', 'iteration-00002', 'checkpoint.json'), 'utf8'),
        ),
      );
    const left = trajectories.train.bytes - 5;
    await truncate(file, left);
    const cut = await readFile(file);
    const resumed = await cairn(['train', '--resume', inFolder('short')]);
    expect(resumed.code, resumed.err).toBe(0);
    const told = resumed.err.split('\n').filter((line) => line.includes(file));
    expect(told).toEqual([
      `warning: ${file}: it has ${left} bytes, and the checkpoint was made when it had ${left + 5}. 1 group of episodes of iteration 2 is lost. Training needs none of it and goes on from iteration 2; \`npx cairn-gym inspect\` and \`npx cairn-gym export\` show what is left, which stays where it is, and new episodes go to ${file.replace('00001', '00002')}. If there is a copy of the original file, restore its first ${left + 5} bytes at any time.`,
    ]);
    expect(await readFile(inFolder('short', 'metrics.jsonl'))).toEqual(
      await readFile(inFolder('run', 'metrics.jsonl')),
    );
    expect(await readFile(file)).toEqual(cut);
    const rows = async (name: string): Promise<readonly string[]> =>
      (await cairn(['export', inFolder(name), '--what', 'episodes'])).out.trimEnd().split('\n');
    expect((await rows('short')).map((row) => row.replace(/"group":\d+/, ''))).toEqual(
      (await rows('run')).toSpliced(6, 2).map((row) => row.replace(/"group":\d+/, '')),
    );
    expect((await cairn(['inspect', inFolder('short')])).out).toMatch(
      /note: \S+train-00001\.jsonl\.gz, byte \d+: the last group is torn.*\n[^]*of iteration 2 only 1 of 2 groups\n/,
    );
    expect(await cairn(['inspect', inFolder('short'), '--iteration', '3', '--quiet'])).toMatchObject({
      code: 0,
      err: '',
    });
    await writeFile(
      file,
      (await readFile(inFolder('run', 'trajectories', 'train-00001.jsonl.gz'))).subarray(0, left + 5),
    );
    expect(await rows('short')).toEqual(await rows('run'));
  });
});

describe('train before its first iteration', () => {
  const refused = async (more: readonly string[], asked = job): Promise<string> => {
    const ran = await cairn([...asked, '--run', inFolder('never'), ...more]);
    expect(ran.code, ran.err).toBe(2);
    expect(await readdir(folder)).not.toContain('never');
    return ran.err;
  };

  it('refuses to train or select on a held-out panel', async () => {
    expect(await refused(['--panel', 'unseen'])).toMatch(/"unseen" is held out/);
    expect(await refused(['--with', 'devPanel=unseen'])).toMatch(/devPanel: "unseen" is held out/);
  });

  it('refuses a final panel that is trained on', async () => {
    expect(await refused([], jobWith({ finalPanels: '["unseen","train"]' }))).toMatch(
      /finalPanels: "train" is trained on, so it cannot measure what was learned\. Held out are unseen/,
    );
  });

  it('refuses a final panel that is named twice', async () => {
    expect(await refused([], jobWith({ finalPanels: '["unseen","unseen"]' }))).toMatch(
      /finalPanels: "unseen" is named twice: each is played once\. Name each panel once\./,
    );
  });

  itInAll('refuses a warm start when the searcher solves no task', async () => {
    const words = 'train household --set maxSteps=1 --warm-start 2 --backend cpu --quiet --run'.split(' ');
    await mkdir(inFolder('empty'));
    for (const place of [inFolder('made', 'below'), inFolder('empty')]) {
      const ran = await cairn([...words, place, ...tinyPolicy]);
      expect({ code: ran.code, err: ran.err }).toEqual({
        code: 2,
        err: expect.stringContaining('searcher solved none of 2 tasks') as string,
      });
    }
    expect(await readdir(folder)).not.toContain('made');
    expect(await readdir(inFolder('empty'))).toEqual([]);
  });

  it('refuses a folder that holds a run, under --dry-run too', async () => {
    for (const more of [[], ['--dry-run']]) {
      const ran = await cairn([...job, '--run', inFolder('run'), ...more]);
      expect({ code: ran.code, err: ran.err }).toEqual({
        code: 2,
        err: expect.stringContaining(
          'it contains a run already. Resume that run, or use another folder.',
        ) as string,
      });
    }
  });

  it('refuses a policy that does not fit in memory', async () => {
    const huge = jobWith({ 'policy.width': '8192', 'policy.buckets': '67108864' });
    const said = /its tensors need at least 14\.0 TiB .* Any of these would fit: --with policy\.width=\d+/;
    expect(await refused([], huge)).toMatch(said);
    expect(await refused(['--dry-run'], huge)).toMatch(said);
  });

  it('refuses an iteration with more tasks than the panel', async () => {
    const asked = job.map((word, at) => (job[at - 1] === '--groups' ? '100000' : word));
    expect(await refused([], asked)).toMatch(/"train" has only \d+/);
  });

  it('refuses a warm start without a searcher', async () => {
    const ran = await cairn([
      'train',
      'my-lab/sort',
      '--env-module',
      'examples/sort-env.ts',
      '--warm-start',
      '2',
      '--quiet',
      '--run',
      inFolder('never'),
    ]);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(/has no searcher to clone\. Set it to 0/);
  });

  it('refuses a run folder that cannot be made', async () => {
    const ran = await cairn([...job, '--run', '/proc/cairn-test']);
    expect(ran.code, ran.err).toBe(2);
    expect(ran.err).toMatch(/no folder can be created there/);
    const file = inFolder('run', 'config.json');
    for (const below of [file, path.join(file, 'run')]) {
      const refused = await cairn([...job, '--run', below]);
      expect([refused.code, refused.err]).toEqual([
        2,
        expect.stringContaining(`${file} exists and is not a folder. Name another folder.`),
      ]);
    }
  });
});

describe('train on an env that fails', () => {
  /** An example with something else in it. */
  async function changedEnv(
    name: string,
    example: 'sort' | 'maze',
    from: string,
    to: string,
  ): Promise<string> {
    const file = inFolder(`${name}.ts`);
    const source = await readFile(path.join(root, 'examples', `${example}-env.ts`), 'utf8');
    expect(source).toContain(from);
    await writeFile(file, source.replace(from, to));
    return file;
  }

  /** It crashes in the episodes that `when` names. */
  const flakyEnv = (name: string, when: string): Promise<string> =>
    changedEnv(
      name,
      'sort',
      'step: (letters, action) => {',
      `step: (letters, action, { path }) => {\n    if (${when}) throw new Error('the fuse blew');`,
    );
  const small = [
    '--iterations',
    '2',
    '--groups',
    '2',
    '--group-size',
    '2',
    '--backend',
    'cpu',
    '--with',
    'evaluation.tasks=2',
    '--with',
    'faultRetries=0',
  ];

  it('warns when too many episodes fault, and ends with exit code 1', async () => {
    const envModule = await flakyEnv('at-times', `/iteration-2.member-1/.test(path)`);
    const ran = await cairn([
      'train',
      'my-lab/sort',
      '--env-module',
      envModule,
      ...small,
      '--run',
      inFolder('flaky'),
    ]);
    expect(ran.code, ran.err).toBe(1);
    expect(ran.err).toMatch(
      /warning: 2 of 8 training episodes \(25\.0 %\) have faulted so far; .*the fuse blew/,
    );
    expect(ran.out).toMatch(/The environment failed too often: 2 of 8 training episodes faulted \(25\.0 %\)/);
    expect(await readFile(inFolder('flaky', 'metrics.jsonl'), 'utf8')).toContain(
      '"faults/share-so-far":0.25',
    );
  });

  it('stops with exit code 1 and the resume command when the disk is full', async () => {
    const to = inFolder('full');
    const fill = `try { process.getBuiltinModule('node:fs').symlinkSync('/dev/full', ${JSON.stringify(path.join(to, 'trajectories', 'train-00001.jsonl.gz'))}); } catch {}`;
    const envModule = await changedEnv(
      'filling',
      'sort',
      'step: (letters, action) => {',
      `step: (letters, action) => {\n    ${fill}`,
    );
    const ran = await cairn([
      'train',
      'my-lab/sort',
      '--env-module',
      envModule,
      ...small,
      '--run',
      to,
      '--quiet',
    ]);
    expect([ran.code, ran.err]).toEqual([
      1,
      expect.stringContaining(
        `the disk is full. Free some space, then resume with \`npx cairn-gym train --resume ${to}\`.`,
      ),
    ]);
  });

  it('stops with exit code 1 when every episode of an iteration faults, and says where to look', async () => {
    const envModule = await flakyEnv('always', `path.includes('iteration-2')`);
    const ran = await cairn([
      'train',
      'my-lab/sort',
      '--env-module',
      envModule,
      ...small,
      '--run',
      inFolder('broken'),
      '--quiet',
      '--json',
    ]);
    expect(ran.code, ran.err).toBe(1);
    expect(JSON.parse(ran.out)).toMatchObject({
      error: {
        kind: 'run',
        what: 'all 4 episodes faulted; in the first the environment crashed in my-lab/sort-v1.step: the fuse blew.',
      },
    });
    const [, words = ''] = /`npx cairn-gym ([^`]*)` shows it/.exec(ran.err) ?? [];
    const shown = await cairn([...words.split(' '), '--env-module', envModule]);
    expect(shown.out, shown.err).toContain('the fuse blew');
    expect(await readdir(inFolder('broken', 'checkpoints'))).toContain('iteration-00001');
  });

  if (isThorough)
    it('stops waiting for an env’s first reset when interrupted, and says that nothing is kept yet', async () => {
      const waits = `reset: async (task, { signal }) => {\n await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));`;
      const envModule = await changedEnv('hanging', 'maze', 'reset: async (task) => {', waits);
      const ran = await spawnCairn(
        ['train', 'my-lab/maze', '--env-module', envModule, ...small, '--run', inFolder('hanging')],
        {
          drive: (child) =>
            child.stderr?.on(
              'data',
              (text: Buffer) =>
                text.toString().includes('writing') && setTimeout(() => child.kill('SIGINT'), 300),
            ),
        },
      );
      expect(ran.code, ran.err).toBe(130);
      expect(ran.err).toContain(
        `nothing is kept yet; resume with: npx cairn-gym train --resume ${inFolder('hanging')}`,
      );
    });
});

it('examples/sort-env.ts trains with the recipe for environments without one', async () => {
  const small = [
    '--iterations',
    '1',
    '--groups',
    '2',
    '--group-size',
    '2',
    '--backend',
    'cpu',
    '--with',
    'evaluation.tasks=2',
  ];
  const ran = await cairn([
    'train',
    'my-lab/sort',
    '--env-module',
    'examples/sort-env.ts',
    ...small,
    '--quiet',
    '--run',
    inFolder('sort'),
  ]);
  expect(ran.code, ran.err).toBe(0);
});

it('a config file changes the recipe key by key', async () => {
  await writeFile(inFolder('seed.json'), '{"seed": 3}');
  const ran = await cairn([
    'train',
    'household',
    '--config',
    inFolder('seed.json'),
    '--iterations',
    '1',
    '--groups',
    '1',
    '--group-size',
    '2',
    '--dry-run',
    '--json',
    '--quiet',
    '--backend',
    'wasm',
    ...tinyPolicy,
  ]);
  expect(ran.code, ran.err).toBe(0);
  expect(JSON.parse(ran.out)).toMatchObject({ config: { seed: 3, finalPanels: ['unseen-1000'] } });
});
