import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPrompt, promptNames } from '../../../agents/prompt/load-prompt.ts';
import type { Prompt } from '../../../agents/prompt/prompt.ts';
import { parseTextGrammar } from '../../../envs/alfworld/text-grammar/twl2.ts';
import { grammarText } from '../../../envs/alfworld/write-game/grammar-text.ts';
import { openTwins, type TwinWorlds } from '../../envs/alfworld/twin-worlds.ts';
import { expectSameTranscript, taskOf } from './same-transcript.ts';

const dialects = ['current', 'classic'] as const;
const prompts = await Promise.all(promptNames.map((name) => loadPrompt(name)));
const teaching = (dialect: string): readonly Prompt[] =>
  prompts.filter(({ requires }) => requires['dialect']?.includes(dialect));

/** `take {object} from {place}`, as prompts write what grammars write as `take {o} from {r}`. */
const asTaught = (template: string): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'r' ? '{place}' : '{object}'));

/** The commands that games of a dialect know. */
function commandsOf(dialect: (typeof dialects)[number]): ReadonlySet<string> {
  const { actions } = parseTextGrammar({
    name: 'grammar',
    text: grammarText({ instruction: 'any.', dialect }),
  });
  return new Set([...actions.values()].map(({ template }) => asTaught(template)));
}

/** The commands that a prompt lists: the lines of its system text that begin with a dash, without what is said of them. */
function taughtBy({ system }: Prompt): ReadonlySet<string> {
  const lines = system.split('\n').filter((line) => line.startsWith('- '));
  return new Set(
    lines.flatMap((line) =>
      line
        .slice(2)
        .replaceAll(/ \([^)]*\)/g, '')
        .split(', '),
    ),
  );
}

describe.each(dialects)('prompts of the %s dialect', (dialect) => {
  const told = teaching(dialect).flatMap(({ examples, grammar }) =>
    examples.map((example) => ({ example, grammar, task: taskOf(example, 'household-v1') })),
  );
  let twins: TwinWorlds | undefined;
  beforeAll(
    async () =>
      void (twins = await openTwins(
        'household-v1',
        dialect,
        told.map(({ task }) => task),
      )),
  );
  afterAll(() => twins?.close());

  it('teach exactly the commands of its grammar', () => {
    const known = commandsOf(dialect);
    expect(teaching(dialect).map(({ grammar }) => grammar)).toEqual(['react', 'tags']);
    for (const prompt of teaching(dialect))
      expect(taughtBy(prompt)).toEqual(
        new Set([...known].filter((command) => command !== 'examine {place}')),
      ); // said as one with {object}
  });

  it('show examples that can be replayed exactly, in the household and in its games', async () => {
    expect(told).toHaveLength(2);
    for (const [index, { example, grammar, task }] of told.entries()) {
      if (twins === undefined) throw new Error('the worlds are not open');
      await expectSameTranscript(twins.household, task, { example, grammar });
      await expectSameTranscript(twins.games, { panel: 'train', index }, { example, grammar });
    }
  });
});

describe('prompts of two dialects', () => {
  it('differ only in the words of the dialect', () => {
    const [current, classic] = dialects.map((dialect) =>
      teaching(dialect).map((prompt) => ({
        ...prompt,
        system: prompt.system.split('\n').filter((line) => !line.startsWith('- ')),
        examples: prompt.examples.length,
        name: '',
        summary: '',
        requires: {},
        fingerprint: '',
      })),
    );
    expect(classic).toEqual(current);
    const replies = (dialect: string): readonly string[] =>
      teaching(dialect).flatMap(({ examples }) =>
        examples.flatMap(({ turns }) => turns.map(({ reply }) => reply)),
      );
    expect(replies('classic')).toEqual(
      replies('current').map((reply) =>
        reply.replace(/^Action: move (.+) to (.+)$/m, 'Action: put $1 in/on $2'),
      ),
    );
    expect(replies('classic')).not.toEqual(replies('current'));
  });

  it('the prompts named household-… alone mention a dialect or household commands', () => {
    for (const prompt of prompts)
      if (/\{place\}/.test(prompt.system))
        expect([['current'], ['classic']]).toContainEqual(prompt.requires['dialect']);
    for (const { name, requires } of prompts)
      expect('dialect' in requires, name).toBe(name.startsWith('household-'));
  });
});
