import { UsageError } from '../../envs/core/errors.ts';

/** Address of a server. */
export interface Endpoint {
  /** Scheme, host and port, such as `http://localhost:8000`. */
  readonly origin: string;
  /** Host and port, for tables and messages. It contains no credentials. */
  readonly host: string;
  /** Base path of the OpenAI routes, such as `/v1`. */
  readonly base: string;
  /** Query of every path, such as `?version=2`; usually empty. */
  readonly query: string;
  /** Path and query of chat completions. */
  readonly chatPath: string;
  /** Path and query of the model list. */
  readonly modelsPath: string;
  /** True if requests cannot be read in transit: TLS, or this machine. */
  readonly isPrivate: boolean;
}

const chatSuffix = '/chat/completions';

/**
 * Parses the URL of a server. It may be a base URL as for OpenAI's clients, such as
 * `http://localhost:8000/v1`. The server alone works too, and gets `/v1`. The whole path up to
 * `/chat/completions` is the third form.
 * @param where names the URL in errors, which never repeat a URL that may contain credentials
 * @throws UsageError if it is not an http or https URL, contains credentials, or has a fragment
 */
export function parseEndpoint(text: string, where: string): Endpoint {
  const example = 'Write it like http://localhost:8000/v1.';
  if (!URL.canParse(text)) {
    throw new UsageError({
      where,
      what: `${text.includes('@') ? 'it' : `"${text}"`} is not a valid URL.`,
      fix: example,
    });
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw new UsageError({
      where,
      what: 'the URL contains a user name or a password.',
      fix: 'Remove it: the key comes from an environment variable.',
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError({
      where,
      what: `it begins with ${url.protocol}, and it must begin with http: or https:.`,
      fix: example,
    });
  if (url.hash !== '')
    throw new UsageError({
      where,
      what: 'the URL has a fragment after #, which is never sent to a server.',
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

/** Path and query of an OpenAI route, such as `/completions`. */
export const apiPath = ({ base, query }: Endpoint, route: string): string => `${base}${route}${query}`;

/** Path and query of a server-specific route outside the base path, such as `/generate`. */
export const ownPath = ({ base, query }: Endpoint, route: string): string =>
  `${base.replace(/\/v1$/, '')}${route}${query}`;

function basePath(pathname: string): string {
  const path = pathname.replace(/\/+$/, '');
  if (path.endsWith(chatSuffix)) return path.slice(0, -chatSuffix.length);
  return path === '' ? '/v1' : path;
}

/** Names and addresses of this machine. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}
