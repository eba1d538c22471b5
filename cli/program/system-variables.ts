/** Variables that say where parts of the system are: all that envs hear of the environment, in which keys may stand. */
export const systemOf = (
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> => ({ DOCKER_HOST: environment['DOCKER_HOST'] });
