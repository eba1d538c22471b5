import type { ResetContext } from '../core/context.ts';
import type { Guarantees } from '../../sandbox/guarantees.ts';
import { chooseProvider } from '../../sandbox/providers.ts';
import type { SandboxProvider } from '../../sandbox/sandbox.ts';
import type { sandboxNames } from './config.ts';

/** What programs of a model need around them. */
const needs: Partial<Guarantees> = {
  boundary: 'namespaces',
  user: 'unprivileged',
  files: 'private-root',
  network: 'loopback',
  environment: 'cleared',
  pids: 'enforced',
  children: 'all-killed',
};

/** What a config says of where programs run. */
export interface SandboxChoice {
  readonly sandbox: (typeof sandboxNames)[number];
  readonly allowWeakSandbox: boolean;
}

/** Where programs run, and what is asked of it. */
export interface Ground {
  readonly provider: SandboxProvider;
  readonly needs: Partial<Guarantees>;
}

/** Finds where programs run and hands it over; it is given back where opening fails. @throws UsageError where nothing here holds them */
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
