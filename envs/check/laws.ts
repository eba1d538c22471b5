/** The laws of the contract: each name with the sentence that it stands for. */
export const laws = {
  definition:
    'The id is well formed, the config is a strict object with defaults, the turn limit is a count.',
  panels: 'Panels have unique names, a size and a purpose. No task occurs under two purposes.',
  tasks:
    'A task has the same description every time, with the instruction of its opening. Equal contents are one world. A task that does not exist is refused.',
  playable:
    'There are actions to play: turns list them, an expert chooses them, or the options of the check supply them.',
  crash: 'No correct call throws.',
  hang: 'Every call returns within the deadline.',
  json: 'Observations, actions, tasks and snapshots are plain JSON.',
  schema: 'Observations and actions match their schemas exactly.',
  text: 'Every observation has a text, and the text of an action parses to that action. Declared features and targets match their schemas and depend on their argument alone.',
  admissible: 'Listed actions are distinct and accepted. The list is never empty while an episode goes on.',
  reward:
    'Rewards are finite, their terms sum to their total, and a solved task earns more than a failed one.',
  'steps-left': '`stepsLeft` is a positive integer that decreases by one per step.',
  'initial-state': 'The opening of an episode depends on the task alone, not on chance, path or clock.',
  repeat: 'The same seed and actions give the same transcript on another host at another time.',
  reuse: 'Earlier episodes in the same env leave no trace.',
  concurrency: 'Concurrent episodes do not affect each other.',
  luck: 'A deterministic env does not use `context.rng`.',
  mutation: 'Values that were returned or passed in do not change later.',
  order:
    'A step before reset, after the end or after close is refused with a UsageError. A second close does nothing.',
  snapshot:
    'Taking a snapshot changes nothing. A restored episode looks and continues as before, in the same env and in a new one.',
  'state-key-alias': 'After equal state keys, the same actions with the same chance give equal results.',
  'state-key-split': 'Equal worlds have equal state keys.',
  'anchor-key':
    'Within a task, equal anchor keys have equal actions. The key depends only on what was shown.',
  secrets: 'Nothing that an agent sees contains a secret.',
  hidden: 'Hidden facts change nothing that an agent sees.',
  experts:
    'The planner solves its tasks. Planner and searcher obey the rules and repeat their choices. The searcher uses turns alone.',
  audit:
    'The audit of the env itself finds nothing: a verifier accepts the known solutions, and neither wrong nor random answers.',
  resources: 'After close no timer, socket, child process or open file remains.',
} as const;

export type Law = keyof typeof laws;
