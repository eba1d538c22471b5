import type { ResetContext } from '../core/context.ts';
import type { EnvHost } from '../core/env.ts';
import { BrowserEngine } from '../engines/browser/session/browser-engine.ts';
import { openInContext } from '../shop/open-configured.ts';
import type { ShopBrowserConfig } from './config.ts';
import { browseShop, viewport } from './host.ts';

/**
 * Finds the browser, then opens the shop. The browser itself starts with the first episode.
 *
 * @throws UsageError where there is no browser
 */
export async function openShopBrowser(
  config: ShopBrowserConfig,
  context: ResetContext,
): Promise<EnvHost<string, string>> {
  const { browserPath, patienceMs, contexts, observationMode, ...shopKeys } = config;
  const engine = await BrowserEngine.open({ browserPath, viewport });
  try {
    const shop = await openInContext({ ...shopKeys, observationMode: 'text' }, context);
    return {
      ...browseShop(shop, { engine, observationMode, patienceMs, strict: config.strict }),
      maxConcurrency: contexts,
    };
  } catch (thrown) {
    await engine.close();
    throw thrown;
  }
}
