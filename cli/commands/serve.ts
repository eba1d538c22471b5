import { defineCommand } from '../program/define-command.ts';
import { serveOptions } from '../serving/options.ts';

export const serveCommand = defineCommand({
  arguments: [
    { name: 'site', says: 'what to serve: shop, search, or with --mcp any environment', required: true },
  ],
  flags: [
    {
      flags: '--mcp',
      says: 'serve an environment to MCP clients, over standard input and output, or over HTTP with --port',
    },
    {
      flags: '--port <number>',
      says: 'port to listen on; 0 takes a free one (default: shop 3000, search 8000)',
    },
    {
      flags: '--host <address>',
      says: 'address to listen on; other machines need the token in the printed address (default: 127.0.0.1)',
    },
    {
      flags: '--panel <name>',
      says: 'shop, MCP: a panel to offer tasks from, also a held-out one (repeatable; default: all that are not held out)',
      repeatable: true,
    },
    {
      flags: '--visits <number>',
      says: 'shop: maximum number of visits; the least recently used makes room (default: 100)',
    },
    {
      flags: '--episodes <number>',
      says: 'MCP: maximum number of open episodes (default: 64)',
    },
    {
      flags: '--idle <seconds>',
      says: 'MCP: seconds without a call after which an episode is closed (default: 600)',
    },
    {
      flags: '--env-module <file>',
      says: 'MCP: load your own environments from a TypeScript or JavaScript module (repeatable)',
      repeatable: true,
    },
    {
      flags: '--set <key=value>',
      says: 'one key of the config of the environment; the value is JSON, else text (repeatable)',
      repeatable: true,
    },
    {
      flags: '--corpus <file>',
      says: 'search: documents in JSON lines, CSV or Parquet (default: the generated world of search-v1)',
    },
    {
      flags: '--index <file>',
      says: 'search: an index on disk, which `cairn-gym index` builds; --corpus then says where its corpus is now',
    },
    { flags: '--topk <number>', says: 'search: results of a query that asks for no number (default: 3)' },
    { flags: '--id-field <name>', says: 'search: column of the id; url also gives documents their address' },
    { flags: '--title-field <name>', says: 'search: column of the title' },
    { flags: '--text-field <name>', says: 'search: column of the text' },
    {
      flags: '--vector-field <name>',
      says: 'search: column of vectors, for dense retrieval with --set backend.dense',
    },
    {
      flags: '--cache-folder <folder>',
      says: 'search: folder for indexes (default: .cache/cairn-gym in the home folder)',
    },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    { line: 'npx cairn-gym serve shop', says: 'then open the printed address; Ctrl-C stops it' },
    {
      line: 'npx cairn-gym serve shop --panel test --set maxSteps=100',
      says: 'held-out goals, with time to look around',
    },
    {
      line: 'npx cairn-gym serve search --corpus wiki-18.jsonl',
      says: 'answers /retrieve and /access as the servers of Search-R1 and ASearcher do',
    },
    {
      line: 'npx cairn-gym serve search --index wiki-18.index',
      says: 'the same over an index on disk, for more documents than memory holds',
    },
    {
      line: 'npx cairn-gym serve search --corpus docs.jsonl --set backend.dense.url=http://127.0.0.1:8001 --set backend.dense.model=NAME',
      says: 'BM25 and the vectors of an embedding server, by reciprocal rank',
    },
    {
      line: 'npx cairn-gym serve household --mcp',
      says: 'what an MCP client starts; its tools are start_episode, step and close_episode',
    },
    {
      line: 'npx cairn-gym serve tools --mcp --port 8080',
      says: 'the same over HTTP; the tools of the world are tools too',
    },
    {
      line: 'npx cairn-gym serve shop --port 0 --json',
      says: 'on any free port; prints the address as JSON as soon as it listens',
    },
  ],
  options: serveOptions,
  run: async (chosen, session) => {
    if (chosen.mcp) {
      const { serveEnv } = await import('../serving/serve-env.ts');
      return serveEnv(chosen, session);
    }
    if (chosen.site === 'search') {
      const { serveSearch } = await import('../serving/serve-search.ts');
      return serveSearch(chosen, session);
    }
    const { serveShop } = await import('../serving/serve-shop.ts');
    return serveShop(chosen, session);
  },
});
