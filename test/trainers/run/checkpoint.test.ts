import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import {
  digestConfig,
  digestManifest,
  type CheckpointFacts,
} from '../../../trainers/run/checkpoint-manifest.ts';
import {
  findCheckpoint,
  listCheckpoints,
  markBest,
  pruneCheckpoints,
  readBest,
} from '../../../trainers/run/checkpoint-store.ts';
import { readCheckpoint } from '../../../trainers/run/read-checkpoint.ts';
import {
  removeCheckpoint,
  sweepCheckpoints,
  writeCheckpoint,
} from '../../../trainers/run/write-checkpoint.ts';
import { fingerprint, temporaryFolder } from './make-run.ts';

const factsOf = (iteration: number): CheckpointFacts => ({
  version: '0.1.0',
  iteration,
  seed: 5,
  counters: { environmentSteps: 100 * iteration },
  states: { curriculum: { success: [['look', iteration / 10]] } },
  panels: { dev: fingerprint },
  configDigest: digestConfig({ env: 'maze-v1' }),
  logs: { metrics: 10, timings: 20 },
  trajectories: { train: { file: 1, bytes: 30 } },
});

async function fill(folder: string): Promise<void> {
  mkdirSync(join(folder, 'model'));
  writeFileSync(join(folder, 'model', 'weights.safetensors'), Buffer.alloc(3_000_000, 7));
  writeFileSync(join(folder, 'optimiser.json'), '{"step":3}');
}

async function withCheckpoint(
  work: (paths: { readonly checkpoints: string; readonly folder: string }) => Promise<void>,
): Promise<void> {
  using root = temporaryFolder();
  await writeCheckpoint(root.path, 'iteration-1', { facts: factsOf(1), fill });
  await work({ checkpoints: root.path, folder: join(root.path, 'iteration-1') });
}

describe('checkpoint', () => {
  it('stores and returns its content, with a digest of every file', () =>
    withCheckpoint(async ({ checkpoints, folder }) => {
      const manifest = await readCheckpoint(folder, {
        configDigest: factsOf(1).configDigest,
        panels: { dev: fingerprint, test: 'new' },
      });
      expect(manifest).toMatchObject({ format: 'cairn-checkpoint', schema: 2, ...factsOf(1) });
      // The digests are those of sha256sum.
      expect(manifest.files).toEqual({
        'model/weights.safetensors': {
          bytes: 3_000_000,
          sha256: '892f2fe04ec507da2fe21530851fc8c60ae8a0d9b126b61d7168fd5dbb209a1b',
        },
        'optimiser.json': {
          bytes: 10,
          sha256: 'f2c76473acac2fa2146cd9615b918e8ae33033c5a78dd320338b04ac6fa438ab',
        },
      });
      expect(readdirSync(checkpoints)).toEqual(['iteration-1']);
    }));

  it('replaces one of the same name', () =>
    withCheckpoint(async ({ checkpoints, folder }) => {
      await writeCheckpoint(checkpoints, 'iteration-1', { facts: factsOf(9), fill: async () => undefined });
      expect(await readCheckpoint(folder)).toMatchObject({ iteration: 9, files: {} });
      expect(readdirSync(checkpoints)).toEqual(['iteration-1']);
    }));

  it('turns its family success into the state of the curriculum when its schema is 1', () =>
    withCheckpoint(async ({ folder }) => {
      const file = join(folder, 'checkpoint.json');
      const { states: _states, digest: _digest, ...rest } = await readCheckpoint(folder);
      const counters = { episodes: 8, 'family-success/look': 0.25, 'family-success/__proto__': 1 };
      const first = { ...rest, schema: 1 as const, counters };
      writeFileSync(file, JSON.stringify({ ...first, digest: digestManifest(first) }));
      expect(await readCheckpoint(folder)).toMatchObject({
        schema: 2,
        counters: { episodes: 8 },
        states: {
          curriculum: {
            success: [
              ['look', 0.25],
              ['__proto__', 1],
            ],
          },
        },
      });
      writeFileSync(file, JSON.stringify({ ...first, seed: 6, digest: digestManifest(first) }));
      await expect(readCheckpoint(folder)).rejects.toThrow(/was changed: the digest differs/);
    }));

  it('does not exist when filling it fails', () =>
    withCheckpoint(async ({ checkpoints }) => {
      const broken = async (into: string): Promise<void> => {
        writeFileSync(join(into, 'half'), 'x');
        throw new Error('the model burnt down');
      };
      await expect(
        writeCheckpoint(checkpoints, 'iteration-2', { facts: factsOf(2), fill: broken }),
      ).rejects.toThrow('the model burnt down');
      expect(readdirSync(checkpoints)).toEqual(['iteration-1']);
    }));

  it('fails before it starts when the disk lacks room', () =>
    withCheckpoint(async ({ checkpoints }) => {
      const untouched = async (): Promise<void> => Promise.reject(new Error('started'));
      await expect(
        writeCheckpoint(checkpoints, 'iteration-2', { facts: factsOf(2), fill: untouched, bytes: 2 ** 62 }),
      ).rejects.toThrow(/4\.0 EiB must be written there/);
    }));

  it.each(['.hidden', '../up', 'a/b', '', 'x.part', 'x.replaced'])(
    'cannot have the name "%s"',
    async (name) => {
      using root = temporaryFolder();
      await expect(writeCheckpoint(root.path, name, { facts: factsOf(1), fill })).rejects.toThrow(UsageError);
      expect(readdirSync(root.path)).toEqual([]);
    },
  );

  it('contains files and folders only', async () => {
    using root = temporaryFolder();
    const linked = async (into: string): Promise<void> => symlinkSync('/etc/hostname', join(into, 'link'));
    await expect(writeCheckpoint(root.path, 'one', { facts: factsOf(1), fill: linked })).rejects.toThrow(
      /neither a file nor a folder/,
    );
  });
});

