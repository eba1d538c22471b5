import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../agents/servers/secret.ts';

describe('Secret', () => {
  const secret = new Secret('canary-5f2a9c', 'SOME_KEY');

  it('reveals its value only through reveal()', () => {
    const shown = [
      String(secret),
      JSON.stringify({ secret }),
      inspect(secret),
      inspect({ deep: { secret } }, { showHidden: true }),
      Object.values(secret).join(),
    ];
    expect(shown.join('\n')).not.toContain('canary');
    expect(secret.reveal()).toBe('canary-5f2a9c');
  });

  it('redacts itself from texts however short it is, unless it is a placeholder', () => {
    expect(secret.redact('a canary-5f2a9c, a canary-5f2a9c')).toBe('a [secret], a [secret]');
    expect(new Secret('k3y', 'SOME_KEY').redact('wrong key k3y, not=k3y1')).toBe(
      'wrong key [secret], not=[secret]1',
    );
    for (const placeholder of ['EMPTY', 'none', 'not-needed'])
      expect(new Secret(placeholder, 'SOME_KEY').redact(`it is ${placeholder}`)).toBe(`it is ${placeholder}`);
  });

  it('redacts itself from what models write when it cannot be a word', () => {
    expect(secret.redactWritten('my key is canary-5f2a9c')).toBe('my key is [secret]');
    expect(new Secret('drawer', 'SOME_KEY').redactWritten('open the drawer')).toBe('open the drawer');
    expect(new Secret('not-needed', 'SOME_KEY').redactWritten('that is not-needed')).toBe(
      'that is not-needed',
    );
  });
});
