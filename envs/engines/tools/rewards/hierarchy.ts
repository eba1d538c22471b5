/** The bonus for a right end that used several tools. */
export const severalToolsBonus = 0.1;

/**
 * Tool-Star's hierarchical reward for an episode: -1 where a call had a wrong form; else 1 for a right end and
 * 0 for a wrong one, and {@link severalToolsBonus} more for a right end that used more than one tool.
 *
 * Source: Tool-Star (2025), hierarchical reward. A wrong form is there a reply that cannot be read; here it is
 * a call with an unknown tool, or with invalid arguments.
 */
export function hierarchicalReward(episode: {
  readonly isSolved: boolean;
  readonly hasWrongForm: boolean;
  /** How many different tools were called. */
  readonly tools: number;
}): number {
  if (episode.hasWrongForm) return -1;
  if (!episode.isSolved) return 0;
  return 1 + (episode.tools > 1 ? severalToolsBonus : 0);
}
