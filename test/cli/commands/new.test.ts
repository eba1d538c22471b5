import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { cairn } from '../../support/command-line.ts';
import { isThorough } from '../../support/thorough.ts';
import { useFolder } from '../../support/own-folder.ts';
import { root, run } from '../../support/run-program.ts';

const inFolder = useFolder();
const module = (name: string): readonly string[] => ['--env-module', inFolder(name, `${name}.ts`)];

describe('cairn-gym new env', () => {
  it('writes an environment with its test, and prints the next steps', async () => {
    const { code, out, err } = await cairn(['new', 'env', 'rooms', '--folder', inFolder('rooms'), '--json']);
    expect(code, err).toBe(0);
    const files = ['README.md', 'package.json', 'rooms.test.ts', 'rooms.ts', 'tsconfig.json'];
    expect((await readdir(inFolder('rooms'))).toSorted()).toEqual(files);
    expect(JSON.parse(out)).toMatchObject({ id: 'my-lab/rooms-v1', folder: inFolder('rooms') });
    const readme = await readFile(inFolder('rooms', 'README.md'), 'utf8');
    expect(readme).toContain('npx cairn-gym check my-lab/rooms --env-module rooms.ts');
    expect(readme).not.toContain('{{');
    const manifest = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await readFile(inFolder('rooms', 'package.json'), 'utf8')));
    expect(Object.keys(manifest.dependencies)).toEqual(['cairn-gym', 'zod']);
    const link = manifest.dependencies['cairn-gym'] ?? '';
    expect(link).toMatch(/^file:/);
    expect(path.relative(root, path.join(inFolder('rooms'), link.slice('file:'.length)))).toBe('');
  });

  it('writes an environment that keeps every law, hidden facts included', async () => {
    const { code, out, err } = await cairn(['check', 'my-lab/rooms', ...module('rooms'), '--json']);
    expect(code, err + out).toBe(0);
    const report = z
      .object({
        findings: z.array(z.unknown()),
        checked: z.record(z.string(), z.number()),
        unchecked: z.array(z.object({ law: z.string(), expected: z.string() })),
      })
      .parse(JSON.parse(out));
    expect(report.findings).toEqual([]);
    expect(report.checked['hidden']).toBeGreaterThan(0);
    expect(report.unchecked.map(({ law }) => law)).toEqual(['secrets']);
  });

  it('writes an environment that its searcher solves', async () => {
    const words = ['eval', 'my-lab/rooms', ...module('rooms'), '--agent', 'searcher', '--panel', 'dev'];
    const { code, out, err } = await cairn([...words, '--json', '--quiet']);
    expect(code, err).toBe(0);
    expect(parseResult(JSON.parse(out), 'stdout').success?.rate).toBe(1);
  });

  it('writes an environment that can be played', async () => {
    const { code, out, err } = await cairn(['play', 'my-lab/rooms', ...module('rooms'), '--task', '0'], {
      stdin: 'open the attic\n',
    });
    expect(code, err).toBe(0);
    expect(out).toMatch(/The key lies in a \w+ drawer\. Find it and unlock the door\./);
  });

  if (isThorough)
    it('writes a test that passes and types that compile, given its packages', async () => {
      const modules = inFolder('rooms', 'node_modules');
      await mkdir(path.join(modules, '@types'), { recursive: true });
      const linked = ['zod', 'vitest', 'typescript', '@types/node'];
      for (const name of linked)
        await symlink(path.join(root, 'node_modules', name), path.join(modules, name));
      await symlink(root, path.join(modules, 'cairn-gym'));
      const inside = { cwd: inFolder('rooms') };
      const tested = await run(process.execPath, [path.join(modules, 'vitest', 'vitest.mjs'), 'run'], inside);
      expect(tested.code, tested.out + tested.err).toBe(0);
      expect(tested.out).toContain('2 passed');
      const compiled = await run(process.execPath, [path.join(modules, 'typescript', 'bin', 'tsc')], inside);
      expect(compiled.out + compiled.err).toBe('');
    });

  it('writes a world of tools that keeps every law and that its planner solves', async () => {
    const words = ['new', 'tools', 'their-lab/lending', '--folder', inFolder('lending'), '--json'];
    const { code, out, err } = await cairn(words);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ id: 'their-lab/lending-v1' });
    expect(await readFile(inFolder('lending', 'README.md'), 'utf8')).not.toContain('{{');
    if (isThorough) {
      const checked = await cairn(['check', 'their-lab/lending', ...module('lending'), '--json']);
      expect(JSON.parse(checked.out)).toMatchObject({ findings: [], unchecked: [{ law: 'secrets' }] });
    }
    const solved = await cairn([
      'eval',
      'their-lab/lending',
      ...module('lending'),
      '--agent',
      'planner',
      '--panel',
      'dev',
      '--json',
      '--quiet',
    ]);
    const { success, byFamily } = parseResult(JSON.parse(solved.out), 'stdout');
    expect(success.rate).toBe(1);
    expect(Object.keys(byFamily)).toEqual(['lend', 'refuse']);
  });

  it('accepts the user’s own scope', async () => {
    const words = ['new', 'env', 'their-lab/deep-cellar', '--folder', inFolder('cellar'), '--json'];
    expect((await cairn(words)).code).toBe(0);
    expect(await readFile(inFolder('cellar', 'deep-cellar.ts'), 'utf8')).toContain(
      "id: 'their-lab/deep-cellar-v1'",
    );
  });

  it('overwrites no file, and then writes none of the others', async () => {
    await cairn(['new', 'env', 'again', '--folder', inFolder('again')]);
    await writeFile(inFolder('again', 'again.ts'), 'mine');
    const { code, err } = await cairn(['new', 'env', 'again', '--folder', inFolder('again')]);
    expect(code).toBe(2);
    expect(err).toContain('it exists already, and nothing is overwritten');
    expect(await readFile(inFolder('again', 'again.ts'), 'utf8')).toBe('mine');
  });

  it.each(['Rooms', 'a/b/c', '../rooms', 'rooms-v2.ts', ''])('refuses the name %j', async (name) => {
    const { code, err } = await cairn(['new', 'env', name, '--folder', inFolder('refused')]);
    expect([code, err.includes('cannot be the name of an environment')]).toEqual([2, true]);
  });
});
