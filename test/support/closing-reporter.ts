import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node';
import { writeTimes } from './recorded-times.ts';
import { describeSlowTests, type Tier } from './tiers.ts';

/** Stands in the reason of a skip that no installation can fix. */
export const needsHardware = 'hardware';

/** The reason of a skip in the quick tier. */
export const needsAllTier = 'needs a part of the system, which only the tier `all` uses';

/**
 * Says at the end, a line each, what was skipped and how to get what it needs. Under CAIRN_NO_SKIP a skipped test counts as
 * failed, unless what it needs is hardware that nobody can install. CAIRN_COUNTS_FILE gets the counts as two words. After the quick
 * tier one line says what the other adds. CAIRN_RECORD_TIMES keeps how long the files took, for `LongestFirst`.
 */
export class ClosingReporter implements Reporter {
  readonly #tier: Tier;
  #chosen = false;

  constructor(tier: Tier) {
    this.#tier = tier;
  }

  onInit(vitest: Vitest): void {
    this.#chosen = vitest.config.testNamePattern !== undefined; // the others were left out on purpose
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const skipped = tests.filter((test) => !this.#chosen && test.result().state === 'skipped');
    const strict = (process.env['CAIRN_NO_SKIP'] ?? '') !== '';
    const refused = strict ? skipped.filter((test) => !noteOf(test).includes(needsHardware)) : [];
    const brokenFiles = modules.filter((module) => module.errors().length > 0).length;
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const failed =
      tests.filter((test) => test.result().state === 'failed').length +
      brokenFiles +
      errors.length +
      refused.length;
    const forAll = new Set(
      skipped.filter((test) => noteOf(test) === needsAllTier).map(({ module }) => module),
    );
    const others = skipped.filter((test) => noteOf(test) !== needsAllTier);
    for (const line of describeSkipped(others)) process.stdout.write(`${line}\n`);
    if (refused.length > 0)
      process.stdout.write(
        `${refused.length} skipped tests count as failed, because CAIRN_NO_SKIP is set.\n`,
      );
    if (this.#tier === 'quick') process.stdout.write(`${describeSlowTests(forAll.size)}\n`);
    if (failed > 0) process.exitCode = 1;
    if ((process.env['CAIRN_RECORD_TIMES'] ?? '') !== '') writeTimes(secondsOf(modules));
    const countsFile = process.env['CAIRN_COUNTS_FILE'];
    if (countsFile !== undefined) writeFileSync(countsFile, `${passed} ${failed}\n`);
  }
}

function secondsOf(modules: readonly TestModule[]): ReadonlyMap<string, number> {
  return new Map(
    modules.map((module) => {
      const { duration, collectDuration, setupDuration } = module.diagnostic();
      return [
        path.relative(process.cwd(), module.moduleId),
        (duration + collectDuration + setupDuration) / 1000,
      ];
    }),
  );
}

function noteOf(test: TestCase): string {
  const result = test.result();
  return result.state === 'skipped' ? (result.note ?? 'no reason was given') : '';
}

function describeSkipped(skipped: readonly TestCase[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const test of skipped) {
    const key = `${path.relative(process.cwd(), test.module.moduleId)}: ${noteOf(test)}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `skipped ${count} in ${key}`);
}
