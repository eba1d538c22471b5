import { BrowserEngine } from '../../../../envs/engines/browser/session/browser-engine.ts';
import type {
  EpisodeBrowser,
  EpisodeOptions,
} from '../../../../envs/engines/browser/session/episode-browser.ts';
import type { PageHandler } from '../../../../envs/engines/browser/page/page-handler.ts';
import { nodesOf, type PageNode } from '../../../../envs/engines/browser/view/page-tree.ts';

export const viewport = { width: 800, height: 600 } as const;
export const options: EpisodeOptions = { seed: 1, actionMs: 100, patienceMs: 20_000, screenshots: false }; // a page opens in a tenth of a second; on a machine with twenty times more work than cores, in more than ten seconds
export const noAbort = new AbortController().signal;

/** A handler that answers every path with the same page. */
export const onePage =
  (html: string): PageHandler =>
  () =>
    new Response(`<!doctype html>${html}`, { headers: { 'content-type': 'text/html; charset=utf-8' } });

export const openEngine = (): Promise<BrowserEngine> => BrowserEngine.open({ viewport });

/** An episode on a page, closed after the work. */
export async function onPage<T>(
  engine: BrowserEngine,
  page: string | PageHandler,
  work: (episode: EpisodeBrowser, content: PageNode['children']) => Promise<T>,
  changed: Partial<EpisodeOptions> = {},
): Promise<T> {
  const episode = await engine.episode(
    typeof page === 'string' ? onePage(page) : page,
    { ...options, ...changed },
    noAbort,
  );
  try {
    const { content } = await episode.open('/', noAbort);
    return await work(episode, content);
  } finally {
    await episode.close();
  }
}

/** The id of the one element of that role and name. */
export function idOf(content: PageNode['children'], role: string, name: string): string {
  const found = [...nodesOf(content)].filter((node) => node.role === role && node.name === name);
  if (found.length !== 1) throw new Error(`${found.length} elements are ${role} ${JSON.stringify(name)}`);
  return (found[0] as PageNode).id;
}
