import { describe, expect, it } from 'vitest';
import { readCalls } from '../../../agents/servers/completion.ts';

describe('readCalls', () => {
  it.each([
    ['a text', { arguments: '{"city": "Rome"}' }, '{"city": "Rome"}'],
    ['an object', { arguments: { city: 'Rome' } }, '{"city":"Rome"}'],
    ['absent', {}, '{}'],
    ['null', { arguments: null }, '{}'],
    ['a list', { arguments: [1] }, '[1]'],
  ])('keeps a call whose arguments are %s', (_, given, written) => {
    const other = { function: { name: 'other', arguments: '{}' } };
    expect(readCalls([{ function: { name: 'look', ...given } }, other])).toEqual([
      { name: 'look', arguments: written },
      { name: 'other', arguments: '{}' },
    ]);
  });
});
