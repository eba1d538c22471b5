import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../agents/remote/secret.ts';

describe('Secret', () => {
  const secret = new Secret('canary-5f2a9c', 'SOME_KEY');

  it('gives itself away only when told to', () => {
    const shown = [String(secret), JSON.stringify({ secret }), inspect(secret), inspect({ deep: { secret } }, { showHidden: true }), Object.values(secret).join()];
    expect(shown.join('\n')).not.toContain('canary');
    expect(secret.reveal()).toBe('canary-5f2a9c');
  });

  it('is taken out of texts, unless it is a placeholder', () => {
    expect(secret.redact('a canary-5f2a9c, a canary-5f2a9c')).toBe('a [secret], a [secret]');
    expect(new Secret('EMPTY', 'SOME_KEY').redact('The drawer is EMPTY.')).toBe('The drawer is EMPTY.');
  });
});
