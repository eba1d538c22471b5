import type { ResetContext } from '../core/context.ts';
import { UsageError } from '../core/errors.ts';
import type { HttpServerConfig, ProcessServerConfig } from './config.ts';
import { openHttpTransport } from './http-transport.ts';
import type { McpSdk } from './load-sdk.ts';
import { ProcessTransport } from './process-transport.ts';
import type { Connector } from './server-set.ts';
import type { Connect } from './tool-server.ts';

/** Variables that every process gets. */
const usualVariables = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];

type Variables = NonNullable<ResetContext['system']>;

/** Ways to real servers: processes of this machine, and addresses. */
export function realConnector(
  sdk: McpSdk,
  options: { readonly system: Variables; readonly startMs: number },
): Connector {
  const { system, startMs } = options;
  return (name, config, folder) =>
    config.type === 'stdio'
      ? processWay(sdk, config, { variables: variablesFor(name, config, system), folder })
      : httpWay(sdk, config, { headers: headersFor(name, config, system), connectMs: startMs });
}

function processWay(
  sdk: McpSdk,
  config: ProcessServerConfig,
  given: { readonly variables: Readonly<Record<string, string>>; readonly folder: string | undefined },
): Connect {
  const filled = (part: string): string => part.replaceAll('{folder}', given.folder ?? '');
  const env = Object.fromEntries(
    Object.entries(given.variables).map(([name, value]) => [name, filled(value)]),
  );
  return (flood) => {
    const transport = new ProcessTransport({
      command: config.command,
      args: config.args.map(filled),
      env,
      flood,
      parse: sdk.deserializeMessage,
    });
    return {
      transport,
      obituary: () => transport.obituary,
      hasEnded: () => transport.hasEnded,
      kill: () => transport.kill(),
    };
  };
}

function httpWay(
  sdk: McpSdk,
  { url }: HttpServerConfig,
  given: { readonly headers: Readonly<Record<string, string>>; readonly connectMs: number },
): Connect {
  return (flood) => {
    const http = openHttpTransport({ sdk, url, flood, ...given });
    return {
      transport: http.transport,
      farewell: () => http.farewell(),
      kill: async () => http[Symbol.asyncDispose](),
    };
  };
}

function variablesFor(
  name: string,
  { env, pass }: ProcessServerConfig,
  system: Variables,
): Readonly<Record<string, string>> {
  const usual = usualVariables.flatMap((variable) => {
    const value = system[variable];
    return value === undefined ? [] : [[variable, value] as const];
  });
  const passed = pass.map((variable) => [variable, passedValue(name, variable, system)] as const);
  return { ...Object.fromEntries([...usual, ...passed]), ...env };
}

function headersFor(
  name: string,
  { headers, pass }: HttpServerConfig,
  system: Variables,
): Readonly<Record<string, string>> {
  const passed = Object.entries(pass).map(
    ([header, variable]) => [header, passedValue(name, variable, system)] as const,
  );
  return { ...headers, ...Object.fromEntries(passed) };
}

function passedValue(server: string, variable: string, system: Variables): string {
  const value = system[variable];
  if (value !== undefined) return value;
  throw new UsageError({
    where: `config of mcp-v1, servers.${server}.pass`,
    what: `the environment variable ${variable} is not set.`,
    fix: 'Set it, or remove its name.',
  });
}
