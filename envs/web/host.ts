import { fileURLToPath } from 'node:url';
import type { ResetContext } from '../core/context.ts';
import type { EnvHost, Searcher } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { didYouMean, nearest } from '../core/near-miss.ts';
import type { Ongoing, Opening } from '../core/step.ts';
import { BrowserEngine } from '../engines/browser/session/browser-engine.ts';
import { isSameAction, type WebAction } from './action.ts';
import type { WebConfig } from './config.ts';
import { WebEnv } from './env.ts';
import type { WebObservation } from './observation.ts';
import { readPageFolder, type FolderPage } from './page-folder.ts';
import { webPages } from './pages.ts';
import { staticPages } from './static-pages.ts';
import { WebTasks } from './tasks.ts';

/** Our own pages. They are beside this file in the sources and in the build. */
const ownPages = fileURLToPath(new URL('site', import.meta.url));

/**
 * Opens the configured pages and finds a browser for them. The browser starts with the first episode.
 *
 * @throws UsageError where the pages or a browser cannot be found
 */
export async function openWeb(
  config: WebConfig,
  { signal, log, path }: ResetContext,
): Promise<EnvHost<WebObservation, WebAction>> {
  const isOurs = config.pages === undefined;
  if (isOurs && config.dataMode !== undefined)
    throw new UsageError({
      where: 'config of web-v1, dataMode',
      what: 'the built-in pages draw all problems from one distribution.',
      fix: 'Leave it out, or name a folder with `pages`.',
    });
  const folder = await readPageFolder(config.pages ?? ownPages, signal);
  const known = new Map(isOurs ? webPages.map((page) => [page.name, page]) : []);
  const pages = choosePages(folder.pages, config.tasks);
  const tasks = new WebTasks(pages, {
    known,
    digest: folder.digest,
    curriculum: config.curriculum,
    identity: identityOf(config, folder.digest),
  });
  for (const { why, count } of folder.passedOver)
    log.event(path, { type: 'opening-tally', part: 'pages', name: why, count });
  if (!isOurs)
    log.event(path, {
      type: 'opening-tally',
      part: 'pages',
      name: `folders of ${folder.root} whose files pages may load: ${folder.given.map((each) => each || 'all').join(', ')}`,
      count: folder.given.length,
    });
  const handler = await staticPages(folder.root, folder.given);
  const engine = await BrowserEngine.open({ browserPath: config.browserPath, viewport: config.viewport });
  return {
    panels: tasks.panels,
    identity: tasks.identity,
    describeTask: (ref) => tasks.describeTask(ref),
    create: async () => new WebEnv({ engine, handler, config, taskOf: (ref) => tasks.task(ref) }),
    close: () => engine.close(),
    maxConcurrency: config.contexts,
    ...(isOurs ? { experts: { searcher: () => solver() } } : {}),
  };
}

/** The part of the config that results depend on. The browser and its time limits are no part of it. */
function identityOf(
  { tasks, dataMode, candidates, viewport, curriculum, reward, actionMs, maxSteps, screenshots }: WebConfig,
  digest: string,
): Json {
  return {
    pages: digest.slice(0, 16),
    ...(tasks === undefined ? {} : { tasks: tasks.join(', ') }),
    ...(dataMode === undefined ? {} : { dataMode }),
    reward,
    curriculum,
    actionMs,
    maxSteps,
    screenshots,
    candidates: candidates.join(', '),
    viewport: `${viewport.width} x ${viewport.height}`,
  };
}

function choosePages(
  pages: readonly FolderPage[],
  names: readonly string[] | undefined,
): readonly FolderPage[] {
  if (names === undefined) return pages;
  const byName = new Map(pages.map((page) => [page.name, page]));
  return [...new Set(names)].map((name) => {
    const page = byName.get(name);
    if (page !== undefined) return page;
    throw new UsageError({
      where: 'config of web-v1, tasks',
      what: `there is no page ${name}.`,
      fix: `${didYouMean(nearest(name, [...byName.keys()]))}Use some of its ${pages.length} pages.`,
    });
  });
}

/** Plays our own pages by what an agent sees. The address identifies the page. */
function solver(): Searcher<WebObservation, WebAction> {
  const memory = new Map<string, string>();
  let instruction = '';
  return {
    act: (turn: Opening<WebObservation, WebAction> | Ongoing<WebObservation, WebAction>) => {
      if ('instruction' in turn) ({ instruction } = turn);
      const view = turn.observation;
      const page = webPages.find(({ name }) => view.url.split(/[?#]/)[0] === `/pages/${name}.html`);
      const action: WebAction = page?.solve({ view, instruction, memory }) ?? { kind: 'stop' };
      // the offered form, for policies that learn from it
      return turn.admissible?.find((offered) => isSameAction(offered, action)) ?? action;
    },
  };
}
