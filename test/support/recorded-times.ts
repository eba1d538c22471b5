import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { listTestFiles } from './tiers.ts';

/** Seconds of each test file that takes long, by its path in the repository. `CAIRN_RECORD_TIMES=1 npm run test:all` records them again. */
const file = path.resolve(import.meta.dirname, '../times.json');

const leastSeconds = 2;

export function readTimes(): ReadonlyMap<string, number> {
  const times = z.record(z.string(), z.number()).parse(JSON.parse(readFileSync(file, 'utf8')));
  return new Map(Object.entries(times));
}

/** Replaces the times of the files that ran, keeps those of the others, and drops those of files that are gone. */
export function writeTimes(seconds: ReadonlyMap<string, number>): void {
  const existing = new Set(listTestFiles());
  const times = [...new Map([...readTimes(), ...seconds])]
    .map(([name, value]) => [name, Math.round(value)] as const)
    .filter(([name, value]) => value >= leastSeconds && existing.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(times), undefined, 2)}\n`);
}
