import { cell, page, table } from './markdown.mjs';

/** @typedef {import('../../envs/puzzle/define-puzzle.ts').Puzzle} Puzzle */
/** @typedef {import('../../envs/puzzle/audit/auditor.ts').PuzzleLevelAudit} PuzzleLevelAudit */

/**
 * A result of `npm run audit`.
 *
 * @typedef {object} RecordedAudit
 * @property {string} fingerprint
 * @property {import('../../envs/puzzle/audit/audit-puzzle.ts').PuzzleAuditPlan} plan
 * @property {Readonly<Record<string, number>>} rejected
 * @property {Readonly<Record<string, number>>} accepted
 * @property {readonly PuzzleLevelAudit[]} levels
 */

/** @param {number} share */
const percent = (share) =>
  share === 0 || share === 1 ? `${100 * share} %` : `${(100 * share).toFixed(share < 0.001 ? 2 : 1)} %`;

/** @param {number} value */
const short = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(1));

/** One figure for each level, easiest first. @param {readonly (string | undefined)[]} figures */
const byLevel = (figures) =>
  figures.every((figure) => figure === undefined) ? '' : figures.map((figure) => figure ?? '–').join(', ');

/** @param {Puzzle} puzzle @param {RecordedAudit | undefined} audit */
function rowOf({ name, summary, unique, envs }, audit) {
  const levels = audit?.levels ?? [];
  return [
    `\`${name}\``,
    cell(`${summary}${unique ? '; one solution, proved' : ''}`),
    byLevel(levels.map(({ effort }) => (effort === undefined ? undefined : short(effort)))),
    byLevel(levels.map(({ guessed }) => percent(guessed))),
    envs.length > 1 ? byLevel(levels.map(({ moves }) => moves && percent(moves.random))) : 'no',
    byLevel(levels.map(({ moves }) => (moves?.expert === undefined ? undefined : percent(moves.expert)))),
  ];
}

/** @type {(kinds: readonly string[]) => string} */
const kindsIn = (kinds) => kinds.map((kind) => `\`${kind}\``).join(', ');

/** @param {Puzzle} puzzle @param {RecordedAudit | undefined} audit */
const mistakesOf = ({ name }, audit) => [
  `\`${name}\``,
  cell(kindsIn(Object.keys(audit?.rejected ?? {}))),
  cell(kindsIn(Object.keys(audit?.accepted ?? {}))),
];

/** Leaves out what every puzzle has. @param {RecordedAudit[]} audits @param {'rejected' | 'accepted'} side */
function common(audits, side) {
  const [first, ...rest] = audits.map((audit) => Object.keys(audit[side]));
  return (first ?? []).filter((kind) => rest.every((kinds) => kinds.includes(kind)));
}

/**
 * @param {readonly Puzzle[]} puzzles
 * @param {Readonly<Record<string, RecordedAudit>>} audits
 * @param {Readonly<Record<string, string>>} checks
 */
export function renderPuzzles(puzzles, audits, checks) {
  const known = Object.values(audits);
  const shared = { rejected: common(known, 'rejected'), accepted: common(known, 'accepted') };
  /** @param {RecordedAudit | undefined} audit @returns {RecordedAudit | undefined} */
  const own = (audit) =>
    audit && {
      ...audit,
      rejected: Object.fromEntries(
        Object.entries(audit.rejected).filter(([kind]) => !shared.rejected.includes(kind)),
      ),
      accepted: Object.fromEntries(
        Object.entries(audit.accepted).filter(([kind]) => !shared.accepted.includes(kind)),
      ),
    };
  const categories = [...new Set(puzzles.map(({ category }) => category))];
  const plan = known[0]?.plan;
  return page('Puzzles', [
    '```sh',
    'npx cairn-gym play puzzle-maze-moves',
    'npx cairn-gym envs puzzle-sudoku',
    '```',
    '',
    'Each puzzle is one or two environments with the same questions:',
    '',
    '- `puzzle-NAME-v1` shows a question and takes one answer in words. Language models play it.',
    '- `puzzle-NAME-moves-v1` changes a state move by move. Choice policies play it too.',
    '',
    'The config key `difficulty` chooses a level, 1 being the easiest. With 0, the default, all levels take turns. Results are reported by level. A hash of',
    'the question decides its panel, so `train`, `dev` and `unseen` share no question. [Write your own](../guides/puzzle.md) in one file.',
    '',
    'The figures below are listed by level, easiest first:',
    '',
    '- **effort**: the mean work of the solver. The unit is its own, such as guesses or places visited.',
    '- **random answers**: the share of random answers in the right format that are right',
    '- **random play**: the share of episodes of the step-wise form that random moves solve; `no` where there is no such form',
    '- **expert**: the share that the expert solves',
    '',
    ...categories.flatMap((category) => [
      `## ${category.replace(/^./, (first) => first.toUpperCase())}`,
      '',
      ...table(
        ['puzzle', 'what it is', 'effort', 'random answers', 'random play', 'expert'],
        puzzles
          .filter((puzzle) => puzzle.category === category)
          .map((puzzle) => rowOf(puzzle, audits[puzzle.name])),
      ),
      '',
    ]),
    '## The audit',
    '',
    '```sh',
    'npm run audit -- sudoku',
    '```',
    '',
    `\`npm run audit\` draws questions and checks generator, verifier and solver against each other. A finding fails the build. For each level it tries the answers of ${plan?.seeds ?? 0}`,
    `questions and ${(plan?.guesses ?? 0).toLocaleString('en')} random answers, and compares ${(plan?.distinct ?? 0).toLocaleString('en')} seeds. It needs a clone of the repository. \`puzzle.audit()\` does the same for your own puzzle. \`npx cairn-gym check\` runs a smaller audit of either.`,
    '',
    ...table(
      ['check', 'what must hold'],
      Object.entries(checks).map(([name, says]) => [`\`${name}\``, cell(says)]),
    ),
    '',
    `For all puzzles these answers are rejected: ${kindsIn(shared.rejected)}. And these are accepted: the solution with ${kindsIn(shared.accepted)}.`,
    'Each puzzle has its own kinds too:',
    '',
    ...table(
      ['puzzle', 'rejected mistakes', 'accepted other forms'],
      puzzles
        .filter((puzzle) => audits[puzzle.name] !== undefined)
        .map((puzzle) => mistakesOf(puzzle, own(audits[puzzle.name]))),
    ),
  ]);
}
