import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { loadAllCommands } from '../../../cli/commands.ts';
import { completionScript } from '../../../cli/completion/completion-script.ts';
import { cairn } from '../../support/command-line.ts';

const commands = await loadAllCommands();
const envs = ['household', 'lights-out'];
const scripts = {
  bash: completionScript('bash', { commands, envs }),
  zsh: completionScript('zsh', { commands, envs }),
  fish: completionScript('fish', { commands, envs }),
};

/** What bash offers for the last of the words. */
function completed(...words: readonly string[]): readonly string[] {
  const line = `${scripts.bash}\nCOMP_WORDS=(cairn-gym "$@"); COMP_CWORD=$#; _cairn_gym; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', line, 'bash', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');
}

describe('completion in bash', () => {
  it.each([
    [['tra'], ['train']],
    [['s'], ['serve', 'sft', 'study']],
    [['--he'], ['--help']],
    [
      ['train', '--see'],
      ['--seed', '--seeds'],
    ],
    [
      ['--json', 'train', '--group'],
      ['--groups', '--group-size'],
    ],
    [['train', 'house'], ['household']],
    [['train', '--seed', '3', 'light'], ['lights-out']],
    [['compare', 'house'], []],
    [['eval', '--nothing'], []],
  ])('completes %j', (words, offered) => {
    expect(completed(...words)).toEqual(offered);
  });
});

describe('completion scripts', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('name every command and flag in %s', (shell) => {
    for (const { name, flags } of commands) {
      expect(scripts[shell]).toContain(name);
      for (const flag of flags) {
        const long = flag.flags.replace(/ .*/s, '');
        expect(scripts[shell], name).toContain(shell === 'fish' ? `-l ${long.slice(2)} ` : long);
      }
    }
  });

  it('close every quote of zsh and fish, whatever a description says', () => {
    const odd = commands.map((command) => ({ ...command, summary: "it's [a] \\ test: of 'quotes'" }));
    for (const shell of ['zsh', 'fish'] as const) {
      const script = completionScript(shell, { commands: odd, envs });
      for (const line of script.split('\n'))
        expect(line.replaceAll(/\\'|'\\''/g, '').match(/'/g)?.length ?? 0, line).toSatisfy(
          (count: number) => count % 2 === 0,
        );
    }
  });

  it('print as plain text, and as a document', async () => {
    const { code, out } = await cairn(['completion', 'fish']);
    expect({ code, isScript: out.startsWith('# fish completion for cairn-gym\n') }).toEqual({
      code: 0,
      isScript: true,
    });
    expect(JSON.parse((await cairn(['completion', 'zsh', '--json'])).out)).toMatchObject({ shell: 'zsh' });
    expect(await cairn(['completion', 'powershell'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/"powershell" is not one of bash, zsh, fish/) as string,
    });
  });
});
