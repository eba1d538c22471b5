import { cell, page, sentence, table } from './markdown.mjs';

/** @typedef {import('../../cli/command.ts').Command} Command */

const exitCodes = table(
  ['exit code', 'meaning'],
  [
    ['0', 'success'],
    [
      '1',
      'failure: an error, a law broken in `check`, or more than 1 % faults in `eval`, `bench` and `train`',
    ],
    ['2', 'wrong usage or config, or input that is missing, damaged, foreign or of a newer version'],
    ['129, 130, 143', 'interrupted by SIGHUP, SIGINT or SIGTERM, after the work was saved'],
    ['137', 'killed because code of an environment computed without letting anything else run'],
  ],
);

/** @param {Command} command */
function usageOf({ name, arguments: operands = [] }) {
  const words = operands.map(({ name: operand, required, rest }) => {
    const word = `${operand}${rest === true ? '...' : ''}`;
    return required ? `<${word}>` : `[${word}]`;
  });
  return ['npx cairn-gym', name, ...words, '[flags]'].join(' ');
}

/** @param {Command} command */
function sectionOf(command) {
  const { name, summary, arguments: operands = [], flags, examples } = command;
  return [
    `## ${name}`,
    '',
    sentence(summary),
    '',
    '```text',
    usageOf(command),
    '```',
    '',
    '```sh',
    ...examples.flatMap(({ line, says }) => [`# ${says}`, line]),
    '```',
    '',
    ...(operands.length === 0
      ? []
      : [
          ...table(
            ['argument', 'meaning'],
            operands.map(({ name: operand, says, required }) => [
              `\`${operand}\``,
              cell(required ? says : `${says} (optional)`),
            ]),
          ),
          '',
        ]),
    ...(flags.length === 0
      ? []
      : [
          ...table(
            ['flag', 'meaning'],
            flags.map((flag) => [`\`${cell(flag.flags)}\``, cell(meaningOf(flag))]),
          ),
          '',
        ]),
  ];
}

/** @param {import('../../cli/command.ts').Flag} flag */
const meaningOf = ({ says, repeatable }) =>
  repeatable === true && !says.includes('repeatable') ? `${says} (repeatable)` : says;

/** @param {readonly Command[]} commands */
export const renderCommands = (commands) =>
  page('Commands', [
    'Every command takes `--json` (one JSON document on stdout), `--quiet` (only errors on stderr) and `--help`. The settings, output',
    'formats and exit codes are explained in [the command line](../guides/command-line.md).',
    '',
    ...exitCodes,
    '',
    ...table(
      ['command', 'purpose'],
      commands.map(({ name, summary }) => [`[\`${name}\`](#${name})`, cell(summary)]),
    ),
    '',
    ...commands.flatMap(sectionOf),
  ]);
