import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../../cli/commands.ts';
import { describeTrainingKeys } from '../../cli/training/list-keys.ts';
import { builtInEnvs } from '../../envs/catalog.ts';
import { describeConfigKeys } from '../../envs/core/config-keys.ts';
import { renderReference } from '../../scripts/reference/render-reference.mjs';
import { creditEstimators } from '../../trainers/credit/estimators/list.ts';
import { root } from '../support/run-program.ts';

const folder = path.join(root, 'docs', 'reference');

describe('the reference pages', () => {
  const pages = renderReference({
    builtInEnvs,
    commands,
    creditEstimators,
    describeConfigKeys,
    describeTrainingKeys,
  });

  it.each(Object.entries(pages))('docs/reference/%s is up to date (npm run docs)', (file, text) => {
    expect(readFileSync(path.join(folder, file), 'utf8')).toBe(text);
  });

  it('every page of docs/reference is generated', () => {
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(pages).toSorted());
  });

  it('the config page describes every key', () => {
    expect(describeTrainingKeys().filter(({ says }) => says === '')).toEqual([]);
  });
});