describe('readCheckpoint', () => {
  const refusals: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
    ['a missing folder', (folder) => rmSync(folder, { recursive: true }), /there is no such checkpoint/],
    [
      'a folder without manifest',
      (folder) => rmSync(join(folder, 'checkpoint.json')),
      /has no checkpoint\.json: it is half written/,
    ],
    [
      'a cut manifest',
      (folder) => writeFileSync(join(folder, 'checkpoint.json'), '{"format":'),
      /damaged: it is not JSON/,
    ],
    [
      'a manifest of another format',
      (folder) => writeFileSync(join(folder, 'checkpoint.json'), '{"epoch":3}'),
      /not that of a cairn checkpoint/,
    ],
    [
      'a newer format',
      (folder) => edit(folder, { schema: 3 }),
      /it has format 3; this version reads up to 2/,
    ],
    ['a damaged manifest', (folder) => edit(folder, { iteration: -1 }), /damaged: iteration/],
    [
      'a path outside the folder',
      (folder) => edit(folder, { files: { '../lock': { bytes: 1, sha256: '0'.repeat(64) } } }),
      /damaged: files.*Invalid key/,
    ],
    [
      'a missing file',
      (folder) => rmSync(join(folder, 'optimiser.json')),
      /its file optimiser\.json is missing/,
    ],
    [
      'a file of another length',
      (folder) => writeFileSync(join(folder, 'optimiser.json'), '{}'),
      /has 2 bytes and should have 10/,
    ],
    [
      'a changed file',
      (folder) => writeFileSync(join(folder, 'optimiser.json'), '{"step":4}'),
      /optimiser\.json was changed: the digest differs/,
    ],
    ['a link in place of a file', link, /optimiser\.json is no plain file/],
  ];

  it.each(refusals)('refuses %s', (_, damage, message) =>
    withCheckpoint(async ({ folder }) => {
      damage(folder);
      const error: unknown = await readCheckpoint(folder).catch((thrown: unknown) => thrown);
      expect(UsageError.is(error)).toBe(true);
      expect(String(error)).toMatch(message);
      expect(String(error)).toContain(folder);
    }),
  );

  it('refuses another configuration, and a panel whose tasks changed', () =>
    withCheckpoint(async ({ folder }) => {
      const other = digestConfig({ env: 'other-v1' });
      await expect(readCheckpoint(folder, { configDigest: other })).rejects.toThrow(
        new RegExp(`another configuration .*${other}`),
      );
      await expect(readCheckpoint(folder, { panels: { dev: `sha256:${'0'.repeat(64)}` } })).rejects.toThrow(
        /its panel dev has fingerprint/,
      );
    }));

  it('refuses an unfinished checkpoint', () =>
    withCheckpoint(async ({ checkpoints, folder }) => {
      renameSync(folder, join(checkpoints, '.iteration-1.part'));
      await expect(readCheckpoint(join(checkpoints, '.iteration-1.part'))).rejects.toThrow(
        /it was never finished/,
      );
    }));
});

