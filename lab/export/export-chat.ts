import type { ChatMessage } from '../../agents/prompt/chat-model.ts';
import {
  isSolved,
  netRewardOf,
  returnOf,
  scoreOf,
  type Trajectory,
} from '../../agents/rollout/trajectory.ts';

/** Where an episode stands in what was stored. */
export interface ExportPlace {
  /** Name of the run; undefined where the episode is of none. */
  readonly run: string | undefined;
  /** Of the run. */
  readonly seed: number | undefined;
  readonly iteration: number | undefined;
  /** Number of its group among all that are stored, from 0, and its own within that: those of `cairn-gym inspect`. */
  readonly group: number;
  readonly member: number;
}

/** A line of chat JSONL, with null for what is not known: readers of tables take the types of columns from the first lines. */
export function chatLine(
  trajectory: Trajectory,
  {
    messages,
    prompt,
    place,
  }: { readonly messages: readonly ChatMessage[]; readonly prompt: string; readonly place: ExportPlace },
): Readonly<Record<string, unknown>> {
  return {
    messages: messages.map(({ role, text }) => ({ role, content: text })),
    metadata: {
      ...episodeFacts(trajectory, place),
      rewards: trajectory.steps.map((step) => netRewardOf(step) ?? null),
      prompt,
    },
  };
}

/** What an episode was and came to, in the names of the export. */
export function episodeFacts(
  trajectory: Trajectory,
  { run, seed, iteration, group, member }: ExportPlace,
): Readonly<Record<string, unknown>> {
  const { env, task, family, agent, path, steps, stop } = trajectory;
  return {
    env: env.id,
    task: { panel: task.panel, index: task.index },
    family,
    seed: seed ?? null,
    return: returnOf(trajectory),
    score: scoreOf(trajectory),
    success: isSolved(trajectory),
    stop: stop.kind === 'terminated' ? stop.outcome : stop.kind,
    steps: steps.length,
    agent,
    run: run ?? null,
    iteration: iteration ?? null,
    group,
    member,
    path,
  };
}
