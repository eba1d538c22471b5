import { z } from 'zod';
import { UsageError } from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
import { panelNames, type Items } from '../items.ts';
import type { PuzzleRules } from '../rules.ts';
import { Auditor, type PuzzleLevelAudit } from './auditor.ts';
import type { PuzzleAuditFinding } from './findings.ts';

const count = z.int().min(1).max(1_000_000);
const planSchema = z.strictObject({
  /** Questions of each level whose answers are tried. */
  seeds: count.default(100),
  /** Questions of each level that are compared for repeats. */
  distinct: count.default(1_000),
  /** Random answers of each level. */
  guesses: count.default(1_000),
  /** Questions of each panel that are compared with the other panels, at most the size of the panel. */
  tasks: count.default(100),
  /** Random episodes of each level of the step-wise form. */
  plays: count.default(20),
});

/** The size of an audit. */
export type PuzzleAuditPlan = z.output<typeof planSchema>;

/** The result of an audit. Without findings the puzzle passed. */
export interface PuzzleAudit {
  readonly puzzle: string;
  readonly plan: PuzzleAuditPlan;
  readonly findings: readonly PuzzleAuditFinding[];
  /** Wrong answers that were tried and rejected, by the kind of mistake. */
  readonly rejected: ReadonlyMap<string, number>;
  /** Other ways to write the solution that were tried and accepted, by kind. */
  readonly accepted: ReadonlyMap<string, number>;
  readonly levels: readonly PuzzleLevelAudit[];
}

/** Draws questions, and checks generator, verifier and solver against each other. */
export function auditPuzzle<Question, Answer, Level, State>(
  rules: PuzzleRules<string, Question, Answer, Level, State>,
  items: Items<Question, Answer, Level>,
  given: Partial<PuzzleAuditPlan>,
): PuzzleAudit {
  const parsed = planSchema.safeParse(given);
  if (!parsed.success) {
    const what = `${describeIssues(parsed.error)}.`;
    throw new UsageError({ where: 'audit plan', what, fix: 'Fix these members, or leave them out.' });
  }
  const plan = parsed.data;
  const { seeds, distinct, guesses, tasks, plays } = plan;
  const auditor = new Auditor(rules, items);
  for (let level = 1; level <= rules.levels.length; level += 1) {
    for (let seed = 0; seed < seeds; seed += 1) auditor.question(seed, level, Math.ceil(guesses / seeds));
    for (let seed = 0; seed < distinct; seed += 1) auditor.draw(seed, level);
    for (let seed = 0; seed < plays; seed += 1) auditor.play(seed, level);
  }
  for (const panel of panelNames)
    for (let index = 0; index < tasks && auditor.task(panel, index); index += 1);
  const levels = auditor.conclude();
  const { findings, rejected, accepted } = auditor;
  return { puzzle: rules.name, plan, findings: findings.list, rejected, accepted, levels };
}
