import os from 'node:os';
import { z } from 'zod';
import type { Outcome, CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { surveyProviders, type ProviderReport } from '../../sandbox/providers.ts';
import type { BackendReport } from '../doctor/backends.ts';
import { systemParts, type Finding } from '../doctor/system-parts.ts';
import { layOut } from '../terminal/table.ts';

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'show what works on this machine, what is missing and how to get it',
  flags: [],
  examples: [
    {
      line: 'cairn doctor',
      says: 'which tensor backends start, which sandboxes work and which system parts are there',
    },
    { line: 'cairn doctor --json', says: 'the same for a bug report or a script' },
  ],
  options: z.strictObject({}),
  run: async (_options, session) => {
    const { probeBackends, withSoftwareDriver } = await import('../doctor/backends.ts'); // it loads TensorFlow.js, which the other commands need not wait for
    const probed = await probeBackends(session.signal);
    const parts = await Promise.all(
      systemParts.map(async ({ name, purpose, get, find }) => ({
        name,
        purpose,
        get,
        ...(await find(session.environment)),
      })),
    );
    const backends = withSoftwareDriver(probed, {
      driver: parts.find(({ name, kind }) => name === 'software-vulkan' && kind === 'present')?.detail,
      environment: session.environment,
    });
    const sandboxes = await surveyProviders({
      now: () => performance.now(),
      signal: session.signal,
      dockerHost: session.environment['DOCKER_HOST'],
    });
    return describe({ machine: describeMachine(session), backends, sandboxes, parts });
  },
});

type PartReport = Finding & { readonly name: string; readonly purpose: string; readonly get: string };

interface Examination {
  readonly machine: ReturnType<typeof describeMachine>;
  readonly backends: readonly BackendReport[];
  readonly sandboxes: readonly ProviderReport[];
  readonly parts: readonly PartReport[];
}

function describeMachine(session: CommandContext) {
  const processors = os.cpus();
  return {
    cairn: session.version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Number((os.totalmem() / 2 ** 30).toFixed(1)),
    freeMemoryGiB: Number((os.freemem() / 2 ** 30).toFixed(1)),
  };
}

function describe(found: Examination): Outcome {
  const { machine, backends, sandboxes, parts } = found;
  const anyBackend = backends.some((backend) => backend.starts);
  const lines = [
    `cairn ${machine.cairn}, Node ${machine.node}, ${machine.platform}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB memory (${machine.freeMemoryGiB} GiB free)`,
    '',
    'Tensor backends, the best first. One with "yes" starts on this machine; behind it stands what it computes on:',
    ...layOut(
      backends.map(({ starts, name, why }) => [starts ? 'yes' : 'no', name, why]),
      { indent: 2 },
    ),
    ...backends.flatMap(({ name, notes }) => notes.map((note) => `  ${name}: ${note}`)),
    '',
    'Sandboxes for programs that nobody trusts, the strongest first, each tried out; behind one with "yes" stands what it isolates:',
    ...layOut(
      sandboxes.map(({ works, name, why }) => [works ? 'yes' : 'no', name, why]),
      { indent: 2 },
    ),
    '',
    'System parts. Training on the processor needs none; what one with "no" would be good for stands below:',
    ...layOut(
      parts.map(({ kind, name, detail }) => [kind === 'present' ? 'yes' : 'no', name, detail]),
      { indent: 2 },
    ),
    ...parts
      .filter(({ kind }) => kind === 'missing')
      .map(
        ({ name, purpose, get, fix }) =>
          `  ${name} is for ${purpose}. ${fix === undefined ? `Get it: ${get}` : `Fix it: ${fix}`}.`,
      ),
    '',
    anyBackend
      ? 'Training can start: `cairn train household`.'
      : 'No tensor backend starts: run `npm ci` again and look at its output.',
  ];
  return { document: found, lines, failed: !anyBackend };
}
