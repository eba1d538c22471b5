import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isPromptFile, loadPrompt } from '../../agents/prompt/load-prompt.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { PluginKind } from '../../envs/core/plugin.ts';
import { locateModule } from '../../envs/own-module.ts';
import { creditKind } from '../credit/credit-kind.ts';
import { evidencePlugin } from '../critics/open-evidence.ts';
import { curriculumKind } from '../curriculum/open-curriculum.ts';
import { earlierEnvModule, envModuleVersion } from '../plugins/env-modules.ts';
import { fingerprintModule } from '../plugins/fingerprint-module.ts';
import { objectivePlugin } from '../update/open-objective.ts';
import { configName, type RunDocument } from './run-document.ts';

/** A file of the user's that determines what a run trains: its content is part of the run's identity. */
export interface UserFile {
  /** What the file defines, such as `credit estimator`. */
  readonly noun: string;
  /** Its path, as the run records it. */
  readonly file: string;
  /** The key of the run's `versions` for its content. */
  readonly version: string;
  /** Its content when the run started; undefined if an older version did not record it. */
  readonly fingerprint: string | undefined;
  readonly kind: 'env' | 'plugin' | 'prompt';
}

/** A {@link UserFile} that is missing or no longer has its recorded content. */
export interface ChangedFile extends UserFile {
  /** A sentence without the run. */
  readonly what: string;
  readonly isMissing: boolean;
}

type OfRun = Pick<RunDocument, 'versions' | 'config'>;

const moduleSchema = z.looseObject({ kind: z.literal('module'), file: z.string() });
const ifModule = z
  .unknown()
  .transform((value): string | undefined => moduleSchema.safeParse(value).data?.file)
  .optional();

const configSchema = z.looseObject({
  envModules: z.array(z.string()).default([]),
  credit: ifModule,
  taskSampling: ifModule,
  evidence: z.array(ifModule).default([]),
  update: z.looseObject({ objective: ifModule }).optional(),
  policy: z.looseObject({ prompt: z.string().optional() }).optional(),
});

/** The env modules of a run, in their order. */
export const envModulesOf = (document: OfRun): readonly UserFile[] =>
  userFilesOf(document).filter(({ kind }) => kind === 'env');

/** All files of the user's that a run was started with. */
export function userFilesOf({ config, versions }: OfRun): readonly UserFile[] {
  const { data } = configSchema.safeParse(config);
  if (data === undefined) return [];
  const plugin = ({ noun }: PluginKind, file: string | undefined, version: string): readonly UserFile[] =>
    file === undefined ? [] : [{ noun, file, version, fingerprint: versions[version], kind: 'plugin' }];
  const prompt = data.policy?.prompt;
  return [
    ...data.envModules.map((file, at): UserFile => {
      const version = envModuleVersion(at);
      return { noun: 'environment', file, version, fingerprint: versions[version], kind: 'env' };
    }),
    ...plugin(creditKind, data.credit, creditKind.fileVersion),
    ...plugin(curriculumKind, data.taskSampling, curriculumKind.fileVersion),
    ...plugin(objectivePlugin, data.update?.objective, objectivePlugin.fileVersion),
    ...data.evidence.flatMap((file, at) =>
      plugin(evidencePlugin, file, `${evidencePlugin.fileVersion}-${at}`),
    ),
    ...(prompt !== undefined && isPromptFile(prompt)
      ? [
          {
            noun: 'prompt',
            file: prompt,
            version: 'prompt',
            fingerprint: versions['prompt'],
            kind: 'prompt' as const,
          },
        ]
      : []),
  ];
}

/**
 * The files that are missing or have other content than the run recorded. No file is imported. A file of
 * unrecorded content is not compared.
 */
export async function findChangedFiles(files: readonly UserFile[]): Promise<readonly ChangedFile[]> {
  const found = await Promise.all(files.map(async (each) => ({ ...each, ...(await changeOf(each)) })));
  return found.flatMap(({ what, isMissing = false, ...each }) =>
    what === undefined ? [] : [{ ...each, what, isMissing }],
  );
}

