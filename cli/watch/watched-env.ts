import { mapMembers, memberNames } from '../../envs/core/map-env.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { terminalText } from '../../envs/core/terminal-text.ts';
import type { CallPlace, CallWatch } from './call-watch.ts';
import { mark } from './watch-program.ts';

/** How long a call may compute without letting anything else run, and what else to say of how to fix it. */
export interface ComputingLimit {
  readonly ms: number;
  /** Of opening, which may read and index much; `ms` unless given. */
  readonly openMs?: number;
  readonly fix?: string;
}

/** How long the event loop may stand: a call that computes on after an await of its own is seen by that alone, and much else may hold the loop. */
const stallMs = ({ ms, openMs }: ComputingLimit): number => openMs ?? 10 * ms;

const nowhere: CallPlace = { panel: -1, index: -1, step: 0 };

/**
 * The same definition with every call watched, down to the calls of its hosts and envs. A call is known by its path, such as
 * `snapshots.take`, so members that this version does not know are watched and passed on as well. Calls are made on the author's own
 * objects.
 */
export function watchEnv(
  definition: AnyEnvDefinition,
  watch: CallWatch,
  limit: ComputingLimit,
): AnyEnvDefinition {
  const calls = new Calls(definition.id, watch, limit);
  calls.watchLoop();
  const watchHost = (host: object): object =>
    watchCalls(
      host,
      hostLevel(calls, (env) => watchCalls(env, envLevel(calls))),
    );
  return watchCalls(definition, definitionLevel(calls, watchHost));
}

type Given = readonly unknown[];
type Call = (...given: Given) => unknown;
type Watch = (made: object) => object;

/** How calls of one kind of object are watched: of a definition, of a host, or of an env. */
interface Level {
  readonly calls: Calls;
  /** Where a call is made. */
  readonly placeOf: (path: string, given: Given) => CallPlace;
  /** What the paragraph names the call. */
  readonly nameOf: (path: string, place: CallPlace) => string;
  /** Calls that return an object with calls of its own, by their paths. */
  readonly makers: ReadonlyMap<string, Watch>;
}

function definitionLevel(calls: Calls, watchHost: Watch): Level {
  return { calls, placeOf: placeOfTask(calls), nameOf: atTask, makers: new Map([['open', watchHost]]) };
}

function hostLevel(calls: Calls, watchEnvOf: Watch): Level {
  const made = (path: string): [string, Watch] => [path, (result) => watchCalls(result, level, `${path}, `)];
  const level: Level = {
    calls,
    placeOf: placeOfTask(calls),
    nameOf: (path, place) => (path === 'close' ? 'close of the host' : atTask(path, place)),
    makers: new Map([
      ['create', watchEnvOf],
      made('experts.searcher'),
      made('audit.swapHidden'),
      made('audit.rules'),
    ]),
  };
  return level;
}

const envCalls: Readonly<Record<string, string>> = {
  close: 'close',
  step: `step ${mark.step} of task ${mark.task}`,
  'snapshots.take': `snapshots.take after step ${mark.step} of task ${mark.task}`,
  'snapshots.restore': `snapshots.restore to step ${mark.step} of task ${mark.task}`,
};

/** An env remembers its task and counts its steps. */
function envLevel(calls: Calls): Level {
  let place: CallPlace = { ...nowhere };
  return {
    calls,
    placeOf: (path, [first]) => {
      if (path === 'close') return nowhere;
      if (isTask(first)) place = calls.placeOf(first);
      else if (path === 'step') place.step += 1;
      else if (isSnapshot(first)) place = { ...place, step: first.steps };
      return place;
    },
    nameOf: (path) => envCalls[path] ?? `${path} of task ${mark.task}`,
    makers: new Map(),
  };
}

const placeOfTask =
  (calls: Calls): Level['placeOf'] =>
  (_path, [first]) =>
    isTask(first) ? calls.placeOf(first) : nowhere;

