import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { builtInEnvs } from '../../envs/catalog.ts';
import { describeConfigKeys } from '../../envs/core/config-keys.ts';
import { renderReference } from '../../scripts/env-reference.mjs';
import { root } from '../support/run-program.ts';

const read = (...parts: readonly string[]): string => readFileSync(path.join(root, ...parts), 'utf8');

it('docs/reference/environments.md is current (npm run docs)', () => {
  expect(read('docs', 'reference', 'environments.md')).toBe(renderReference(builtInEnvs, describeConfigKeys));
});
