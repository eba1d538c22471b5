import { z } from 'zod';
import { languages } from './problems/problem.ts';

const weight = (initial: number, says: string) => z.number().min(0).max(100).default(initial).describe(says);

/** Where programs run. */
export const sandboxNames = ['auto', 'bubblewrap', 'docker', 'wasm'] as const;

/** The keys of every env that runs programs. */
export const sandboxKeys = {
  sandbox: z
    .enum(sandboxNames)
    .default('auto')
    .describe('sandbox of the programs: auto takes the strongest that works'),
  allowWeakSandbox: z
    .boolean()
    .default(false)
    .describe('allow wasm, which is no security boundary: only for programs that you trust'),
  testMs: z
    .int()
    .min(50)
    .max(60_000)
    .default(2_000)
    .describe('milliseconds of processor time for one test; five times that for waiting or sleeping'),
  memoryMb: z.int().min(32).max(16_384).default(512).describe('maximum megabytes of memory of a program'),
  outputBytes: z
    .int()
    .min(1_000)
    .max(1_000_000)
    .default(64_000)
    .describe('maximum bytes that a program may print for one test'),
  atOnce: z.int().min(1).max(256).default(8).describe('concurrent episodes, each with its own sandbox'),
};

/** The keys of every env in which programs are written. */
export const writingKeys = {
  maxSteps: z
    .int()
    .min(1)
    .max(200)
    .default(10)
    .describe('number of steps after which the last submission is judged'),
  longestProgram: z
    .int()
    .min(1_000)
    .max(4_000_000)
    .default(64_000)
    .describe('maximum characters of a program'),
  shownFailures: z.int().min(0).max(20).default(3).describe('number of failed visible tests to show'),
  shownCharacters: z
    .int()
    .min(40)
    .max(20_000)
    .default(400)
    .describe('maximum characters to show of each input, answer and traceback'),
};

/** The rewards, by the result of the hidden tests. The weights need not add up to 1. */
export const rewardKeys = z.strictObject({
  tests: weight(0.4, 'times the share of hidden tests that the last submission passes'),
  solved: weight(0.5, 'paid where the last submission passes all of them'),
  format: weight(0.1, 'paid where the program can be read and defines what is required'),
  turn: weight(0, 'cost of each step'),
});

/** The weights, with defaults for missing ones. */
export const rewardKey = rewardKeys.prefault({});

export type RewardWeights = z.output<typeof rewardKeys>;

const failing = z
  .enum(['refuse', 'leave-out'])
  .default('refuse')
  .describe(
    'invalid problems (malformed, without tests, with a solution that fails or exceeds longestProgram) and training problems that are held out: refused, or left out and counted',
  );

const file = (says: string) => z.string().min(1).optional().describe(says);
const train = file(
  'file in the same format for training: a random seven of eight problems form the panel train, the others dev; where nothing else is held out, one of eight is',
);
const split = z.string().min(1).max(40).default('test').describe('name of the held-out panel');

const own = z.strictObject({
  kind: z
    .literal('own')
    .describe('own: the built-in problems; humaneval, mbpp, suites: files in these formats')
    .optional()
    .transform(() => 'own' as const),
});
const jsonl = (kind: 'humaneval' | 'mbpp', says: string) =>
  z.strictObject({ kind: z.literal(kind), file: file(`${says}, which is held out`), train, split, failing });
const suites = z.strictObject({
  kind: z.literal('suites'),
  files: file(
    'held-out JSONL file as of APPS or TACO, plain or gzipped, or a folder with one folder a problem',
  ),
  train,
  visible: z
    .int()
    .min(0)
    .max(100)
    .default(2)
    .describe('number of tests of each problem to show; they earn nothing, and at least one stays hidden'),
  split,
  failing,
});

/** Why these problems cannot be used as configured; undefined where they can. */
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
      'run the solutions in the files on their tests first; problems.failing decides what happens to those that fail',
    ),
  language: z.enum(languages).default('python').describe('language of the programs'),
  pieces: z
    .int()
    .min(0)
    .max(6)
    .default(0)
    .describe(
      'number of places of a program to fill with listed pieces, for agents that choose; 0: programs are written',
    ),
  ...writingKeys,
  ...sandboxKeys,
  testMs: sandboxKeys.testMs
    .unwrap()
    .optional()
    .describe(
      'milliseconds of processor time for one test; five times that for waiting or sleeping; default: 2000 for built-in problems, 10000 for files, whose solutions may be slow',
    ),
  reward: rewardKey,
});

/** Milliseconds of processor time for one test. */
export const testMsOf = ({ testMs, problems }: Pick<CodeConfig, 'testMs' | 'problems'>): number =>
  testMs ?? (problems.kind === 'own' ? 2_000 : 10_000);

export type CodeConfig = z.output<typeof codeConfig>;
