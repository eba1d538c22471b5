// Runs as a separate program: a broken graphics driver can end the process, and the doctor must survive to
// report it.
import { z } from 'zod';
import { messageOf, UsageError } from '../../envs/core/errors.ts';
import { backendNames } from '../../models/backend/backend.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import type { BackendReport } from './backends.ts';

async function probe(name: z.output<typeof nameSchema>): Promise<BackendReport> {
  try {
    const backend = await openBackend(name, { environment: process.env });
    return { name, starts: true, why: backend.why, notes: backend.notes };
  } catch (thrown) {
    if (UsageError.is(thrown))
      return { name, starts: false, why: thrown.parts.what, notes: [thrown.parts.fix] };
    return { name, starts: false, why: messageOf(thrown), notes: [] };
  }
}

const nameSchema = z.enum(backendNames);
const report = await probe(nameSchema.parse(process.argv[2]));
process.stdout.write(`\n${JSON.stringify(report)}\n`, () => process.exit(0));
