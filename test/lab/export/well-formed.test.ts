import { expect, it } from 'vitest';
import { wellFormedRow } from '../../../lab/export/row.ts';

it('wellFormedRow replaces lone surrogates everywhere, and nothing else', () => {
  const row = {
    messages: [{ content: '\u{1F600}\uD83D' }],
    'a\uDC00': 'b\uD83Dc',
    returns: [1, null, true],
    none: undefined,
  };
  expect(wellFormedRow(row)).toEqual({
    messages: [{ content: '\u{1F600}\uFFFD' }],
    'a\uFFFD': 'b\uFFFDc',
    returns: [1, null, true],
    none: undefined,
  });
});
