import type { Context, ResetContext } from '../core/context.ts';
import type { Env } from '../core/env.ts';
import type { Opening, StepResult } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import type { ToolAction } from '../engines/tools/action.ts';
import { ToolEpisode } from '../engines/tools/episode.ts';
import type { ToolObservation } from '../engines/tools/observation.ts';
import { currentEpisode } from '../kit/current-episode.ts';
import { McpWorld, type McpWorldParts } from './mcp-world.ts';
import type { McpTask } from './task.ts';

export interface McpEnvParts extends McpWorldParts {
  readonly task: (ref: TaskRef) => McpTask;
  readonly instructionOf: (ref: TaskRef) => string;
  /** Called when the env is closed. */
  readonly onClose: () => void;
}

/** An env for one task at a time, with servers of its own. */
export class McpEnv implements Env<ToolObservation, ToolAction> {
  readonly #parts: McpEnvParts;
  #episode: ToolEpisode | undefined;

  constructor(parts: McpEnvParts) {
    this.#parts = parts;
  }

  async reset(ref: TaskRef, { signal }: ResetContext): Promise<Opening<ToolObservation, ToolAction>> {
    const { rules, servers, task, instructionOf } = this.#parts;
    this.#episode = undefined;
    const wanted = task(ref);
    await servers.prepare(wanted, signal);
    const world = new McpWorld(this.#parts, wanted, `${rules.id}, task ${ref.panel}/${ref.index}`);
    const episode = await ToolEpisode.open(rules, { ref, world }, signal);
    this.#episode = episode;
    return { ...episode.turn(), instruction: instructionOf(ref) };
  }

  async step(action: ToolAction, { signal }: Context): Promise<StepResult<ToolObservation, ToolAction>> {
    const episode = currentEpisode(this.#parts.rules.id, this.#episode);
    const result = await episode.act(action, signal);
    if (result.kind !== 'ongoing' && this.#episode === episode) this.#episode = undefined;
    return result;
  }

  async close(): Promise<void> {
    this.#episode = undefined;
    await this.#parts.servers.close();
    this.#parts.onClose();
  }
}
