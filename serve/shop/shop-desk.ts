import { randomBytes, randomInt } from 'node:crypto';
import type { PanelInfo } from '../../envs/core/task.ts';
import { plainAnswer, type PageHandler } from '../../envs/engines/browser/page/page-handler.ts';
import type { ShopHost } from '../../envs/shop/host.ts';
import { createShopSite } from '../../envs/shop/site/shop-site.ts';
import {
  formOf,
  isLook,
  pageAnswer,
  seeOther,
  styleAnswer,
  wholeOf,
} from '../../envs/shop/site/site-answer.ts';
import { sitePaths } from '../../envs/shop/site/draw-site-page.ts';
import { siteStyle } from '../../envs/shop/site/site-style.ts';
import { drawDesk, drawNoVisit, goalsAPage } from './draw-desk.ts';

export interface ShopDeskOptions {
  readonly host: Pick<ShopHost, 'describeTask' | 'visit'>;
  /** The panels with the available goals; at least one. */
  readonly panels: readonly PanelInfo[];
  /** Prefix of all paths: empty, or a slash and the token. */
  readonly root: string;
  /** Step limit of a visit. */
  readonly stepLimit: number;
  /** Most visits to keep; the least recently used is dropped. */
  readonly mostVisits: number;
  /** Called with a line for every purchase. */
  readonly say: (line: string) => void;
}

/**
 * Lets people shop: a page to choose a goal, and a separate site for each visit. The name of a visit is
 * secret and part of the address. It is not in a cookie, because cookies do not distinguish ports of a
 * machine. One person can also shop in two tabs.
 */
export function createShopDesk(options: ShopDeskOptions): PageHandler {
  const desk = new ShopDesk(options);
  return (request) => desk.answer(request);
}

class ShopDesk {
  readonly #options: ShopDeskOptions;
  /** By name, the least recently used first. */
  readonly #visits = new Map<string, PageHandler>();

  constructor(options: ShopDeskOptions) {
    this.#options = options;
  }

  async answer(request: Request): Promise<Response> {
    const { root, mostVisits } = this.#options;
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.slice(root.length);
    const name = /^\/visits\/([\w-]+)(?:\/|$)/.exec(path)?.[1];
    if (name !== undefined)
      return this.#visited(name)?.(request) ?? pageAnswer(410, drawNoVisit(root, mostVisits));
    if (path === '/visits') return this.#open(request);
    if (!isLook(request)) return plainAnswer(405, 'pages can be looked at only.');
    if (path === sitePaths.style) return styleAnswer(siteStyle);
    if (path === '') return seeOther(`${root}/`);
    return path === '/' ? this.#desk(searchParams) : plainAnswer(404, 'there is no such page.');
  }

  #visited(name: string): PageHandler | undefined {
    const site = this.#visits.get(name);
    if (site === undefined) return undefined;
    this.#visits.delete(name);
    this.#visits.set(name, site);
    return site;
  }

  #desk(asked: URLSearchParams): Response {
    const { host, panels, root } = this.#options;
    const panel = panels.find(({ name }) => name === asked.get('panel')) ?? panels[0];
    if (panel === undefined) return plainAnswer(404, 'there are no goals.');
    const from = Math.min(wholeOf(asked.get('from')) ?? 0, panel.size - 1);
    const goals = Array.from({ length: Math.min(goalsAPage, panel.size - from) }, (_, offset) => {
      const index = from + offset;
      return { index, instruction: host.describeTask({ panel: panel.name, index }).instruction };
    });
    return pageAnswer(200, drawDesk({ root, panels, panel, from, goals }));
  }

  async #open(request: Request): Promise<Response> {
    const { host, panels, root, stepLimit, mostVisits, say } = this.#options;
    const form = await formOf(request);
    if (form === undefined)
      return isLook(request)
        ? seeOther(`${root}/`)
        : plainAnswer(415, 'a form is wanted, sent with POST as application/x-www-form-urlencoded.');
    const panel = panels.find(({ name }) => name === form.get('panel'));
    if (panel === undefined) return plainAnswer(404, 'there is no such panel here.');
    const index = form.get('goal') === 'any' ? randomInt(panel.size) : wholeOf(form.get('goal'));
    if (index === undefined || index >= panel.size)
      return plainAnswer(404, `the goals of ${panel.name} are numbered from 0 to ${panel.size - 1}.`);
    const name = randomBytes(16).toString('base64url');
    const base = `${root}/visits/${name}`;
    let steps = 0;
    const site = createShopSite(host.visit({ panel: panel.name, index }), {
      base,
      showReward: true,
      stepLimit,
      exit: { href: `${root}/?panel=${encodeURIComponent(panel.name)}&from=${index}`, words: 'Other goals' },
      onStep: (_action, { kind, reward }) => {
        steps += 1;
        if (kind === 'terminated')
          say(
            `${panel.name} ${index}: bought after ${steps} ${steps === 1 ? 'step' : 'steps'}, score ${Math.round(reward.total * 1000) / 1000}`,
          );
      },
    });
    this.#visits.set(name, site);
    for (const oldest of this.#visits.keys()) {
      if (this.#visits.size <= mostVisits) break;
      this.#visits.delete(oldest);
    }
    return seeOther(`${base}/`);
  }
}
