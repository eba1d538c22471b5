import type { Markup } from '../pages/markup.ts';

/**
 * The headers of every answer. Pages run no script, load only the style sheet, send forms only to this server
 * and appear in no frame. The text of a product cannot change that. They are not cached, because they show
 * the state of a session.
 */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** A page as a complete document. */
export const pageAnswer = (status: number, document: Markup): Response =>
  new Response(document.source, {
    status,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  });

export const styleAnswer = (style: string): Response =>
  new Response(style, { status: 200, headers: { ...headers, 'content-type': 'text/css; charset=utf-8' } });

/** Redirects to another address with GET, whatever the method of the request. */
export const seeOther = (path: string): Response =>
  new Response(undefined, { status: 303, headers: { ...headers, location: path } });

/** Whether the request only reads. */
export const isLook = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** The fields of a sent form; undefined where the request has none. */
export async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (request.method !== 'POST' || type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return undefined;
  return new URLSearchParams(await request.text());
}

/** The integer in a field or a path, at least 0; undefined for anything else. */
export const wholeOf = (text: string | null | undefined): number | undefined =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
