import { messageOf, UsageError } from '../../envs/core/errors.ts';
import { formatTime } from './format-time.ts';
import { createIncrementalRenderer, type ConversationRenderer } from './incremental/incremental-renderer.ts';
import { parseTemplate } from './jinja/parse-template.ts';
import { createSpecialTextGuard } from './special-text.ts';

/** The template of a checkpoint. */
export interface TemplateSource {
  /** Name in errors. */
  readonly where: string;
  /** Jinja source. */
  readonly text: string;
  /** Tokens that the template can use by name, such as `bos_token`. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** A message as a template receives it, its text under `content`. */
export interface TemplateMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** Formats a conversation as the model was trained to read it. */
export interface ChatTemplate {
  /**
   * Renders the conversation as text. Texts of special tokens within messages are split by a space (see
   * `guard` of special-text.ts), so that they cannot become the token. A template that removes parts of a
   * message and joins the rest could form one; it is trusted not to.
   * @param options.addGenerationPrompt whether to append the beginning of the next reply
   * @throws UsageError if the template refuses the messages, is broken, or exceeds the limits of work or
   * output
   */
  render(messages: readonly TemplateMessage[], options: { readonly addGenerationPrompt: boolean }): string;
  /** How many texts of special tokens a message has. {@link render} splits all of them. */
  countSpecial(text: string): number;
}

const longestTemplate = 2 ** 20;

/**
 * Parses a chat template. It receives what `transformers` gives it: `messages`, `add_generation_prompt`, the
 * named tokens, `raise_exception` and `strftime_now` (in UTC), but no tools or documents.
 * @param options.special the texts of the tokenizer's special tokens
 * @param options.today the date of `strftime_now`. Omit it if a prompt must not change from day to day:
 * templates then use a fixed date
 * @throws UsageError if it is not a template
 */
export function createChatTemplate(
  source: TemplateSource,
  { special, today }: { readonly special: Iterable<string>; readonly today?: () => Date },
): ChatTemplate {
  const harmless = createSpecialTextGuard(special);
  const renderMessages = parse(source, (text) => harmless.guard(text).text);
  const globals = {
    ...source.tokens,
    tools: null,
    documents: null,
    raise_exception: (message: unknown) => {
      throw new Error(`the template reports: ${String(message).slice(0, 300)}`);
    },
    ...(today === undefined
      ? {}
      : { strftime_now: (format: unknown) => formatTime(today(), String(format)) }),
  };
  return {
    countSpecial: (text) => harmless.guard(text).count,
    render: (messages, { addGenerationPrompt }) => {
      try {
        return renderMessages(messages, { ...globals, add_generation_prompt: addGenerationPrompt });
      } catch (thrown) {
        throw new UsageError(
          {
            where: source.where,
            what: `the template refuses this conversation of ${messages.length} messages (${messageOf(thrown).slice(0, 400)}).`,
            fix: 'Give the messages in the form that its model expects, or put your own template into chat_template.jinja.',
          },
          { cause: thrown },
        );
      }
    },
  };
}

function parse({ where, text }: TemplateSource, sanitize: (text: string) => string): ConversationRenderer {
  try {
    if (text.length > longestTemplate)
      throw new Error(`it has ${text.length} characters, and the limit is ${longestTemplate}`);
    return createIncrementalRenderer(parseTemplate(text), sanitize);
  } catch (thrown) {
    throw new UsageError(
      {
        where,
        what: `it is not a valid chat template (${messageOf(thrown).slice(0, 300)}).`,
        fix: 'Put a Jinja template into chat_template.jinja.',
      },
      { cause: thrown },
    );
  }
}
