import type { AnyEnvDefinition } from '../core/env.ts';
import { isMixtureId, parseMixture } from '../core/mixture-name.ts';
import type { Registry } from '../core/registry.ts';
import { mixEnvs } from './mixture.ts';

/** The registry, whose `find` also understands mixtures such as `mix:household=2,game-maze=1`. */
export function withMixtures<Definitions extends readonly AnyEnvDefinition[]>(
  registry: Registry<Definitions>,
): Registry<Definitions> {
  const made = new Map<string, AnyEnvDefinition>();
  const find = (id: string): AnyEnvDefinition => {
    if (!isMixtureId(id)) return registry.find(id);
    const mixture: AnyEnvDefinition =
      made.get(id) ??
      mixEnvs(parseMixture(id).map(({ name, weight }) => ({ definition: registry.find(name), weight })));
    made.set(id, mixture);
    return mixture;
  };
  return { ...registry, find };
}
