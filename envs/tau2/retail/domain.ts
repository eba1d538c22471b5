import type { Domain } from '../domain.ts';
import { calculateTool, transferToHuman } from '../generic-tools.ts';
import { changes } from './changes.ts';
import { lookUps } from './look-ups.ts';
import { retailTables } from './models.ts';

/** Orders of a shop. */
export const retailDomain: Domain = {
  name: 'retail',
  agent: {
    className: 'RetailTools',
    file: 'db.json',
    tables: retailTables,
    tools: [calculateTool, ...changes, ...lookUps, transferToHuman],
    changing: new Set(changes.map(({ name }) => name)),
    functions: {},
  },
};
