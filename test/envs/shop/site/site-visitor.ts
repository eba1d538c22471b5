import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { readSite, type ReadSite } from './read-site.ts';

export interface Seen extends ReadSite {
  readonly status: number;
  readonly path: string;
}

/** Sends a request and follows where it leads. */
export type Send = (path: string, fields?: Readonly<Record<string, string>>) => Promise<Seen>;

/** Asks a handler directly, as a browser without a cache would. */
export const sendTo = (handler: PageHandler): Send => {
  const send: Send = async (path, fields) => {
    const url = new URL(path, 'http://e1.cairn.test');
    const answer = await handler(
      new Request(url, fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) }),
    );
    const location = answer.headers.get('location');
    if (answer.status === 303 && location !== null) return send(location);
    return { status: answer.status, path, ...readSite(await answer.text()) };
  };
  return send;
};

/** The same over the network. */
export const sendOver =
  (origin: string): Send =>
  async (path, fields) => {
    const answer = await fetch(
      new URL(path, origin),
      fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) },
    );
    return { status: answer.status, path: new URL(answer.url).pathname, ...readSite(await answer.text()) };
  };

/** What the form of a page sends, beside the button. */
export const act = (send: Send, page: Seen, fields: Readonly<Record<string, string>>): Promise<Seen> =>
  send('/act', { step: page.step ?? '', ...fields });

/** Presses the button of that name. */
export function press(send: Send, page: Seen, name: string): Promise<Seen> {
  const button = page.clicks.find((candidate) => candidate.name === name);
  if (button === undefined)
    throw new Error(`there is no button ${name} among ${page.clicks.map((one) => one.name).join(', ')}`);
  return act(send, page, { click: button.value });
}
