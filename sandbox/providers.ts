import { UsageError } from '../envs/core/errors.ts';
import { meets, type Guarantees, type Shortfall } from './guarantees.ts';
import type { SandboxProvider } from './sandbox.ts';

/** The names of the providers, strongest first. */
export const providerNames = ['bubblewrap', 'docker', 'wasm'] as const;

export type ProviderName = (typeof providerNames)[number];

/** What providers are created with. */
export interface ProviderParts {
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  /** The socket of a Docker daemon in the format of `DOCKER_HOST`. Default: the usual places. */
  readonly dockerHost?: string | undefined;
}

/** Loads the modules of a provider only on demand. A provider without an entry is not part of this build. */
export type ProviderMakers = Readonly<
  Partial<Record<ProviderName, (parts: ProviderParts) => Promise<SandboxProvider>>>
>;

const ownMakers: ProviderMakers = {
  bubblewrap: async (parts) => (await import('./bubblewrap/provider.ts')).createBubblewrapProvider(parts),
  docker: async ({ now, dockerHost }) =>
    (await import('./docker/provider.ts')).createDockerProvider({ now, host: dockerHost }),
  wasm: async (parts) => (await import('./wasm/provider.ts')).openWasmProvider(parts),
};

/** The choice in a config. */
export interface ProviderChoice {
  /** Default: the strongest that works and meets the needs. */
  readonly name?: ProviderName;
  readonly needs: Partial<Guarantees>;
  /**
   * Accepts `wasm` although it does not meet the needs. The user has decided that the programs are trusted.
   */
  readonly allowWeak: boolean;
}

/**
 * A provider that works here, with the needs to open its sandboxes with. These are fewer than requested where
 * a weak provider was allowed.
 */
export interface ChosenProvider {
  readonly provider: SandboxProvider;
  readonly needs: Partial<Guarantees>;
}

/** The provider that is no security boundary by itself and can be allowed nevertheless. */
const weak: ProviderName = 'wasm';

interface Opening extends ProviderParts {
  readonly signal: AbortSignal;
  /** Default: the providers of this build. */
  readonly makers?: ProviderMakers;
}

/**
 * Finds a provider before the first episode. The caller disposes it.
 *
 * @throws UsageError that says of each provider why it is unsuitable, need by need
 */
export async function chooseProvider(choice: ProviderChoice, opening: Opening): Promise<ChosenProvider> {
  const names = choice.name === undefined ? providerNames : [choice.name];
  const refusals: string[] = [];
  for (const name of names) {
    const found = await tryProvider(name, choice, opening);
    if (typeof found !== 'string') return found;
    refusals.push(`${name}: ${found}`);
  }
  throw new UsageError({
    where: choice.name === undefined ? 'sandbox' : `sandbox "${choice.name}"`,
    what: `no provider meets the needs on this machine. ${refusals.join('; ')}.`,
    fix: `\`npx cairn-gym doctor\` reports which providers work. For programs that you trust, --allow-weak-sandbox allows ${weak}.`,
  });
}

/** The provider, or why it is unsuitable. */
async function tryProvider(
  name: ProviderName,
  choice: ProviderChoice,
  { signal, makers = ownMakers, ...parts }: Opening,
): Promise<ChosenProvider | string> {
  const provider = await makers[name]?.(parts);
  if (provider === undefined) return 'it is not part of this build';
  let chosen: ChosenProvider | undefined;
  try {
    const shortfalls = meets(provider.guarantees, choice.needs);
    const isAllowed = name === weak && choice.allowWeak;
    if (shortfalls.length > 0 && !isAllowed)
      return shortfalls
        .map(({ aspect, needed, given }) => `${aspect} is "${given}", not "${needed}"`)
        .join(', ');
    const reason =
      choice.name === undefined ? await whyNot(provider, signal) : await provider.unavailable(signal);
    if (reason !== undefined) return reason;
    chosen = { provider, needs: without(choice.needs, shortfalls) };
    return chosen;
  } finally {
    if (chosen === undefined) await provider[Symbol.asyncDispose]();
  }
}

/**
 * Why the provider does not work here. A usage error, such as a wrong daemon address, is one of the reasons.
 */
async function whyNot(provider: SandboxProvider, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await provider.unavailable(signal);
  } catch (thrown) {
    if (UsageError.is(thrown)) return thrown.message.replace(/\.$/, '');
    throw thrown;
  }
}

function without(needs: Partial<Guarantees>, shortfalls: readonly Shortfall[]): Partial<Guarantees> {
  const missed = new Set<string>(shortfalls.map(({ aspect }) => aspect));
  return Object.fromEntries(Object.entries(needs).filter(([aspect]) => !missed.has(aspect)));
}

/** The result of a trial of a provider on this machine. */
export interface ProviderReport {
  readonly name: ProviderName;
  readonly works: boolean;
  /** What it isolates where it works. Otherwise why it does not work and how to fix that. */
  readonly why: string;
}

/** Tries every provider of this build, one after the other. */
export async function surveyProviders({
  signal,
  makers = ownMakers,
  ...parts
}: Opening): Promise<readonly ProviderReport[]> {
  const reports: ProviderReport[] = [];
  for (const name of providerNames) {
    const provider = await makers[name]?.(parts);
    if (provider === undefined) continue;
    try {
      const reason = await whyNot(provider, signal);
      reports.push({ name, works: reason === undefined, why: reason ?? describe(provider.guarantees) });
    } finally {
      await provider[Symbol.asyncDispose]();
    }
  }
  return reports;
}

function describe(guarantees: Guarantees): string {
  return Object.entries(guarantees)
    .map(([aspect, level]) => `${aspect} ${level}`)
    .join(', ');
}
