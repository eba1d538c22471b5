import type { ToolWorld } from '../../engines/tools/define-tool-env.ts';
import { composeTask, panels, policyFor } from '../compose.ts';
import { rememberRows } from '../remember-rows.ts';
import { ToolSearcher } from '../searcher.ts';
import { airlineForms, airlineRules } from './forms.ts';
import { airlineRows, airlineTables, type AirlineTables } from './tables.ts';
import { airlineTools } from './tools.ts';

const rowsOf = rememberRows(airlineRows);

/** The service desk of an airline. */
export function airline(seed: number): ToolWorld<AirlineTables> {
  const source = { world: 'airline', seed, rows: rowsOf(seed), forms: airlineForms };
  return {
    tables: airlineTables,
    tools: airlineTools,
    panels,
    policy: policyFor('at the service desk of an airline'),
    rules: airlineRules,
    slots: ['booking id', 'email address'],
    task: (ref) => composeTask(source, ref),
    searcher: (rng) => new ToolSearcher(airlineForms, rng),
  };
}
