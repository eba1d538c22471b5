import { describe, expect, it } from 'vitest';
import { isLoopback, refusalOf, type Listening } from '../../../serve/http/request-guard.ts';

const local: Listening = { host: '127.0.0.1', port: 3000, hasToken: false };
const open: Listening = { host: '0.0.0.0', port: 3000, hasToken: true };
const named: Listening = { host: 'shop.lan', port: 80, hasToken: true };

describe('the Host header of a request', () => {
  it.each([
    [local, '127.0.0.1:3000'],
    [local, 'localhost:3000'],
    [local, 'LOCALHOST:3000'],
    [local, '[::1]:3000'],
    [open, '192.168.1.7:3000'],
    [open, '[fd00::7]:3000'],
    [open, 'localhost:3000'],
    [named, 'shop.lan'],
    [named, 'shop.lan:80'],
    [open, 'gpu-box.lan:3000'],
    [open, 'gpu-box:8080'],
  ])('may name this server: %o as %s', (at, host) => {
    expect(refusalOf({ method: 'GET', headers: { host } }, at)).toBeUndefined();
  });

  it.each([
    [local, undefined],
    [local, ''],
    [local, '127.0.0.1'],
    [local, '127.0.0.1:3001'],
    [local, 'evil.invalid:3000'],
    [local, '127.0.0.1.evil.invalid:3000'],
    [local, 'localhost.evil.invalid:3000'],
    [local, '192.168.1.7:3000'],
    [local, 'x@127.0.0.1:3000'],
    [local, '127.0.0.1:3000/x'],
  ])('may name no other host: %o as %s', (at, host) => {
    expect(refusalOf({ method: 'GET', headers: { host } }, at)).toContain('Host');
  });
});

describe('the origin of a request', () => {
  const refused = (method: string, headers: Readonly<Record<string, string>>): boolean =>
    refusalOf({ method, headers: { host: '127.0.0.1:3000', ...headers } }, local) !== undefined;
  const followed = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

  it.each([
    ['POST', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['POST', { origin: 'http://127.0.0.1:3000' }],
    ['POST', {}],
    ['GET', { 'sec-fetch-site': 'none' }],
    ['GET', { 'sec-fetch-site': 'cross-site', ...followed }],
    ['GET', { 'sec-fetch-site': 'same-site', ...followed }],
  ] as const)('may be our own page, a program or a link: %s %o', (method, headers) =>
    expect(refused(method, headers)).toBe(false),
  );

  it.each([
    ['POST', { 'sec-fetch-site': 'cross-site', origin: 'http://127.0.0.1:3000' }],
    ['POST', { 'sec-fetch-site': 'same-site', ...followed }],
    ['POST', { 'sec-fetch-site': 'none' }],
    ['POST', { origin: 'null' }],
    ['POST', { origin: 'http://evil.invalid' }],
    ['POST', { origin: 'http://127.0.0.1:3001' }],
    ['POST', { origin: 'https://127.0.0.1:3000' }],
    ['GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
    ['GET', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
    ['GET', { origin: 'http://evil.invalid' }],
  ] as const)('may not be another site: %s %o', (method, headers) =>
    expect(refused(method, headers)).toBe(true),
  );
});

it('refusalOf accepts a form without an origin when a token identifies the sender', () => {
  const asked = { method: 'POST', headers: { host: '192.168.1.7:3000', origin: 'null' } };
  expect(refusalOf(asked, open)).toBeUndefined();
  expect(refusalOf({ ...asked, headers: { ...asked.headers, origin: 'http://evil.invalid' } }, open)).toBe(
    'it comes from another site.',
  );
});

it('isLoopback recognises addresses that only this machine reaches', () => {
  expect(['127.0.0.1', '127.8.8.8', '::1', 'localhost'].every(isLoopback)).toBe(true);
  expect(['0.0.0.0', '::', '10.0.0.1', '127.evil.invalid', 'shop.lan'].some(isLoopback)).toBe(false);
});
