import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { findPuzzle } from '../../envs/puzzle/puzzles.ts';
import { printReport } from '../report/print-report.ts';

// Compares our verifiers with recorded verdicts of reasoning-gym. `node dist/bench/puzzles/agreement.js FILE…` reads files that the scripts of
// test/golden/puzzles wrote. Without files it reads the small ones of the repository.

const recorded = z.array(z.tuple([z.string(), z.unknown(), z.string(), z.boolean()]));
const goldens = fileURLToPath(new URL('../../../test/golden/puzzles', import.meta.url));
const files = process.argv
  .slice(2)
  .concat(
    process.argv.length > 2
      ? []
      : ['goldens.json', 'logic-verdicts.json', 'task-verdicts.json'].map((file) => path.join(goldens, file)),
  );

interface Count {
  /** Answers by the verdict of reasoning-gym. */
  right: number;
  wrong: number;
  /** Answers that we accept and reasoning-gym does not, and the reverse. */
  onlyOurs: number;
  onlyTheirs: number;
}

const counts: Record<string, Count> = {};
for (const file of files)
  for (const [name, question, answer, isRight] of recorded.parse(JSON.parse(readFileSync(file, 'utf8')))) {
    const count = (counts[name] ??= { right: 0, wrong: 0, onlyOurs: 0, onlyTheirs: 0 });
    const isOurs = findPuzzle(name).judge(question, answer) === 'right';
    count[isRight ? 'right' : 'wrong'] += 1;
    if (isOurs && !isRight) count.onlyOurs += 1;
    if (!isOurs && isRight) count.onlyTheirs += 1;
  }
printReport({ what: 'verdicts of reasoning-gym 0.1.25, and where ours differ', counts });
