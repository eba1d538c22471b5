import { isIP } from 'node:net';

/** The part of a request that is validated first. */
export interface GuardedRequest {
  readonly method: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Where a server listens. */
export interface Listening {
  /** As it was bound: a name or an address. */
  readonly host: string;
  readonly port: number;
  /** Whether requests need a token to pass. */
  readonly hasToken: boolean;
}

/**
 * Why a request is refused; undefined if it is accepted.
 *
 * Host: a page elsewhere can point a host name of its own at this server (DNS rebinding) and would then share
 * its origin. So only the bound name, loopback names and plain addresses are accepted, with our port. Such a page does
 * not know a token, so a server with one accepts every name: this machine may have several, also behind a proxy.
 *
 * Sec-Fetch-Site and Origin: another site can send a form or a fetch request here. Browsers report where a
 * request comes from. Requests that act must come from our own pages; requests that read may also come from a
 * link. Under `no-referrer` browsers send `null` as the origin of our own forms, so it counts only without
 * Sec-Fetch-Site. Plain non-loopback addresses never have that header; there the token identifies the client.
 * Other programs send neither header.
 */
export function refusalOf({ method, headers }: GuardedRequest, at: Listening): string | undefined {
  const host = one(headers['host']);
  if (host === undefined || !(at.hasToken || isOurs(host, at)))
    return 'the Host header names another server.';
  const looks = method === 'GET' || method === 'HEAD';
  const site = one(headers['sec-fetch-site']);
  if (site !== undefined) {
    if (site === 'same-origin' || (looks && site === 'none')) return undefined;
    return looks &&
      one(headers['sec-fetch-mode']) === 'navigate' &&
      one(headers['sec-fetch-dest']) === 'document'
      ? undefined
      : 'it comes from another site.';
  }
  const origin = one(headers['origin']);
  const isOwn = origin === undefined || origin === `http://${host}` || (origin === 'null' && at.hasToken);
  return isOwn ? undefined : 'it comes from another site.';
}

const one = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Whether only this machine can reach the address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function isOurs(host: string, at: Listening): boolean {
  const [, name = '', port = '80'] = /^(\[[\da-f:.]+\]|[^:[\]/@?#\\]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  if (Number(port) !== at.port) return false;
  const plain = name.replaceAll(/[[\]]/g, '').toLowerCase();
  if (plain === at.host.toLowerCase() || isLoopback(plain)) return true;
  return !isLoopback(at.host) && isIP(plain) !== 0;
}
