import type { ToolWorld } from '../../engines/tools/define-tool-env.ts';
import { composeTask, panels, policyFor } from '../compose.ts';
import { rememberRows } from '../remember-rows.ts';
import { ToolSearcher } from '../searcher.ts';
import { bankForms, bankRules } from './forms.ts';
import { bankRows, bankTables, type BankTables } from './tables.ts';
import { bankTools } from './tools.ts';

const rowsOf = rememberRows(bankRows);

/** The service line of a bank. */
export function bank(seed: number): ToolWorld<BankTables> {
  const source = { world: 'bank', seed, rows: rowsOf(seed), forms: bankForms };
  return {
    tables: bankTables,
    tools: bankTools,
    panels,
    policy: policyFor('on the service line of a bank'),
    rules: bankRules,
    slots: ['card id', 'account id', 'email address'],
    task: (ref) => composeTask(source, ref),
    searcher: (rng) => new ToolSearcher(bankForms, rng),
  };
}
