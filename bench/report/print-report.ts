/** Prints what was measured, as the recorded runs hold it. */
export const printReport = (report: Readonly<Record<string, unknown>>): void =>
  void process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
