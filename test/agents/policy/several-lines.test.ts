import { describe, expect, it } from 'vitest';
import { createHumanAgent } from '../../../agents/policy/human.ts';
import { critiqueEnv } from '../../../envs/code/critique/definition.ts';
import { codeEnv } from '../../../envs/code/definition.ts';
import { createContext } from '../../../envs/core/context.ts';
import { FaultError } from '../../../envs/core/errors.ts';
import type { Textual } from '../../../envs/core/textual.ts';
import { commandText } from '../../../envs/kit/text-game.ts';
import { sqlEnv } from '../../../envs/sql/definition.ts';

const context = createContext({ seed: 0, now: () => 0 });

/** Types these lines and ends the input. Returns the actions taken in a world that never changes, and the screen with both sides. */
async function type<Act>(
  { parse, action }: Pick<Textual<never, Act>, 'parse' | 'action'>,
  ...lines: readonly string[]
) {
  const left = [...lines];
  let screen = '';
  const talk = {
    ask: async (prompt: string) => {
      const line = left.shift();
      screen += `${prompt}${line ?? ''}\n`;
      return line;
    },
    say: (words: string) => void (screen += `${words}\n`),
  };
  const agent = createHumanAgent<string, Act>({ text: { observation: (seen) => seen, action, parse }, talk });
  const player = agent.begin({ instruction: 'Do.', task: { panel: 'dev', index: 0 } }, context);
  const turn = {
    observation: 'Here.',
    stateKey: undefined,
    anchorKey: undefined,
    admissible: undefined,
    stepsLeft: undefined,
    seat: 0,
    instruction: 'Do.',
  };
  const done: Act[] = [];
  for (;;) {
    try {
      const { reply } = await player.act(turn, context);
      if (reply.kind === 'action') done.push(reply.action);
    } catch (thrown) {
      if (!FaultError.is(thrown)) throw thrown;
      return { done, screen };
    }
  }
}

const code = codeEnv.text;
const awaiting = '... (``` begins a block, an empty line ends) ';

describe('reply of several lines', () => {
  it('consists of a word and the block after it, where the env’s words have blocks', async () => {
    const program = ['def f(values):', '    return 0', '', 'quit'];
    const { done, screen } = await type(
      code,
      'submit',
      '```',
      ...program,
      '```',
      'Test:',
      '```python',
      'x',
      '```',
      'run',
      '```input',
      '[[1,2]]',
      '```',
      'finish',
    );
    expect(done).toEqual([
      { kind: 'submit', program: program.join('\n') },
      { kind: 'test', program: 'x' },
      { kind: 'run', input: '[[1,2]]' },
      { kind: 'finish' },
    ]);
    expect(screen).not.toContain('Not understood');
    expect(screen).toContain(
      `> submit\n${awaiting}\`\`\`\n... def f(values):\n...     return 0\n... \n... quit\n... \`\`\`\n`,
    );
  });

  it('may be a bare block, and ends at a fence that its text does not contain', async () => {
    expect((await type(code, '````', '```', 'finish', '````', '~~~', 'y', '~~~')).done).toEqual([
      { kind: 'submit', program: '```\nfinish' },
      { kind: 'submit', program: 'y' },
    ]);
  });

  it('waits for a second block until an empty line or another reply arrives', async () => {
    const input = ['run', '```input', '1', '```'];
    const run = { kind: 'run', input: '1' };
    expect((await type(code, ...input, '```', 'x', '```', 'finish')).done).toEqual([
      { ...run, program: 'x' },
      { kind: 'finish' },
    ]);
    expect((await type(code, ...input, '', '```', 'x', '```')).done).toEqual([
      run,
      { kind: 'submit', program: 'x' },
    ]);
    expect((await type(code, ...input)).done).toEqual([run]);
    expect((await type(code, ...input, 'finish')).screen).toContain(
      `${awaiting}finish\nDo.\n\nHere.\n> finish\n`,
    );
  });

  it('rejects a block command without its block, and reads the next line as a new reply', async () => {
    const { done, screen } = await type(code, 'submit', 'finish', 'submit', '', 'submit');
    expect(done).toEqual([{ kind: 'finish' }]);
    expect(screen.match(/Not understood: No action was recognised/g)).toHaveLength(3);
  });

  it('does nothing when the input ends inside a block, and says so', async () => {
    const { done, screen } = await type(code, 'submit', '```', 'x = 1');
    expect(done).toEqual([]);
    expect(screen).toMatch(
      /\nThe input ended inside a block, before the closing line of ```\. The block was not used\.\n$/,
    );
  });

  it('supports blocks in every env whose words have them', async () => {
    expect((await type(critiqueEnv.text, 'test', 'run', '```input', '1', '```', 'right')).done).toEqual([
      { kind: 'test' },
      { kind: 'run', input: '1' },
      { kind: 'verdict', verdict: 'right' },
    ]);
  });

  it('takes one line in all other envs, even a line of backticks', async () => {
    const household = ['go to desk 1', '```', 'take x from y', '~~~ x', 'help me'];
    const { done, screen } = await type(commandText, ...household);
    expect(done).toEqual(household);
    expect(screen).not.toContain('\n... ');
    const sql = await type(sqlEnv.text, 'query', '```sql', 'count', '```', 'query SELECT 1', 'finish');
    expect(sql.done).toEqual([
      { kind: 'show-count' },
      { kind: 'query', sql: 'SELECT 1' },
      { kind: 'finish' },
    ]);
    expect(sql.screen).not.toContain('\n... ');
  });

  it('takes one line when the line is complete', async () => {
    const { done, screen } = await type(
      code,
      'put 1.2: about',
      'run [[1]]',
      '{"kind":"submit","program":"x"}',
      'submit x',
      'hello',
      'finish: well',
    );
    expect(done).toMatchObject([
      { kind: 'put' },
      { kind: 'run', input: '[[1]]' },
      { kind: 'submit' },
      { kind: 'submit', program: 'x' },
      { kind: 'finish', about: 'well' },
    ]);
    expect(screen).not.toContain('\n... ');
  });
});
