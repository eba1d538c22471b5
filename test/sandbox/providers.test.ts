import { describe, expect, it } from 'vitest';
import { UsageError } from '../../envs/core/errors.ts';
import {
  chooseProvider,
  createBubblewrapProvider,
  createDockerProvider,
  createFakeProvider,
  createWasmProvider,
  surveyProviders,
  type Guarantees,
  type ProviderMakers,
  type SandboxProvider,
} from '../../sandbox/index.ts';
import { never } from './suite/subject.ts';

const strong: Partial<Guarantees> = { boundary: 'namespaces', network: 'none', files: 'private-root' };
const now = (): number => 0;

function stage(of: {
  readonly [Name in keyof ProviderMakers]: {
    readonly guarantees?: Partial<Guarantees>;
    readonly unavailable?: string;
  };
}) {
  const disposed: string[] = [];
  const makers = Object.fromEntries(
    Object.entries(of).map(([name, options]) => [
      name,
      (): Promise<SandboxProvider> => {
        const provider = createFakeProvider(() => ({}), options);
        return Promise.resolve({
          ...provider,
          name,
          [Symbol.asyncDispose]: () => Promise.resolve(void disposed.push(name)),
        });
      },
    ]),
  ) as ProviderMakers;
  return { disposed, opening: { now, signal: never, makers } };
}

it.each([createBubblewrapProvider, createDockerProvider, createWasmProvider])(
  '%o refuses to be made without a clock',
  (create) => {
    const untyped = create as (options: unknown) => unknown;
    expect(() => untyped({})).toThrow(/sandbox provider ".+": `now` must be a function/);
  },
);

it.each([
  [createWasmProvider, 'warm', [Number.NaN, Infinity, -1, 0.5, '1']],
  [createDockerProvider, 'warm', [Number.NaN, Infinity, -1]],
  [createDockerProvider, 'most', [Number.NaN, 0]],
  [createDockerProvider, 'lifetimeMs', [Number.NaN, 0, Infinity]],
  [createDockerProvider, 'silenceMs', [Number.NaN, 0, Infinity]],
  [createDockerProvider, 'answerMs', [Number.NaN, 0, Infinity]],
  [createDockerProvider, 'cpus', [Number.NaN, 0, -1, Infinity]],
] as const)('%o refuses an invalid %s', (create, name, values) => {
  const untyped = create as (options: unknown) => unknown;
  for (const value of values)
    expect(() => untyped({ now, [name]: value })).toThrow(
      new RegExp(`sandbox provider ".+", ${name}: it must be .*, not ${String(value)}\\.`),
    );
});

describe('chooseProvider', () => {
  it('takes the strongest provider that works and meets the needs, and closes the others', async () => {
    const { opening, disposed } = stage({
      wasm: { guarantees: strong },
      docker: { guarantees: strong },
      bubblewrap: { guarantees: strong, unavailable: 'no namespaces' },
    });
    const { provider, needs } = await chooseProvider({ needs: strong, allowWeak: false }, opening);
    expect([provider.name, needs, disposed]).toEqual(['docker', strong, ['bubblewrap']]);
  });

  it('takes the named provider, or none', async () => {
    const { opening, disposed } = stage({
      bubblewrap: { guarantees: strong },
      docker: { guarantees: strong, unavailable: 'no daemon' },
    });
    await expect(
      chooseProvider({ name: 'docker', needs: strong, allowWeak: false }, opening),
    ).rejects.toThrow(/sandbox "docker".*docker: no daemon/);
    expect(disposed).toEqual(['docker']);
    await expect(chooseProvider({ name: 'wasm', needs: {}, allowWeak: true }, opening)).rejects.toThrow(
      /wasm: it is not part of this build/,
    );
  });

  it('names every need that each provider fails to meet', async () => {
    const { opening } = stage({ docker: { guarantees: { ...strong, network: 'open' } }, wasm: {} });
    const choosing = chooseProvider({ needs: strong, allowWeak: false }, opening);
    await expect(choosing).rejects.toThrow(UsageError);
    await expect(choosing).rejects.toThrow(
      /docker: network is "open", not "none"; wasm: boundary is "none", not "namespaces", files is "host", not "private-root", network/,
    );
  });

  it('takes a weak provider only on request, and only wasm', async () => {
    const { opening } = stage({ docker: {}, wasm: { guarantees: { network: 'none' } } });
    const { provider, needs } = await chooseProvider({ needs: strong, allowWeak: true }, opening);
    expect([provider.name, needs]).toEqual(['wasm', { network: 'none' }]);
  });

  it('passes over a provider with a wrong setting, unless it was named', async () => {
    const host = {
      bubblewrap: { guarantees: strong, unavailable: 'no namespaces' },
      docker: { guarantees: strong },
      wasm: { guarantees: strong },
    };
    const { opening } = stage(host);
    const docker = (): Promise<SandboxProvider> =>
      Promise.resolve(createDockerProvider({ now, host: 'tcp://1.2.3.4:5' }));
    const wrong = { ...opening, makers: { ...opening.makers, docker } };
    expect((await chooseProvider({ needs: strong, allowWeak: false }, wrong)).provider.name).toBe('wasm');
    await expect(chooseProvider({ name: 'docker', needs: strong, allowWeak: false }, wrong)).rejects.toThrow(
      /^Docker host "tcp:\/\/1\.2\.3\.4:5": /,
    );
    const reports = await surveyProviders(wrong);
    expect(reports.map(({ name, works }) => [name, works])).toEqual([
      ['bubblewrap', false],
      ['docker', false],
      ['wasm', true],
    ]);
    expect(reports[1]?.why).toMatch(
      /^Docker host "tcp:\/\/1\.2\.3\.4:5": it must be the socket of a daemon on this machine/,
    );
  });

  it('closes a provider whose trial fails', async () => {
    const { opening, disposed } = stage({ docker: {} });
    const cut = {
      ...opening,
      makers: {
        docker: async () => ({
          ...(await opening.makers.docker?.({ now }))!,
          unavailable: () => Promise.reject(new Error('cut')),
        }),
      },
    };
    await expect(chooseProvider({ needs: {}, allowWeak: false }, cut)).rejects.toThrow('cut');
    expect(disposed).toEqual(['docker']);
  });
});

describe('surveyProviders', () => {
  it('reports for each provider what it isolates, or why it does not work', async () => {
    const { opening, disposed } = stage({ docker: { unavailable: 'no daemon' }, wasm: {} });
    const reports = await surveyProviders(opening);
    expect(reports).toEqual([
      { name: 'docker', works: false, why: 'no daemon' },
      { name: 'wasm', works: true, why: expect.stringContaining('boundary none, user same') as string },
    ]);
    expect(disposed).toEqual(['docker', 'wasm']);
  });
});
