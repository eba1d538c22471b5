import { defineHamiltonian } from './hamiltonian.ts';

export const hamiltonianPath = defineHamiltonian({
  name: 'hamiltonian-path',
  closed: false,
  chance: (level) => [0.2, 0.01, 0.001, 0.001][level - 1] ?? 0,
});
export const hamiltonianCycle = defineHamiltonian({
  name: 'hamiltonian-cycle',
  closed: true,
  chance: (level) => [0.2, 0.01, 0.001, 0.001][level - 1] ?? 0,
});
