// Slow: starts a watched process for each case.
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cairn } from '../../support/command-line.ts';
import { useFolder } from '../../support/own-folder.ts';
import { root, spawnCairn, type Ran } from '../../support/run-program.ts';

const inFolder = useFolder();
const example = path.join(root, 'examples/time-baseline-credit.ts');
const changes = [
  'policy.buckets=256',
  'policy.width=8',
  'policy.hidden=8',
  'evaluation.tasks=4',
  'evaluation.every=2',
];
const ofSorting = ['--env-module', path.join(root, 'examples/sort-env.ts'), '--quiet'];
const jobOf = (iterations: number): readonly string[] => [
  ...`train my-lab/sort --backend wasm --iterations ${iterations} --groups 4 --group-size 8 --final-panel dev`.split(
    ' ',
  ),
  ...ofSorting,
  ...changes.flatMap((change) => ['--with', change]),
];
const job = jobOf(4);
const halved = ['--with', 'credit.options.lambda=0.5'];
const metricsOf = (name: string): Promise<string> => readFile(inFolder(name, 'metrics.jsonl'), 'utf8');

const runDocument = z.looseObject({
  versions: z.record(z.string(), z.string()),
  config: z.looseObject({ credit: z.unknown() }),
});

/** A file of an estimator with these lines within `create`. */
async function ownFile(name: string, within: string, atImport = ''): Promise<string> {
  const text = `import { defineCreditEstimator } from 'cairn-gym/trainers';
import { z } from 'zod';
${atImport}
export const estimator = defineCreditEstimator({ kind: 'mine', name: 'mine', summary: 'for a test', options: z.strictObject({}), create: () => ({ ${within} }) });
`;
  await writeFile(inFolder(name), text);
  return inFolder(name);
}

let credit = '';
beforeAll(async () => {
  credit = inFolder('my-credit.ts');
  await cp(example, credit);
  const { code, err } = await cairn([...job, '--credit', credit, ...halved, '--run', inFolder('whole')]);
  expect(code, err).toBe(0);
});

const refused = async (words: readonly string[], message: RegExp, code = 2): Promise<Ran> => {
  const ran = await cairn(words);
  expect({ code: ran.code, err: ran.err }).toEqual({ code, err: expect.stringMatching(message) as string });
  return ran;
};

