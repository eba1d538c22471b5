import type { ToolWorld } from '../../engines/tools/define-tool-env.ts';
import { composeTask, panels, policyFor } from '../compose.ts';
import { rememberRows } from '../remember-rows.ts';
import { ToolSearcher } from '../searcher.ts';
import { officeForms, officeRules } from './forms.ts';
import { officeRows, officeTables, type OfficeTables } from './tables.ts';
import { officeTools, phoneTools } from './tools.ts';

const rowsOf = rememberRows(officeRows);

/** The help desk of an office, whose users have phones. */
export function office(seed: number): ToolWorld<OfficeTables> {
  const source = { world: 'office', seed, rows: rowsOf(seed), forms: officeForms };
  return {
    tables: officeTables,
    tools: officeTools,
    userTools: phoneTools,
    panels,
    policy: policyFor('at the help desk of an office'),
    rules: officeRules,
    slots: ['email address', 'meeting id', 'file id'],
    task: (ref) => composeTask(source, ref),
    searcher: (rng) => new ToolSearcher(officeForms, rng),
  };
}
