import { defineCommand } from '../program/define-command.ts';
import { serveOptions } from '../serving/options.ts';

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'serve the shop as a web site, for you to shop in a browser',
  arguments: [{ name: 'site', says: 'what is served: shop', required: true }],
  flags: [
    { flags: '--port <number>', says: 'where it listens; 0 takes a port that is free (default: 3000)' },
    {
      flags: '--host <address>',
      says: 'another address of this machine than loopback; others need the token in the address that is printed (default: 127.0.0.1)',
    },
    {
      flags: '--panel <name>',
      says: 'a panel to pick goals from, held-out ones too (repeatable; default: all that are not held out)',
      repeatable: true,
    },
    {
      flags: '--visits <number>',
      says: 'visits kept at once; the one used least lately makes room (default: 100)',
    },
    {
      flags: '--set <key=value>',
      says: 'one key of the config of shop-v1, its value as JSON or else as text (repeatable)',
      repeatable: true,
    },
    { flags: '--config <file>', says: 'a JSON file of options; flags win' },
  ],
  examples: [
    { line: 'cairn serve shop', says: 'then open the address that it prints; Ctrl-C ends it' },
    {
      line: 'cairn serve shop --panel test --set maxSteps=100',
      says: 'held-out goals, with time to look around',
    },
    {
      line: 'cairn serve shop --port 0 --json',
      says: 'on any free port, the address as JSON as soon as it listens',
    },
  ],
  options: serveOptions,
  run: async (chosen, session) => {
    const { serveShop } = await import('../serving/serve-shop.ts');
    return serveShop(chosen, session);
  },
});