describe('training with an estimator module', () => {
  it('records the file, its fingerprint, its name and its options', async () => {
    const { versions, config } = runDocument.parse(
      JSON.parse(await readFile(inFolder('whole', 'config.json'), 'utf8')),
    );
    expect(config.credit).toEqual({ kind: 'module', file: credit, options: { lambda: 0.5 } });
    expect(versions).toMatchObject({
      'credit-estimator': 'time baseline',
      'credit-file': expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
    });
  });

  it('shows the estimator’s name in tables, results and the report, and never GiGPO', async () => {
    const { out } = await cairn(['train', '--resume', inFolder('whole'), ...ofSorting]);
    expect(out).toMatch(/^time baseline greedy /m);
    expect(out).toContain('Before and after: time baseline against untrained');
    const report = await readFile(inFolder('whole', 'report.html'), 'utf8');
    expect(report).toContain('on my-lab/sort-v1, by time baseline, seed 0.');
    expect(out + report).not.toContain('GiGPO');
    expect(await readdir(inFolder('whole', 'results'))).toContain('dev-time-baseline.json');
    expect(out).not.toContain('taught nothing');
  });

  it('depends on the options, and repeats from its config', async () => {
    const other = await cairn([...job, '--credit', credit, '--run', inFolder('other')]);
    expect(other.code, other.err).toBe(0);
    expect(await metricsOf('other')).not.toBe(await metricsOf('whole'));
    const again = await cairn([
      'train',
      '--config',
      inFolder('whole', 'config.json'),
      '--run',
      inFolder('again'),
      ...ofSorting,
    ]);
    expect(again.code, again.err).toBe(0);
    expect(await metricsOf('again')).toBe(await metricsOf('whole'));
  });

  it('resumes after a kill to the same metrics', async () => {
    const checkpoints = async (): Promise<number> =>
      (await readdir(inFolder('killed', 'checkpoints')).catch(() => [])).filter((name) =>
        name.startsWith('iteration-'),
      ).length;
    const killed = spawnCairn([...job, '--credit', credit, ...halved, '--run', inFolder('killed')], {
      drive: (child) => {
        child.stdin?.end();
        const look = async (): Promise<void> => {
          while (child.exitCode === null && child.signalCode === null) {
            if ((await checkpoints()) > 0) return void child.kill('SIGKILL');
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        };
        void look();
      },
    });
    await expect(killed).rejects.toThrow('SIGKILL');
    const resumed = await spawnCairn(['train', '--resume', inFolder('killed'), ...ofSorting]);
    expect(resumed.code, resumed.err).toBe(0);
    expect(await metricsOf('killed')).toBe(await metricsOf('whole'));
  });
});

const shown = z.object({
  trajectory: z.object({
    steps: z.array(z.object({ reward: z.object({ total: z.number() }), penalty: z.number().default(0) })),
  }),
  credit: z.array(z.object({ advantage: z.number(), stepReturn: z.number(), anchor: z.number() })),
});
const groupSchema = z.object({
  episodes: z.array(z.object({ outcome: z.string(), meanAdvantage: z.number() })),
});

async function inspect<Schema extends z.ZodType>(
  schema: Schema,
  ...words: readonly string[]
): Promise<z.output<Schema>> {
  const { code, out, err } = await cairn([
    'inspect',
    inFolder('whole'),
    '--iteration',
    '2',
    ...words,
    '--json',
  ]);
  expect(code, err).toBe(0);
  return schema.parse(JSON.parse(out));
}

/** A group of the second iteration that has something to compare: episodes that were solved and others. */
async function unequalGroup(): Promise<string> {
  for (const group of ['0', '1', '2', '3']) {
    const { episodes } = await inspect(groupSchema, '--group', group);
    if (new Set(episodes.map(({ outcome }) => outcome)).size > 1) return group;
  }
  throw new Error('all groups are of one outcome');
}

describe('inspect and export of a run with an estimator module', () => {
  it('show the credit of that estimator', async () => {
    const group = await unequalGroup();
    const { episodes } = await inspect(groupSchema, '--group', group);
    const members = [];
    for (const member of episodes.keys())
      members.push(await inspect(shown, '--group', group, '--member', String(member)));
    const returns = members.map(({ trajectory: { steps } }) =>
      steps.map((_, at) =>
        steps
          .slice(at)
          .reduce((sum, { reward, penalty }, later) => sum + (reward.total - penalty) * 0.5 ** later, 0),
      ),
    );
    members.forEach(({ credit: told }, member) => {
      expect(told.map(({ stepReturn }) => stepReturn)).toEqual(
        returns[member]?.map((value) => expect.closeTo(value, 12) as number),
      );
      told.forEach(({ advantage }, step) => {
        const there = returns.flatMap((row) => row.slice(step, step + 1));
        expect(advantage).toBeCloseTo(
          (returns[member]?.[step] ?? Number.NaN) -
            there.reduce((sum, value) => sum + value, 0) / there.length,
          12,
        );
      });
    });
    for (const [member, { credit: told }] of members.entries())
      expect(episodes[member]?.meanAdvantage).toBeCloseTo(
        told.reduce((sum, { advantage }) => sum + advantage, 0) / told.length,
        12,
      );
    expect((await cairn(['inspect', inFolder('whole'), '--iteration', '2', '--group', group])).out).toMatch(
      /member 0 .* mean advantage [+-]\d\.\d{3} /,
    );
    const lines = await cairn([
      'inspect',
      inFolder('whole'),
      '--iteration',
      '2',
      '--group',
      group,
      '--member',
      '0',
    ]);
    expect(lines.out).toMatch(/\n {2}credit {2}[█▒·]* ?advantage [+-][\d.]+, return from here/);
  });

  it('report a missing or changed file, and accept a copy of it', async () => {
    const words = ['inspect', inFolder('whole'), '--iteration', '2', '--group', '1'];
    const copy = inFolder('copy.ts');
    const rows = [
      'export',
      inFolder('whole'),
      '--what',
      'token-rows',
      '--tokenizer',
      inFolder('nano'),
      ...ofSorting,
    ];
    expect(
      (await cairn(['model', 'init', 'nano', '--tokenizer', 'bytes', '--out', inFolder('nano'), '--quiet']))
        .code,
    ).toBe(0);
    const exported = await cairn(rows);
    expect(exported.code, exported.err).toBe(0);
    await rename(credit, copy);
    try {
      const without = await cairn([...words, '--json']);
      const why = `credit cannot be shown. run ${inFolder('whole')}: its credit estimator is defined in ${credit}, and that file does not exist. Restore ${credit}, or name a copy of it with --credit FILE.`;
      expect(without.code, without.err).toBe(0);
      expect(without.err).toContain(why);
      expect(JSON.parse(without.out)).toMatchObject({
        notes: [why],
        episodes: Array.from({ length: 8 }, (_, member) => ({ member })),
      });
      expect(without.out).not.toContain('Advantage');
      await refused(rows, /that file does not exist\. Restore .* or name a copy of it with --credit FILE\./);
      await refused(
        ['train', '--resume', inFolder('whole'), ...ofSorting],
        /that file does not exist\. Restore .*my-credit\.ts, or start a new run with --config .*config\.json\./,
      );
      expect((await cairn([...words, '--credit', copy])).out).toContain('mean advantage');
      expect((await cairn([...rows, '--credit', copy])).out).toBe(exported.out);
      await writeFile(credit, `${await readFile(copy, 'utf8')}\n`);
      await refused(
        [...words, '--credit', credit],
        /file or one that it imports has changed: the run has sha256:.*, the file has sha256:/,
      );
      expect((await cairn(words)).err).toContain('credit cannot be shown');
      await refused(rows, /file or one that it imports has changed/);
      await refused(
        ['train', '--resume', inFolder('whole'), ...ofSorting],
        /file or one that it imports has changed.*or start a new run with --config/,
      );
    } finally {
      await rm(credit, { force: true });
      await rename(copy, credit);
    }
  });

  it('refuse --credit where it has no effect', async () => {
    await refused(
      ['inspect', inFolder('whole'), '--credit', credit],
      /credit is shown only for groups and episodes/,
    );
    await refused(
      ['export', inFolder('whole'), '--credit', credit],
      /--credit: it has no effect on metrics\. Remove it, or add --what token-rows\./,
    );
  });

  it('report that batch-wide credit cannot be computed for one group', async () => {
    const file = await ownFile(
      'batch.ts',
      "compares: 'batch', assign: (groups) => ({ groups: groups.map(({ members }, index) => members.map(({ steps }) => ({ advantage: steps.map(() => index - 1.5) }))) })",
    );
    const trained = await cairn([...jobOf(1), '--credit', file, '--run', inFolder('batch')]);
    expect(trained.code, trained.err).toBe(0);
    const looked = await cairn(['inspect', inFolder('batch'), '--iteration', '1', '--group', '0']);
    expect(looked.err).toContain('credit estimator "mine": it compares over the whole batch');
    expect(looked.out).toContain('member 0');
  });
});

describe('training with an invalid estimator', () => {
  it.each<readonly [string, () => Promise<string>, readonly string[], RegExp]>([
    [
      'for an unknown option',
      async () => credit,
      ['--with', 'credit.options.lamda=1'],
      /"time-baseline", options: unknown key "lamda"; did you mean lambda\?/,
    ],
    [
      'for an invalid value of an option',
      async () => credit,
      ['--with', 'credit.options.lambda=2'],
      /"time-baseline", options: lambda: 2 is given where number 0 to 1 is wanted/,
    ],
    [
      'for a key of another estimator',
      async () => credit,
      ['--anchor', 'state'],
      /unknown key "anchor" in credit: it goes only with credit\.kind gigpo/,
    ],
    [
      'for a missing file',
      async () => inFolder('none.ts'),
      [],
      /credit estimator module ".*none\.ts": the file .*none\.ts does not exist/,
    ],
    [
      'for needs that have no source',
      () => ownFile('needs.ts', "needs: ['values'], assign: () => ({ groups: [] })"),
      [],
      /credit estimator "mine", needs: it needs values, and the config has no source of it/,
    ],
    [
      'for a file that does not load',
      () => ownFile('throws.ts', '', "throw new Error('not today');"),
      [],
      /could not be imported: not today/,
    ],
    [
      'for a file without an estimator',
      async () => {
        await writeFile(inFolder('empty.ts'), 'export const credit = 1;');
        return inFolder('empty.ts');
      },
      [],
      /it exports credit but no `estimator`\. Export it:/,
    ],
    [
      'for an invalid definition',
      async () => {
        await writeFile(inFolder('wrong.ts'), "export const estimator = { name: 'mine' };");
        return inFolder('wrong.ts');
      },
      [],
      /estimator: kind: .*; options: must be z\.object or z\.strictObject of zod 4; create: must be a function/,
    ],
    [
      'for a name that the tables already use',
      async () => {
        await writeFile(
          inFolder('name.ts'),
          (await readFile(example, 'utf8')).replace('time baseline', 'grpo'),
        );
        return inFolder('name.ts');
      },
      [],
      /its name "grpo" is used by another row of the tables, GRPO/,
    ],
  ])('stops before its first episode and leaves no folder %s', async (_name, file, words, message) => {
    await refused([...job, '--credit', await file(), ...words, '--run', inFolder('never')], message);
    expect(existsSync(inFolder('never'))).toBe(false);
  });
});

describe('training with invalid credit', () => {
  it.each([
    [
      'short',
      'assign: (groups) => ({ groups: groups.map(({ members }) => members.map(({ steps }) => ({ advantage: steps.slice(1).map(() => 0) }))) })',
      /credit estimator "mine", group 0 \(train\/\d+\), member 0: its advantage has \d+ entries, and the episode has \d+ steps/,
    ],
    [
      'without-numbers',
      'assign: (groups) => ({ groups: groups.map(({ members }) => members.map(({ steps }) => ({ advantage: steps.map(() => NaN) }))) })',
      /credit estimator "mine", group 0 \(train\/\d+\), member 0, step 0: its advantage is NaN/,
    ],
    [
      'thrown',
      'assign: () => { throw new Error("no idea"); }',
      /credit estimator "mine": assign threw: no idea\. Fix the estimator/,
    ],
  ])('stops and names the place of the fault: %s', async (name, within, message) => {
    await refused(
      [...job, '--credit', await ownFile(`${name}.ts`, within), '--run', inFolder(name)],
      message,
    );
    expect((await metricsOf(name)).includes('"kind":"iteration"')).toBe(false);
  });
});
