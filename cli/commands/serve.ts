import { defineCommand } from '../program/define-command.ts';
import { serveOptions } from '../serving/options.ts';

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'serve the shop as a web site, for people to use in a browser',
  arguments: [{ name: 'site', says: 'what to serve: shop', required: true }],
  flags: [
    { flags: '--port <number>', says: 'port to listen on; 0 takes a free port (default: 3000)' },
    {
      flags: '--host <address>',
      says: 'another address of this machine than loopback; it then requires the token in the printed address (default: 127.0.0.1)',
    },
    {
      flags: '--panel <name>',
      says: 'a panel to take goals from, including held-out ones (repeatable; default: all that are not held out)',
      repeatable: true,
    },
    {
      flags: '--visits <number>',
      says: 'most visits to keep; the least recently used is dropped (default: 100)',
    },
    {
      flags: '--set <key=value>',
      says: 'one key of the config of shop-v1, its value as JSON or else as text (repeatable)',
      repeatable: true,
    },
    { flags: '--config <file>', says: 'a JSON file of options; flags take precedence' },
  ],
  examples: [
    { line: 'cairn serve shop', says: 'then open the printed address; Ctrl-C stops it' },
    {
      line: 'cairn serve shop --panel test --set maxSteps=100',
      says: 'held-out goals, with time to look around',
    },
    {
      line: 'cairn serve shop --port 0 --json',
      says: 'on any free port; prints the address as JSON as soon as it listens',
    },
  ],
  options: serveOptions,
  run: async (chosen, session) => {
    const { serveShop } = await import('../serving/serve-shop.ts');
    return serveShop(chosen, session);
  },
});
