import { defineCommand } from '../program/define-command.ts';
import { serveOptions } from '../serving/options.ts';

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'serve the shop as a web site, to shop in a browser',
  arguments: [{ name: 'site', says: 'the site: shop', required: true }],
  flags: [
    { flags: '--port <number>', says: 'port to listen on; 0 takes a free one (default: 3000)' },
    {
      flags: '--host <address>',
      says: 'address to listen on; other machines need the token in the printed address (default: 127.0.0.1)',
    },
    {
      flags: '--panel <name>',
      says: 'a panel to offer goals from, also a held-out one (repeatable; default: all that are not held out)',
      repeatable: true,
    },
    {
      flags: '--visits <number>',
      says: 'maximum number of visits; the least recently used makes room (default: 100)',
    },
    {
      flags: '--set <key=value>',
      says: 'one key of the config of shop-v1; the value is JSON, else text (repeatable)',
      repeatable: true,
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
      line: 'npx cairn-gym serve shop --port 0 --json',
      says: 'on any free port; prints the address as JSON as soon as it listens',
    },
  ],
  options: serveOptions,
  run: async (chosen, session) => {
    const { serveShop } = await import('../serving/serve-shop.ts');
    return serveShop(chosen, session);
  },
});
