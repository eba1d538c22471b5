import type { RulesAudit, RulesAuditResult, RulesFinding } from '../../core/audit.ts';
import { panelNames, type Items } from '../items.ts';
import type { PuzzleRules } from '../rules.ts';
import { Auditor } from './auditor.ts';

/** Random answers of each question. */
const guesses = 10;
/** Questions that are compared for repeats, for each question whose answers are tried. */
const draws = 5;
/** One step-wise episode is played for so many questions. */
const questionsPerPlay = 5;
/** With fewer questions, right answers beside the known ones may just not have come up. */
const leastQuestions = 50;

/**
 * The audit that `checkEnv` runs of one form of a puzzle: that of {@link auditPuzzle} in small steps. Seeds go before levels, so that an
 * audit that ends early has tried all levels.
 *
 * @param tasks questions of each level
 */
export function rulesAuditOf<Question, Answer, Level, State>(
  rules: PuzzleRules<string, Question, Answer, Level, State>,
  items: Items<Question, Answer, Level>,
  { form, tasks }: { readonly form: 'single-answer' | 'step-wise'; readonly tasks: number },
): RulesAudit {
  const auditor = new Auditor(rules, items);
  const levels = rules.levels.length;
  const open = new Set(panelNames);
  let step = 0;
  let concluded: RulesAuditResult | undefined;
  return {
    advance: () => {
      const [seed, level] = [Math.floor(step / levels), (step % levels) + 1];
      if (seed >= tasks) return false;
      auditor.question(seed, level, form === 'single-answer' ? guesses : 0);
      for (let draw = 0; draw < draws; draw += 1) auditor.draw(seed * draws + draw, level);
      if (form === 'step-wise' && seed % questionsPerPlay === 0) auditor.play(seed, level);
      if (level === levels) for (const panel of open) if (!auditor.task(panel, seed)) open.delete(panel);
      step += 1;
      return step < tasks * levels;
    },
    result: () => {
      if (concluded !== undefined) return concluded;
      auditor.conclude();
      const tried = triedOf(auditor);
      const lone =
        rules.unique !== true && auditor.others === 0 && (tried['questions'] ?? 0) >= leastQuestions;
      concluded = { tried, findings: [...auditor.findings.firsts(), ...(lone ? [loneSolution] : [])] };
      return concluded;
    },
  };
}

/** A verifier that compares with a stored solution looks like this. */
const loneSolution: RulesFinding = {
  check: 'other answers',
  severity: 'warning',
  where: 'all levels',
  what: 'no right answer beside the known solutions was tried, so a verifier that compares with them would pass.',
  fix: 'Give audit.equivalents or solve, or declare unique where each question has one solution.',
  times: 1,
};

function triedOf<Question, Answer, Level, State>({
  levels,
  accepted,
  rejected,
  others,
  tasks,
  plays,
}: Auditor<Question, Answer, Level, State>): Readonly<Record<string, number>> {
  const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);
  const counts = {
    questions: sum(levels.map(({ questions }) => questions)),
    'wrong answers': sum(rejected.values()),
    'other forms of solutions': sum(accepted.values()),
    'other right answers': others,
    'random answers': sum(levels.map(({ guesses: tried }) => tried)),
    'seeds for repeats': sum(levels.map(({ drawn }) => drawn)),
    'tasks of panels': tasks,
    'random episodes': plays,
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
