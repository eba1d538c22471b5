import { UsageError } from '../../../envs/core/errors.ts';
import { didYouMean, nearest } from '../../../envs/core/near-miss.ts';
import { llamaCpp } from './llama-cpp.ts';
import { sglang } from './sglang.ts';
import { vllm } from './vllm.ts';

/**
 * The kinds of servers that sample tokens. Add a new kind here: config schema, names, help and test table are
 * derived from this list.
 */
export const tokenServers = [vllm, sglang, llamaCpp] as const;

type BuiltIn = (typeof tokenServers)[number];
export type TokenServerKind = BuiltIn['kind'];
type ServerOf<Kind extends TokenServerKind> = Extract<BuiltIn, { readonly kind: Kind }>;

/**
 * The built-in server of that kind.
 * @throws UsageError for an unknown kind
 */
export function findTokenServer<Kind extends TokenServerKind>(kind: Kind): ServerOf<Kind> {
  const found = tokenServers.find((each): each is ServerOf<Kind> => each.kind === kind);
  if (found !== undefined) return found;
  const kinds = tokenServers.map((each) => each.kind);
  throw new UsageError({
    where: `token server ${String(kind)}`,
    what: 'the kind does not exist.',
    fix: `${didYouMean(nearest(kind, kinds))}The kinds are: ${kinds.join(', ')}.`,
  });
}
