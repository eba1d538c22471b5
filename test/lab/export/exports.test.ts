import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { crc32c } from '../../../lab/export/crc32c.ts';
import { encodeEventFile } from '../../../lab/export/event-file.ts';
import { exportCsv } from '../../../lab/export/export-csv.ts';
import { exportTensorBoard } from '../../../lab/export/export-tensorboard.ts';
import { runScalars } from '../../../lab/export/scalars.ts';
import { createRun } from '../../../trainers/run/open-run.ts';
import { makeRunFacts, temporaryFolder } from '../../trainers/run/make-run.ts';
import { makeMetrics, makeTimings } from '../report/make-run-content.ts';
import { sampleScalars } from './sample-scalars.ts';

const golden = (name: string): Buffer =>
  readFileSync(new URL(`../../golden/report/${name}`, import.meta.url));

describe('crc32c', () => {
  it.each([
    ['123456789', 0xe3069283],
    ['', 0],
    ['\0'.repeat(32), 0x8a9136aa],
    ['\u00ff'.repeat(32), 0x62a8ab43],
  ])('returns the known checksum of %j', (text, answer) => {
    expect(crc32c(Buffer.from(text, 'latin1'))).toBe(answer); // RFC 3720, appendix B.4
  });
});

describe('TensorBoard event files', () => {
  it('match what TensorBoard read', () => {
    const read = z
      .object({
        events: z.number(),
        scalars: z.array(
          z.object({ tag: z.string(), step: z.number(), value: z.number(), wallTime: z.number() }),
        ),
      })
      .parse(JSON.parse(golden('sample-events.json').toString()));
    expect(Buffer.from(encodeEventFile(sampleScalars)).equals(golden('sample.tfevents'))).toBe(true);
    expect(read.events).toBe(1 + sampleScalars.length); // the first says which version the file has
    expect(read.scalars).toEqual(
      sampleScalars.map((scalar) => ({ ...scalar, value: Math.fround(scalar.value) })),
    );
  });

  it('accept whole steps only', () => {
    expect(() => encodeEventFile([{ tag: 'a', step: -1, value: 0, wallTime: 0 }])).toThrow(
      /whole numbers from 0, not -1/,
    );
    expect(() => encodeEventFile([{ tag: 'a', step: 0.5, value: 0, wallTime: 0 }])).toThrow(RangeError);
  });
});

describe('runScalars', () => {
  it('tags the numbers of each kind of line, with times from the timings', () => {
    const scalars = runScalars(makeMetrics(5), makeTimings(5));
    const found = (tag: string) => scalars.filter((scalar) => scalar.tag === tag);
    expect(found('warm-start/loss')).toEqual([
      { tag: 'warm-start/loss', step: 1, value: 1.5, wallTime: 0 },
      { tag: 'warm-start/loss', step: 2, value: 0.75, wallTime: 0 },
    ]);
    expect(found('warm-start/dev-success')).toHaveLength(1);
    expect(found('update/kl').at(-1)).toEqual({ tag: 'update/kl', step: 500, value: 0.01, wallTime: 10 });
    expect(found('timings/steps-a-second')[0]?.value).toBe(50);
    expect(found('timings/rollout')).toHaveLength(5);
    expect(found('evaluate/dev/choice/greedy/success')).toEqual([
      { tag: 'evaluate/dev/choice/greedy/success', step: 500, value: 0.75, wallTime: 10 },
    ]);
    expect(found('evaluate/dev/choice/greedy/family/heat')[0]?.value).toBe(0.5);
    expect(runScalars([], [])).toEqual([]);
  });
});

describe('exportTensorBoard', () => {
  it('writes one file that TensorBoard finds, the same every time', async () => {
    using root = temporaryFolder();
    const folder = join(root.path, 'run');
    {
      await using run = await createRun(folder, makeRunFacts());
      for (const line of makeMetrics(3)) await run.metrics.append(line);
      for (const line of makeTimings(3)) await run.timings.append(line);
    }
    const [into, other] = [join(root.path, 'logs', 'run'), join(root.path, 'logs', 'other')];
    const first = readFileSync(await exportTensorBoard(folder, { into }));
    const second = readFileSync(await exportTensorBoard(folder, { into: other }));
    expect(second.equals(first)).toBe(true);
    expect(readdirSync(into)).toEqual(['events.out.tfevents.0000000000.cairn']);
    await expect(exportTensorBoard(folder, { into })).rejects.toThrow(
      /there already: TensorBoard would take both for one run.*Name another folder/s,
    );
    renameSync(join(into, 'events.out.tfevents.0000000000.cairn'), join(into, 'events.out.tfevents.17.host'));
    await expect(exportTensorBoard(folder, { into })).rejects.toThrow(/tfevents\.17\.host/);
    expect(readdirSync(into)).toEqual(['events.out.tfevents.17.host']);
  });
});

describe('exportCsv', () => {
  it('writes a row per line and a column per number', () => {
    const [head = '', ...rows] = exportCsv(makeMetrics(5))
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(rows).toHaveLength(8);
    const cell = (row: number, column: string) => rows[row]?.[head.indexOf(column)];
    expect(cell(0, 'loss')).toBe('1.5');
    expect(cell(0, 'update/kl')).toBe('');
    expect(cell(1, 'devSuccess.rate')).toBe('0.5');
    expect(cell(6, 'update/kl')).toBe('0.01');
    expect(cell(7, 'decoding')).toBe('greedy');
    expect(cell(7, 'byFamily.heat.tasks')).toBe('6');
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([head.length]));
    expect(exportCsv([])).toBe('');
  });

  it('quotes where needed and prevents spreadsheet formulas', () => {
    const csv = exportCsv(makeMetrics(5, ',"=1+1"'));
    expect(csv).toContain('"dev,""=1+1"""');
    const [line] = makeMetrics(5).filter(({ kind }) => kind === 'evaluation');
    expect(line?.kind === 'evaluation' ? exportCsv([{ ...line, panel: '=cmd()', agent: '-x' }]) : '').toMatch(
      /,'=cmd\(\),|,'-x,/,
    );
  });
});
