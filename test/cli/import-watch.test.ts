import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { root, run } from '../support/command-line.ts';

/** Runs a line of code under the watch, in a process of its own. */
const watched = (code: string) => {
  const program = `const { createJiti } = await import('jiti');
    const { watchImport } = await createJiti(${JSON.stringify(pathToFileURL(root).href)}).import(${JSON.stringify(path.join(root, 'cli/import-watch.ts'))});
    const watch = watchImport('it never ends\\n', 300);
    ${code}`;
  return run('sh', ['-c', '"$0" --input-type=module -e "$1"; echo "code $?"', process.execPath, program]);
};

describe('the watch over an import', () => {
  it('ends a process that loops for ever, and says why', async () => {
    expect(await watched('for (const end = Date.now() + 20_000; Date.now() < end; );')).toMatchObject({ out: 'code 137\n', err: expect.stringContaining('it never ends\n') as string });
  });

  it('leaves one alone that came to its end', async () => {
    const code = 'watch[Symbol.dispose ?? Symbol.for("Symbol.dispose")](); await new Promise((resolve) => setTimeout(resolve, 600)); console.log("done");';
    expect(await watched(code)).toEqual({ code: 0, out: 'done\ncode 0\n', err: '' });
  });

  it('does not keep a process from ending', async () => {
    expect(await watched('')).toEqual({ code: 0, out: 'code 0\n', err: '' });
  });
});
