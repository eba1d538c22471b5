import { closeHost } from '../../envs/core/closing.ts';
import { createContext } from '../../envs/core/context.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { PanelInfo } from '../../envs/core/task.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import { shopEnv } from '../../envs/shop/definition.ts';
import { openInContext } from '../../envs/shop/open-configured.ts';
import type { ShopHost } from '../../envs/shop/host.ts';
import { startPageServer } from '../../serve/http/page-server.ts';
import { createShopDesk } from '../../serve/shop/shop-desk.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { chosenPanels } from './chosen-panels.ts';
import type { ServeOptions } from './options.ts';
import { readAssignments } from '../options/assignments.ts';
import { createOpeningLog } from '../watch/opening-log.ts';
import { plainJson } from '../terminal/terminal.ts';
import { addressHint, interruption, tokenFor } from './serving-token.ts';

const usualVisits = 100;
const usualPort = 3_000;

/** Serves the shop until the user interrupts. The address is printed as soon as it can be opened. */
export async function serveShop(chosen: ServeOptions, session: CommandContext): Promise<Outcome> {
  const token = tokenFor(chosen.host, session.environment);
  const assigned = readAssignments('--set', chosen.set);
  if ('observationMode' in assigned) {
    throw new UsageError({
      where: 'cairn-gym serve shop, --set observationMode',
      what: 'the web site has its own pages and does not support modes.',
      fix: 'Remove it.',
    });
  }
  const config = parseEnvConfig(shopEnv, assigned);
  const log = createOpeningLog(session.progress, session.now);
  const context = createContext({ seed: 0, now: session.now, signal: session.signal, log, path: 'open' });
  const host = await openInContext(config, context);
  try {
    const panels = chosenPanels('shop', host.panels, chosen.panel ?? []);
    return await serve({ host, panels, token, config, chosen }, session);
  } finally {
    await closeHost(host, shopEnv.id, context);
  }
}

interface Serving {
  readonly host: ShopHost;
  readonly panels: readonly PanelInfo[];
  readonly token: string | undefined;
  readonly config: { readonly maxSteps: number };
  readonly chosen: ServeOptions;
}

async function serve(
  { host, panels, token, config, chosen }: Serving,
  session: CommandContext,
): Promise<Outcome> {
  const say = (line: string): void => session.progress.say(line);
  const desk = createShopDesk({
    host,
    panels,
    root: token === undefined ? '' : `/${token}`,
    stepLimit: config.maxSteps,
    mostVisits: chosen.visits ?? usualVisits,
    say,
  });
  const server = await startPageServer({
    handler: desk,
    host: chosen.host,
    port: chosen.port ?? usualPort,
    token,
    onError: say,
  });
  try {
    const document = {
      url: server.url,
      env: shopEnv.id,
      config,
      panels: panels.map(({ name, size, purpose }) => ({ name, size, purpose })),
    };
    session.terminal.out.write(session.json ? `${plainJson(document)}\n` : `${server.url}\n`);
    say(
      `${panels.map(({ name, size }) => `${name} ${size}`).join(', ')}${addressHint(chosen.host)}; Ctrl-C stops it`,
    );
    await interruption(session.signal);
    return { document, lines: [], isTold: true };
  } finally {
    await server.close();
  }
}
