import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAllCommands } from '../../cli/commands.ts';
import { describeTrainingKeys } from '../../cli/training/list-keys.ts';
import { builtInEnvs } from '../../envs/catalog.ts';
import { puzzleAuditChecks } from '../../envs/puzzle/audit/findings.ts';
import { puzzles } from '../../envs/puzzle/puzzles.ts';
import { describeConfigKeys } from '../../envs/core/config-keys.ts';
import { renderCatalogue } from '../../scripts/reference/catalogue.mjs';
import { renderPuzzles, type RecordedAudit } from '../../scripts/reference/puzzles.mjs';
import { renderReference } from '../../scripts/reference/render-reference.mjs';
import { entryOf } from '../../lab/catalogue/entry.ts';
import { creditEstimators } from '../../trainers/credit/estimators/list.ts';
import { recordedCatalogue } from '../support/recorded-catalogue.ts';
import { root } from '../support/run-program.ts';

const recordedAudits = JSON.parse(
  readFileSync(path.join(root, 'bench', 'puzzles', 'audits.json'), 'utf8'),
) as Record<string, RecordedAudit>;
const folder = path.join(root, 'docs', 'reference');

describe('the reference pages', async () => {
  const pages = renderReference({
    commands: await loadAllCommands(),
    creditEstimators,
    describeConfigKeys,
    describeTrainingKeys,
  });

  it.each(Object.entries(pages))('docs/reference/%s is up to date (npm run docs)', (file, text) => {
    expect(readFileSync(path.join(folder, file), 'utf8')).toBe(text);
  });

  it('docs/envs is up to date, and every page of it is generated (npm run docs)', () => {
    const written = renderCatalogue({
      builtInEnvs,
      describeConfigKeys,
      entryOf,
      recorded: recordedCatalogue(),
    });
    const catalogue = path.join(root, 'docs', 'envs');
    expect(readdirSync(catalogue).toSorted()).toEqual(Object.keys(written).toSorted());
    for (const [file, text] of Object.entries(written))
      expect(readFileSync(path.join(catalogue, file), 'utf8'), file).toBe(text);
  });

  it('docs/environments/puzzles.md is up to date (npm run docs)', () => {
    const text = renderPuzzles(puzzles, recordedAudits, puzzleAuditChecks);
    expect(readFileSync(path.join(root, 'docs', 'environments', 'puzzles.md'), 'utf8')).toBe(text);
  });

  it('every page of docs/reference is generated', () => {
    expect(readdirSync(folder).toSorted()).toEqual(Object.keys(pages).toSorted());
  });

  it('the config page describes every key', () => {
    expect(describeTrainingKeys().filter(({ says }) => says === '')).toEqual([]);
  });
});
