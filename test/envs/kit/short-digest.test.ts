import { expect, it } from 'vitest';
import { shortDigest } from '../../../envs/kit/short-digest.ts';

// printf abc | openssl dgst -sha256 -binary | base64 | tr '+/' '-_'
const ofAbc = 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0';

it('shortDigest returns the beginning of the SHA-256 in base64url', () => {
  expect(shortDigest('abc')).toBe(ofAbc.slice(0, 22));
  expect(shortDigest('abc', 12)).toBe(ofAbc.slice(0, 12));
});
