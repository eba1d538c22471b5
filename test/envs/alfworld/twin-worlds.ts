import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { householdGame } from '../../../cli/games/household-game.ts';
import { alfworldEnv } from '../../../envs/alfworld/definition.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { Env, EnvHost } from '../../../envs/core/env.ts';
import type { Ongoing, Opening, StepResult } from '../../../envs/core/step.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { householdEnv, householdHardEnv } from '../../../envs/household/definition.ts';
import type { DialectName } from '../../../envs/household/dialect.ts';
import { hardPanels } from '../../../envs/household/hard-panels.ts';
import { HouseholdPanels } from '../../../envs/household/panels.ts';
import { worldPanels } from '../../../envs/household/world-panels.ts';
import { openEnv } from '../../../envs/open.ts';

export type Acting = Opening<string, string> | Ongoing<string, string>;

export const context = createContext({ seed: 1, now: () => 0 });

const worlds = {
  'household-v1': { definition: householdEnv, panels: worldPanels },
  'household-hard-v1': { definition: householdHardEnv, panels: hardPanels },
} as const;

export interface TwinWorlds {
  /** The household world, and the same tasks as game files: task `index` of the list is task `index` of the panel `train`. */
  readonly household: EnvHost<string, string>;
  readonly games: EnvHost<string, string>;
  readonly close: () => Promise<void>;
}

/** Opens tasks of a household world twice: as they are, and written as game files. */
export async function openTwins(
  world: keyof typeof worlds,
  dialect: DialectName,
  tasks: readonly TaskRef[],
): Promise<TwinWorlds> {
  const { definition, panels } = worlds[world];
  const source = new HouseholdPanels(world, panels);
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-twins-'));
  for (const [index, task] of tasks.entries()) {
    const trial = path.join(folder, 'train', `game-${String(index).padStart(4, '0')}`);
    mkdirSync(trial, { recursive: true });
    writeFileSync(
      path.join(trial, 'game.tw-pddl'),
      JSON.stringify(householdGame(source.task(task), dialect)),
    );
  }
  const household = await openEnv(definition, { dialect }, context);
  const games = await openEnv(alfworldEnv, { files: folder, dev: 0 }, context);
  const close = async (): Promise<void> => {
    await household.close();
    await games.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { household, games, close };
}

/** What both worlds must give alike. Keys may differ. */
function seen(turn: Opening<string, string> | StepResult<string, string>): object {
  const { stateKey: _state, ...rest } = turn;
  if (!('anchorKey' in rest)) return rest;
  const { anchorKey: _anchor, ...left } = rest;
  return left;
}

/** The text of a player, read like the reply of an agent: the command, or why it is malformed. */
export const replyOf = (text: string): ReturnType<typeof householdEnv.text.parse> =>
  householdEnv.text.parse(text);

export interface Pair {
  readonly household: Env<string, string>;
  readonly games: Env<string, string>;
}

/** The result of one episode, and the first difference if there is one. */
export interface Played {
  readonly steps: number;
  readonly solved: boolean;
  readonly inadmissible: number;
  readonly malformed: number;
  readonly commands: ReadonlySet<string>;
  readonly difference:
    | { readonly after: string; readonly household: unknown; readonly games: unknown }
    | undefined;
}

/** Plays the same texts in both worlds to the end, or to the first difference. */
export async function playBoth(
  pair: Pair,
  at: { readonly household: TaskRef; readonly games: TaskRef },
  choose: (turn: Acting) => string,
): Promise<Played> {
  const told = { steps: 0, inadmissible: 0, malformed: 0 };
  const commands = new Set<string>();
  let turn: Acting = await pair.household.reset(at.household, context);
  const twin = await pair.games.reset(at.games, context);
  let difference = compare('', seen(turn), seen(twin));
  while (difference === undefined) {
    const text = choose(turn);
    const [reply, other] = [replyOf(text), alfworldEnv.text.parse(text)];
    difference = compare(text, reply, other);
    if (reply.kind !== 'action') told.malformed += 1;
    if (reply.kind !== 'action' || difference !== undefined) continue;
    const [one, two] = [
      await pair.household.step(reply.action, context),
      await pair.games.step(reply.action, context),
    ];
    difference = compare(text, seen(one), seen(two));
    told.steps += 1;
    if (one.inadmissible) told.inadmissible += 1;
    else commands.add(reply.action.split(' ')[0] ?? '');
    if (one.kind !== 'ongoing')
      return { ...told, commands, difference, solved: one.kind === 'terminated' && one.outcome === 'solved' };
    turn = one;
  }
  return { ...told, commands, difference, solved: false };
}

function compare(after: string, household: unknown, games: unknown): Played['difference'] {
  return isDeepStrictEqual(household, games) ? undefined : { after, household, games };
}
