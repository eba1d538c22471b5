import { z } from 'zod';
import { languages } from './problems/problem.ts';

const weight = (initial: number, says: string) => z.number().min(0).max(100).default(initial).describe(says);

/** Where programs run. */
export const sandboxNames = ['auto', 'bubblewrap', 'docker', 'wasm'] as const;

/** What every env has that runs programs. */
export const sandboxKeys = {
  sandbox: z
    .enum(sandboxNames)
    .default('auto')
    .describe('where programs run: auto takes the strongest that works here'),
  allowWeakSandbox: z
    .boolean()
    .default(false)
    .describe('runs programs in wasm too, which is no boundary: only for programs that you trust'),
  testMs: z
    .int()
    .min(50)
    .max(60_000)
    .default(2_000)
    .describe(
      'milliseconds of processor time that a program may take for one test; five times that where it waits or sleeps',
    ),
  memoryMb: z.int().min(32).max(16_384).default(512).describe('megabytes of memory for a program'),
  outputBytes: z
    .int()
    .min(1_000)
    .max(1_000_000)
    .default(64_000)
    .describe('bytes that a program may print for one test'),
  atOnce: z
    .int()
    .min(1)
    .max(256)
    .default(8)
    .describe('episodes under way at once, each with a sandbox of its own'),
};

/** What every env has in which programs are written. */
export const writingKeys = {
  maxSteps: z
    .int()
    .min(1)
    .max(200)
    .default(10)
    .describe('steps after which what was submitted last is judged'),
  longestProgram: z
    .int()
    .min(1_000)
    .max(4_000_000)
    .default(64_000)
    .describe('characters that a program may have'),
  shownFailures: z.int().min(0).max(20).default(3).describe('failed visible tests that are shown'),
  shownCharacters: z
    .int()
    .min(40)
    .max(20_000)
    .default(400)
    .describe('characters that are shown of each input, answer and traceback'),
};

/** What is earned, by the judgement of the hidden tests; the weights need not add up to 1. */
export const rewardKeys = z.strictObject({
  tests: weight(0.4, 'times the share of hidden tests that the last submission passes'),
  solved: weight(0.5, 'where it passes all of them'),
  format: weight(0.1, 'where it can be read and has what is asked for'),
  turn: weight(0, 'cost of each step'),
});

/** Weights as they are, or with defaults for those that are left out. */
export const rewardKey = rewardKeys.prefault({});

export type RewardWeights = z.output<typeof rewardKeys>;

const failing = z
  .enum(['refuse', 'leave-out'])
  .default('refuse')
  .describe(
    'problems that are malformed, have no tests, or whose own solution fails their tests or is longer than longestProgram; and those to learn from that are held out too: refused, or left out and counted',
  );

const file = (says: string) => z.string().min(1).optional().describe(says);
const train = file(
  'the same to learn from: seven problems of eight, by lot, in the panel train, the others in dev; where nothing else is held out, one of eight is',
);
const split = z.string().min(1).max(40).default('test').describe('name of the panel that is held out');

const own = z.strictObject({
  kind: z
    .literal('own')
    .describe('own: problems of our own; humaneval, mbpp, suites: files of others')
    .optional()
    .transform(() => 'own' as const),
});
const jsonl = (kind: 'humaneval' | 'mbpp', says: string) =>
  z.strictObject({ kind: z.literal(kind), file: file(`${says}, which is held out`), train, split, failing });
const suites = z.strictObject({
  kind: z.literal('suites'),
  files: file(
    'a JSONL file as of APPS or TACO, plain or gzipped, or a folder with one folder a problem, which is held out',
  ),
  train,
  visible: z
    .int()
    .min(0)
    .max(100)
    .default(2)
    .describe('tests of each problem that are shown, and judge nobody: at least one is left that does'),
  split,
  failing,
});

/** Why these problems cannot be had as they are named; undefined where they can. */
function flawOfProblems(
  problems: z.output<typeof own | ReturnType<typeof jsonl> | typeof suites>,
): string | undefined {
  if (problems.kind === 'own') return undefined;
  const [key, named] = problems.kind === 'suites' ? ['files', problems.files] : ['file', problems.file];
  if (named === undefined && problems.train === undefined)
    return `name a file to hold out (${key}), one to learn from (train), or both`;
  const isTaken = problems.split === 'train' || problems.split === 'dev';
  return isTaken
    ? `the panel that is held out cannot be called ${problems.split} (split): what is to be learned from is named by train`
    : undefined;
}

export const codeConfig = z.strictObject({
  problems: z
    .discriminatedUnion('kind', [
      own,
      jsonl('humaneval', 'JSONL as of HumanEval, plain or gzipped'),
      jsonl('mbpp', 'JSONL as of MBPP, plain or gzipped'),
      suites,
    ])
    .prefault({ kind: 'own' })
    .superRefine((problems, issues) => {
      const flaw = flawOfProblems(problems);
      if (flaw !== undefined) issues.addIssue({ code: 'custom', message: flaw });
    }),
  checkSolutions: z
    .boolean()
    .default(true)
    .describe(
      'runs the solutions that files bring on their own tests first; what becomes of problems in which one fails, problems.failing says',
    ),
  language: z.enum(languages).default('python').describe('what programs are written in'),
  pieces: z
    .int()
    .min(0)
    .max(6)
    .default(0)
    .describe(
      'places of a program to be put together of listed pieces, for those who choose; 0: programs are written',
    ),
  ...writingKeys,
  ...sandboxKeys,
  testMs: sandboxKeys.testMs
    .unwrap()
    .optional()
    .describe(
      'milliseconds of processor time that a program may take for one test; five times that where it waits or sleeps; left out: 2000 for own problems, 10000 for files, whose solutions may be slow',
    ),
  reward: rewardKey,
});

/** Milliseconds of processor time for one test. */
export const testMsOf = ({ testMs, problems }: Pick<CodeConfig, 'testMs' | 'problems'>): number =>
  testMs ?? (problems.kind === 'own' ? 2_000 : 10_000);

export type CodeConfig = z.output<typeof codeConfig>;