const atTask: Level['nameOf'] = (path, place) => (place === nowhere ? path : `${path} of ${mark.task}`);

/** The object with each of its calls watched, also those of the objects in it. */
function watchCalls<T extends object>(object: T, level: Level, prefix = ''): T {
  return mapMembers(object, (name, value) => {
    const path = `${prefix}${name}`;
    if (typeof value === 'function') return watchCall(path, value as Call, level);
    return hasCalls(value) ? watchCalls(value, level, `${path}.`) : value;
  });
}

/** The call, watched. A promise is returned as it is, except for a maker's, so that an episode waits no longer for a watched step. */
function watchCall(path: string, call: Call, { calls, placeOf, nameOf, makers }: Level): Call {
  const watchMade = makers.get(path);
  return (...given) => {
    const place = placeOf(path, given);
    const result = calls.watch.during(calls.say(nameOf(path, place)), place, () => call(...given));
    if (watchMade === undefined) return result;
    const accept = (made: unknown): unknown => (isObject(made) ? watchMade(made) : made);
    return isObject(result) && 'then' in result ? Promise.resolve(result).then(accept) : accept(result);
  };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isTask = (value: unknown): value is { readonly panel: string; readonly index: number } =>
  isObject(value) &&
  typeof Reflect.get(value, 'panel') === 'string' &&
  typeof Reflect.get(value, 'index') === 'number';

const isSnapshot = (value: unknown): value is { readonly steps: number } =>
  isObject(value) && typeof Reflect.get(value, 'steps') === 'number';

/** True for an object with methods that is neither of the language, such as a map, nor a schema. */
function hasCalls(value: unknown): value is object {
  if (!isObject(value) || Object.prototype.toString.call(value) !== '[object Object]') return false;
  if ('safeParse' in value) return false;
  return [...memberNames(value)].some((name) => typeof methodOf(value, name) === 'function');
}

/** The value of a member, without calling a getter. */
function methodOf(object: object, name: string): unknown {
  for (let holder: object | null = object; holder !== null; holder = Reflect.getPrototypeOf(holder)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(holder, name);
    if (descriptor !== undefined) return descriptor.value;
  }
  return undefined;
}

/** The calls of one env. */
class Calls {
  readonly watch: CallWatch;
  readonly #id: string;
  readonly #limit: ComputingLimit;
  readonly #said = new Map<string, number>();

  constructor(id: string, watch: CallWatch, limit: ComputingLimit) {
    this.#id = id;
    this.watch = watch;
    this.#limit = limit;
  }

  /** The number of the paragraph about a call that does not end. */
  say(call: string): number {
    const known = this.#said.get(call);
    if (known !== undefined) return known;
    const { ms: most, openMs = most, fix } = this.#limit;
    const ms = call === 'open' ? openMs : most;
    const what = `it has computed for ${ms / 1000} s without letting anything else run.`;
    const says = `Make it end, or make it await and respect context.signal${fix === undefined ? '' : `; ${fix}`}.`;
    const place = `${terminalText(this.#id)}, ${call}`;
    const said = this.watch.say(`error: ${place}: ${what} ${says}`, ms, place);
    this.#said.set(call, said);
    return said;
  }

  /** Of several envs the last is named, which is no claim that it was that one. */
  watchLoop(): void {
    const ms = stallMs(this.#limit);
    const what = `nothing else has run for ${ms / 1000} s: a call into it, or into another env of a module, computes without end after an await of its own.`;
    this.watch.watchLoop(
      this.watch.say(
        `error: ${terminalText(this.#id)}: ${what} Make it end, or make it respect context.signal.`,
        ms,
        terminalText(this.#id),
      ),
    );
  }

  placeOf({ panel, index }: { readonly panel: string; readonly index: number }): CallPlace {
    return { panel: this.watch.name(panel), index, step: 0 };
  }
}
