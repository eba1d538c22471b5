import { z } from 'zod';
import type { Command, CommandBody } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** @param list all commands, this one included */
export const completionCommandOf = (list: () => Promise<readonly Command[]>): CommandBody =>
  defineCommand({
    arguments: [{ name: 'shell', says: `the shell: ${shells.join(', ')}`, required: true }],
    flags: [],
    examples: [
      {
        line: 'npx cairn-gym completion bash > ~/.local/share/bash-completion/completions/cairn-gym',
        says: 'for bash with bash-completion; new shells have it',
      },
      {
        line: 'npx cairn-gym completion zsh > ~/.zfunc/_cairn-gym',
        says: 'for zsh, where ~/.zshrc has `fpath+=~/.zfunc` before `compinit`',
      },
      { line: 'npx cairn-gym completion fish > ~/.config/fish/completions/cairn-gym.fish', says: 'for fish' },
    ],
    options: z.strictObject({ shell: z.enum(shells, `must be ${shells.join(', ')}`) }),
    run: async ({ shell }) => {
      const { completionScript } = await import('../completion/completion-script.ts');
      const { builtInEnvs } = await import('../../envs/catalog.ts');
      const script = completionScript(shell, {
        commands: await list(),
        envs: builtInEnvs.map(({ id }) => id.replace(/-v\d+$/, '')),
      });
      return { document: { shell, script }, lines: [script.trimEnd()] };
    },
  });
