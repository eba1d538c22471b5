import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ListedCommand } from '../../../cli/command.ts';
import { loadAllCommands } from '../../../cli/commands.ts';
import { defineCommand } from '../../../cli/program/define-command.ts';
import { wholeNumber } from '../../../cli/options/option-values.ts';
import { cairn } from '../../support/command-line.ts';
import { root } from '../../support/run-program.ts';
import { makePipe } from '../../support/make-pipe.ts';

const echoBody = defineCommand({
  arguments: [{ name: 'word', says: 'a word', required: true }],
  flags: [
    { flags: '--times <number>', says: 'how often' },
    { flags: '--tag <name>', says: 'a tag', repeatable: true },
    { flags: '--loud-voice', says: 'loudly' },
    { flags: '--config <file>', says: 'a file' },
  ],
  examples: [{ line: 'npx cairn-gym echo hi', says: 'says hi' }],
  options: z.strictObject({
    word: z.string(),
    times: wholeNumber(1).default(1),
    tag: z.array(z.string()).default([]),
    loudVoice: z.boolean().default(false),
  }),
  run: (options) =>
    Promise.resolve({ document: options, lines: [options.word], failed: options.word === 'no' }),
});
const echo: ListedCommand = { name: 'echo', summary: 'says what it was given', load: async () => echoBody };
const commands = await loadAllCommands();
const given = async (...words: readonly string[]): Promise<unknown> =>
  JSON.parse((await cairn(['echo', ...words, '--json'], { commands: [echo] })).out);
const refusal = async (...words: readonly string[]): Promise<string> => {
  const { code, out, err } = await cairn(words, { commands: [echo] });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  return err;
};

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));
const file = async (content: string): Promise<string> => {
  const name = path.join(folder, `${Math.random()}.json`);
  await writeFile(name, content);
  return name;
};

describe('parsing of command options', () => {
  it('reads flags in any order, with defaults from the schema', async () => {
    expect(await given('hi')).toEqual({ word: 'hi', times: 1, tag: [], loudVoice: false });
    expect(await given('--tag', 'a', '--times', '3', 'hi', '--loud-voice', '--tag', 'b')).toEqual({
      word: 'hi',
      times: 3,
      tag: ['a', 'b'],
      loudVoice: true,
    });
  });

  it('refuses a single-use option given twice', async () => {
    expect(await refusal('echo', 'hi', '--times', '3', '--times', '4')).toBe(
      'error: --times: it is given twice, as 3 and as 4. Give it once.\n',
    );
  });

  it('reads a config file, whose values flags override', async () => {
    const config = await file('{"word": "filed", "times": 5, "tag": ["x"]}');
    expect(await given('--config', config)).toEqual({
      word: 'filed',
      times: 5,
      tag: ['x'],
      loudVoice: false,
    });
    expect(await given('said', '--config', config, '--times', '2')).toMatchObject({
      word: 'said',
      times: 2,
      tag: ['x'],
    });
  });

  it.each([
    ['{"wrod": "x"}', /"wrod" in .*the option does not exist\. Did you mean word\?/],
    ['{"word": "x", "times": "many"}', /"times" in .*: must be an integer\./],
    ['[1]', /is not a JSON object/],
    ['{', /is not valid JSON/],
  ])('refuses the config file %s', async (content, message) => {
    expect(await refusal('echo', '--config', await file(content))).toMatch(message);
  });

  it('refuses a pipe as config file, which might never be written', async () => {
    const pipe = path.join(folder, 'pipe');
    await makePipe(pipe);
    expect(await refusal('echo', '--config', pipe)).toMatch(/config file .*pipe: it is a pipe or a device\b/);
  });

  it('refuses a missing config file', async () => {
    expect(await refusal('echo', '--config', path.join(folder, 'none.json'))).toMatch(
      /none\.json: there is no such file\./,
    );
  });

  it.each([
    [['echo'], /<word> is missing/],
    [['echo', 'a', 'b'], /too many arguments/],
    [['echo', 'a', '--times', '0'], /--times: must be at least 1\./],
    [['echo', 'a', '--times', '1.5'], /--times: must be an integer\./],
    [['echo', 'a', '--times', '99999999999999999999'], /--times: must be at most 9007199254740991\./],
    [['echo', 'a', '--times'], /--times.*argument missing/],
    [
      ['echo', 'a', '--loud-voise'],
      /cairn-gym echo: there is no flag --loud-voise\. Did you mean --loud-voice\?/,
    ],
    [['echo', 'a', '--zzzzzz'], /there is no flag --zzzzzz\. See `npx cairn-gym echo --help`/],
    [
      ['echo', '--tag', 'sub', '--tims', '2'],
      /cairn-gym echo: there is no flag --tims\. Did you mean --times\?/,
    ],
    [['echo', 'a', '--tims=2'], /there is no flag --tims=2\. Did you mean --times\?/],
    [['--quite', 'echo', 'a'], /there is no flag --quite\. Did you mean --quiet\?/],
    [['ehco'], /there is no command "ehco"\. Did you mean echo\?/],
    [['help', 'ehco'], /there is no command "ehco"\. Did you mean echo\?/],
    [['zzzzzz'], /there is no command "zzzzzz"\. See `npx cairn-gym --help`/],
    [[], /no command was named/],
  ])('refuses wrong words with a hint: %j', async (words, message) => {
    expect(await refusal(...words)).toMatch(message);
  });
});

