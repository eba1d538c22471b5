/** How an evaluation goes about its episodes. */
export interface Pace {
  /** Episodes under way at once. */
  readonly concurrency: number;
  /** Seconds of wall clock that an episode may take. */
  readonly episodeSeconds: number;
}

/** Unless the user says otherwise. */
export const plainPace: Pace = { concurrency: 128, episodeSeconds: 600 };

/** The same where a language model plays: hundreds of replies that take their time, from a server that may be busy. */
export const textPace: Pace = { concurrency: 16, episodeSeconds: 7_200 };

/** The pace that the caller asks for, or the default. `writes`: a language model behind a server plays, or an agent of the user's, which may ask one. */
export function paceOf(
  options: { readonly concurrency?: number | undefined; readonly episodeTimeout?: number | undefined },
  writes: boolean,
): Pace {
  const plain = writes ? textPace : plainPace;
  return {
    concurrency: options.concurrency ?? plain.concurrency,
    episodeSeconds: options.episodeTimeout ?? plain.episodeSeconds,
  };
}
