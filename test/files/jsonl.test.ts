import { appendFileSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { JsonlLog } from '../../files/jsonl-log.ts';
import {
  metricsLineSchema,
  timingsLineSchema,
  type IterationLine,
  type MetricsLine,
} from '../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../files/read-jsonl.ts';
import { fingerprint, temporaryFolder } from '../trainers/run/make-run.ts';

const lineOf = (iteration: number, figures: Record<string, number> = {}): IterationLine => ({
  kind: 'iteration',
  iteration,
  environmentSteps: 10 * iteration,
  episodes: iteration,
  success: 0.5,
  figures,
});

it('readJsonl refuses a folder in place of a log', async () => {
  using folder = temporaryFolder();
  await expect(readJsonl(folder.path, metricsLineSchema)).rejects.toThrow(
    /: it is a folder, and a file is expected\. Put the file back/,
  );
});

describe('JsonlLog', () => {
  it('writes equal lines as equal bytes, in the order they were given, without waiting', async () => {
    using folder = temporaryFolder();
    const [first, second] = [join(folder.path, 'a.jsonl'), join(folder.path, 'b.jsonl')];
    const lines = Array.from({ length: 50 }, (_, index) =>
      lineOf(index + 1, { 'update/kl': index / 3, 'anchor/state/mean-size': 1 / (index + 1) }),
    );
    for (const path of [first, second]) {
      await using log = await JsonlLog.open(path, metricsLineSchema);
      const keys = path === first ? (line: MetricsLine) => line : reversed;
      await Promise.all(lines.map((line) => log.append(keys(line))));
      await log.flush();
      expect(log.offset).toBe(statSync(path).size);
    }
    expect(readFileSync(first)).toEqual(readFileSync(second));
    expect(await readJsonl(first, metricsLineSchema)).toEqual({
      lines,
      offset: statSync(first).size,
      torn: false,
    });
  });

  it('omits undefined members, and refuses what it could not read back', async () => {
    using folder = temporaryFolder();
    await using log = await JsonlLog.open(join(folder.path, 'metrics.jsonl'), metricsLineSchema);
    await log.append({ ...lineOf(1), score: undefined });
    expect(readFileSync(log.path, 'utf8')).not.toContain('score');
    expect(() => log.append(lineOf(2, { 'update/kl': Number.NaN }))).toThrow(/figures.update\/kl/);
    expect(() => log.append({ ...lineOf(2), success: 2 })).toThrow(/a line for .*success/);
    await log.append(lineOf(2));
    expect((await readJsonl(log.path, metricsLineSchema)).lines).toHaveLength(2);
  });

  it('continues after the last whole line, wherever the writer was stopped', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'metrics.jsonl');
    const whole = `${JSON.stringify(lineOf(1))}\n${JSON.stringify(lineOf(2))}\n`;
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length }), async (length) => {
        writeFileSync(path, whole.slice(0, length));
        const before = await readJsonl(path, metricsLineSchema);
        await using log = await JsonlLog.open(path, metricsLineSchema);
        expect(log.offset).toBe(before.offset);
        await log.append(lineOf(9));
        const after = await readJsonl(path, metricsLineSchema);
        expect(after).toMatchObject({ lines: [...before.lines, lineOf(9)], torn: false });
      }),
      { numRuns: 60 },
    );
  });

  it('finds the last line before a torn end longer than one read', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'metrics.jsonl');
    const whole = `${JSON.stringify(lineOf(1))}\n`;
    writeFileSync(path, whole + 'x'.repeat(200_000));
    await using log = await JsonlLog.open(path, metricsLineSchema);
    expect(log.offset).toBe(whole.length);
    expect(statSync(path).size).toBe(whole.length + 200_000);
    await log.append(lineOf(2));
    expect(await readJsonl(path, metricsLineSchema)).toEqual({
      lines: [lineOf(1), lineOf(2)],
      offset: log.offset,
      torn: false,
    });
  });

  it('leaves the file unchanged until it writes', async () => {
    using folder = temporaryFolder();
    const [torn, absent] = [join(folder.path, 'torn.jsonl'), join(folder.path, 'absent.jsonl')];
    writeFileSync(torn, `${JSON.stringify(lineOf(1))}\n{"kind"`);
    const before = readFileSync(torn);
    for (const path of [torn, absent]) {
      await using log = await JsonlLog.open(path, metricsLineSchema);
      await expect(log.truncateTo(7)).rejects.toThrow(
        path === torn
          ? /none ends at byte 7/
          : /the file does not exist, and the checkpoint continues at its byte 7/,
      );
    }
    expect(readFileSync(torn)).toEqual(before);
    expect(existsSync(absent)).toBe(false);
  });

  it('cuts back to an earlier offset and continues there', async () => {
    using folder = temporaryFolder();
    await using log = await JsonlLog.open(join(folder.path, 'metrics.jsonl'), metricsLineSchema);
    await log.append(lineOf(1));
    const offset = log.offset;
    await log.append(lineOf(2));
    const full = readFileSync(log.path);
    await log.truncateTo(offset);
    await log.append(lineOf(2));
    expect(readFileSync(log.path)).toEqual(full);
    await expect(log.truncateTo(offset - 1)).rejects.toThrow(/none ends at byte/);
    await expect(log.truncateTo(full.length + 1)).rejects.toThrow(
      /The file was changed: restore it from a copy/,
    );
    await log.truncateTo(0);
    expect(statSync(log.path).size).toBe(0);
  });

  it('reports a full disk', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'metrics.jsonl');
    symlinkSync('/dev/full', path);
    const log = await JsonlLog.open(path, metricsLineSchema);
    await expect(log.append(lineOf(1))).rejects.toThrow(
      /metrics\.jsonl: the disk, or your quota on it, is full/,
    );
    expect(log.offset).toBe(0);
    await log.close();
    await log.close();
  });
});

