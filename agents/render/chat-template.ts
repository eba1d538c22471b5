import { messageOf, UsageError } from '../../envs/core/errors.ts';
import { formatTime } from './format-time.ts';
import { createIncrementalRenderer, type ConversationRenderer } from './incremental/incremental-renderer.ts';
import { parseTemplate } from './jinja/parse-template.ts';
import { createSpecialTextGuard } from './special-text.ts';

/** A template as a checkpoint brings it. */
export interface TemplateSource {
  /** Names it in errors. */
  readonly where: string;
  /** In Jinja. */
  readonly text: string;
  /** What it gets by name, such as `bos_token`. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** A message as a template gets it, its text under `content`. */
export interface TemplateMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly text: string;
}

/** Writes a conversation as its model was taught to read it. */
export interface ChatTemplate {
  /**
   * The conversation as text. The texts of special tokens within messages are broken by a space (see `guard` of special-text.ts), so that
   * they never become the token; a template that itself takes parts out of a message and joins the rest is trusted to make none.
   *
   * @param options.addGenerationPrompt whether what begins a reply follows
   * @throws UsageError where the template refuses the messages, is broken, or works or writes without end
   */
  render(messages: readonly TemplateMessage[], options: { readonly addGenerationPrompt: boolean }): string;
  /** How many texts of special tokens a message has, all of which {@link render} makes harmless. */
  countSpecial(text: string): number;
}

const longestTemplate = 2 ** 20;

/**
 * Reads a chat template. It gets what `transformers` gives it: `messages`, `add_generation_prompt`, the named tokens, `raise_exception`,
 * `strftime_now` (in UTC), and no tools or documents.
 *
 * @param options.special the texts of the tokenizer's special tokens
 * @param options.today what `strftime_now` tells; left out where a prompt must not change from day to day: templates have a date of their own for that
 * @throws UsageError where it is no template
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
      throw new Error(`the template says: ${String(message).slice(0, 300)}`);
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
            what: `the template does not take this conversation of ${messages.length} messages (${messageOf(thrown).slice(0, 400)}).`,
            fix: 'Give the messages as its model expects them, or put a template of your own into chat_template.jinja.',
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
      throw new Error(`it has ${text.length} characters, and ${longestTemplate} are the most`);
    return createIncrementalRenderer(parseTemplate(text), sanitize);
  } catch (thrown) {
    throw new UsageError(
      {
        where,
        what: `it is no chat template (${messageOf(thrown).slice(0, 300)}).`,
        fix: 'Put a template in Jinja into chat_template.jinja.',
      },
      { cause: thrown },
    );
  }
}
