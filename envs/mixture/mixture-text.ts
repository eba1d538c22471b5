import { z } from 'zod';
import type { AnyEnvDefinition } from '../core/env.ts';
import type { Reply, Textual, ToolWords, TurnWords } from '../core/textual.ts';
import type { MixtureAction, MixtureObservation } from './mixture-env.ts';

type Text = Textual<MixtureObservation, MixtureAction>;

/** The words of a mixture: those of the env that an observation or an action belongs to. */
export function mixtureText(definitions: ReadonlyMap<string, AnyEnvDefinition>): Text {
  const texts = [...definitions.values()].map(({ text }) => text);
  const own = (env: string): AnyEnvDefinition['text'] => {
    const definition = definitions.get(env);
    if (definition === undefined) throw new RangeError(`${env} is not part of the mixture`);
    return definition.text;
  };
  const words: Text = {
    observation: ({ env, observation }) => own(env).observation(observation),
    action: ({ env, action }) => own(env).action(action),
    parse: (text) => ({
      kind: 'malformed',
      why: 'An action of a mixture is read by the env of its turn, and no turn is given.',
      text,
    }),
    ...(texts.some((text) => text.isSample !== undefined)
      ? { isSample: ({ env, action }) => own(env).isSample?.(action) === true }
      : {}),
    ...(texts.some((text) => text.features !== undefined)
      ? { features: ({ env, observation }) => own(env).features?.(observation) ?? {} }
      : {}),
    ...(texts.some((text) => text.target !== undefined)
      ? { target: ({ env, action }) => own(env).target?.(action) }
      : {}),
  };
  const turns = new Map(
    [...definitions].map(([env, definition]) => [env, turnWordsOf(env, definition)] as const),
  );
  const unknown: TurnWords<MixtureObservation, MixtureAction> = { text: words, action: z.never() };
  return {
    ...words,
    at: (observation: MixtureObservation | undefined) => turns.get(observation?.env ?? '') ?? unknown,
  };
}

/** The words of the turns of one env. They declare features only where that env does, so that its turns are encoded as without the mixture. */
function turnWordsOf(
  env: string,
  { text, action: schema }: AnyEnvDefinition,
): TurnWords<MixtureObservation, MixtureAction> {
  const mixed = (reply: Reply<unknown>): Reply<MixtureAction> =>
    reply.kind === 'action' ? { kind: 'action', action: { env, action: reply.action } } : reply;
  const { tools } = text;
  return {
    text: {
      observation: ({ observation }) => text.observation(observation),
      action: ({ action }) => text.action(action),
      parse: (words) => mixed(text.parse(words)),
      ...(text.readsThoughts === true ? { readsThoughts: true } : {}),
      ...(text.isSample === undefined ? {} : { isSample: ({ action }) => text.isSample?.(action) === true }),
      ...(tools === undefined ? {} : { tools: mixedTools(tools, mixed) }),
      ...(text.features === undefined
        ? {}
        : { features: ({ observation }) => text.features?.(observation) ?? {} }),
      ...(text.target === undefined ? {} : { target: ({ action }) => text.target?.(action) }),
    },
    action: schema.transform((action) => ({ env, action })),
  };
}

const mixedTools = (
  tools: ToolWords<unknown>,
  mixed: (reply: Reply<unknown>) => Reply<MixtureAction>,
): ToolWords<MixtureAction> => ({
  list: (admissible) => tools.list(admissible?.map(({ action }) => action)),
  read: (call) => mixed(tools.read(call)),
});
