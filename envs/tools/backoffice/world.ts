import type { ToolWorld } from '../../engines/tools/define-tool-env.ts';
import { composeTask, panels, policyFor } from '../compose.ts';
import { rememberRows } from '../remember-rows.ts';
import { ToolSearcher } from '../searcher.ts';
import { shopForms, shopRules } from './forms.ts';
import { shopRows, shopTables, type ShopTables } from './tables.ts';
import { shopTools } from './tools.ts';

const rowsOf = rememberRows(shopRows);

/** The back office of a shop. */
export function backOffice(seed: number): ToolWorld<ShopTables> {
  const source = { world: 'backoffice', seed, rows: rowsOf(seed), forms: shopForms };
  return {
    tables: shopTables,
    tools: shopTools,
    panels,
    policy: policyFor('in the back office of a shop'),
    rules: shopRules,
    slots: ['order id', 'email address'],
    task: (ref) => composeTask(source, ref),
    searcher: (rng) => new ToolSearcher(shopForms, rng),
  };
}
