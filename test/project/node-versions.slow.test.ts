// Slow: it fetches other versions of Node and opens environments in each.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { needsHardware } from '../support/closing-reporter.ts';
import { root } from '../support/run-program.ts';
import { birdFiles, writeFolder } from '../envs/sql/sql-folders.ts';

const run = promisify(execFile);

/** Opens environments over the same files and prints the fingerprint of each panel. */
const program = (folder: string): string => `
import { codeEnv, createContext, householdEnv, openEnv, readPanel, shopEnv, sqlEnv } from '${root}/dist/envs/index.js';
const context = createContext({ seed: 0, now: () => performance.now() });
const found = { node: process.versions.node };
for (const [definition, config] of [
  [sqlEnv, { source: { kind: 'bird', folder: '${folder}' }, threads: 1 }],
  [sqlEnv, {}],
  [householdEnv, {}],
  [shopEnv, {}],
]) {
  const host = await openEnv(definition, config, context);
  for (const { name } of host.panels)
    found[definition.id + ' ' + (config.source?.kind ?? '') + ' ' + name] =
      readPanel(host, { env: definition.id, config: definition.config.parse(config), name, atMost: 64 }).fingerprint;
  await host.close();
}
process.stdout.write(JSON.stringify(found));
process.exit(0);
`;

describe('panels on other versions of Node', () => {
  let file: string;
  let here: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const folder = await writeFolder(
      birdFiles({
        'dev_databases/club_life/database_description/members.csv': new Uint8Array([
          ...Buffer.from('\uFEFForiginal_column_name,column_description\r\nname,the '),
          ...Array.from({ length: 32 }, (_, at) => 0x80 + at), // which runtimes decode in different ways
          ...Buffer.from('\r\nage,größe ½ İstanbul\r\n'),
        ]),
      }),
    );
    file = path.join(folder, 'fingerprints.mjs');
    writeFileSync(file, program(folder));
    here = JSON.parse((await run(process.execPath, [file])).stdout) as typeof here;
  });

  it.for(['20', '22', '24', '26'])('keep the same fingerprints on Node %s', async (major, context) => {
    const npm = (...words: string[]): Promise<{ readonly stdout: string }> =>
      run('npm', ['exec', '--yes', `--package=node@${major}`, '--', 'node', ...words]);
    const fetched = await npm('--version').catch((thrown: unknown) => String(thrown));
    if (typeof fetched === 'string')
      context.skip(
        `${needsHardware} or a registry of npm: node@${major} cannot be fetched: ${fetched.slice(0, 300)}`,
      );
    const { stdout } = await npm(file);
    const there = JSON.parse(stdout) as typeof here;
    expect(there['node']).toMatch(new RegExp(`^${major}\\.`));
    expect({ ...there, node: '' }).toEqual({ ...here, node: '' });
    expect(Object.keys(there).length).toBeGreaterThan(8);
  });
});
