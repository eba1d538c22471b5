import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cairn } from '../../support/command-line.ts';
import { trainSmall } from '../../trainers/loop/small-training.ts';
import { temporaryFolder } from '../../trainers/run/make-run.ts';

const root = temporaryFolder();
const at = (...parts: readonly string[]): string => join(root.path, ...parts);
beforeAll(async () => {
  await trainSmall(at('whole'), { config: { finalPanels: ['unseen'], evaluation: { tasks: 4 } } });
});
afterAll(() => root[Symbol.dispose]());

function edit(folder: string, change: (text: string) => string): void {
  const file = join(folder, 'metrics.jsonl');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

describe.each([
  [
    'a changed digit in the metrics',
    /metrics\.jsonl: its first \d+ bytes are not as the run wrote them/,
    (text: string) => text.replace(/\d(?=\D*\n)/, (digit) => String((Number(digit) + 1) % 10)),
  ],
  ['an emptied log of metrics', /metrics\.jsonl: it has 0 bytes of complete lines/, () => ''],
  ['a lost first line of metrics', /metrics\.jsonl/, (text: string) => text.slice(text.indexOf('\n') + 1)],
] as const)('a run with %s', (how, says, change) => {
  const folder = (): string => at(how.replaceAll(' ', '-'));
  beforeAll(() => {
    cpSync(at('whole'), folder(), { recursive: true });
    edit(folder(), change);
  });

  it.each([['--json'], ['--format csv'], ['--format tensorboard --out OUT']])(
    'makes npx cairn-gym export %s fail',
    async (flags) => {
      const words = flags.replace('OUT', at(`events-${how}`)).split(/ (?=--)|(?<=--\w+) /);
      const { code, err } = await cairn(['export', folder(), ...words]);
      expect(code).not.toBe(0);
      expect(err).toMatch(says);
    },
  );

  it.each([['inspect'], ['report']])('makes cairn-gym %s report it', async (command) => {
    const { out, err } = await cairn([command, folder()]);
    expect(`${out}${err}`.replaceAll(/\s+/g, ' ')).toMatch(says);
  });

  it('makes npx cairn-gym compare report it', async () => {
    const { out, err } = await cairn(['compare', `a=${folder()}`, `b=${at('whole')}`]);
    expect(`${out}${err}`.replaceAll(/\s+/g, ' ')).toMatch(says);
  });
});
