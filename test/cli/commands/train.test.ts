import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadRegistry } from '../../../cli/options/named-env.ts';
import { trainOptions } from '../../../cli/training/options.ts';
import { resolveTraining } from '../../../cli/training/resolve-config.ts';
import { trainingKeys } from '../../../trainers/config/training-keys.ts';
import { valueAt } from '../../../envs/core/config-keys.ts';
import { householdEnv } from '../../../envs/household/definition.ts';
import { trainConfigSchema, type TrainConfig } from '../../../trainers/config/config.ts';
import { recipeFor } from '../../../trainers/recipes/recipe.ts';
import { writeGames } from '../../support/alfworld-games.ts';
import { cairn } from '../../support/command-line.ts';
import { tinyPolicy } from '../../support/tiny-policy.ts';
import { itInAll } from '../../support/thorough.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));

const resolve = async (options: z.input<typeof trainOptions>): Promise<TrainConfig> =>
  (await resolveTraining(trainOptions.parse(options), await loadRegistry([], new AbortController().signal)))
    .config;
const small = [
  '--iterations',
  '2',
  '--groups',
  '2',
  '--group-size',
  '2',
  '--warm-start',
  '2',
  '--set',
  'size=3',
  '--with',
  'evaluation.tasks=4',
  '--with',
  'warmStart.epochs=2',
  ...tinyPolicy,
];

