/**
 * The two dialects of ALFWorld: `current` since its version 0.4.0, and the older `classic`, in which
 * published prompts and trajectories are written.
 */
export type DialectName = 'current' | 'classic';

/** The differences of the dialects. */
export interface Dialect {
  readonly name: DialectName;
  /** The classic dialect has no `help`. */
  readonly hasHelp: boolean;
  put(object: string, receptacle: string): string;
  putDone(object: string, receptacle: string): string;
  /** In the classic dialect a place is named by its number among the places of the room. */
  arrival(receptacle: string, placeNumber: number): string;
}

const current: Dialect = {
  name: 'current',
  hasHelp: true,
  put: (object, receptacle) => `move ${object} to ${receptacle}`,
  putDone: (object, receptacle) => `You move the ${object} to the ${receptacle}.`,
  arrival: (receptacle) => `You arrive at ${receptacle}. `,
};

const classic: Dialect = {
  name: 'classic',
  hasHelp: false,
  put: (object, receptacle) => `put ${object} in/on ${receptacle}`,
  putDone: (object, receptacle) => `You put the ${object} in/on the ${receptacle}.`,
  arrival: (_receptacle, placeNumber) => `You arrive at loc ${placeNumber}. `,
};

export const dialects: Readonly<Record<DialectName, Dialect>> = { current, classic };
