import os from 'node:os';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { surveyProviders, type ProviderReport } from '../../sandbox/providers.ts';
import type { BackendReport } from '../doctor/backends.ts';
import { systemParts, type Finding } from '../doctor/system-parts.ts';
import { layOut } from '../terminal/table.ts';

export const doctorCommand = defineCommand({
  flags: [
    {
      flags: '--trainer',
      says: 'instead check that training works: true rewards must improve a policy, random ones must not, inverted ones must make it worse (minutes on one core)',
    },
    {
      flags: '--seeds <list>',
      says: 'with --trainer: the seeds of its trainings, such as 0..4 or 0,3,7 (default: 0..4)',
    },
  ],
  examples: [
    {
      line: 'npx cairn-gym doctor',
      says: 'which tensor backends start, which sandboxes work and which system parts are installed',
    },
    { line: 'npx cairn-gym doctor --json', says: 'the same for a bug report or a script' },
    {
      line: 'npx cairn-gym doctor --trainer',
      says: 'whether the trainer learns from true rewards alone, on random calculations; the exit code is 1 if not',
    },
  ],
  options: z.strictObject({ trainer: z.boolean().default(false), seeds: z.string().optional() }),
  run: async ({ trainer, seeds }, session) => {
    if (trainer) {
      const { checkTrainer } = await import('../doctor/check-trainer.ts');
      return checkTrainer(seeds, session);
    }
    if (seeds !== undefined)
      throw new UsageError({
        where: 'cairn-gym doctor, --seeds',
        what: 'it applies to the control of the trainer, which was not asked for.',
        fix: 'Remove it, or add --trainer.',
      });
    // loaded on demand, because TensorFlow.js slows the start of other commands
    const { probeBackends, withSoftwareDriver } = await import('../doctor/backends.ts');
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
    `cairn-gym ${machine.cairn}, Node ${machine.node}, ${machine.platform}`,
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGiB} GiB memory (${machine.freeMemoryGiB} GiB free)`,
    '',
    'Tensor backends. `auto` takes the first that starts, the first two only with a GPU; without one, a language model takes `tensorflow`. "yes" is followed by the device:',
    ...layOut(
      backends.map(({ starts, name, why }) => [starts ? 'yes' : 'no', name, why]),
      { indent: 2 },
    ),
    ...backends.flatMap(({ name, notes }) => notes.map((note) => `  ${name}: ${note}`)),
    '',
    'Sandboxes for untrusted programs, strongest first, each tested. "yes" is followed by what it isolates:',
    ...layOut(
      sandboxes.map(({ works, name, why }) => [works ? 'yes' : 'no', name, why]),
      { indent: 2 },
    ),
    '',
    'System parts. Training on the CPU needs none. For each "no", its purpose is listed below:',
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
      ? 'Training can start: `npx cairn-gym train household`.'
      : 'No tensor backend starts: run `npm ci` again and read its output.',
  ];
  return { document: found, lines, failed: !anyBackend };
}
