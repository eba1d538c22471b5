import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readMarkdown } from '../support/markdown.ts';
import { root } from '../support/run-program.ts';
import { documents } from '../support/snippets.ts';

const proseOf = (file: string): string => readMarkdown(readFileSync(path.join(root, file), 'utf8')).prose;

/** The anchors that GitHub gives to the headings of a document. */
function anchorsOf(file: string): readonly string[] {
  return [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** What is wrong with a link of a document; undefined for one that leads somewhere. */
function problemOf(document: string, link: string): string | undefined {
  const [target = '', anchor] = link.split('#');
  const file = target === '' ? document : path.posix.join(path.posix.dirname(document), target);
  if (!existsSync(path.join(root, file))) return `${link}: no such file`;
  if (anchor === undefined || !file.endsWith('.md') || anchorsOf(file).includes(anchor)) return undefined;
  return `${link}: no such heading`;
}

it.each([...documents, 'CHANGELOG.md', 'CONTRIBUTING.md'])(
  'links of %s lead to files and headings that exist',
  (document) => {
    const links = [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const wrong = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .flatMap((link) => problemOf(document, link) ?? []);
    expect(wrong).toEqual([]);
  },
);
