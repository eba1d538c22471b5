import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageHandler } from '../../../envs/engines/browser/page/page-handler.ts';
import { staticPages } from '../../../envs/web/static-pages.ts';

let place = '';
let handler: PageHandler;

beforeAll(async () => {
  place = await mkdtemp(path.join(os.tmpdir(), 'cairn-pages-'));
  const folder = path.join(place, 'pages');
  await mkdir(path.join(folder, 'inner'), { recursive: true });
  await mkdir(path.join(place, 'pages-too'));
  await writeFile(path.join(place, 'secret.txt'), 'secret');
  await writeFile(path.join(place, 'pages-too', 'secret.txt'), 'secret');
  await writeFile(path.join(folder, 'a b.html'), '<p>page</p>');
  await writeFile(path.join(folder, 'inner', 'script.js'), 'let x;');
  await writeFile(path.join(folder, 'large.png'), Buffer.alloc(16 * 1024 * 1024 + 1));
  await symlink(path.join(place, 'secret.txt'), path.join(folder, 'link.txt'));
  await symlink(place, path.join(folder, 'up'));
  await symlink('loop.txt', path.join(folder, 'loop.txt'));
  await symlink(path.join(folder, 'inner', 'script.js'), path.join(folder, 'good.js'));
  handler = await staticPages(folder);
});
afterAll(() => rm(place, { recursive: true }));

const ask = async (address: string, method = 'GET'): Promise<Response> =>
  handler(new Request(`http://pages.test${address}`, { method }));

describe('staticPages', () => {
  it('serves files with their types', async () => {
    const page = await ask('/a%20b.html?seed=3');
    expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<p>page</p>',
    ]);
    const script = await ask('/inner/script.js');
    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    expect((await ask('/good.js')).status).toBe(200); // a link that stays within
  });

  it.each([
    '/none.html',
    '/',
    '/inner',
    '/inner/script.js/x',
    '/link.txt',
    '/up/secret.txt',
    '/loop.txt',
    '/..%2fsecret.txt',
    '/inner/..%2f..%2fsecret.txt',
    '/..%2fpages-too/secret.txt',
    '/..%5csecret.txt',
    '/%00',
    '/%ff',
    `/${'x'.repeat(5000)}`,
  ])('answers 404 at %s', async (address) => {
    const answer = await ask(address);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('secret');
  });

  it('refuses methods that do not read, and files that are too large', async () => {
    expect((await ask('/a%20b.html', 'POST')).status).toBe(405);
    expect((await ask('/large.png')).status).toBe(413);
  });

  it('refuses a missing folder', async () => {
    await expect(staticPages(path.join(place, 'nowhere'))).rejects.toThrow(/there is no such folder/);
  });
});
