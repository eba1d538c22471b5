import type { Command, Flag } from '../command.ts';

/** What is completed. */
export interface Completions {
  readonly commands: readonly Command[];
  /** Names of environments, for the commands whose first word is one. */
  readonly envs: readonly string[];
}

/** A script for a shell that completes commands, flags and environments. Other words are completed as files. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', completions: Completions): string {
  switch (shell) {
    case 'bash':
      return bashScript(completions);
    case 'zsh':
      return zshScript(completions);
    case 'fish':
      return fishScript(completions);
    default:
      return shell satisfies never;
  }
}

const globalFlags: readonly Flag[] = [
  { flags: '--json', says: 'print one JSON document on stdout and nothing else' },
  { flags: '--quiet', says: 'print only errors on stderr' },
  { flags: '--help', says: 'show help' },
];

const flagsOf = ({ flags }: Command): readonly Flag[] => [...flags, ...globalFlags];
const nameOf = ({ flags }: Flag): string => flags.replace(/ .*/s, '');
const takesValue = ({ flags }: Flag): boolean => flags.includes('<');
const takesEnv = ({ arguments: operands = [] }: Command): boolean => operands[0]?.name === 'env';

/** Up to the first clause, so that a list of completions stays readable. */
const shortly = (says: string): string => (says.split(/[;:(]/)[0] ?? says).trim().slice(0, 70);

function bashScript({ commands, envs }: Completions): string {
  const cases = commands.map(
    (command) =>
      `    ${command.name}) flags='${flagsOf(command).map(nameOf).join(' ')}'${takesEnv(command) ? `; operands='${envs.join(' ')}'` : ''} ;;`,
  );
  return `# bash completion for cairn-gym
_cairn_gym() {
  local current=\${COMP_WORDS[COMP_CWORD]} command='' flags='--version --help --json --quiet' operands='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) command=$word; break ;; esac
  done
  case $command in
    '') operands='${commands.map(({ name }) => name).join(' ')}' ;;
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$operands" -- "$current"))
  fi
}
complete -o default -F _cairn_gym cairn-gym cairn
`;
}

/** For `_arguments` and `_describe`, in single quotes. */
const zshText = (text: string): string => text.replaceAll("'", "'\\''").replaceAll(/[[\]:\\]/g, '\\$&');

function zshScript({ commands, envs }: Completions): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${zshText(shortly(summary))}'`);
  const cases = commands.map((command) => {
    const flags = flagsOf(command).map((flag) => {
      const repeats = 'repeatable' in flag ? '*' : '';
      return `        '${repeats}${nameOf(flag)}[${zshText(shortly(flag.says))}]${takesValue(flag) ? ':value:_files' : ''}'`;
    });
    const operand = takesEnv(command) ? `'1:environment:(${envs.join(' ')})'` : `'*:file:_files'`;
    return `    ${command.name})\n      _arguments \\\n${[...flags, `        ${operand}`].join(' \\\n')}\n      ;;`;
  });
  return `#compdef cairn-gym cairn
_cairn_gym() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _cairn-gym ]; then _cairn_gym "$@"; else compdef _cairn_gym cairn-gym cairn; fi
`;
}

const fishText = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

function fishScript({ commands, envs }: Completions): string {
  const lines = ['cairn-gym', 'cairn'].flatMap((program) => [
    ...commands.map(
      ({ name, summary }) =>
        `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d ${fishText(shortly(summary))}`,
    ),
    ...commands.flatMap((command) => {
      const within = `complete -c ${program} -n '__fish_seen_subcommand_from ${command.name}'`;
      return [
        ...flagsOf(command).map(
          (flag) =>
            `${within} -l ${nameOf(flag).slice(2)}${takesValue(flag) ? ' -r' : ''} -d ${fishText(shortly(flag.says))}`,
        ),
        ...(takesEnv(command) ? [`${within} -a ${fishText(envs.join(' '))} -d environment`] : []),
      ];
    }),
  ]);
  return `# fish completion for cairn-gym\n${lines.join('\n')}\n`;
}
