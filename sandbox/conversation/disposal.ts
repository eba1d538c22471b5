import { UsageError } from '../../envs/core/errors.ts';

/** What a call rejects with while whose conversation is disposed of: neither the code nor the interpreter ended it. */
export const endedMeanwhile = (): UsageError =>
  new UsageError({
    where: 'conversation.say',
    what: 'the conversation was disposed while this call was running.',
    fix: 'Await the call before disposing.',
  });
