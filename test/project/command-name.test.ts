import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAllCommands } from '../../cli/commands.ts';
import { root } from '../support/run-program.ts';
import { documents } from '../support/snippets.ts';
import { publishedFolders, readSources } from '../support/source-tree.ts';

// `npx cairn` fetches a package of others where ours is not installed, so nothing may suggest it.

const commands = await loadAllCommands();
const names = commands.map(({ name }) => name).join('|');
const bareCommand = new RegExp(`(?<![\\w./-])cairn (?:(?:${names}|COMMAND)\\b|--?\\w|…|\\$\\{)`);

/** The lines that name the command by its second name. */
const linesWithBareCommand = (text: string): readonly string[] =>
  text.split('\n').filter((line) => bareCommand.test(line));

describe('the command', () => {
  it('name cairn-gym in sources and examples', () => {
    const sources = readSources([...publishedFolders, 'examples']);
    const wrong = sources.flatMap((file) =>
      linesWithBareCommand(file.text)
        .filter((line) => !/name: `cairn \$\{name\}`/.test(line)) // of a thread
        .map((line) => `${file.path}: ${line.trim()}`),
    );
    expect(wrong).toEqual([]);
  });

  it.each([...documents, 'CHANGELOG.md', 'CONTRIBUTING.md'])('name cairn-gym in %s', (document) => {
    expect(linesWithBareCommand(readFileSync(path.join(root, document), 'utf8'))).toEqual([]);
  });

  it.each(commands.flatMap(({ name, examples }) => examples.map(({ line }) => ({ name, line }))))(
    'reads npx cairn-gym in the example $line',
    ({ name, line }) => {
      expect(line, name).toMatch(/(?:^|\| )npx cairn-gym [a-z]/);
    },
  );

  it.each([
    ['`cairn train household`', true],
    ['resume with: cairn train --resume runs/a', true],
    ['`npx cairn-gym train household`', false],
    ['cairn-gym train, --resume', false],
    ['/run/cairn-docker and .cairn train', false],
  ])('shows its bare name to this test: %s', (text, isBare) => {
    expect(linesWithBareCommand(text).length > 0).toBe(isBare);
  });
});
