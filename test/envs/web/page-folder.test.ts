import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPageFolder, type PageFolder } from '../../../envs/web/page-folder.ts';
import { staticPages } from '../../../envs/web/static-pages.ts';
import { readFixture } from '../../support/read-fixture.ts';

let place = '';
beforeAll(async () => {
  place = await mkdtemp(path.join(os.tmpdir(), 'cairn-pages-'));
  const pages = path.join(place, 'html', 'pages');
  await mkdir(pages, { recursive: true });
  await mkdir(path.join(place, 'html', 'core'));
  await writeFile(path.join(place, 'html', 'core', 'core.js'), 'var core = {};');
  await writeFile(path.join(pages, 'plain.html'), '<script src="../core/core.js"></script>');
  await writeFile(path.join(pages, 'versioned.html'), "<script defer src='../core/core.js?v=3'></script>");
  await writeFile(path.join(pages, 'bare.htm'), '<script src=../core/core.js></script>');
  await writeFile(path.join(pages, 'notes.html'), '<p>core/core.js</p>');
  await writeFile(path.join(pages, 'other.html'), '<script src="../core/core.json"></script>');
  await symlink(path.join(pages, 'plain.html'), path.join(pages, 'linked.html'));
  const home = path.join(place, 'home');
  for (const folder of ['core', 'common', 'styles', 'private', 'set/pages', 'set/other'])
    await mkdir(path.join(home, folder), { recursive: true });
  await writeFile(path.join(home, 'core', 'core.js'), '');
  await writeFile(
    path.join(home, 'set', 'pages', 'one.html'),
    readFixture('pages/page-folder/links-outside.html'),
  );
  await writeFile(path.join(home, 'set', 'pages', 'one.css'), 'p { background: url(../../styles/p.png) }');
  for (const file of [
    'common/shapes.js',
    'styles/p.png',
    'private/key.txt',
    'key.txt',
    'set/other/two.txt',
    'set/pages/.env',
    'common/.git',
  ])
    await writeFile(path.join(home, file), 'text');
  await writeFile(path.join(place, 'file'), '');
  await symlink('nothing', path.join(place, 'broken'));
  await symlink('round', path.join(place, 'round'));
});
afterAll(() => rm(place, { recursive: true }));

const read = async (name: string): Promise<PageFolder> =>
  readPageFolder(path.join(place, name), new AbortController().signal);

describe('readPageFolder', () => {
  it('finds pages that load the core, however that is written, and counts what it passes over', async () => {
    const { pages, passedOver } = await read('html/pages');
    expect(pages.map(({ name }) => name)).toEqual(['bare', 'plain', 'versioned']);
    expect(passedOver).toEqual([
      { why: 'documents that load no core/core.js, passed over', count: 2 },
      { why: 'links to documents, which are not followed, passed over', count: 1 },
    ]);
  });

  it.each([
    ['nowhere', /^pages .*nowhere: it is not there, or is a link to nothing\. Name the folder/],
    ['file', /^pages .*file: .* is a file, .* a folder is wanted\. /],
    ['broken', /broken: it is not there, or is a link to nothing\. /],
    ['round', /round: it is a link that leads back to itself\. /],
    ['x'.repeat(300), /has a name that is too long for the file system/],
    ['html/core', /none of its 0 documents loads a core\/core\.js/],
  ])('refuses %.20s', async (name, message) => {
    const thrown: unknown = await read(name).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ name: 'UsageError', message: expect.stringMatching(message) as string });
  });

  it('gives out the folder, its core and what pages name beside it, and digests nothing else', async () => {
    const { root, given, digest } = await read('home/set/pages');
    expect(given).toEqual(['common', 'core', path.join('set', 'pages'), 'styles']);
    const handler = await staticPages(root, given);
    const statuses = async (addresses: readonly string[]): Promise<readonly number[]> =>
      Promise.all(
        addresses.map(async (address) => (await handler(new Request(`http://pages.test${address}`))).status),
      );
    expect(
      await statuses(['/set/pages/one.html', '/core/core.js', '/common/shapes.js', '/styles/p.png']),
    ).toEqual([200, 200, 200, 200]);
    expect(
      await statuses([
        '/private/key.txt',
        '/key.txt',
        '/set/other/two.txt',
        '/set/pages/.env',
        '/common/.git',
        '/set/pages/../../private/key.txt',
      ]),
    ).toEqual([404, 404, 404, 404, 404, 404]);
    for (const file of ['private/note', 'set/other/note', 'set/pages/.note', 'note'])
      await writeFile(path.join(root, file), '');
    expect((await read('home/set/pages')).digest).toBe(digest);
    await writeFile(path.join(root, 'common', 'note'), '');
    expect((await read('home/set/pages')).digest).not.toBe(digest);
    expect((await read('home')).given).toEqual(['']);
  });
});
