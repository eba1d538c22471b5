import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { readTimes } from './recorded-times.ts';

const unknownSeconds = 1;

/** Starts long test files before short ones, so that all workers end at about the same time. Projects run one after the other. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readTimes();
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      times.get(path.relative(this.ctx.config.root, moduleId)) ?? unknownSeconds;
    const nameOf = ({ project, moduleId }: TestSpecification): string => `${project.name}:${moduleId}`;
    return [...files].sort((one, other) =>
      one.project === other.project && secondsOf(one) !== secondsOf(other)
        ? secondsOf(other) - secondsOf(one)
        : nameOf(one).localeCompare(nameOf(other)),
    );
  }
}
