import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { programBeside } from '../../envs/core/program-beside.ts';
import { backendNames } from '../../models/backend/backend.ts';

/** Whether a tensor backend starts on this machine. */
export interface BackendReport {
  readonly name: string;
  readonly starts: boolean;
  readonly why: string;
  readonly notes: readonly string[];
}

const reportSchema = z.object({
  name: z.string(),
  starts: z.boolean(),
  why: z.string(),
  notes: z.array(z.string()),
});

const probeMs = 60_000;

/** Starts each backend in its own process, one after the other. */
export async function probeBackends(signal: AbortSignal): Promise<readonly BackendReport[]> {
  const reports: BackendReport[] = [];
  for (const name of backendNames) reports.push(await probe(name, signal));
  return reports;
}

/**
 * The reports. If no GPU was found, they include how to name the installed software driver.
 * @param driver the file that describes it, if there is one
 */
export function withSoftwareDriver(
  reports: readonly BackendReport[],
  { driver, environment }: { readonly driver: string | undefined; readonly environment: NodeJS.ProcessEnv },
): readonly BackendReport[] {
  if (driver === undefined || (environment['VK_ICD_FILENAMES'] ?? '') !== '') return reports;
  const note = `A software driver is installed; it is slow but good for a trial. Select it with: VK_ICD_FILENAMES=${driver} npx cairn-gym … --backend webgpu.`;
  return reports.map((report) =>
    report.name === 'webgpu' && !report.starts ? { ...report, notes: [...report.notes, note] } : report,
  );
}

function probe(name: string, signal: AbortSignal): Promise<BackendReport> {
  const program = fileURLToPath(programBeside(import.meta.url, 'probe-backend'));
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, name], { timeout: probeMs, signal }, (error, stdout, stderr) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const last = stdout.trim().split('\n').at(-1) ?? '';
      const parsed = reportSchema.safeParse(parseJson(last));
      if (parsed.success) return resolve(parsed.data);
      const how =
        error?.killed === true
          ? `it did not start within ${probeMs / 1000} s`
          : `starting it ended the process (${lastLine(stderr, error)})`;
      resolve({ name, starts: false, why: `${how}.`, notes: [] });
    });
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const lastLine = (stderr: string, error: Error | null): string =>
  stderr.trim().split('\n').at(-1) || (error?.message.split('\n')[0] ?? 'no word');
