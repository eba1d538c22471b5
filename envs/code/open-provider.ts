import type { ResetContext } from '../core/context.ts';
import type { Guarantees } from '../../sandbox/guarantees.ts';
import { chooseProvider } from '../../sandbox/providers.ts';
import type { SandboxProvider } from '../../sandbox/sandbox.ts';
import type { sandboxNames } from './config.ts';

/** The guarantees that a model's programs need. */
const needs: Partial<Guarantees> = {
  boundary: 'namespaces',
  user: 'unprivileged',
  files: 'private-root',
  network: 'loopback',
  environment: 'cleared',
  pids: 'enforced',
  children: 'all-killed',
};

/** The part of a config about where programs run. */
export interface SandboxChoice {
  readonly sandbox: (typeof sandboxNames)[number];
  readonly allowWeakSandbox: boolean;
}

/** A provider, and the needs to open its sandboxes with. */
export interface Ground {
  readonly provider: SandboxProvider;
  readonly needs: Partial<Guarantees>;
}

/**
 * Finds a provider and passes it on. It is disposed where opening fails.
 *
 * @throws UsageError where no provider meets the needs
 */
export async function withGround<Host>(
  { sandbox, allowWeakSandbox }: SandboxChoice,
  { now, signal, system }: ResetContext,
  open: (ground: Ground) => Promise<Host>,
): Promise<Host> {
  const ground = await chooseProvider(
    { ...(sandbox === 'auto' ? {} : { name: sandbox }), needs, allowWeak: allowWeakSandbox },
    { now, signal, dockerHost: system?.['DOCKER_HOST'] },
  );
  try {
    return await open(ground);
  } catch (thrown) {
    await ground.provider[Symbol.asyncDispose]();
    throw thrown;
  }
}
