import type { Domain } from '../domain.ts';
import { calculateTool, transferToHuman } from '../generic-tools.ts';
import { changes } from './changes.ts';
import { lookUps } from './look-ups.ts';
import { airlineTables } from './models.ts';

/** Reservations of an airline. */
export const airlineDomain: Domain = {
  name: 'airline',
  agent: {
    className: 'AirlineTools',
    file: 'db.json',
    tables: airlineTables,
    tools: [calculateTool, ...changes, ...lookUps, transferToHuman],
    changing: new Set(changes.map(({ name }) => name)),
    functions: {},
  },
};
