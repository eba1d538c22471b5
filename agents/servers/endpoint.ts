import { UsageError } from '../../envs/core/errors.ts';

/** Where a server answers. */
export interface Endpoint {
  /** Scheme, host and port, such as `http://localhost:8000`. */
  readonly origin: string;
  /** Host and port: what tables and messages say. It holds no credentials. */
  readonly host: string;
  /** Path under which OpenAI's routes stand, such as `/v1`. */
  readonly base: string;
  /** What every path ends with, such as `?version=2`; mostly nothing. */
  readonly query: string;
  /** Path and query of chat completions. */
  readonly chatPath: string;
  /** Path and query of the list of models. */
  readonly modelsPath: string;
  /** True where nobody on the way can read what is sent: TLS, or this very machine. */
  readonly isPrivate: boolean;
}

const chatSuffix = '/chat/completions';

/**
 * The endpoint of a URL: the base that OpenAI's clients take, such as `http://localhost:8000/v1`, the server alone, which is taken
 * to answer under `/v1`, or the whole path up to `/chat/completions`.
 *
 * @param where names the URL in errors, which never repeat a URL that may hold credentials
 * @throws UsageError for what is no http or https URL, for credentials in it, and for a fragment
 */
export function parseEndpoint(text: string, where: string): Endpoint {
  const example = 'Write it like http://localhost:8000/v1.';
  if (!URL.canParse(text)) {
    throw new UsageError({
      where,
      what: `${text.includes('@') ? 'it' : `"${text}"`} is no URL.`,
      fix: example,
    });
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError({
      where,
      what: 'the URL holds a name or a password.',
      fix: 'Take it out: the key comes from an environment variable.',
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError({
      where,
      what: `it begins with ${url.protocol}, not with http: or https:.`,
      fix: example,
    });
  if (url.hash !== '')
    throw new UsageError({
      where,
      what: 'the URL has a part behind #, which no server sees.',
      fix: example,
    });
  const base = basePath(url.pathname);
  return {
    origin: url.origin,
    host: url.host,
    base,
    query: url.search,
    chatPath: `${base}${chatSuffix}${url.search}`,
    modelsPath: `${base}/models${url.search}`,
    isPrivate: url.protocol === 'https:' || isLoopback(url.hostname),
  };
}

/** Path and query of one of OpenAI's routes, such as `/completions`. */
export const apiPath = ({ base, query }: Endpoint, route: string): string => `${base}${route}${query}`;

/** Path and query of a route of the server's own, which stands beside OpenAI's, such as `/generate`. */
export const ownPath = ({ base, query }: Endpoint, route: string): string =>
  `${base.replace(/\/v1$/, '')}${route}${query}`;

function basePath(pathname: string): string {
  const path = pathname.replace(/\/+$/, '');
  if (path.endsWith(chatSuffix)) return path.slice(0, -chatSuffix.length);
  return path === '' ? '/v1' : path;
}

/** Names and addresses that never leave the machine. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}
