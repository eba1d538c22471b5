import type { ResetContext } from '../core/context.ts';
import type { EnvHost } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { UnavailablePanel, PanelInfo, TaskRef } from '../core/task.ts';
import type { ProgramAction } from './action.ts';
import { CodeExercise } from './code-exercise.ts';
import { testMsOf, type CodeConfig } from './config.ts';
import type { Exercise } from './exercise.ts';
import { Judge } from './judge/judge.ts';
import { assertRuns, lackingIn, trials } from './judge/trial.ts';
import type { LoadContext } from './load/load-problems.ts';
import { Runner } from './judge/runner.ts';
import type { ProgramObservation } from './observation.ts';
import { assemble } from './own-assembly.ts';
import { ownPanelSizes, ownProblem, type OwnPanel } from './problems/own-panels.ts';
import type { Problem } from './problems/problem.ts';
import { programHost } from './program-host.ts';
import { withGround, type Ground } from './open-provider.ts';

const id = 'code-v1';
const mebibyte = 1024 * 1024;

/** Opens the configured problems on a provider. The host then owns the provider. */
export async function openCode(
  config: CodeConfig,
  ground: Ground,
  context: LoadContext,
): Promise<EnvHost<ProgramObservation, ProgramAction>> {
  const judge = new Judge(runnerOf(config, ground));
  const source =
    config.problems.kind === 'own' ? ownSource(config, judge) : await fileSource(config, judge, context);
  return programHost({ id, ...source, identity: identityOf(config), provider: ground.provider, config });
}

const runnerOf = (config: CodeConfig, ground: Ground): Runner =>
  new Runner(ground, {
    testMs: testMsOf(config),
    memoryBytes: config.memoryMb * mebibyte,
    outputBytes: config.outputBytes,
  });

interface Source {
  readonly panels: readonly PanelInfo[];
  readonly unavailablePanels?: readonly UnavailablePanel[];
  readonly exercise: (ref: TaskRef) => Exercise;
}

const ownPanels: readonly PanelInfo[] = [
  { name: 'train', size: ownPanelSizes.train, purpose: 'train', summary: 'problems to learn from' },
  {
    name: 'dev',
    size: ownPanelSizes.dev,
    purpose: 'dev',
    summary: 'other numbers and words in the same templates',
  },
  {
    name: 'unseen',
    size: ownPanelSizes.unseen,
    purpose: 'held-out',
    summary: 'templates that train and dev never have',
  },
];

function ownSource(config: CodeConfig, judge: Judge): Source {
  return {
    panels: ownPanels,
    exercise: (ref) => {
      const own = ownProblem(ref.panel as OwnPanel, ref.index);
      const assembly = config.pieces === 0 ? undefined : assemble(own, config.language, config.pieces);
      return new CodeExercise(ref, own.problem, { judge, config, assembly });
    },
  };
}

async function fileSource(config: CodeConfig, judge: Judge, context: LoadContext): Promise<Source> {
  const { loadProblems } = await import('./load/load-problems.ts');
  const { panels, unavailablePanels } = await loadProblems(config, judge, context);
  const problemOf = ({ panel, index }: TaskRef): Problem =>
    panels.find(({ name }) => name === panel)?.problems[index] as Problem;
  return {
    panels: panels.map(({ name, size, purpose, summary }) => ({ name, size, purpose, summary })),
    unavailablePanels,
    exercise: (ref) => new CodeExercise(ref, problemOf(ref), { judge, config, assembly: undefined }),
  };
}

/**
 * The part of the config that results depend on. Where programs run, how many run at once, and the paths of
 * files are no part of it. The content of every task has its problem.
 */
function identityOf(config: CodeConfig): Json {
  const { language, pieces, maxSteps, longestProgram, shownFailures, shownCharacters } = config;
  return {
    problems: config.problems.kind,
    language,
    pieces,
    maxSteps,
    longestProgram,
    shownFailures,
    shownCharacters,
    testMs: testMsOf(config),
    memoryMb: config.memoryMb,
    outputBytes: config.outputBytes,
    reward: { ...config.reward },
  };
}

/** The same with a provider that the config names. The provider is tested first. */
export async function openCodeInContext(
  config: CodeConfig,
  context: ResetContext,
): Promise<EnvHost<ProgramObservation, ProgramAction>> {
  return withGround(config, context, async (ground) => {
    const runner = runnerOf(config, ground);
    await assertRuns(runner, { language: config.language, provider: ground.provider.name }, context.signal);
    context.log.event(context.path, {
      type: 'opening-tally',
      part: 'right programs that ran',
      name: ground.provider.name,
      count: trials,
    });
    const lacking = config.language === 'python' ? await lackingIn(runner, context.signal) : [];
    for (const name of lacking)
      context.log.event(context.path, {
        type: 'opening-tally',
        part: 'what programs cannot do there',
        name,
        count: 1,
      });
    return openCode(config, ground, context);
  });
}
