import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextPool } from '../../../agents/rollout/text-pool.ts';

test('what is interned is what was given, whatever was given before', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.oneof(fc.constantFrom('', 'a', '__proto__'), fc.string()), { nil: undefined })), (texts) => {
      const pool = new TextPool();
      expect(texts.map((text) => pool.intern(text))).toEqual(texts);
    }),
  );
});
