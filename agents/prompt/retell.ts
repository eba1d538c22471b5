import type { ChatMessage } from './chat-model.ts';
import type { Opening } from '../../envs/core/step.ts';
import type { Textual } from '../../envs/core/textual.ts';
import type { Trajectory, TrajectoryStep } from '../rollout/trajectory.ts';
import { tellMessages, type Telling } from './conversation.ts';
import type { Prompt } from './prompt.ts';
import { Transcript } from './transcript.ts';
import { openGuard, type TextGuard } from './text-guard.ts';

/** How to present an episode that any player has played before. */
export interface RetellOptions {
  readonly prompt: Prompt;
  readonly text: Textual<unknown, unknown>;
  /**
   * Decodes the tokens that a policy wrote, without those that ended its turn. `after` is the last token of the
   * prompt. Without this function, the text of token decisions is unknown.
   */
  readonly decode?: ((tokens: readonly number[], after?: number) => string) | undefined;
  /** Guard of the tokenizer in use. Without it texts are unchanged. */
  readonly guard?: TextGuard | undefined;
}

/** An episode as a conversation. */
export interface Retold {
  readonly messages: readonly ChatMessage[];
  /** Observation characters that the prompt leaves out. */
  readonly charactersCut: number;
}

/**
 * The whole episode as one conversation that ends with its last reply: system, examples and every turn, even
 * if the prompt shows less history during play. Actions are not listed: a prompt lists them in its newest
 * message only, and here each message was once the newest. {@link replyIn} gives the replies.
 * @throws RangeError for an episode without steps
 * @throws FaultError if the env's text functions crash
 */
export function retell(trajectory: Trajectory, options: RetellOptions): Retold {
  const transcript = new Transcript(
    { ...options, view: { admissible: false, history: 'all' } },
    trajectory.instruction,
  );
  const { guard = openGuard } = options;
  let charactersCut = 0;
  let telling: Telling | undefined;
  for (const { step, turn, feedback } of turnsOf(trajectory)) {
    const seen = transcript.see(turn, feedback);
    const told = transcript.tell(seen, transcript.limitsAtFirst);
    charactersCut += transcript.shownLess(seen, transcript.limitsAtFirst, told).charactersCut ?? 0;
    transcript.keep(told, replyIn(step, transcript, options));
    telling = told.telling;
  }
  if (telling === undefined) throw new RangeError(`trajectory ${trajectory.path} has no steps`);
  const messages = tellMessages(
    options.prompt,
    { ...telling, now: undefined },
    transcript.past.exchanges.length,
  );
  return { messages: messages.map(({ role, text }) => ({ role, text: guard.message(text) })), charactersCut };
}

/** A step and what its player was given. */
export interface RetoldTurn {
  readonly step: TrajectoryStep;
  readonly turn: Opening<unknown, never>;
  /** Why the previous reply could not be used. */
  readonly feedback: string | undefined;
}

/**
 * The turns of an episode as its player saw them, except for the list of actions, which trajectories do not
 * store as actions.
 */
export function* turnsOf({ instruction, steps }: Trajectory): Generator<RetoldTurn, void> {
  let feedback: string | undefined;
  for (const step of steps) {
    const { observation, stateKey, anchorKey, stepsLeft, seat, reply } = step;
    yield {
      step,
      turn: { instruction, observation, stateKey, anchorKey, stepsLeft, seat, admissible: undefined },
      feedback,
    };
    feedback = reply.kind === 'malformed' ? reply.why : undefined;
  }
}

/**
 * The reply in the form of the prompt's grammar: as the policy wrote it if that parses as the same action,
 * otherwise the action alone. An unreadable reply stays as it was written.
 */
export function replyIn(
  { reply, decision }: TrajectoryStep,
  transcript: Transcript<unknown, unknown>,
  { decode, guard = openGuard }: RetellOptions,
): string {
  const raw =
    decision?.kind === 'text'
      ? decision.text
      : decision?.kind === 'tokens'
        ? decode?.(
            decision.spans.flatMap(({ sampled }) => sampled),
            decision.spans[0]?.appended.at(-1),
          )
        : undefined;
  const written = raw === undefined ? undefined : guard.message(raw);
  if (reply.kind === 'malformed') return written ?? guard.message(reply.text);
  const [command = ''] = transcript.wordsOf([reply.action]);
  if (written !== undefined) {
    const read = transcript.replyOf(written, transcript.read(written, false));
    if (read.kind === 'action' && transcript.wordsOf([read.action])[0] === command) return written;
  }
  return transcript.write(command);
}