describe('readJsonl', () => {
  const schema = z.strictObject({ n: z.number() });
  const read = async (content: string | Buffer): Promise<unknown> => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'lines.jsonl');
    writeFileSync(path, content);
    return await readJsonl(path, schema);
  };

  it('reads nothing from an empty file, and skips one torn line', async () => {
    expect(await read('')).toEqual({ lines: [], offset: 0, torn: false });
    expect(await read('{"n":1}\n{"n":')).toEqual({ lines: [{ n: 1 }], offset: 8, torn: true });
    expect(await read('{"n":1}\n{"n":2}')).toEqual({ lines: [{ n: 1 }], offset: 8, torn: true });
  });

  it('names the line it cannot read', async () => {
    await expect(read('{"n":1}\nnot json\n{"n":2}\n')).rejects.toThrow(
      /line 2 of .*lines\.jsonl: it is not JSON/,
    );
    await expect(read('{"n":1}\n{"m":2}\n')).rejects.toThrow(
      /line 2 of .* a form that this version supports/,
    );
    await expect(read('{"n":1}\n\n')).rejects.toThrow(/line 2/);
  });

  it('refuses an endless line', async () => {
    await expect(read(Buffer.alloc(17 * 1024 * 1024, 120))).rejects.toThrow(/longer than 16777216 bytes/);
  });

  it('reads characters that are split across two reads', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'lines.jsonl');
    const words = z.string();
    for (const shift of [0, 1, 2]) {
      const text = `${'x'.repeat(65_534 - shift)}äöü`;
      writeFileSync(path, `${JSON.stringify(text)}\n`);
      appendFileSync(path, `"z"\n`);
      expect((await readJsonl(path, words)).lines).toEqual([text, 'z']);
    }
  });
});

describe('schemas of the lines', () => {
  it('allow what a run writes', () => {
    const rate = { rate: 0.5, low: 0.4, high: 0.6 };
    const lines: MetricsLine[] = [
      { kind: 'warm-start', epoch: 1, loss: 0.7, devSuccess: rate },
      { kind: 'iteration', iteration: 1, environmentSteps: 0, episodes: 0, figures: { 'faults/share': 1 } },
      {
        kind: 'evaluation',
        iteration: 0,
        environmentSteps: 0,
        panel: 'dev',
        fingerprint,
        agent: 'choice',
        decoding: { kind: 'sampled', temperature: 0.4 },
        success: rate,
        score: { mean: -1, low: -2, high: 3 },
        byFamily: { heat: { ...rate, tasks: 4 } },
      },
    ];
    for (const line of lines) expect(metricsLineSchema.parse(line)).toEqual(line);
    const timing = { kind: 'iteration', iteration: 1, seconds: 2, phases: { rollout: 1.5 } };
    expect(timingsLineSchema.parse(timing)).toEqual(timing);
  });

  it('keep times out of the metrics, and unknown keys out of both', () => {
    expect(metricsLineSchema.safeParse({ ...lineOf(1), seconds: 3 }).success).toBe(false);
    expect(
      timingsLineSchema.safeParse({ kind: 'iteration', iteration: 1, seconds: -2, phases: {} }).success,
    ).toBe(false);
  });
});

function reversed<T extends object>(line: T): T {
  return Object.fromEntries(
    Object.entries(line)
      .toReversed()
      .map(([key, value]) => [key, isRecord(value) ? reversed(value) : value]),
  ) as T;
}

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null;
