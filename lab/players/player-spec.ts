import { z } from 'zod';
import { playerKinds } from './list.ts';

const [first, ...others] = playerKinds;

/** Who plays, as JSON: the policy of a run, a language model, an expert of the env, a user's own agent, or chance. */
export const playerSpecSchema = z.discriminatedUnion('kind', [
  first.schema,
  ...others.map(({ schema }) => schema),
]);
export type PlayerSpec = Readonly<z.output<typeof playerSpecSchema>>;
