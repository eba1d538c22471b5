/** Built-in envs that need a browser. */
export const playedInBrowsers: readonly string[] = ['shop-browser-v1', 'web-v1'];

/** Envs that run programs: with pieces to assemble, so that their hidden facts can be swapped at every point. */
export const playedInSandboxes: Readonly<Record<string, object>> = {
  'code-v1': { pieces: 2, maxSteps: 6, testMs: 1_000 },
  'critique-v1': { runs: 2 },
  'ml-engineering-v1': { pieces: 2, maxSteps: 5 },
  'verilog-v1': { pieces: 3, maxSteps: 5 },
};
