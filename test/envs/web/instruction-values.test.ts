import { expect, it } from 'vitest';
import { valuesIn } from '../../../envs/web/instruction-values.ts';

it.each([
  ['Enter "Bo Li" into “City” and \'x\'.', { texts: ['Bo Li', 'City', 'x'] }],
  ["Don't type 'it' twice: 'it'", { texts: ['it'] }],
  ['Type hello-world now', { texts: ['Type', 'hello-world', 'now'] }],
  [
    'On March 5, 2024, or 17th May 2023, or 01/02/2025, or 2020-12-31',
    { dates: ['2024-03-05', '2023-05-17', '2025-01-02', '2020-12-31'] },
  ],
  ['at 3:22 pm, 12:05 AM and 15:40', { times: ['15:22', '00:05', '15:40'] }],
  ['Set 4 of 12.5, not a1 or 3b, but -7', { numbers: ['4', '12.5', '-7'] }],
  ['Put "2022-11-16" and "flat 3" beside "5" and 7', { numbers: ['5', '7'] }],
])('valuesIn finds what %s names', (instruction, values) =>
  expect(valuesIn(instruction)).toMatchObject(values),
);

it('valuesIn returns at most 250 texts', () => {
  const many = Array.from({ length: 1000 }, (_, place) => `"v${place}"`).join(' ');
  expect(valuesIn(many).texts).toHaveLength(250);
});
