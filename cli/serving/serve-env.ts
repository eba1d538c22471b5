import { createContext, type Context } from '../../envs/core/context.ts';
import type { AnyEnvDefinition, EnvHost } from '../../envs/core/env.ts';
import type { PanelInfo } from '../../envs/core/task.ts';
import { createEnvServer } from '../../serve/mcp/env-server.ts';
import { EpisodeDesk } from '../../serve/mcp/episode-desk.ts';
import { startMcpHttpServer } from '../../serve/mcp/http-server.ts';
import { loadServerSdk, type ServerSdk } from '../../serve/mcp/load-server-sdk.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { findEnv, withEnvHost } from '../options/named-env.ts';
import { plainJson } from '../terminal/terminal.ts';
import { createOpeningLog } from '../watch/opening-log.ts';
import { chosenPanels } from './chosen-panels.ts';
import type { ServeOptions } from './options.ts';
import { addressHint, interruption, tokenFor } from './serving-token.ts';

const usualEpisodes = 64;
const usualIdleSeconds = 600;
/** Milliseconds of a call. */
const callMs = 120_000;

/**
 * Serves an environment to MCP clients until the user interrupts, or the client leaves: over standard input and
 * output, or over HTTP where a port is named.
 */
export async function serveEnv(chosen: ServeOptions, session: CommandContext): Promise<Outcome> {
  const sdk = await loadServerSdk();
  const { definition, config } = await findEnv(
    { env: chosen.site, envModule: chosen.envModule, set: chosen.set },
    session.signal,
  );
  const log = createOpeningLog(session.progress, session.now);
  const { now, signal, environment } = session;
  const context = createContext({ seed: 0, now, signal, log, path: 'serve', system: environment });
  return await withEnvHost({ definition, config }, context, async (host) => {
    const panels = chosenPanels(definition.id, host.panels, chosen.panel ?? []);
    const desk = new EpisodeDesk({
      definition,
      host,
      panels,
      context,
      mostEpisodes: chosen.episodes ?? usualEpisodes,
      idleMs: 1_000 * (chosen.idle ?? usualIdleSeconds),
      callMs,
    });
    const serving = { sdk, desk, definition, host, panels, context };
    try {
      return chosen.port === undefined
        ? await serveOverStdio(serving, session)
        : await serveOverHttp(serving, { chosen, port: chosen.port, session });
    } finally {
      await desk.close();
    }
  });
}

interface Serving {
  readonly sdk: ServerSdk;
  readonly desk: EpisodeDesk;
  readonly definition: AnyEnvDefinition;
  readonly host: EnvHost<unknown, unknown>;
  readonly panels: readonly PanelInfo[];
  readonly context: Context;
}

const documentOf = ({ definition, panels }: Serving): object => ({
  env: definition.id,
  panels: panels.map(({ name, size, purpose }) => ({ name, size, purpose })),
});

/** Standard output belongs to the protocol, so that nothing else is printed there. */
async function serveOverStdio(serving: Serving, session: CommandContext): Promise<Outcome> {
  const { sdk, desk, context } = serving;
  const { stdin, terminal, progress } = session;
  const transport = new sdk.StdioServerTransport(stdin, terminal.out.stream);
  const handle = sdk.serveStdio(() => createEnvServer(sdk, desk, serving, session.version), {
    transport,
    onerror: (error) => progress.say(error.message),
  });
  progress.say(`${serving.definition.id} answers MCP on standard input and output`);
  const left = new Promise<void>((resolve) => {
    stdin.once('end', resolve);
    stdin.once('close', resolve);
  });
  await Promise.race([left, interruption(context.signal)]);
  await handle.close();
  return { document: documentOf(serving), lines: [], isTold: true };
}

async function serveOverHttp(
  serving: Serving,
  at: { readonly chosen: ServeOptions; readonly port: number; readonly session: CommandContext },
): Promise<Outcome> {
  const { sdk, desk } = serving;
  const { chosen, port, session } = at;
  const say = (line: string): void => session.progress.say(line);
  const handler = sdk.createMcpHandler(() => createEnvServer(sdk, desk, serving, session.version), {
    onerror: (error) => say(error.message),
  });
  const server = await startMcpHttpServer({
    handle: (request) => handler.fetch(request),
    host: chosen.host,
    port,
    token: tokenFor(chosen.host, session.environment),
    onError: say,
  });
  try {
    const document = { url: server.url, ...documentOf(serving) };
    session.terminal.out.write(session.json ? `${plainJson(document)}\n` : `${server.url}\n`);
    say(`${serving.definition.id} answers MCP at ${server.url}${addressHint(chosen.host)}; Ctrl-C stops it`);
    await interruption(session.signal);
    return { document, lines: [], isTold: true };
  } finally {
    await handler.close();
    await server.close();
  }
}
