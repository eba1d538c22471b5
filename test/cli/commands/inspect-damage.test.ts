import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cairn } from '../../support/command-line.ts';
import { trainSmall } from '../../trainers/loop/small-training.ts';
import { temporaryFolder } from '../../trainers/run-folder/make-run.ts';

const root = temporaryFolder();
const whole = join(root.path, 'whole');
let copies = 0;

beforeAll(async () => {
  await trainSmall(whole, { config: { finalPanels: ['unseen'] } });
}, 60_000);
afterAll(() => root[Symbol.dispose]());

/** A copy of the finished run after `harm` was done to it, and what `cairn inspect` notes of it. */
async function notesOf(harm: (at: (...names: readonly string[]) => string) => void): Promise<{ readonly folder: string; readonly notes: readonly string[] }> {
  copies += 1;
  const folder = join(root.path, `copy-${copies}`);
  cpSync(whole, folder, { recursive: true });
  harm((...names) => join(folder, ...names));
  const { code, out, err } = await cairn(['inspect', folder, '--json']);
  expect(code, err).toBe(0);
  return { folder, notes: z.object({ notes: z.array(z.string()) }).parse(JSON.parse(out)).notes };
}

/** The lines of a log of the run, and what is left or made of them. */
const rewrite = (path: string, change: (lines: readonly string[]) => readonly string[]): void => {
  writeFileSync(path, change(readFileSync(path, 'utf8').trimEnd().split('\n')).map((line) => `${line}\n`).join(''));
};

const placeOf = (lines: readonly string[], words: string): number => lines.findIndex((line) => line.includes(words));
const resume = 'cairn train --resume tells how to go on.';

describe('a run as it was left', () => {
  it('has no notes', async () => {
    expect((await notesOf(() => undefined)).notes).toEqual([]);
  });
});

describe('metrics', () => {
  it.each([
    ['an evaluation that is doubled', (lines: readonly string[]) => [...lines, lines.at(-1) as string], 'has the evaluation of iteration 3 after the evaluation of iteration 3'],
    ['a pass of the warm start that is doubled', (lines: readonly string[]) => [lines[0] as string, ...lines], 'has pass 1 of the warm start after pass 1 of the warm start'],
    ['a pass of the warm start that is lost', (lines: readonly string[]) => lines.toSpliced(1, 1), 'has pass 3 of the warm start after pass 1 of the warm start'],
    ['the first line that is lost', (lines: readonly string[]) => lines.slice(1), 'has pass 2 of the warm start first'],
    ['an evaluation in another place', (lines: readonly string[]) => [...lines, lines[placeOf(lines, '"evaluation"')] as string], 'has the evaluation before training after the evaluation of iteration 3'],
    ['an evaluation before its iteration', (lines: readonly string[]) => [...lines.slice(0, -2), lines.at(-1) as string, lines.at(-2) as string], 'has the evaluation of iteration 3 after the evaluation of iteration 2'],
  ])('tell of %s', async (_, change, words) => {
    const { folder, notes } = await notesOf((at) => rewrite(at('metrics.jsonl'), change));
    expect(notes).toEqual([`${join(folder, 'metrics.jsonl')} ${words}: lines were lost or doubled. ${resume}`]);
  });

  it.each(['metrics.jsonl', 'timings.jsonl'])('tell, as resuming does, of a last line of %s that is lost, by the newest checkpoint', async (log) => {
    const bytes = readFileSync(join(whole, log)).length;
    const { folder, notes } = await notesOf((at) => rewrite(at(log), (lines) => lines.slice(0, -1)));
    const path = join(folder, log);
    const left = readFileSync(path).length;
    expect(notes).toEqual([`${path}: it has ${left} bytes of whole lines and none of these ends at byte ${bytes}, where the checkpoint wants to go on. The file was changed since: restore it from a copy.`]);
  });

  it('tell that there is no checkpoint beside what they record', async () => {
    const { folder, notes } = await notesOf((at) => rmSync(at('checkpoints'), { recursive: true }));
    expect(notes).toEqual([`${join(folder, 'checkpoints')} holds no checkpoint, and the metrics record 3 iterations: bring the checkpoints back from a copy, for without them nothing goes on.`]);
  });
});
