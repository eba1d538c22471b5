import { isIP } from 'node:net';

/** What of a request is looked at before anything else is. */
export interface GuardedRequest {
  readonly method: string;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Where a server listens. */
export interface Listening {
  /** As it was bound: a name or an address. */
  readonly host: string;
  readonly port: number;
  /** Whether nobody gets past the guard who does not know a token. */
  readonly hasToken: boolean;
}

/**
 * Why a request is refused; undefined where nothing speaks against it.
 *
 * Host: a page elsewhere can point a name of its own at this server (DNS rebinding), and would then be of one origin with it. So only the
 * name that we were bound to, loopback's and plain addresses will do, with our port.
 * Sec-Fetch-Site and Origin: another site can send a form here, or fetch from here. Browsers say where a request comes from; what acts
 * must come from our own pages, what looks may also be a link that somebody follows. Under `no-referrer` browsers write `null` for the
 * origin of our own forms, so it counts only where Sec-Fetch-Site is not there; on plain addresses that are not loopback it never is, and
 * there the token says who asks. Programs that are no browsers send neither.
 */
export function refusalOf({ method, headers }: GuardedRequest, at: Listening): string | undefined {
  const host = one(headers['host']);
  if (host === undefined || !isOurs(host, at)) return 'the Host header names another server.';
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

/** Whether nobody but this machine reaches the address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));

function isOurs(host: string, at: Listening): boolean {
  const [, name = '', port = '80'] = /^(\[[\da-f:.]+\]|[^:[\]/@?#\\]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  if (Number(port) !== at.port) return false;
  const plain = name.replaceAll(/[[\]]/g, '').toLowerCase();
  if (plain === at.host.toLowerCase() || isLoopback(plain)) return true;
  return !isLoopback(at.host) && isIP(plain) !== 0;
}