describe('training config', () => {
  it('equals the env’s recipe by default', async () => {
    expect(await resolve({ env: 'household' })).toEqual(recipeFor(householdEnv));
    expect(await resolve({ env: 'lights-out' })).toEqual(
      trainConfigSchema.parse({ env: 'lights-out-v1', credit: { kind: 'gigpo' } }),
    );
  });

  it('prefers flags to the file, the file to the recipe and the recipe to the defaults, key by key', async () => {
    const config = path.join(folder, 'train.json');
    await writeFile(
      config,
      JSON.stringify({ env: 'household', iterations: 7, seed: 5, update: { clipHigh: 0.4 } }),
    );
    const resolved = await resolve({ config, seed: 6, with: ['update.clipLow=0.1'] });
    const recipe = recipeFor(householdEnv);
    expect(resolved).toEqual({
      ...recipe,
      iterations: 7,
      seed: 6,
      update: { ...recipe.update, clipLow: 0.1, clipHigh: 0.4 },
    });
    expect((await resolve({ env: 'lights-out', config, set: ['size=3'] })).envConfig).toEqual({ size: 3 });
  });

  it('ignores the recipe for the built-in pages when other pages are named', async () => {
    const config = path.join(folder, 'web.json');
    await writeFile(config, JSON.stringify({ env: 'web', envConfig: { pages: 'miniwob' } }));
    const own = await resolve({ env: 'web', set: ['maxSteps=20'] });
    expect([own.envConfig, own.warmStart.episodes]).toEqual([
      { maxSteps: 20, reward: 'binary', tasks: expect.arrayContaining(['click-button']) as unknown },
      40,
    ]);
    for (const given of [
      { env: 'web', set: ['pages=miniwob'] },
      { env: 'web', with: ['envConfig.pages=miniwob'] },
      { config },
    ]) {
      const { envConfig, warmStart, groups } = await resolve(given);
      expect([envConfig, warmStart.episodes, groups]).toEqual([
        { pages: 'miniwob', reward: 'binary' },
        undefined,
        own.groups,
      ]);
    }
  });

  it('warns when the panel that selects checkpoints is also trained on, and suggests another panel', async () => {
    const said = async (...words: readonly string[]): Promise<string> =>
      (await cairn(['train', 'lights-out', '--backend', 'cpu', ...small, ...words, '--dry-run'])).err;
    expect(await said('--panel', 'dev')).toContain(
      'warning: dev is also trained on: its curve and the best checkpoint say nothing about other tasks. Train on another panel: --panel train',
    );
    expect(await said()).not.toContain('also trained on');
  });

  it('clones nothing over the initial weights of a choice policy unless warm-start is set beside them', async () => {
    const episodes = async (options: z.input<typeof trainOptions>): Promise<number | undefined> =>
      (await resolve(options)).warmStart.episodes;
    const config = path.join(folder, 'begins.json');
    const run = path.join(folder, 'config.json');
    await writeFile(
      config,
      JSON.stringify({ env: 'household', policy: { model: 'runs/a' }, warmStart: { episodes: 9 } }),
    );
    await writeFile(run, JSON.stringify({ format: 'cairn-run', config: recipeFor(householdEnv) }));
    expect(await episodes({ env: 'household', model: 'runs/a' })).toBe(0);
    expect(await episodes({ config: run, model: 'runs/a' })).toBe(0);
    expect(await episodes({ config: run, model: 'runs/a', warmStart: 5 })).toBe(5);
    expect(await episodes({ config })).toBe(9);
    expect(await episodes({ config, model: 'runs/b' })).toBe(9); // a file of the user's own asks for them
    expect(await episodes({ config: run })).toBe(6);
    expect(await episodes({ config: run, policy: 'token', model: 'models/a' })).toBe(6);
  });

  it('changes a part of a default and keeps the rest', async () => {
    const changed = await resolve({
      env: 'lights-out',
      with: ['update.schedule.warmup=3', 'envConfig.size=4'],
    });
    expect(changed.update.schedule).toEqual({ kind: 'linear', warmup: 3, floor: 0.1 });
    expect(changed.envConfig).toEqual({ size: 4 });
    expect(
      (await resolve({ env: 'lights-out', with: ['update.schedule.kind=constant'] })).update.schedule,
    ).toEqual({ kind: 'constant' });
  });

  it.each([
    ['1e30', 'number above 0, up to 1', '--learning-rate', 'update.learningRate'],
    ['0', 'number above 0, up to 1', '--learning-rate', 'update.learningRate'],
    ['1e20', 'integer from 0 to 9007199254740991', '--seed', 'seed'],
    ['1', 'integer 2 to 65536', '--group-size', 'groupSize'],
    ['1000001', 'integer 0 to 1000000', '--warm-start', 'warmStart.episodes'],
    ['much', 'integer 0 to 1000000000', '--iterations', 'iterations'],
  ])('rejects %s, requiring %s, for %s and --with alike', async (value, wanted, flag, key) => {
    for (const [words, place] of [
      [[flag, value], flag],
      [['--with', `${key}=${value}`], key],
    ] as const) {
      const { code, err } = await cairn(['train', 'lights-out', ...words, '--keys', '--quiet']);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(`: ${place}: `) as string });
      expect(err).toContain(` is given where ${wanted} is wanted.`);
    }
  });

  it('bounds every number except the seed', () => {
    const unbounded = trainingKeys().filter(
      ({ name, type }) => /number|integer/.test(type) && !/ to | up to |below/.test(type) && name !== 'seed',
    );
    expect(unbounded.map(({ name, type }) => `${name}: ${type}`)).toEqual([]);
  });

  it('rejects a file with the place of each error, and suggests the intended key', async () => {
    const config = path.join(folder, 'wrong.json');
    await writeFile(
      config,
      JSON.stringify({
        env: 'lights-out',
        update: { learningrate: 1 },
        itertions: 3,
        credit: { kind: 'gipgo' },
      }),
    );
    const { code, err } = await cairn(['train', '--config', config, '--dry-run', '--quiet']);
    expect(code).toBe(2);
    expect(err).toMatch(/^error: training config \(.*wrong\.json and flags\): .*\n$/);
    expect(err).toContain('unknown key "learningrate" in update; did you mean learningRate? Keys: epochs,');
    expect(err).toContain('unknown key "itertions"; did you mean iterations? Keys: env,');
    expect(err).toContain('credit.kind: "gipgo" is not one of gigpo, grpo, module (did you mean gigpo');
  });

  it('drops the keys of one credit estimator when another is named', async () => {
    const config = path.join(folder, 'gigpo.json');
    await writeFile(config, JSON.stringify({ env: 'lights-out', credit: { kind: 'gigpo', omega: 0.5 } }));
    expect((await resolve({ config, credit: 'grpo' })).credit).not.toHaveProperty('omega');
    expect((await resolve({ config, anchor: 'observation' })).credit).toMatchObject({
      kind: 'gigpo',
      omega: 0.5,
      anchor: 'observation',
    });
  });

  it('accepts any key through --with, the environment too, beside flags that agree or set other keys', async () => {
    const changed = await resolve({
      groups: 4,
      set: ['size=3'],
      with: ['env=lights-out', 'groups=4', 'envConfig.size=3', 'groupSize=3', 'credit.omega=0.5'],
      anchor: 'state',
    });
    expect(changed).toMatchObject({
      env: 'lights-out-v1',
      groups: 4,
      groupSize: 3,
      envConfig: { size: 3 },
      credit: { anchor: 'state', omega: 0.5 },
    });
    expect(
      (
        await resolve({
          env: 'shop',
          set: ['catalogue.kind=generated'],
          with: ['envConfig.catalogue.products=2000'],
        })
      ).envConfig,
    ).toEqual({ catalogue: { kind: 'generated', products: 2000 } });
    expect((await resolve({ env: 'lights-out', with: ['seed=2', 'seed=2'] })).seed).toBe(2);
  });

  it('cannot reach prototypes of objects', async () => {
    await expect(resolve({ env: 'lights-out', with: ['__proto__.polluted=1'] })).rejects.toThrow(/__proto__/);
    await expect(
      resolve({ env: 'lights-out', with: ['envConfig={"__proto__":{"size":3}}'] }),
    ).rejects.toThrow(/--with envConfig=.*: it has the unknown key "__proto__"\./);
    const config = path.join(folder, 'proto.json');
    for (const text of [
      '{"env":"lights-out","__proto__":{"x":1}}',
      '{"env":"lights-out","envConfig":{"__proto__":{"x":1}}}',
    ]) {
      await writeFile(config, text);
      await expect(resolve({ config })).rejects.toThrow(
        /config file .*proto\.json: it has the unknown key "__proto__"\./,
      );
    }
    expect(({} as Readonly<Record<string, unknown>>)['polluted']).toBeUndefined();
  });

  it.each([
    [[], /no environment is named/],
    [
      ['lights-out', '--with', 'update.clipHihg=1'],
      /unknown key "clipHihg" in update; did you mean clipHigh\? Keys: epochs, /,
    ],
    [['lights-out', '--with', 'clipHigh=1'], /unknown key "clipHigh"; did you mean update\.clipHigh\?/],
    [['lights-out', '--with', 'size=3'], /unknown key "size"; did you mean envConfig\.size\?/],
    [['lights-out', '--with', 'update'], /--with update: it has no "="\. Write it as path=value/],
    [['lights-out', '--with', 'update..x=3'], /--with update\.\.x=3: it has no key\. Write it as path=value/],
    [['lights-out', '--set', '=3'], /--set =3: it has no key\. Write it as key=value/],
    [
      ['lights-out', '--set', 'sise=3'],
      /config of lights-out-v1: unknown key "sise"; did you mean size\? Keys: size\./,
    ],
    [
      ['lights-out', '--with', 'envConfig.sise=3'],
      /config of lights-out-v1: unknown key "sise"; did you mean size\?/,
    ],
    [
      ['lights-out', '--final-panel', 'unseen', '--with', 'finalPanels=[]'],
      /training config, finalPanels: it is given twice: \["unseen"\] by --final-panel, \[\] by --with\. Remove one of the two\./,
    ],
    [
      ['lights-out', '--credit', 'grpo', '--with', 'credit={"kind":"gigpo"}'],
      /credit\.kind: it is given twice: "grpo" by --credit, "gigpo" by --with/,
    ],
    [
      ['lights-out', '--with', 'groups=3', '--with', 'groups=4'],
      /--with groups: it is given twice, as 3 and as 4\. Give it once\./,
    ],
    [
      ['lights-out', '--set', 'size=3', '--with', 'envConfig.size=4'],
      /envConfig\.size: it is given twice: 3 by --set, 4 by --with/,
    ],
    [
      ['lights-out', '--with', 'env=household'],
      /env: it is given twice: "lights-out" by cairn-gym train lights-out, "household" by --with/,
    ],
    [['lights-out', '--panel', 'nope'], /panel "nope".*this panel does not exist\. Choose one of/],
    [
      ['lights-out', '--credit', 'grpo', '--anchor', 'state'],
      /unknown key "anchor" in credit: it goes only with credit\.kind gigpo\./,
    ],
    [['lights-out', '--group-size', '1'], /--group-size: 1 is given where integer 2 to 65536 is wanted\./],
    [['lights-out', '--backend', 'wsam'], /--backend: "wsam" is not one of auto, .*\(did you mean wasm\?\)/],
    [['lights-out', '--set', 'size=99'], /size: /],
    [
      ['--resume', 'nowhere', '--seed', '3', '--set', 'size=3'],
      /it cannot be combined with other settings, and seed, set are given/,
    ],
    [['--resume', 'nowhere'], /there is no run here/],
  ])('rejects %j', async (words, message) => {
    const { code, err } = await cairn(['train', ...words, '--dry-run', '--quiet']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
  });
});

