import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { systemCallFilter } from '../../../sandbox/docker/system-calls.ts';

const argument = z.object({
  index: z.number(),
  value: z.number(),
  valueTwo: z.number().optional(),
  op: z.string(),
});
const filter = z
  .object({
    defaultAction: z.literal('SCMP_ACT_ERRNO'),
    syscalls: z.array(z.object({ names: z.array(z.string()), action: z.string(), args: z.array(argument) })),
  })
  .parse(JSON.parse(systemCallFilter));
const allowed = filter.syscalls.filter(({ action }) => action === 'SCMP_ACT_ALLOW');

it('the system call filter allows nothing that Docker refuses by default, except fchmodat2', () => {
  const file = new URL('moby-system-calls.json', import.meta.url);
  const docker = new Set(
    z
      .object({ names: z.array(z.string()) })
      .parse(JSON.parse(readFileSync(file, 'utf8')))
      .names.flatMap((line) => line.split(' ')),
  );
  const more = allowed.flatMap(({ names }) => names).filter((name) => !docker.has(name));
  expect(more).toEqual(['fchmodat2']); // C libraries use it for fchmodat since Linux 6.6, and that list is older
});

it('the system call filter allows clone, personality and socket for certain arguments only', () => {
  const limited = (name: string): readonly unknown[] =>
    allowed.filter(({ names }) => names.includes(name)).map(({ args }) => args);
  expect(limited('clone')).toEqual([
    [{ index: 0, value: 2114060288, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
  ]);
  expect(limited('personality')).toEqual(
    [0, 8, 131072, 131080, 4294967295].map((value) => [{ index: 0, value, op: 'SCMP_CMP_EQ' }]),
  );
  expect(limited('socket')).toEqual([[{ index: 0, value: 1, op: 'SCMP_CMP_EQ' }]]); // Docker allows all but family 40
});
