import { afterAll, expect, test } from 'vitest';
import { codeConfig } from '../../../envs/code/config.ts';
import { openCode } from '../../../envs/code/open-code.ts';
import { createContext } from '../../../envs/core/context.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { openGround } from './ground.ts';

const context = createContext({ seed: 0, now: () => 0 });

const nested = (levels: number): string => `[${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}]`;
const nestedObjects = (levels: number): string => `[${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}]`;

/** Programs that count their arguments, under whatever name the problem uses. */
const counting = {
  python: 'class Solution:\n    def __getattr__(self, name):\n        return lambda *given: len(given)\n',
  javascript: 'module.exports = (...given) => given.length;\n',
} as const;
type Language = keyof typeof counting;

await describeWithParts(['bubblewrap'], 'an input that the agent chose', () => {
  const ground = openGround();
  afterAll(() => ground.provider[Symbol.asyncDispose]());

  /** What the agent sees after each input that it runs a program on, in one episode. */
  async function tried(language: Language, inputs: readonly string[]) {
    const host = await openCode(codeConfig.parse({ language, testMs: 3_000, maxSteps: 50 }), ground, context);
    const env = await host.create();
    await env.reset({ panel: 'dev', index: 0 }, context);
    const seen = [];
    for (const input of inputs) {
      const { inadmissible, observation } = await env.step(
        { kind: 'run', input, program: counting[language] },
        context,
      );
      seen.push({ inadmissible, said: observation.said });
    }
    await env.close();
    return seen;
  }

  test.each(['python', 'javascript'] as const)('runs a program on any JSON list, in %s', async (language) => {
    const inputs = [
      '[[1, 2], 3]',
      '[9007199254740993, 2.0]',
      '["#integer", "\\u0023 int"]',
      nested(100).replace(/^\[/, '[1, '),
      '[{"__proto__": 1}, 1e-999]',
    ];
    expect(await tried(language, inputs)).toEqual(
      inputs.map(() => ({ inadmissible: false, said: 'It gave: 2' })),
    );
  });

  test.each(['python', 'javascript'] as const)(
    'refuses an input that no program can take, with the reason, in %s',
    async (language) => {
      const mark = /"#(?:int|float)" stands for numbers/;
      const deep = /nested more than 100 levels deep/;
      const refused: readonly (readonly [string, RegExp])[] = [
        ['[{"#int": "x"}]', mark],
        [String.raw`[{"\u0023int": "x"}]`, mark],
        [String.raw`[{"#\u0069nt": "12"}]`, mark],
        [String.raw`[{"\u0023float": "1e999"}]`, mark],
        [String.raw`["\u0023float"]`, mark],
        [nested(101), deep],
        [nested(300), deep],
        [nested(1_200), deep],
        [nested(3_000), deep],
        [nested(30_000), deep],
        [nestedObjects(5_000), deep],
        ['[1e999]', /1e999 is larger than any number a program can be given/],
        ['[[2, -1e400]]', /-1e400 is larger/],
        [`[1${'0'.repeat(400)}.0]`, /is larger/],
        ['[1, 2', /not JSON/],
        ['["never ends', /not JSON/],
        ['{"a": 1}', /no JSON list/],
        ['3', /no JSON list/],
      ];
      const seen = await tried(
        language,
        refused.map(([input]) => input),
      );
      for (const [at, { inadmissible, said }] of seen.entries()) {
        const [input = '', why = /never/] = refused[at] ?? [];
        expect(said, input.slice(0, 40)).toMatch(why);
        expect(said).toMatch(/^Nothing was run: .*Give the arguments as a JSON list/s);
        expect(said.length).toBeLessThan(600);
        expect(inadmissible).toBe(true);
      }
    },
  );
});
