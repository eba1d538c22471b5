import { expect, test } from 'vitest';
import { spelled } from '../../../envs/code/spelled.ts';

test('spelled writes pieces in words', () => {
  const said = {
    '0': 'zero',
    '-1': 'minus one',
    '19': 'nineteen',
    '30': 'thirty',
    '255': 'two hundred fifty five',
    '300': 'three hundred',
    "1'b1": 'one',
    '~^': 'not exclusive or',
    '<=': 'at most',
    '!enable': 'not enable',
    in: 'in',
    '': '',
    '"mean"': '"mean"',
    '1000': '1000',
    'shown as it is': 'shown as it is',
  };
  expect(Object.fromEntries(Object.keys(said).map((piece) => [piece, spelled(piece)]))).toEqual(said);
});
