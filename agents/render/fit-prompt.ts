import { UsageError } from '../../envs/core/errors.ts';
import { tellMessages } from '../prompt/conversation.ts';
import { fewestObservationCharacters, type Prompt } from '../prompt/prompt.ts';
import type { Limits, TurnView, Transcript, ToldTurn } from '../prompt/transcript.ts';
import type { MessageTemplate, TokenPrompt, TokenTranscript } from './token-prompt.ts';

/** What a prompt is made from. */
export interface PromptSource<Obs, Act> {
  readonly prompt: Prompt;
  readonly template: MessageTemplate;
  readonly transcript: Transcript<Obs, Act>;
  readonly tokenTranscript: TokenTranscript;
  /** Earlier exchanges in the row that may go on; undefined where each step is a row of its own, or there is none yet. */
  readonly rowKeep: number | undefined;
  /** Tokens that the prompt may have. */
  readonly room: number;
}

/** A turn's prompt, and what it tells. */
export interface FittedPrompt {
  readonly prompt: TokenPrompt;
  readonly told: ToldTurn;
  readonly limits: Limits;
  /** How many earlier exchanges it tells. */
  readonly keep: number;
}

/**
 * The prompt of a turn that goes into the room: the row goes on where the template says what it said before and something more. Else as
 * many of the newest exchanges are told as go in and the template takes; and where none does, half of the longest of what is seen and the
 * list of actions, and so on, down to {@link fewestObservationCharacters} characters of each. Task and newest turn stay.
 *
 * @returns the tokens of the shortest where that is too long
 * @throws UsageError where the template does not take the task itself
 */
export function fitPrompt<Obs, Act>(source: PromptSource<Obs, Act>, seen: TurnView): FittedPrompt | number {
  const { transcript } = source;
  const going = goOn(source, seen);
  if (going !== undefined) return going;
  for (let limits = transcript.limitsAtFirst; ;) {
    const told = transcript.tell(seen, limits);
    const fitted = longestFitting(source, told);
    if (typeof fitted !== 'number') return { ...fitted, told, limits };
    const less = transcript.lessOf(seen, limits, fewestObservationCharacters);
    if (less === undefined) return fitted;
    limits = less;
  }
}

function goOn<Obs, Act>(source: PromptSource<Obs, Act>, seen: TurnView): FittedPrompt | undefined {
  const { transcript, tokenTranscript, rowKeep, room } = source;
  if (rowKeep === undefined) return undefined;
  const keep = rowKeep + 1;
  const limits = transcript.limitsAtFirst;
  const told = transcript.tell(seen, limits);
  const text = say(source, told, keep);
  const prompt = text === undefined ? undefined : tokenTranscript.extended(text);
  return prompt === undefined || prompt.tokens.length > room ? undefined : { prompt, told, limits, keep };
}

/**
 * Undefined where the template does not take it with so many exchanges: that is for what the model wrote in them, such as nothing, and
 * must neither stop the run nor end the episode.
 */
function say<Obs, Act>(
  { prompt, template }: PromptSource<Obs, Act>,
  { telling }: ToldTurn,
  keep: number,
): string | undefined {
  try {
    return template.render(tellMessages(prompt, telling, keep), { addGenerationPrompt: true });
  } catch (thrown) {
    if (keep === 0 || !UsageError.is(thrown)) throw thrown;
    return undefined;
  }
}

/** With the most exchanges, up to `wanted`, that can be told in the room; the tokens with none where even these are too many. */
function longestFitting<Obs, Act>(
  source: PromptSource<Obs, Act>,
  told: ToldTurn,
): Pick<FittedPrompt, 'prompt' | 'keep'> | number {
  const {
    transcript: { wanted },
    tokenTranscript,
    room,
  } = source;
  let best: Pick<FittedPrompt, 'prompt' | 'keep'> | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let low = 0, high = wanted, keep = wanted; low <= high; keep = Math.floor((low + high) / 2)) {
    const text = say(source, told, keep);
    const prompt = text === undefined ? undefined : tokenTranscript.separate(text);
    if (prompt !== undefined && prompt.tokens.length <= room) {
      best = { prompt, keep };
      low = keep + 1;
    } else {
      least = prompt?.tokens.length ?? least;
      high = keep - 1;
    }
  }
  return best ?? least;
}
