import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createContext } from '../../envs/core/context.ts';
import { programBeside } from '../../envs/core/program-beside.ts';
import { mcpEnv } from '../../envs/mcp/definition.ts';
import { openEnv } from '../../envs/open.ts';
import { describeMachine, machineLoad } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';

// Calls of an MCP server over standard input and output: by the bare client of the SDK, and as steps of `mcp-v1`
// through `openEnv` with all its guards. Rounds take turns, so that both see the same load.

const rounds = 160;
/** Calls of an episode: what an env remembers of it grows with it. */
const callsOfRound = 30;
const warmUp = 40;

interface Times {
  readonly ms: number[];
  cpuMs: number;
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

async function measure(times: Times, call: (text: string) => Promise<unknown>): Promise<void> {
  const began = cpuMs();
  for (let at = 0; at < callsOfRound; at += 1) {
    const start = performance.now();
    await call(`text ${at}`);
    times.ms.push(performance.now() - start);
  }
  times.cpuMs += cpuMs() - began;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

function summary({ ms, cpuMs: computed }: Times): Readonly<Record<string, number>> {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number): number => rounded(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  const total = ms.reduce((sum, one) => sum + one, 0);
  return {
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    callsPerSecond: Math.round((ms.length / total) * 1_000),
    cpuMsPerCall: rounded(computed / ms.length),
  };
}

const server = fileURLToPath(programBeside(import.meta.url, 'echo-server'));
const folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-mcp-calls-'));
const tasks = path.join(folder, 'tasks.json');
writeFileSync(tasks, JSON.stringify({ panels: { train: [{ says: 'Echo.', tell: ['x'] }] } }));

const bare = new Client({ name: 'bare', version: '1' }, { versionNegotiation: { mode: 'auto' } });
await bare.connect(new StdioClientTransport({ command: process.execPath, args: [server] }));
await bare.listTools();

const context = createContext({ seed: 1, now: () => performance.now(), system: process.env });
const host = await openEnv(
  mcpEnv,
  {
    servers: { echo: { command: process.execPath, args: [server], reset: 'keep' } },
    tasks,
    listed: false,
    maxSteps: 1_000,
  },
  context,
);
const env = await host.create();
const times = { bare: { ms: [], cpuMs: 0 }, env: { ms: [], cpuMs: 0 } };
const starts: number[] = [];
for (let round = 0; round < rounds + warmUp; round += 1) {
  const start = performance.now();
  await env.reset({ panel: 'train', index: 0 }, context);
  starts.push(performance.now() - start);
  await measure(times.bare, (text) => bare.callTool({ name: 'echo', arguments: { text } }));
  await measure(times.env, (text) =>
    env.step({ kind: 'calls', calls: [{ name: 'echo.echo', arguments: { text } }] }, context),
  );
  if (round === warmUp - 1) for (const one of Object.values(times)) [one.ms.length, one.cpuMs] = [0, 0];
}
const [sdk, mcp] = [summary(times.bare), summary(times.env)];
printReport({
  ...describeMachine(),
  protocol: bare.getNegotiatedProtocolVersion(),
  calls: rounds * callsOfRound,
  bareClient: sdk,
  mcpEnv: mcp,
  addedMs: { p50: rounded((mcp['p50'] ?? 0) - (sdk['p50'] ?? 0)) },
  addedCpuMs: rounded((mcp['cpuMsPerCall'] ?? 0) - (sdk['cpuMsPerCall'] ?? 0)),
  resetMs: { first: rounded(starts[0] ?? 0), kept: rounded(starts.at(-1) ?? 0) },
  loadAfter: machineLoad(),
});
await env.close();
await host.close();
await bare.close();
rmSync(folder, { recursive: true, force: true });
