import type { PageView } from '../../envs/engines/browser/view/page-view.ts';
import type { PageHandler } from '../../envs/engines/browser/page/page-handler.ts';
import { nodesOf } from '../../envs/engines/browser/view/page-tree.ts';
import { sleep } from '../../envs/core/waiting.ts';

/** A site whose every page has a link to the next, and takes so long to come. */
export const waitingPages =
  (ms: number): PageHandler =>
  async (request) => {
    await sleep(ms);
    const number = Number(new URL(request.url).pathname.slice(1)) || 0;
    return new Response(
      `<!doctype html><title>${number}</title><p>page ${number}</p><a href="/${number + 1}">next</a>`,
      { headers: { 'content-type': 'text/html; charset=utf-8' } },
    );
  };

/** A page whose button counts up. */
export const countingPage: PageHandler = () =>
  new Response(
    '<!doctype html><p id="count">0</p><button onclick="count.textContent = Number(count.textContent) + 1">more</button>',
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  );

/** The id of the element of that name. */
export function idOf(view: PageView, name: string): string {
  for (const node of nodesOf(view.content)) if (node.name === name) return node.id;
  throw new Error(`nothing is called ${name}`);
}
