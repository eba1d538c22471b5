import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeAdapterFolder } from '../../../../trainers/policy/tokens/adapter-folder.ts';
import { ownIdentity } from '../../../../files/process-identity.ts';
import { temporaryFolder } from '../../run/make-run.ts';

const own = temporaryFolder();
afterAll(() => own[Symbol.dispose]());

describe('adapter folder', () => {
  it('removes what killed processes left beside it, and nothing else', async () => {
    const place = path.join(own.path, 'shared');
    const leave = (name: string, owner: string | undefined): string => {
      const folder = path.join(place, name);
      mkdirSync(path.join(folder, 'adapter-3'), { recursive: true });
      if (owner !== undefined) writeFileSync(path.join(folder, 'owner.json'), owner);
      return folder;
    };
    const gone = { ...ownIdentity(), startTime: 'another boot:1' };
    const dead = leave('cairn-adapters-dead', JSON.stringify(gone));
    const kept = [
      leave('cairn-adapters-alive', JSON.stringify(ownIdentity())),
      leave('cairn-adapters-elsewhere', JSON.stringify({ ...gone, host: 'elsewhere' })),
      leave('cairn-adapters-unsaid', undefined),
      leave('cairn-adapters-unreadable', '{'),
      leave('of-another-kind', JSON.stringify(gone)),
    ];
    const link = path.join(place, 'cairn-adapters-link');
    symlinkSync(leave('of-a-third-kind', JSON.stringify(gone)), link);
    const made = await makeAdapterFolder(place);
    expect([existsSync(dead), [...kept, link, made].every((folder) => existsSync(folder))]).toEqual([
      false,
      true,
    ]);
    expect(JSON.parse(readFileSync(path.join(made, 'owner.json'), 'utf8'))).toEqual(ownIdentity());
    expect(await makeAdapterFolder(place)).not.toBe(made);
  });

  it('stays private to this user among temporary files', async () => {
    const made = await makeAdapterFolder(undefined);
    try {
      expect([path.dirname(made), statSync(made).mode & 0o077]).toEqual([tmpdir(), 0]);
    } finally {
      await rm(made, { recursive: true });
    }
  });
});
