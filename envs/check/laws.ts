/** What an env is held to: the name of each law and the sentence it stands for. */
export const laws = {
  definition:
    'The id is well formed, the config is a strict object with defaults, the turn limit is a count.',
  panels:
    'Panels have names of their own, a size and a purpose, and no task of one purpose returns under another.',
  tasks:
    'A task is described the same every time, in the words of its opening; equal contents are one world; and a task that does not exist is refused.',
  playable:
    'There are actions to play: turns list some, an expert chooses some, or the check was given some.',
  crash: 'No call that is rightly made throws.',
  hang: 'Every call settles within the deadline.',
  json: 'Observations, actions, tasks and snapshots are plain JSON.',
  schema: 'Observations and actions are what their schemas say, nothing more and nothing less.',
  text: 'An observation has words, and the words of an action mean that action.',
  admissible:
    'Listed actions are distinct and are taken; the list of an episode that goes on is never empty.',
  reward:
    'Rewards are finite, their terms sum to their total, and who solves a task earns more than who fails it.',
  'steps-left': 'Steps left are whole, positive, and go down by one a step.',
  'initial-state': 'What an episode opens with depends on the task alone: not on luck, path or clock.',
  repeat: 'The same seed and actions give the same transcript, on another host at another time.',
  reuse: 'What was played before in the same env leaves no trace.',
  concurrency: 'Episodes that run side by side do not disturb each other.',
  luck: 'An env that says it is deterministic draws no luck.',
  mutation: 'What was returned or passed in stays as it was.',
  order:
    'A step before reset, after the end or after close is refused with a UsageError; a second close does nothing.',
  snapshot:
    'Taking changes nothing; what is restored looks and goes on as it did, in the same env and in a fresh one.',
  'state-key-alias': 'Equal state keys: whatever is done next, under equal luck, gives equal results.',
  'state-key-split': 'Equal worlds have equal state keys.',
  'anchor-key': 'Equal anchor keys of a task have equal actions, and the key depends only on what was shown.',
  secrets: 'What must stay secret is in nothing that an agent sees.',
  hidden: 'Facts that were not shown change nothing that an agent sees.',
  experts:
    'The planner solves its tasks; planner and searcher play by the rules and repeat themselves, and the searcher sees turns alone.',
  resources: 'After close no timer, socket, child process or open file is left.',
} as const;

export type Law = keyof typeof laws;
