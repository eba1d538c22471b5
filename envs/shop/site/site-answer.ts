import type { Markup } from '../pages/markup.ts';

/**
 * What every answer carries. Pages run no script, load nothing but the style sheet, send forms nowhere else and stand in no frame, whatever
 * the text of a product says; and as they say where a session was, nobody keeps them.
 */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** A page, as a whole document. */
export const pageAnswer = (status: number, document: Markup): Response =>
  new Response(document.source, {
    status,
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  });

export const styleAnswer = (style: string): Response =>
  new Response(style, { status: 200, headers: { ...headers, 'content-type': 'text/css; charset=utf-8' } });

/** Look there instead, with GET, whatever was asked for. */
export const seeOther = (path: string): Response =>
  new Response(undefined, { status: 303, headers: { ...headers, location: path } });

/** Whether the request only looks. */
export const isLook = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';

/** The fields of a form that was sent; undefined where the request holds none. */
export async function formOf(request: Request): Promise<URLSearchParams | undefined> {
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (request.method !== 'POST' || type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return undefined;
  return new URLSearchParams(await request.text());
}

/** The whole number that a field or a path holds, from 0; undefined where it is none. */
export const wholeOf = (text: string | null | undefined): number | undefined =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
