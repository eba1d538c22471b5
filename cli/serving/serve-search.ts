import { createContext, type Context } from '../../envs/core/context.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { isStoredRetriever, type StoredRetriever } from '../../envs/engines/retrieval/stored-retriever.ts';
import { parseEnvConfig } from '../../envs/open.ts';
import { searchEnv } from '../../envs/search/definition.ts';
import { openRetriever } from '../../envs/search/open-source.ts';
import { SearchApi } from '../../serve/search/search-api.ts';
import { startSearchServer } from '../../serve/search/search-server.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { readAssignments } from '../options/assignments.ts';
import { plainJson } from '../terminal/terminal.ts';
import { createOpeningLog } from '../watch/opening-log.ts';
import type { ServeOptions } from './options.ts';
import { addressHint, interruption, tokenFor } from './serving-token.ts';

const usualTopk = 3;
/** The port of Search-R1's server. */
const usualPort = 8_000;

/** Serves a corpus, or the generated world, until the user interrupts. The address is printed once it listens. */
export async function serveSearch(chosen: ServeOptions, session: CommandContext): Promise<Outcome> {
  const token = tokenFor(chosen.host, session.environment);
  const log = createOpeningLog(session.progress, session.now);
  const context = createContext({
    seed: 0,
    now: session.now,
    signal: session.signal,
    log,
    path: 'open',
    system: session.environment,
  });
  const retriever = await openServed(chosen, context);
  try {
    return await serve(retriever, { chosen, token, session });
  } finally {
    await retriever.close();
  }
}

async function openServed(chosen: ServeOptions, context: Context): Promise<StoredRetriever> {
  const { corpus, index, idField, titleField, textField, vectorField, cacheFolder, set } = chosen;
  const assigned = readAssignments('--set', set);
  const dense = denseIn(assigned);
  const hasDocuments = corpus !== undefined || index !== undefined;
  if (hasDocuments && 'backend' in assigned && dense === undefined)
    throw new UsageError({
      where: 'cairn-gym serve search',
      what: `${corpus === undefined ? '--index' : '--corpus'} and --set backend both name the documents.`,
      fix: 'Remove one of them. With --corpus or --index, --set takes backend.dense alone.',
    });
  const fields = {
    ...(idField === undefined ? {} : { id: idField }),
    ...(titleField === undefined ? {} : { title: titleField }),
    ...(textField === undefined ? {} : { text: textField }),
    ...(vectorField === undefined ? {} : { vector: vectorField }),
  };
  if ((corpus === undefined || index !== undefined) && Object.keys(fields).length > 0)
    throw new UsageError({
      where: 'cairn-gym serve search',
      what:
        index === undefined
          ? 'columns are named, but no corpus.'
          : 'columns are named, but the index was built with its own.',
      fix:
        index === undefined
          ? 'Add --corpus FILE, or remove the flags of the columns.'
          : 'Remove the flags of the columns, or give them to `npx cairn-gym index`.',
    });
  const config = parseEnvConfig(searchEnv, {
    ...assigned,
    ...(hasDocuments
      ? {
          backend: {
            kind: 'corpus',
            ...(corpus === undefined ? {} : { file: corpus }),
            ...(index === undefined ? {} : { index }),
            fields,
            ...dense,
          },
        }
      : {}),
    ...(cacheFolder === undefined ? {} : { cacheFolder }),
  });
  const retriever = await openRetriever(config, context);
  if (isStoredRetriever(retriever)) return retriever;
  await retriever.close();
  throw new UsageError({
    where: 'cairn-gym serve search, --set backend',
    what: 'another server cannot be served.',
    fix: 'Give --corpus FILE or --index FILE, or nothing for the generated world.',
  });
}

/** The settings of dense retrieval, where `--set` has nothing else of the backend. */
function denseIn({ backend }: Readonly<Record<string, unknown>>): { readonly dense: unknown } | undefined {
  if (typeof backend !== 'object' || backend === null || !('dense' in backend)) return undefined;
  return Object.keys(backend).length === 1 ? { dense: backend.dense } : undefined;
}

async function serve(
  retriever: StoredRetriever,
  at: { readonly chosen: ServeOptions; readonly token: string | undefined; readonly session: CommandContext },
): Promise<Outcome> {
  const { chosen, token, session } = at;
  const api = new SearchApi({
    retriever,
    topk: chosen.topk ?? usualTopk,
    hasUrls: chosen.idField === 'url' || retriever.hasUrls === true,
  });
  const server = await startSearchServer({
    api,
    host: chosen.host,
    port: chosen.port ?? usualPort,
    token,
    onError: (line) => session.progress.say(line),
  });
  try {
    const document = { url: server.url, documents: retriever.size, retriever: retriever.identity };
    session.terminal.out.write(session.json ? `${plainJson(document)}\n` : `${server.url}\n`);
    session.progress.say(
      `${retriever.size} documents at ${server.url}/retrieve${addressHint(chosen.host)}; Ctrl-C stops it`,
    );
    await interruption(session.signal);
    return { document, lines: [], isTold: true };
  } finally {
    await server.close();
  }
}