describe('cairn-gym train --keys', () => {
  const keysSchema = z.object({
    keys: z.array(z.object({ name: z.string(), type: z.string(), says: z.string() }).loose()),
  });
  const list = async (
    ...words: readonly string[]
  ): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> => {
    const { code, out, err } = await cairn(['train', ...words, '--keys', '--json', '--quiet']);
    expect(code, err).toBe(0);
    return new Map(keysSchema.parse(JSON.parse(out)).keys.map((key) => [key.name, key]));
  };

  it('lists the meaning, type and default of every key', async () => {
    const keys = await list();
    for (const [name, key] of keys) expect(key['says'], name).not.toBe('');
    expect(keys.get('update.clipHigh')).toEqual({
      name: 'update.clipHigh',
      type: 'number above 0, up to 1',
      default: 0.28,
      required: false,
      says: 'ratios above 1 + clipHigh get no gradient if raising them further would improve the objective',
      when: [],
    });
    expect(keys.get('credit.omega')).toMatchObject({ when: [{ key: 'credit.kind', is: ['gigpo'] }] });
    expect(keys.get('iterations')).toMatchObject({ flag: '--iterations' });
  });

  it('lists exactly the keys of a resolved config', async () => {
    const config = await resolve({ env: 'household' });
    const leaves = (value: unknown, name: string): readonly string[] =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
        ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, name === '' ? key : `${name}.${key}`))
        : [name];
    const here = trainingKeys().filter(({ when }) =>
      when.every(({ key, is }) => is.includes(valueAt(config, key.split('.')))),
    );
    const names = here
      .map(({ name }) => name)
      .filter(
        (name) =>
          ![
            'devPanel',
            'evaluation.finalTasks',
            'update.dualClip',
            'update.referenceEvery',
            'policy.features',
            'policy.surroundings',
            'policy.model',
          ].includes(name),
      ); // the keys that have no default
    expect(names.toSorted()).toEqual(leaves(config, '').toSorted());
  });

  it('includes the keys of the named env, and the values from recipe, file and flags', async () => {
    const config = path.join(folder, 'keys.json');
    await writeFile(config, '{ "groups": 5 }');
    const keys = await list('household', '--config', config, '--seed', '9', '--set', 'maxSteps=30');
    expect(keys.get('groups')).toMatchObject({ value: 5, default: 16 });
    expect(keys.get('seed')).toMatchObject({ value: 9, default: 0 });
    expect(keys.get('iterations')).toMatchObject({ value: 150, default: 40 });
    expect(keys.get('envConfig.maxSteps')).toMatchObject({
      value: 30,
      default: 50,
      flag: '--set maxSteps',
      says: 'number of steps after which the task fails',
    });
    expect(keys.get('envConfig.dialect')).toMatchObject({ value: 'current' });
    expect(keys.has('credit.grouping.threshold')).toBe(false);
    expect(
      (
        await list(
          'household',
          '--anchor',
          'observation',
          '--with',
          'credit.grouping={"kind":"similarity","threshold":0.9}',
        )
      ).get('credit.grouping.threshold'),
    ).toMatchObject({ value: 0.9 });
    expect(
      (await list('household', '--anchor', 'observation', '--with', 'credit.grouping.kind=similarity')).get(
        'credit.grouping.threshold',
      ),
    ).toMatchObject({ value: 0.95, default: 0.95 });
  });

  it('lists the options of an estimator module', async () => {
    const keys = await list(
      'lights-out',
      '--credit',
      'examples/time-baseline-credit.ts',
      '--with',
      'credit.options.lambda=0.5',
    );
    expect(keys.get('credit.options.lambda')).toMatchObject({
      value: 0.5,
      default: 0.95,
      says: 'discount of what comes later',
    });
    expect(keys.has('credit.options')).toBe(false);
    const wanting = path.join(folder, 'wanting-credit.ts');
    await writeFile(
      wanting,
      (await readFile('examples/time-baseline-credit.ts', 'utf8')).replace('.default(0.95)', ''),
    );
    expect((await list('lights-out', '--credit', wanting)).get('credit.options.lambda')).toMatchObject({
      required: true,
    });
    const { code, err } = await cairn(['train', 'lights-out', '--credit', './none.ts', '--keys']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('none.ts') as string });
  });

  it('prints the same keys as text', async () => {
    const { out } = await cairn(['train', 'lights-out', '--with', 'update.clipHigh=0.3', '--keys']);
    expect(out).toMatch(
      /\n {2}update\.clipHigh {2,}0\.3 {2,}default 0\.28 {2,}number above 0, up to 1\n {6}ratios above 1 \+ clipHigh/,
    );
    expect(out).toMatch(/\n {2}credit\.anchor .*\n {6}.* \(--anchor; only with credit\.kind gigpo\)\n/);
    expect(out).toMatch(/\n {2}update\.dualClip +not set +may be left out +number above 1, up to 1000\n/);
  });

  it.each([
    [['--dry-run'], /it only prints, and --dry-run is given/],
    [['--run', 'x'], /it only prints, and --run is given/],
    [['--resume', 'x'], /it cannot be combined with other settings, and keys is given/],
    [['--seed', '3'], /no environment is named/],
    [['lights-out', '--with', 'sede=3'], /unknown key "sede"; did you mean seed\?/],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await cairn(['train', ...words, '--keys', '--quiet']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
  });
});

