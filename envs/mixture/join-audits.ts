import type { RulesAudit } from '../core/audit.ts';

/** The audits of several envs as one. They take turns, so that an audit that ends early has tried all of them. */
export function joinAudits(audits: readonly (readonly [id: string, audit: RulesAudit])[]): RulesAudit {
  let open = audits;
  let at = 0;
  return {
    advance: async () => {
      const next = open[at % Math.max(1, open.length)];
      if (next === undefined) return false;
      if (await next[1].advance()) at += 1;
      else open = open.filter((one) => one !== next);
      return open.length > 0;
    },
    result: () => {
      const results = audits.map(([id, audit]) => ({ id, ...audit.result() }));
      const tried: Record<string, number> = {};
      for (const result of results)
        for (const [name, count] of Object.entries(result.tried)) tried[name] = (tried[name] ?? 0) + count;
      const findings = results.flatMap(({ id, findings: found }) =>
        found.map((finding) => ({ ...finding, where: `${id}, ${finding.where}` })),
      );
      return { tried, findings };
    },
  };
}