async function changeOf(of: UserFile): Promise<Partial<Pick<ChangedFile, 'what' | 'isMissing'>>> {
  const { noun, file, fingerprint, kind } = of;
  if (fingerprint === undefined) return {};
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    return {
      what: `its ${noun} is defined in ${file}, and that file does not exist.`,
      isMissing: true,
    };
  const now = await contentOf(of);
  if (now === fingerprint) return {};
  const which = kind === 'prompt' ? 'that file' : 'that file or one that it imports';
  return {
    what:
      now === undefined
        ? `its ${noun} is defined in ${file}, and that file cannot be read any more.`
        : `its ${noun} is defined in ${file}, and ${which} has changed: the run has ${fingerprint}, the file has ${now}.`,
  };
}

/** Undefined if the file cannot be read as what it was. */
async function contentOf({ kind, file, noun }: UserFile): Promise<string | undefined> {
  try {
    if (kind === 'prompt') return (await loadPrompt(file)).fingerprint;
    const where = `${noun} module "${file}"`;
    return await fingerprintModule(locateModule(file, where), where);
  } catch (thrown) {
    if (UsageError.is(thrown)) return undefined;
    throw thrown;
  }
}

/**
 * The `versions` of a run that continues with changed env modules. Earlier fingerprints stay on record.
 * @param now the current fingerprints
 */
export function withChangedEnv(
  { versions }: Pick<RunDocument, 'versions'>,
  now: Readonly<Record<string, string>>,
): RunDocument['versions'] {
  const changes = Object.keys(versions).flatMap((key) => {
    const at = /^env-module-(\d+)$/.exec(key)?.[1];
    const [before, after] = [versions[key], now[key]];
    if (at === undefined || before === undefined || after === undefined || before === after) return [];
    const earlier = earlierEnvModule(Number(at));
    return [[key, after] as const, [earlier, [versions[earlier] ?? [], before].flat().join(', ')] as const];
  });
  return { ...versions, ...Object.fromEntries(changes) };
}

/**
 * Refuses to resume a run if a file that determines what it trains has changed. Nothing of the files runs.
 * @param run.envModules current paths of the env modules, if they have moved
 * @param run.acceptsChangedEnv whether env modules may have changed
 * @throws UsageError that names the file
 */
export async function assertFilesUnchanged(run: {
  readonly folder: string;
  readonly document: OfRun;
  readonly envModules: readonly string[];
  readonly acceptsChangedEnv: boolean;
}): Promise<void> {
  const { folder, document, envModules, acceptsChangedEnv } = run;
  const where = `run ${folder}`;
  const recorded = envModulesOf(document);
  if (envModules.length > 0 && recorded.length > 0 && envModules.length !== recorded.length)
    throw new UsageError({
      where,
      what: `it was started with ${recorded.length} env module${recorded.length === 1 ? '' : 's'} (${recorded.map(({ file }) => file).join(', ')}), and ${envModules.length} are named.`,
      fix: 'Remove --env-module, or name the same files in the same order.',
    });
  const files = userFilesOf(document).map((each) => {
    const at = recorded.findIndex(({ version }) => version === each.version);
    const moved = at < 0 ? undefined : envModules[at];
    return moved === undefined ? each : { ...each, file: locateModule(moved, `env module "${moved}"`) };
  });
  const unrecorded = files.find(({ kind, fingerprint }) => kind === 'plugin' && fingerprint === undefined);
  if (unrecorded !== undefined)
    throw new UsageError({
      where,
      what: `it does not record the content of ${unrecorded.file}, which defines its ${unrecorded.noun}.`,
      fix: 'Restore its config.json from a copy.',
    });
  const changed = (await findChangedFiles(files)).find(
    ({ kind, isMissing }) => kind !== 'env' || isMissing || !acceptsChangedEnv,
  );
  if (changed === undefined) return;
  const others =
    changed.kind !== 'env'
      ? ''
      : changed.isMissing
        ? ' name a copy of it with --env-module FILE,'
        : ' continue with the changed file (--accept-changed-env),';
  throw new UsageError({
    where,
    what: changed.what,
    fix: `Restore ${changed.file},${others} or start a new run with --config ${join(folder, configName)}.`,
  });
}
