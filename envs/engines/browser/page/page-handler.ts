/**
 * The server of an episode's address. It answers each request for a page, a script or a picture, and never
 * uses a network.
 */
export type PageHandler = (request: Request) => Response | Promise<Response>;

/** A short text response without a page, such as 404. */
export const plainAnswer = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