describe('flag named like a key of the env’s config', () => {
  it.each([
    [['play', 'shop', '--max-steps', 'many'], /maxSteps/],
    [['play', '--max-steps=0', 'shop'], /maxSteps/],
    [['eval', 'shop-v1', '--agent', 'random', '--strict', '--panel', 'none-such'], /none-such/],
    [['bench', 'shop', '--strict', 'false', '--panel', 'none-such'], /none-such/],
    [['eval', 'alfworld', "--files=/no/it's/games", '--agent', 'random'], /\/no\/it's\/games/],
    [['eval', 'alfworld', "--files=/no/it's\n'games", '--agent', 'random'], /there is no such/],
    [['bench', '--strict', 'shop', '--panel', 'none-such'], /none-such/],
    [['bench', 'web', '--pages', 'web'], /pages web: it is not there/],
    [
      ['bench', 'shop', '--set', 'catalogue={"kind":"generated"}', '--catalogue.products', '0'],
      /catalogue\.products/,
    ],
    [['play', 'shop', '--catalogue.products', '0'], /catalogue\.products/],
    [['bench', 'web', '--pages', 'no-such-folder'], /pages no-such-folder: it is not there/],
    [['bench', 'web', '--pages', '7'], /pages 7: it is not there/],
    [['play', '--pages=no such folder', 'web', '--max-steps', '3'], /pages no such folder: it is not there/],
  ])('sets the key: %j', async (words, message) => {
    const { code, err } = await cairn(words);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
    expect(err).not.toContain('there is no flag');
  });

  it.each([
    [
      ['bench', '--run', 'somewhere', '--strict'],
      /cairn-gym bench: there is no flag --strict\. Use --set strict=true, a key of the config of environments such as shop-v1\. See `npx cairn-gym bench --help`/,
    ],
    [
      ['play', 'shop', '--catalogue', 'shop'],
      /catalogue is a group of keys in the config of shop-v1: use --set with catalogue\.kind or catalogue\.products or catalogue\.seed or /,
    ],
    [
      ['bench', 'web', '--viewport', '300'],
      /viewport is a group of keys .*: use --viewport\.width 300 or --viewport\.height 300, or --set with viewport\.width or viewport\.height\. /,
    ],
    [['bench', '--max-steps', 'web'], /Use --set maxSteps=VALUE, a key of the config of web-v1/],
    [['bench', 'web', '--max-step', '4'], /there is no flag --max-step\. Did you mean --max-steps\?/],
    [['bench', 'web', '--tasksx', '3'], /there is no flag --tasksx\. Did you mean --tasks or --task\? See `/],
    [
      ['bench', 'web', '--set', 'tasks=click-button,click-link'],
      /tasks: "click-button,click-link" is given where list of string is wanted, such as \["click-button","click-link"\]\. /,
    ],
    [
      ['bench', 'web', '--context=4'],
      /there is no flag --context=4\. Did you mean --contexts or --context-length\?/,
    ],
    [['bench', 'web', '--viewport.widht', '4'], /Did you mean --viewport\.width/],
    [
      ['bench', 'web', '--screenshots', 'no'],
      /config of web-v1: screenshots: "no" is given where boolean is wanted/,
    ],
    [
      ['bench', 'web', '--curriculum', 'False'],
      /config of web-v1: curriculum: "False" is given where boolean is wanted/,
    ],
    [
      ['bench', 'web', '--max-steps', '5', '--max-steps', '6'],
      /--set maxSteps: it is given twice, as 5 and as 6\. Give it once\./,
    ],
    [
      ['bench', 'web', '--max-steps', '5', '--set', 'maxSteps=7'],
      /--set maxSteps: it is given twice, as 5 and as 7\./,
    ],
    [
      ['bench', 'web', '--set', 'viewport.width=70', '--set', 'viewport={"width":60}'],
      /--set viewport\.width: it is given twice, as 70 and as 60\./,
    ],
    [
      ['bench', 'web', '--tasks', 'click-button,click-link'],
      /--tasks: must be an integer\. To set the config key tasks of web-v1, write --set 'tasks=\["click-button","click-link"\]'\. /,
    ],
    [
      ['eval', 'web', '--agent', 'random', '--tasks', '1.5', '--seed', 'x'],
      /--seed: must be an integer\. To set the config key tasks .* `npx cairn-gym eval --help`/,
    ],
    [['bench', 'shop', '--tasks', 'x'], /--tasks: must be an integer\. `npx cairn-gym bench --help`/],
    [['bench', 'web', '--pages'], /Use --set pages=VALUE, a key of the config of web-v1/],
    [['bench', 'web', '--pages', '--quiet'], /Use --set pages=VALUE/],
    [
      ['bench', 'household', '--pages', 'somewhere'],
      /there is no flag --pages\. household-v1 has no config key pages; web-v1 has\. /,
    ],
  ])('fails with the right spelling when it is ambiguous or wrong: %j', async (words, message) => {
    const { code, err } = await cairn(words);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
  });

  it('sets a key of a user’s env too', async () => {
    const module = path.join(folder, 'strict-env.ts');
    await writeFile(
      module,
      `import { environments as sorting } from ${JSON.stringify(path.join(root, 'examples/sort-env.ts'))};
       import { shopEnv } from ${JSON.stringify(path.join(root, 'envs/shop/definition.ts'))};
       export const environments = [{ ...sorting[0], id: 'my-lab/strict-v1', config: shopEnv.config }];`,
    );
    for (const named of [['--env-module', module], [`--env-module=${module}`]]) {
      expect((await cairn(['bench', 'my-lab/strict', ...named, '--max-steps=0'])).err).toMatch(
        /my-lab\/strict-v1.*maxSteps/,
      );
    }
  });

  it('means nothing to another env, nor to commands that open no env', async () => {
    expect((await cairn(['play', 'lights-out', '--strict'])).err).toMatch(
      /there is no flag --strict\. (?!Use)/,
    );
    expect((await cairn(['doctor', '--strict'])).err).toMatch(/there is no flag --strict\. (?!Use)/);
  });
});

describe('exit code', () => {
  it('equals 1 when the command’s answer is no', async () => {
    expect((await cairn(['echo', 'no'], { commands: [echo] })).code).toBe(1);
    expect((await cairn(['echo', 'yes'], { commands: [echo] })).code).toBe(0);
  });
});

describe('--json', () => {
  it('prints refusals as a document, in any position', async () => {
    for (const words of [
      ['--json', 'ehco'],
      ['echo', '--json'],
    ]) {
      const { code, out, err } = await cairn(words, { commands: [echo] });
      expect(code).toBe(2);
      expect(JSON.parse(out)).toMatchObject({
        error: { kind: 'usage', where: words.includes('echo') ? 'cairn-gym echo' : 'cairn-gym' },
      });
      expect(err).toMatch(/^error: /);
    }
  });

  it('prints version and help as a document, in any position', async () => {
    for (const words of [
      ['--version', '--json'],
      ['--json', '--version'],
    ]) {
      expect(await cairn(words)).toEqual({ code: 0, out: '{\n  "version": "9.9.9"\n}\n', err: '' });
    }
    const { code, out } = await cairn(['eval', '--help', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ help: (await cairn(['eval', '--help'])).out });
  });

  it('prints no control characters', async () => {
    const { out } = await cairn(['echo', '\u001b]0;x\u0007\u009b31m\u202ehi', '--json'], {
      commands: [echo],
    });
    expect(out).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(out)).toMatchObject({ word: '\u001b]0;x\u0007\u009b31m\u202ehi' });
  });
});

describe('text output', () => {
  it('contains no control sequences, in answers and refusals', async () => {
    expect((await cairn(['echo', 'a\u001b[31mb\u001b]0;title\u0007c'], { commands: [echo] })).out).toBe(
      'abc\n',
    );
    expect(await refusal('\u001b[2Jecho')).not.toContain('\u001b');
  });

  it('loads only the command that is named, and none for the version and general help', async () => {
    const broken: ListedCommand = {
      name: 'broken',
      summary: 'cannot be loaded',
      load: () => Promise.reject(new Error('it was loaded')),
    };
    const say = (...words: readonly string[]) => cairn(words, { commands: [broken, echo] });
    expect(await say('echo', 'broken')).toEqual({ code: 0, out: 'broken\n', err: '' });
    expect((await say('--version')).code).toBe(0);
    expect((await say('--help')).out).toContain('cannot be loaded');
    expect((await say('help', 'broken')).err).toContain('it was loaded');
  });

  it('prints the version and help on stdout', async () => {
    expect(await cairn(['--version'])).toEqual({ code: 0, out: '9.9.9\n', err: '' });
    const { code, out, err } = await cairn(['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const { name } of commands) expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
  });

  it.each(commands.map((command) => [command.name, command] as const))(
    'includes help with examples for %s',
    async (name, command) => {
      const { code, out } = await cairn([name, '--help']);
      expect(code).toBe(0);
      expect(command.examples.length).toBeGreaterThan(0);
      for (const { line } of command.examples) expect(out).toContain(`$ ${line}`);
      for (const flag of ['--json', '--quiet']) expect(out).toContain(flag);
    },
  );

  it.each(commands.map((command) => [command.name, command] as const))(
    'offers no flag of %s without an option',
    (_name, command) => {
      for (const { flags } of command.flags) {
        const option = (/--([a-z-]+)/.exec(flags)?.[1] ?? '').replace(/-([a-z])/g, (_all, letter: string) =>
          letter.toUpperCase(),
        );
        if (option !== 'config' || command.configFile === 'own')
          expect(command.optionNames).toContain(option);
      }
    },
  );
});