describe('checkpoints of a run', () => {
  async function withSeveral(work: (checkpoints: string) => Promise<void>): Promise<void> {
    using root = temporaryFolder();
    for (const iteration of [10, 5, 20, 15]) {
      await writeCheckpoint(root.path, `iteration-${iteration}`, {
        facts: factsOf(iteration),
        fill: async () => undefined,
      });
    }
    await work(root.path);
  }
  const best = (name: string) => ({ name, panel: 'dev', fingerprint, rate: 0.9 });
  const names = async (checkpoints: string) => (await listCheckpoints(checkpoints)).map(({ name }) => name);

  it('sort by iteration and can be found by name, last or best', () =>
    withSeveral(async (checkpoints) => {
      expect(await names(checkpoints)).toEqual([
        'iteration-5',
        'iteration-10',
        'iteration-15',
        'iteration-20',
      ]);
      expect((await findCheckpoint(checkpoints, 'last')).name).toBe('iteration-20');
      expect((await findCheckpoint(checkpoints, 'iteration-10')).manifest.iteration).toBe(10);
      await expect(findCheckpoint(checkpoints, 'best')).rejects.toThrow(
        /Use last, best or one of iteration-10/,
      );
      await markBest(checkpoints, best('iteration-15'));
      expect((await findCheckpoint(checkpoints, 'best')).name).toBe('iteration-15');
    }));

  it('shrink to the last few and the best when pruned', () =>
    withSeveral(async (checkpoints) => {
      await markBest(checkpoints, best('iteration-5'));
      expect(await pruneCheckpoints(checkpoints, 2)).toEqual(['iteration-10']);
      expect(await names(checkpoints)).toEqual(['iteration-5', 'iteration-15', 'iteration-20']);
      await markBest(checkpoints, best('iteration-20'));
      expect(await pruneCheckpoints(checkpoints, 1)).toEqual(['iteration-5', 'iteration-15']);
      await writeCheckpoint(checkpoints, 'warm_start', { facts: factsOf(0), fill: async () => undefined });
      expect(await pruneCheckpoints(checkpoints, 1, ['warm_start'])).toEqual([]);
      await expect(pruneCheckpoints(checkpoints, 0)).rejects.toThrow(RangeError);
    }));

  it('stay usable beside a damaged one, which pruning ignores', () =>
    withSeveral(async (checkpoints) => {
      writeFileSync(join(checkpoints, 'iteration-20', 'checkpoint.json'), 'broken');
      await expect(findCheckpoint(checkpoints, 'last')).rejects.toThrow(
        /iteration-20: its checkpoint\.json is damaged/,
      );
      expect((await findCheckpoint(checkpoints, 'iteration-15')).name).toBe('iteration-15');
      expect(await pruneCheckpoints(checkpoints, 1)).toEqual(['iteration-5', 'iteration-10']);
      expect(existsSync(join(checkpoints, 'iteration-20'))).toBe(true);
    }));

  it('cause an error when missing, as does a damaged best.json', async () => {
    using root = temporaryFolder();
    await expect(findCheckpoint(root.path, 'last')).rejects.toThrow(
      /the checkpoint does not exist\. There is no checkpoint: restore those of the run, or, if it was stopped before its first one, resume/,
    );
    expect(await readBest(root.path)).toBeUndefined();
    writeFileSync(join(root.path, 'best.json'), '{}');
    await expect(readBest(root.path)).rejects.toThrow(/does not say which checkpoint is the best/);
  });

  it('recover after a crash at any point of a replacement or removal', () =>
    withSeveral(async (checkpoints) => {
      renameSync(join(checkpoints, 'iteration-5'), join(checkpoints, '.iteration-5.replaced')); // died before the new one was in
      mkdirSync(join(checkpoints, '.iteration-10.replaced')); // died after
      mkdirSync(join(checkpoints, '.iteration-30.part'));
      renameSync(join(checkpoints, 'iteration-15'), join(checkpoints, '.iteration-15.part')); // died while removing
      await sweepCheckpoints(checkpoints);
      expect(readdirSync(checkpoints).toSorted()).toEqual(['iteration-10', 'iteration-20', 'iteration-5']);
      expect(await readCheckpoint(join(checkpoints, 'iteration-5'))).toMatchObject({ iteration: 5 });
      await removeCheckpoint(checkpoints, 'iteration-10');
      expect(readdirSync(checkpoints).toSorted()).toEqual(['iteration-20', 'iteration-5']);
    }));
});

function edit(folder: string, changes: Readonly<Record<string, unknown>>): void {
  const path = join(folder, 'checkpoint.json');
  writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as object), ...changes }));
}

function link(folder: string): void {
  const path = join(folder, 'optimiser.json');
  renameSync(path, join(folder, 'elsewhere'));
  symlinkSync('elsewhere', path);
}
