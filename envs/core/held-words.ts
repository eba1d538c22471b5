import type { EnvDefinition, EnvId } from './env.ts';
import { describeIssues } from './issues.ts';
import type { Reply, Textual } from './textual.ts';

/** What there is to say of an env's words and actions. */
export type Worded<Obs, Act> = Pick<EnvDefinition<EnvId, never, Obs, Act>, 'text' | 'action'>;

/**
 * The words of an env for players who write as they like, such as a language model: what `parse` makes of theirs and the definition's `action`
 * does not allow is malformed, as all that cannot be read is, where the opened env would refuse it and with it the run.
 */
export function heldWords<Obs, Act>({ text, action: schema }: Worded<Obs, Act>): Textual<Obs, Act> {
  return {
    observation: (observation) => text.observation(observation),
    action: (action) => text.action(action),
    parse: (words): Reply<Act> => {
      const reply = text.parse(words);
      if (reply.kind !== 'action') return reply;
      const read = schema.safeParse(reply.action);
      return read.success
        ? reply
        : { kind: 'malformed', why: `That is no action: ${describeIssues(read.error)}.`, text: words };
    },
    ...(text.isSample === undefined ? {} : { isSample: (action: Act) => text.isSample?.(action) === true }),
  };
}
