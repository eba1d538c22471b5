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
  /**
   * Earlier exchanges in the row that may continue; undefined if each step is a row of its own, or there is
   * none yet.
   */
  readonly rowKeep: number | undefined;
  /** Most tokens of the prompt. */
  readonly room: number;
}

/** A turn's prompt, and how much it includes. */
export interface FittedPrompt {
  readonly prompt: TokenPrompt;
  readonly told: ToldTurn;
  readonly limits: Limits;
  /** How many earlier exchanges it includes. */
  readonly keep: number;
}

/**
 * Builds a turn's prompt within `room`. The row continues if the template extends its previous text.
 * Otherwise the prompt has as many of the newest exchanges as fit and as the template accepts. Where the context
 * is in chunks and full, these are at most those that the next chunk carries over.
 *
 * If even none fits, the longer of the observation and the list of actions is halved, repeatedly, down to
 * {@link fewestObservationCharacters} characters each. Task and newest turn stay.
 * @returns the token count of the shortest prompt if that is too long
 * @throws UsageError if the template refuses the task itself
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
  if (keep > transcript.wanted) return undefined; // a new chunk of the context begins
  const limits = transcript.limitsAtFirst;
  const told = transcript.tell(seen, limits);
  const text = say(source, told, keep);
  const prompt = text === undefined ? undefined : tokenTranscript.extended(text);
  return prompt === undefined || prompt.tokens.length > room ? undefined : { prompt, told, limits, keep };
}

/**
 * Undefined if the template refuses that many exchanges. The cause is what the model wrote in them, such as
 * an empty reply, so it must neither stop the run nor end the episode.
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

/**
 * The prompt with the most exchanges, up to `wanted`, that fits; the token count without any if even that is
 * too long.
 */
function longestFitting<Obs, Act>(
  source: PromptSource<Obs, Act>,
  told: ToldTurn,
): Pick<FittedPrompt, 'prompt' | 'keep'> | number {
  const {
    transcript: { wanted, carried },
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
      high = Math.min(keep - 1, carried);
    }
  }
  return best ?? least;
}
