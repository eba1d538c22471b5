import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { WorkFolder } from '../../../envs/mcp/work-folder.ts';

test('a work folder has the files of the task alone, under a name that does not change', async () => {
  const folder = new WorkFolder();
  const first = await folder.fill({ 'a/b.txt': 'one' });
  expect(readFileSync(path.join(first, 'a/b.txt'), 'utf8')).toBe('one');
  expect(
    folder.toReal({ path: '/folder/a/b.txt', list: ['/folder', '/folders'], text: 'see /folder' }),
  ).toEqual({
    path: `${first}/a/b.txt`,
    list: [first, '/folders'],
    text: 'see /folder',
  });
  expect(folder.toShown(`not in ${first}/a`)).toBe('not in /folder/a');
  const relative = path.relative(process.cwd(), first);
  expect(folder.toShown(`[Snapshot](${relative}/a.yml), ./${path.basename(first)} and ${relative}`)).toBe(
    '[Snapshot](/folder/a.yml), ./work and /folder',
  );
  expect(folder.valueToShown({ paths: [`${first}/a`, 5] })).toEqual({ paths: ['/folder/a', 5] });
  expect(await folder.fill({ 'c.txt': '' })).toBe(first);
  expect(existsSync(path.join(first, 'a'))).toBe(false);
  await folder.remove();
  expect(existsSync(path.dirname(first))).toBe(false);
});