describe('cairn-gym train', () => {
  it('prints the default config of the env under --dry-run', async () => {
    const { out } = await cairn([
      'train',
      'lights-out',
      '--groups',
      '1',
      '--group-size',
      '2',
      '--warm-start',
      '0',
      '--backend',
      'cpu',
      '--dry-run',
      '--json',
      '--quiet',
    ]);
    expect(JSON.parse(out)).toMatchObject({ config: { envConfig: { size: 5 } } });
  });

  it('takes a config file that names its schema, which --schema prints', async () => {
    const { out } = await cairn(['train', 'lights-out', '--schema', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      properties: { $schema: {}, iterations: {}, envConfig: { properties: { size: {} } } },
    });
    const config = path.join(folder, 'with-schema.json');
    await writeFile(config, '{"$schema": "./lights.json", "envConfig": {"size": 3}}');
    const words = ['train', 'lights-out', ...small, '--backend', 'cpu', '--config', config, '--dry-run'];
    const planned = await cairn([...words, '--json', '--quiet']);
    expect(planned.code, planned.err).toBe(0);
    expect(planned.out).not.toContain('lights.json');
    await writeFile(config, '{"$schema": 3}');
    expect((await cairn(words)).err).toMatch(/with-schema\.json: its "\$schema" is not text\./);
    expect((await cairn(['train', '--schema', '--seed', '3'])).err).toMatch(
      /it only prints, and --seed is given/,
    );
  });

  it('names the file when its env is not text', async () => {
    const config = path.join(folder, 'number.json');
    await writeFile(config, '{"env": 7}');
    expect(await cairn(['train', '--config', config])).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /training config \(.*number\.json\), env: it is 7, and must be the name of an environment\./,
      ) as string,
    });
  });

  itInAll('measures only a part of a large iteration under --forecast, and extrapolates', async () => {
    const { out, err } = await cairn([
      'train',
      'lights-out',
      '--set',
      'size=3',
      '--groups',
      '1000',
      '--group-size',
      '65536',
      '--warm-start',
      '0',
      ...tinyPolicy,
      '--backend',
      'cpu',
      '--forecast',
    ]);
    const steps = Number(
      /^One iteration of 65536000 episodes, extrapolated from 256 of them, takes .* for (\d+) steps/m.exec(
        out + err,
      )?.[1],
    );
    expect(steps).toBeGreaterThanOrEqual(65_536_000);
    expect(out + err).toMatch(/warning: this process may use \d+\.\d MiB: use fewer/);
  });

  it('prints its plan under --dry-run, and writes nothing', async () => {
    const { code, out, err } = await cairn([
      'train',
      'lights-out',
      ...small,
      '--run',
      path.join(folder, 'none'),
      '--dry-run',
      '--json',
      '--quiet',
    ]);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      dryRun: true,
      config: { env: 'lights-out-v1', envConfig: { size: 3 } },
      panels: [{ name: 'train' }, { name: 'dev[0..4)' }, { name: 'unseen' }],
      writes: { folder: path.join(folder, 'none'), metrics: 'metrics.jsonl', report: 'report.html' },
    });
    expect(JSON.parse(out)).not.toHaveProperty('forecast'); // which --forecast measures
    expect(await readdir(folder)).not.toContain('none');
  });

  it('reports the panels that few games make, and selects on the named one', async () => {
    const games = writeGames({ train: 3, unseen: 1 });
    try {
      const words = [
        'train',
        'alfworld',
        '--set',
        `files=${games.folder}`,
        '--warm-start',
        '1',
        '--groups',
        '2',
        '--group-size',
        '2',
        '--with',
        'warmStart.epochs=1',
        '--backend',
        'cpu',
        '--dry-run',
        '--json',
        '--quiet',
      ];
      const refused = await cairn(words);
      expect({ code: refused.code, out: refused.out }).toEqual({
        code: 2,
        out: expect.stringContaining(
          'it has train, valid_unseen (held out: never used for model selection)',
        ) as string,
      });
      expect(refused.out).toContain('--with devPanel=train');
      const { code, out, err } = await cairn([...words, '--with', 'devPanel=train']);
      expect(code, err).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        panels: [
          { name: 'train', tasks: 3 },
          { name: 'train', tasks: 3 },
          { name: 'valid_unseen', tasks: 1 },
        ],
      });
      expect((await cairn([...words, '--with', 'devPanel=valid_unseen'])).out).toContain(
        'held out: it is played once',
      );
    } finally {
      games.remove();
    }
  });

  it('validates its settings before it opens a backend', async () => {
    for (const [wrong, said] of [
      [['--set', 'sise=3'], /unknown key "sise"/],
      [['--panel', 'trian'], /this panel does not exist/],
      [['--groups', '99999'], /has only/],
    ] as const) {
      const { code, err } = await cairn(['train', 'lights-out', ...wrong, '--dry-run']);
      expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(said) as string });
      expect(err).not.toContain('backend');
    }
    expect((await cairn(['train', 'lights-out', ...small, '--backend', 'cpu', '--dry-run'])).err).toContain(
      'backend cpu: plain JavaScript',
    );
  });

  it('forecasts an upper bound that includes every part of a run', async () => {
    const words = [
      'train',
      'lights-out',
      ...small,
      '--backend',
      'cpu',
      '--final-panel',
      'unseen',
      '--forecast',
      '--quiet',
    ];
    const { out } = await cairn([...words, '--json']);
    const { forecast } = z.object({ forecast: z.record(z.string(), z.unknown()) }).parse(JSON.parse(out));
    const { trainingSeconds, warmStartSeconds, evaluationSeconds, totalSeconds } = z
      .record(z.string(), z.number())
      .parse(
        Object.fromEntries(
          Object.entries(forecast).filter(([name]) =>
            /^(?:training|warmStart|evaluation|total)Seconds$/.test(name),
          ),
        ),
      );
    expect(Math.min(trainingSeconds ?? 0, warmStartSeconds ?? 0, evaluationSeconds ?? 0)).toBeGreaterThan(0);
    expect(totalSeconds).toBeCloseTo(
      (trainingSeconds ?? 0) + (warmStartSeconds ?? 0) + (evaluationSeconds ?? 0),
      9,
    );
    const typical = z
      .object({
        like: z.literal('searcher'),
        steps: z.number(),
        measuredSteps: z.number(),
        totalSeconds: z.number(),
      })
      .parse(forecast['typical']);
    expect(typical.steps).toBeLessThan(typical.measuredSteps);
    expect(typical.totalSeconds).toBeCloseTo(
      ((totalSeconds ?? 0) * typical.steps) / typical.measuredSteps,
      9,
    );
    const { out: told } = await cairn(words);
    expect(told).toMatch(
      /If its episodes are as long as the searcher's \(\d+\.\d steps on average, \d+\.\d in that iteration\), it takes about .*: expect that of a policy that learns\.\n/,
    );
    expect(told).toMatch(
      /The run takes at most about .*: warm start .*, iterations .*, evaluations .*, on dev and at the end\./,
    );
  });

  it('writes a run that eval, bench, inspect, report and train can use', async () => {
    const run = path.join(folder, 'run');
    const trained = await cairn([
      'train',
      'lights-out',
      ...small,
      '--with',
      'taskSampling.kind=unsolved',
      '--backend',
      'wasm',
      '--final-panel',
      'dev',
      '--run',
      run,
      '--json',
      '--quiet',
    ]);
    expect(trained.code, trained.err).toBe(0);
    expect(JSON.parse(trained.out)).toMatchObject({
      run,
      iteration: 2,
      report: path.join(run, 'report.html'),
      results: [
        { agent: 'random' },
        { agent: 'cloned' },
        { agent: 'GiGPO' },
        { agent: 'GiGPO greedy' },
        { agent: 'searcher' },
      ],
    });
    expect(trained.out).not.toContain('familySuccess'); // an estimate for drawing tasks, which begins at a half
    expect(await readFile(path.join(run, 'metrics.jsonl'), 'utf8')).toMatch(
      /"tasks\/success\/[\w ]+":(?:0|1|0\.\d+)[,}]/,
    );
    expect(JSON.parse(trained.out)).toMatchObject({
      comparisons: [{ first: 'GiGPO', second: 'cloned', panel: { name: 'dev' }, pairs: { kind: 'mcnemar' } }],
    });
    const shown = await cairn(['train', '--resume', run, '--quiet']);
    expect(shown.out).toMatch(
      /^2 iterations, \d+ steps, \d+ s of play and learning; this resumption took \d+ s\. Report: /m,
    );
    const narrow = await cairn(['train', '--resume', run, '--quiet'], { isTTY: true });
    expect(stripVTControlCharacters(narrow.out)).toMatch(
      /^agent +cloned +GiGPO +GiGPO greedy\n[\s\S]*^turns .*\n[\s\S]*^agent +random +searcher$/m,
    );
    const seconds = (text: string): number => (JSON.parse(text) as { readonly seconds: number }).seconds;
    expect(seconds((await cairn(['train', '--resume', run, '--json', '--quiet'])).out)).toBe(
      seconds(trained.out),
    );
    expect(shown.out).toMatch(
      /^GiGPO greedy .*\n[\s\S]*^Before and after: GiGPO against cloned: [+-]\d+\.\d points of success \[.*McNemar p = /m,
    );
    expect(await readFile(path.join(run, 'report.html'), 'utf8')).toMatch(
      / on lights-out-v1, by GiGPO with steps grouped by \w+, seed 0\.[\s\S]*GiGPO against cloned: /,
    );
    expect(await readdir(run)).toEqual(
      expect.arrayContaining([
        'config.json',
        'metrics.jsonl',
        'timings.jsonl',
        'checkpoints',
        'trajectories',
        'report.html',
      ]),
    );

    const evaluated = await cairn([
      'eval',
      '--run',
      run,
      '--backend',
      'wasm',
      '--tasks',
      '3',
      '--json',
      '--quiet',
    ]);
    expect(evaluated.code, evaluated.err).toBe(0);
    expect(JSON.parse(evaluated.out)).toMatchObject({
      env: 'lights-out-v1',
      config: { size: 3 },
      agent: 'run',
      panel: { name: 'dev[0..3)', tasks: 3 },
      shown: { kind: 'choice', checkpoint: 'iteration-00002', decoding: { kind: 'sampled', temperature: 1 } },
      steps: expect.any(Number) as number,
    });

    // The table's own row, whatever the folder is called: luck is of the seed and the task.
    const moved = path.join(folder, 'moved');
    await cp(run, moved, { recursive: true });
    const row = (
      JSON.parse(trained.out) as {
        readonly results: readonly {
          readonly agent: string;
          readonly success: unknown;
          readonly steps: unknown;
        }[];
      }
    ).results.find(({ agent }) => agent === 'GiGPO');
    for (const where of [run, moved]) {
      const whole = await cairn([
        'eval',
        '--run',
        where,
        '--panel',
        'dev',
        '--backend',
        'wasm',
        '--json',
        '--quiet',
      ]);
      expect(JSON.parse(whole.out)).toMatchObject({ success: row?.success, steps: row?.steps });
    }

    const last = path.join(run, 'checkpoints', 'iteration-00002', 'policy');
    await rm(path.join(last, 'optimiser.state'));
    const unmoved = await cairn([
      'eval',
      '--run',
      run,
      '--backend',
      'wasm',
      '--tasks',
      '3',
      '--json',
      '--quiet',
    ]);
    expect({ ...(JSON.parse(unmoved.out) as object), seconds: 0 }).toEqual({
      ...(JSON.parse(evaluated.out) as object),
      seconds: 0,
    });

    const benched = await cairn([
      'bench',
      '--run',
      run,
      '--agent',
      'searcher',
      '--checkpoint',
      'warm-start',
      '--decoding',
      'greedy',
      '--backend',
      'wasm',
      '--tasks',
      '2',
      '--quiet',
    ]);
    expect(benched.code, benched.err).toBe(0);
    expect(benched.out).toMatch(/panel unseen\[0\.\.2\).*\n[\s\S]*run .*\n[\s\S]*searcher/);
    expect((await cairn(['inspect', run, '--json'])).out).toContain('"iteration-00002"');

    const again = await cairn(['train', 'lights-out', ...small, '--backend', 'wasm', '--run', run]);
    expect({ code: again.code, err: again.err }).toEqual({
      code: 2,
      err: expect.stringMatching(/it contains a run already/) as string,
    });
    expect(again.err).not.toContain('writing');

    const second = path.join(folder, 'second');
    await cairn(['train', '--config', path.join(run, 'config.json'), '--run', second, '--quiet']);
    expect(await readFile(path.join(second, 'metrics.jsonl'), 'utf8')).toBe(
      await readFile(path.join(run, 'metrics.jsonl'), 'utf8'),
    );
  });
});
