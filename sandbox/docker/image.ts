import { z } from 'zod';
import { failed } from '../faults.ts';
import { Capture } from '../printing.ts';
import type { CommandLine, Language } from '../sandbox.ts';
import type { Cell } from './cell.ts';
import { statusOf, type Daemon } from './daemon.ts';
import { defaultImage, type DockerSettings } from './options.ts';
import { endOf, startProgram } from './program.ts';

const infoSchema = z.object({
  OSType: z.string(),
  SecurityOptions: z.array(z.string()).nullish(),
  Runtimes: z.record(z.string(), z.unknown()).nullish(),
  MemoryLimit: z.boolean(),
  PidsLimit: z.boolean(),
  CpuCfsQuota: z.boolean(),
});

/**
 * Checks that the daemon can confine programs and has what containers are made of.
 *
 * @throws FaultError where it does not
 */
export async function assertAble(daemon: Daemon, settings: DockerSettings): Promise<void> {
  const info = infoSchema.parse(await daemon.ask('tell about itself', (docker) => docker.info()));
  const lacking: string[] = [];
  if (info.OSType !== 'linux') lacking.push(`its containers are of ${info.OSType}, not of Linux`);
  if (!(info.SecurityOptions ?? []).some((option) => /^name=seccomp\b/.test(option)))
    lacking.push('it has no filter on system calls (seccomp)');
  if (!info.MemoryLimit) lacking.push('its kernel holds no limit on memory');
  if (!info.PidsLimit) lacking.push('its kernel holds no limit on processes');
  if (!info.CpuCfsQuota) lacking.push('its kernel holds no limit on processor time');
  if (settings.runtime !== undefined && !(settings.runtime in (info.Runtimes ?? {})))
    lacking.push(
      `it knows no runtime ${settings.runtime}, only ${Object.keys(info.Runtimes ?? {}).join(', ')}`,
    );
  if (lacking.length > 0)
    throw failed(
      'open',
      `the Docker daemon at ${daemon.socketPath} cannot hold programs: ${lacking.join('; ')}`,
    );
  await assertImage(daemon, settings.image);
}

async function assertImage(daemon: Daemon, image: string): Promise<void> {
  try {
    await daemon.ask('look at the image', (docker) => docker.getImage(image).inspect());
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown;
    const fix =
      image === defaultImage
        ? '`npm run provision` makes it (Debian, as root)'
        : `\`docker pull ${image}\` brings it, or \`docker build\` makes it`;
    throw failed('open', `the Docker daemon at ${daemon.socketPath} has no image ${image}: ${fix}`);
  }
}

const programs: Readonly<Record<Language, string>> = { python: 'python3', javascript: 'node', shell: 'sh' };

/** The interpreters in the image of a new cell. */
export async function findInterpreters(cell: Cell): Promise<readonly Language[]> {
  const out = new Capture(4096);
  const look = Object.entries(programs).map(
    ([language, program]) => `command -v ${program} >/dev/null && echo ${language}`,
  );
  const program = await startProgram(cell, ['sh', '-c', `${look.join('\n')}\n:`], {
    stdin: false,
    hear: (stream, bytes) => void (stream === 'stdout' && out.take(bytes)),
  });
  try {
    await endOf(program, cell.plan.settings);
    await program.drained();
  } finally {
    program.release();
  }
  const found = out.printed().text.split('\n');
  return (Object.keys(programs) as Language[]).filter((language) => found.includes(language));
}

/**
 * The words before a program's file. JavaScript's heap may grow to the container's limit. Otherwise its
 * engine would abort earlier, and a program that exceeds the limit would look like one that crashed.
 */
export function interpretersOf(
  languages: readonly Language[],
  memoryBytes: number,
): Readonly<Partial<Record<Language, CommandLine>>> {
  const mebibytes = Math.ceil(memoryBytes / 2 ** 20);
  const words: Readonly<Record<Language, CommandLine>> = {
    python: ['python3'],
    javascript: ['node', `--max-old-space-size=${2 * mebibytes}`],
    shell: ['sh'],
  };
  return Object.fromEntries(languages.map((language) => [language, words[language]]));
}
