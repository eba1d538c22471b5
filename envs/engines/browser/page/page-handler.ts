/** What stands behind the address of an episode: answers each request for a page, a script or a picture. Never reaches for a network. */
export type PageHandler = (request: Request) => Response | Promise<Response>;

/** A short answer without a page, such as 404. */
export const plainAnswer = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
