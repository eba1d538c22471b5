import { goalTarget, type Family } from '../../envs/household/goal.ts';
import type { HouseholdTask } from '../../envs/household/task.ts';

/** What ALFWorld calls the kinds of task. The names of its folders begin with them. */
export const taskTypes: Readonly<Record<Family, string>> = {
  pick: 'pick_and_place_simple',
  look: 'look_at_obj_in_light',
  clean: 'pick_clean_then_place_in_recep',
  heat: 'pick_heat_then_place_in_recep',
  cool: 'pick_cool_then_place_in_recep',
  pick2: 'pick_two_obj_and_place',
};

/** What a file `traj_data.json` holds, for `JSON.stringify`. */
export interface TrajectoryData {
  readonly task_id: string;
  readonly task_type: string;
  readonly pddl_params: {
    readonly object_target: string;
    readonly object_sliced: boolean;
    readonly parent_target: string;
    readonly toggle_target: string;
    readonly mrecep_target: string;
  };
  readonly turk_annotations: { readonly anns: readonly { readonly task_desc: string }[] };
}

/**
 * The part of ALFRED's `traj_data.json` that ALFWorld reads for games in text. Its loader takes a folder for a game only where this file is,
 * and filters games by `task_type`. The other keys make the sentence of a task. ALFRED's scene and actions are left out: only the 3-D simulator
 * needs them.
 */
export function trajectoryData({ goal, instruction }: HouseholdTask, trial: string): TrajectoryData {
  const target = goalTarget(goal);
  return {
    task_id: trial,
    task_type: taskTypes[goal.family],
    pddl_params: {
      object_target: goal.object,
      object_sliced: false,
      parent_target: goal.family === 'look' ? '' : target,
      toggle_target: goal.family === 'look' ? target : '',
      mrecep_target: '',
    },
    turk_annotations: { anns: [{ task_desc: instruction }] },
  };
}
