import type { ResetContext } from '../../core/context.ts';
import type { EnvHost, Searcher, Snapshot } from '../../core/env.ts';
import { assertTask, type PanelInfo, type TaskRef } from '../../core/task.ts';
import { Judge } from '../judge/judge.ts';
import { Runner } from '../judge/runner.ts';
import { assertRuns } from '../judge/trial.ts';
import { withGround } from '../open-provider.ts';
import { ownPanelSizes, type OwnPanel } from '../problems/own-panels.ts';
import type { CritiqueAction } from './action.ts';
import type { CritiqueConfig } from './config.ts';
import { caseOf, type Bench, type Case } from './critique-case.ts';
import { CritiqueEnv, readPoint, type CritiqueObservation } from './critique-env.ts';

type Host = EnvHost<CritiqueObservation, CritiqueAction>;

const panelOf = (name: OwnPanel, purpose: PanelInfo['purpose'], summary: string): PanelInfo => ({
  name,
  size: 2 * ownPanelSizes[name],
  purpose,
  summary,
});
const panels: readonly PanelInfo[] = [
  panelOf('train', 'train', 'two programs for each problem of code-v1, one of them right'),
  panelOf('dev', 'dev', 'other numbers and words in the same templates'),
  panelOf('unseen', 'held-out', 'templates that train and dev never have'),
];

const mebibyte = 1024 * 1024;

/**
 * Opens the cases. Half of the programs are right, so a constant answer earns one half. Whether a program is
 * right is known from its construction.
 */
export async function openCritique(config: CritiqueConfig, context: ResetContext): Promise<Host> {
  if (config.runs === 0) return { ...hostOf(config, undefined), close: async () => undefined };
  return withGround(config, context, async (ground) => {
    const { runs, language, shownFailures, shownCharacters, testMs, memoryMb, outputBytes, atOnce } = config;
    const runner = new Runner(ground, { testMs, memoryBytes: memoryMb * mebibyte, outputBytes });
    await assertRuns(runner, { language, provider: ground.provider.name }, context.signal);
    return {
      ...hostOf(config, { judge: new Judge(runner), config }),
      identity: { runs, language, shownFailures, shownCharacters, testMs, memoryMb, outputBytes },
      maxConcurrency: atOnce,
      close: async () => ground.provider[Symbol.asyncDispose](),
    };
  });
}

function hostOf(config: CritiqueConfig, bench: Bench | undefined): Omit<Host, 'close'> {
  const made = new Map<string, Case>();
  const find = (ref: TaskRef): Case => {
    assertTask({ panels }, 'critique-v1', ref);
    const key = `${ref.panel}/${ref.index}`;
    const found = made.get(key) ?? caseOf(ref, config, bench);
    made.set(key, found);
    return found;
  };
  return {
    panels,
    describeTask: (ref) => find(ref).info,
    create: async () => new CritiqueEnv(find),
    experts: {
      planner: (ref) => [{ kind: 'verdict', verdict: find(ref).isRight ? 'right' : 'wrong' }],
      ...(bench === undefined ? {} : { searcher: () => trialSearcher }),
    },
    audit: {
      swapHidden: (snapshot) => ({
        snapshot: withOtherVerdict(snapshot),
        reveals: ({ kind }) => kind === 'verdict',
      }),
    },
  };
}

/** Trusts the visible tests. */
const trialSearcher: Searcher<CritiqueObservation, CritiqueAction> = {
  act: ({ observation: { passed, total } }) => {
    if (passed === undefined) return { kind: 'test' };
    return { kind: 'verdict', verdict: passed === total ? 'right' : 'wrong' };
  },
};

function withOtherVerdict(snapshot: Snapshot): Snapshot {
  const { world } = readPoint(snapshot);
  return { ...snapshot, world: { ...world, isRight: !world.isRight } };
}
