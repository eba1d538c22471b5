// envs/core/errors.ts
import { inspect, types } from "node:util";
var longestPart = 4e3;
var longestRun = 1e3;
var shortenForError = (text) => cutMiddle(
  text.replaceAll(longRun, (run2) => cutMiddle(run2, longestRun)),
  longestPart
);
var longRun = new RegExp(`\\S{${longestRun + 1},}`, "gu");
function cutMiddle(text, most) {
  if (text.length <= most) return text;
  const head = text.slice(0, most * 3 / 4).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(text.length - most / 8).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}\u2026 (${text.length - head.length - tail.length} characters left out) \u2026${tail}`;
}
var brandOf = (name2) => /* @__PURE__ */ Symbol.for(`cairn-gym.${name2}`);
function hasBrand(value2, name2) {
  return typeof value2 === "object" && value2 !== null && brandOf(name2) in value2;
}
var paragraph = (parts) => `${parts.where}: ${parts.what} ${parts.fix}`;
function defineError(name2) {
  return class extends Error {
    name = name2;
    parts;
    constructor(given2, options) {
      const parts = {
        where: shortenForError(given2.where),
        what: shortenForError(given2.what),
        fix: shortenForError(given2.fix)
      };
      super(paragraph(parts), options);
      this.parts = parts;
      Object.defineProperty(this, brandOf(name2), { value: true });
    }
    static is(value2) {
      return hasBrand(value2, name2);
    }
  };
}
var UsageError = class extends defineError("UsageError") {
};
var RunError = class extends defineError("RunError") {
};
function messageOf(thrown) {
  if (thrown instanceof Error || types.isNativeError(thrown))
    return thrown.message.trim() === "" ? `${thrown.name} without a message` : thrown.message;
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  return `${inspect(thrown, { depth: 1, customInspect: false, breakLength: Infinity, maxStringLength: 200, maxArrayLength: 10 })} was thrown, which is not an Error`;
}

// envs/core/near-miss.ts
function nearest(text, candidates2) {
  const worst = Math.max(2, Math.floor(text.length / 3));
  const typed = text.toLowerCase();
  return candidates2.map((candidate) => ({ candidate, distance: editDistance(typed, candidate.toLowerCase()) })).filter(({ candidate, distance: distance2 }) => distance2 <= worst || candidate.toLowerCase().startsWith(typed)).toSorted((a, b) => a.distance - b.distance).slice(0, 3).map(({ candidate }) => candidate);
}
var didYouMean = (near) => near.length === 0 ? "" : `Did you mean ${near.join(" or ")}? `;
function editDistance(a, b) {
  const width = b.length + 1;
  const cost = new Uint32Array((a.length + 1) * width);
  const at = (row, column) => cost[row * width + column];
  for (let row = 0; row <= a.length; row += 1) {
    for (let column = 0; column <= b.length; column += 1) {
      cost[row * width + column] = cheapest(row, column);
    }
  }
  return at(a.length, b.length);
  function cheapest(row, column) {
    if (row === 0 || column === 0) return row + column;
    const same = a[row - 1] === b[column - 1] ? 0 : 1;
    const best2 = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same);
    const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    return swapped ? Math.min(best2, at(row - 2, column - 2) + 1) : best2;
  }
}

// envs/puzzle/puzzles/arithmetic/countdown.ts
import { z as z9 } from "zod";

// envs/puzzle/puzzles/arithmetic/expression.ts
var operators = ["+", "-", "*", "/"];
var deepest = 64;
var signs = { "\xD7": "*", "\xB7": "*", "\xF7": "/", "\u2212": "-", "\u2013": "-" };
var arithmeticSymbols = Object.keys(signs).join("");
function parseExpression(text) {
  const tokens = text.match(/\d{1,9}(?!\d)|[-+*/()×·÷−–]|\S/g) ?? [];
  let at = 0;
  const take = (...wanted3) => {
    const token2 = tokens[at];
    if (token2 === void 0 || !wanted3.includes(signs[token2] ?? token2)) return void 0;
    at += 1;
    return signs[token2] ?? token2;
  };
  const atom = (depth) => {
    const token2 = tokens[at] ?? "";
    if (/^\d/.test(token2)) {
      at += 1;
      return Number(token2);
    }
    if (depth >= deepest) return void 0;
    if (take("-") !== void 0) {
      const negated = atom(depth + 1);
      return negated === void 0 ? void 0 : { negated };
    }
    if (take("(") === void 0) return void 0;
    const inner = sum(depth + 1);
    return take(")") === void 0 ? void 0 : inner;
  };
  const chain = (of, depth, ...of2) => {
    let left = of(depth);
    for (let length = 0; left !== void 0; length += 1) {
      const operator = take(...of2);
      if (operator === void 0) return left;
      const right = length < deepest ? of(depth) : void 0;
      left = right === void 0 ? void 0 : { operator, left, right };
    }
    return void 0;
  };
  const product = (depth) => chain(atom, depth, "*", "/");
  const sum = (depth) => chain(product, depth, "+", "-");
  const parsed = sum(0);
  return at === tokens.length ? parsed : void 0;
}
function writeExpression(expression) {
  if (typeof expression === "number") return String(expression);
  if ("negated" in expression) return `(-(${writeExpression(expression.negated)}))`;
  const { operator, left, right } = expression;
  const isProduct = operator === "*" || operator === "/";
  const inBrackets2 = (part, isRight3) => typeof part !== "number" && !("negated" in part) && (isProduct ? isRight3 || part.operator === "+" || part.operator === "-" : isRight3 && operator === "-" && (part.operator === "+" || part.operator === "-"));
  const write16 = (part, isRight3) => inBrackets2(part, isRight3) ? `(${writeExpression(part)})` : writeExpression(part);
  return `${write16(left, false)} ${operator} ${write16(right, true)}`;
}
function numbersOf(expression) {
  if (typeof expression === "number") return [expression];
  return "negated" in expression ? numbersOf(expression.negated) : [...numbersOf(expression.left), ...numbersOf(expression.right)];
}
function evaluate(expression) {
  if (typeof expression === "number") return [expression, 1];
  if ("negated" in expression) {
    const value2 = evaluate(expression.negated);
    return value2 === void 0 ? void 0 : apply("-", [0, 1], value2);
  }
  const left = evaluate(expression.left);
  const right = left === void 0 ? void 0 : evaluate(expression.right);
  return left === void 0 || right === void 0 ? void 0 : apply(expression.operator, left, right);
}
function apply(operator, [a, b], [c, d]) {
  switch (operator) {
    case "+":
      return reduce(a * d + c * b, b * d);
    case "-":
      return reduce(a * d - c * b, b * d);
    case "*":
      return reduce(a * c, b * d);
    case "/":
      return c === 0 ? void 0 : c < 0 ? reduce(-a * d, -b * c) : reduce(a * d, b * c);
  }
}
function reduce(numerator, denominator) {
  let [a, b] = [Math.abs(numerator), denominator];
  while (b !== 0) [a, b] = [b, a % b];
  return [numerator / a + 0, denominator / a];
}
var writeFraction = ([numerator, denominator]) => denominator === 1 ? String(numerator) : `${numerator}/${denominator}`;
function readFraction(text) {
  const [numerator = "0", denominator = "1"] = text.split("/");
  return [Number(numerator), Number(denominator)];
}

// envs/puzzle/define-puzzle.ts
import { z as z8 } from "zod";

// envs/core/config-keys.ts
import { z } from "zod";
var describeCondition = ({ key, is }) => `${key} ${is.map(String).join(" or ")}`;
var childrenSchema = z.array(z.unknown());
var nodeSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: childrenSchema.optional(),
  oneOf: childrenSchema.optional(),
  allOf: childrenSchema.optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  default: z.unknown().optional(),
  description: z.string().optional(),
  $ref: z.string().optional(),
  $defs: z.record(z.string(), z.unknown()).optional()
});
function valueAt(value2, path) {
  let at = value2;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return void 0;
    at = Reflect.get(at, part);
  }
  return at;
}

// envs/core/issues.ts
function describeIssues(error, of) {
  const parts = error.issues.map((issue) => {
    const path = placeWords(issue.path);
    const place3 = of?.setBy?.get(path) ?? path;
    const words3 = describeIssue(issue, of);
    const saysPlace = of !== void 0 && issue.code === "unrecognized_keys";
    return place3 === "" || saysPlace ? words3 : `${place3}: ${words3}`;
  });
  return parts.join(of === void 0 ? "; " : ". ");
}
function describeIssue(issue, of) {
  if (of === void 0) return issue.message;
  const value2 = valueAt(of.value, issue.path);
  switch (issue.code) {
    case "unrecognized_keys":
      return describeUnknownKeys(issue, of);
    case "invalid_value":
      return describeWrongChoice(value2, issue.values);
    case "invalid_union":
      return "options" in issue && issue.options !== void 0 ? describeWrongChoice(value2, issue.options) : issue.message;
    case "too_small":
    case "too_big":
      return issue.origin === "string" ? issue.message : describeWrongValue(issue, value2, of);
    case "invalid_type":
      return describeWrongValue(issue, value2, of);
    default:
      return issue.message;
  }
}
var placeWords = (path) => path.map((part) => typeof part === "number" ? `[${part}]` : String(part)).join(".");
function describeUnknownKeys(issue, of) {
  const known4 = keysAt(issue.path, of);
  const inside = issue.path.length === 0 ? "" : ` in ${placeWords(issue.path)}`;
  const sentences = issue.keys.map(
    (key, index) => `${index === 0 ? "unknown" : "Unknown"} key "${key}"${inside}${hintFor(key, issue.path, known4, of.keys)}`
  );
  return `${sentences.join(" ")} ${known4.length === 0 ? "It has no keys" : `Keys: ${known4.join(", ")}`}`;
}
function hintFor(key, path, known4, all) {
  const full = [...path, key].join(".");
  const conditions = all.find(({ name: name2 }) => name2 === full || name2.startsWith(`${full}.`))?.when ?? [];
  if (conditions.length > 0) return `: it goes only with ${conditions.map(describeCondition).join(" and ")}.`;
  const sameName = known4.filter((name2) => name2.toLowerCase() === key.toLowerCase());
  const near = sameName.length > 0 ? sameName : meant(key, nearest(key, known4), all).slice(0, 3);
  return near.length === 0 ? "." : `; did you mean ${near.join(" or ")}?`;
}
function meant(key, here, all) {
  const lastName = (path) => path.slice(path.lastIndexOf(".") + 1);
  const paths = [...new Set(all.map(({ name: name2 }) => name2))];
  const namesakes = paths.filter((path) => lastName(path).toLowerCase() === key.toLowerCase());
  if (here.length + namesakes.length > 0 || key.length < 5) return [...here, ...namesakes];
  const near = nearest(key, [...new Set(paths.map(lastName))]);
  return paths.filter((path) => near.includes(lastName(path)));
}
function keysAt(path, of) {
  const known4 = of.keys.filter((key) => isBelow(path, key.name.split(".")) && isKnown(key, of));
  return [...new Set(known4.flatMap(({ name: name2 }) => name2.split(".")[path.length] ?? []))];
}
var isBelow = (path, names6) => path.every((part, index) => names6[index] === "*" || names6[index] === String(part));
function isKnown({ when }, { value: value2, keys }) {
  return when.every(({ key, is }) => {
    const other = valueAt(value2, key.split(".")) ?? keys.find(({ name: name2 }) => name2 === key)?.default;
    return other === void 0 || is.includes(other);
  });
}
function describeWrongChoice(value2, choices) {
  const words3 = choices.filter((choice) => choice !== void 0).map(String);
  const near = typeof value2 === "string" ? nearest(value2, words3) : [];
  const given2 = value2 === void 0 ? "nothing is given; it is" : `${JSON.stringify(value2)} is not`;
  return `${given2} one of ${words3.join(", ")}${near.length === 0 ? "" : ` (did you mean ${near.join(" or ")}?)`}`;
}
function describeWrongValue(issue, value2, of) {
  const isIt = (names6) => names6.length === issue.path.length && isBelow(issue.path, names6);
  const key = of.keys.find((candidate) => isIt(candidate.name.split(".")) && isKnown(candidate, of));
  if (key === void 0)
    return isObjectWanted(issue) ? `${shown(value2)} is given where an object is wanted: ${describeInner(issue.path, value2, of)}` : issue.message;
  const most = typeof value2 === "number" && value2 > Number.MAX_SAFE_INTEGER && key.type.startsWith("integer from") ? ` to ${Number.MAX_SAFE_INTEGER}` : "";
  const list2 = typeof value2 === "string" && key.type === "list of string" ? `, such as ${JSON.stringify(value2.split(","))}` : "";
  return `${shown(value2)} is given where ${key.type}${most} is wanted${list2}`;
}
var shown = (value2) => value2 === void 0 ? "nothing" : JSON.stringify(value2);
var isObjectWanted = (issue) => issue.code === "invalid_type" && issue.expected === "object";
function describeInner(path, value2, of) {
  const known4 = keysAt(path, of);
  if (known4.length === 0) return "it has no keys";
  const takes = of.keys.find(
    ({ name: name2, type }) => isBelow(path, name2.split(".")) && type.split(" | ").includes(JSON.stringify(value2))
  );
  const meant2 = takes === void 0 ? "" : `; did you mean ${takes.name}=${String(value2)}?`;
  return `its keys are ${known4.join(", ")}${meant2}`;
}

// envs/core/json.ts
function canonicalJson(value2) {
  return write(value2, []);
}
function write(value2, trail2) {
  switch (typeof value2) {
    case "string":
    case "boolean":
      return JSON.stringify(value2);
    case "number":
      return Number.isFinite(value2) ? JSON.stringify(value2) : refuse(trail2, `is ${value2}, which JSON cannot hold`);
    case "object":
      return value2 === null ? "null" : writeContainer(value2, trail2);
    default:
      return refuse(
        trail2,
        `is ${value2 === void 0 ? "undefined" : `a ${typeof value2}`}, which JSON cannot hold`
      );
  }
}
function writeContainer(container, trail2) {
  if (trail2.some((outer) => outer.container === container)) refuse(trail2, "contains itself");
  const here = { container, key: "" };
  trail2.push(here);
  const parts = [];
  if (Array.isArray(container)) {
    for (const [index, item] of container.entries()) {
      here.key = index;
      parts.push(write(item, trail2));
    }
  } else {
    for (const [key, item] of recordEntries(container, trail2)) {
      here.key = key;
      parts.push(`${JSON.stringify(key)}:${write(item, trail2)}`);
    }
  }
  trail2.pop();
  return Array.isArray(container) ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}
function recordEntries(value2, trail2) {
  const prototype = Object.getPrototypeOf(value2);
  if (prototype !== Object.prototype && prototype !== null) {
    const name2 = "constructor" in value2 ? value2.constructor.name : "class instance";
    refuse(trail2.slice(0, -1), `is a ${name2}, which JSON cannot hold`);
  }
  const entries = Object.entries(value2);
  return entries.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
}
function refuse(trail2, what) {
  const path = trail2.map(({ key }) => typeof key === "number" ? `[${key}]` : `.${key}`).join("");
  throw new TypeError(`$${path} ${what}`);
}

// envs/kit/snapshot.ts
function readSnapshot(schema3, snapshot, where) {
  const parsed = schema3.safeParse({ world: snapshot.world, episode: snapshot.episode });
  if (parsed.success) return parsed.data;
  throw foreignSnapshot(where, `it is not a snapshot of this env: ${describeIssues(parsed.error)}.`);
}
function foreignSnapshot(where, what) {
  return new UsageError({
    where: `snapshot of ${where}`,
    what,
    fix: "Restore only a snapshot that snapshots.take() returned for the same env and config."
  });
}
function keepState(place3, state10) {
  const quick = keep(state10, 0);
  if (quick !== void 0) return { state: quick.json, json: quick.json, text: quick.text };
  const text = jsonText(place3, "the state", state10);
  const json = freeze(JSON.parse(text));
  return { state: json, json, text };
}
function jsonText(place3, of, value2) {
  try {
    return canonicalJson(value2);
  } catch (thrown) {
    throw new UsageError({
      where: `${place3}, ${of}`,
      what: `it is not JSON: ${messageOf(thrown)}.`,
      fix: "Use only plain objects, arrays, strings, finite numbers, booleans and null."
    });
  }
}
function freeze(value2) {
  if (typeof value2 === "object" && value2 !== null) {
    for (const part of Object.values(value2)) freeze(part);
    Object.freeze(value2);
  }
  return value2;
}
var keptTexts = /* @__PURE__ */ new WeakMap();
var worthKeeping = 48;
var deepest2 = 64;
function keep(value2, depth) {
  switch (typeof value2) {
    case "string":
    case "boolean":
      return { json: value2, text: JSON.stringify(value2) };
    case "number":
      return Number.isFinite(value2) ? { json: value2 + 0, text: JSON.stringify(value2) } : void 0;
    // no -0
    case "object": {
      if (value2 === null) return { json: value2, text: "null" };
      const known4 = keptTexts.get(value2);
      if (known4 !== void 0) return { json: value2, text: known4 };
      if (depth > deepest2) return void 0;
      return Array.isArray(value2) ? keepList(value2, depth) : keepRecord(value2, depth);
    }
    default:
      return void 0;
  }
}
function keepList(list2, depth) {
  const copy = [];
  let text = "[";
  for (let index = 0; index < list2.length; index += 1) {
    const part = keep(list2[index], depth + 1);
    if (part === void 0) return void 0;
    copy.push(part.json);
    text += index === 0 ? part.text : `,${part.text}`;
  }
  return remember(copy, `${text}]`, depth);
}
function keepRecord(record, depth) {
  const prototype = Object.getPrototypeOf(record);
  if (prototype !== Object.prototype && prototype !== null) return void 0;
  const copy = {};
  let text = "{";
  for (const key of Object.keys(record).sort()) {
    if (key === "__proto__") return void 0;
    const part = keep(record[key], depth + 1);
    if (part === void 0) return void 0;
    copy[key] = part.json;
    text += `${text.length === 1 ? "" : ","}${JSON.stringify(key)}:${part.text}`;
  }
  return remember(copy, `${text}}`, depth);
}
function remember(json, text, depth) {
  Object.freeze(json);
  if (depth === 0 || text.length >= worthKeeping) keptTexts.set(json, text);
  return { json, text };
}

// envs/puzzle/answer-env.ts
import { hash as hash3 } from "node:crypto";
import { z as z5 } from "zod";

// envs/core/rng.ts
import { hash } from "node:crypto";
function createRng(seed2) {
  return new HashedRng(digest("", `cairn-seed\0${seed2}`));
}
var scratch = Buffer.alloc(256);
function digest(key, text) {
  const most = key.length + 3 * text.length;
  const bytes = most <= scratch.length ? scratch : Buffer.alloc(most);
  bytes.write(key, "latin1");
  const length = key.length + bytes.write(text, key.length);
  return hash("sha256", bytes.subarray(0, length), "binary");
}
var HashedRng = class _HashedRng {
  #key;
  #state;
  // made at the first draw, because most streams are only forked
  constructor(key) {
    this.#key = key;
  }
  fork(label) {
    return new _HashedRng(digest(this.#key, `\0${typeof label}\0${label}`));
  }
  uniform() {
    const high = this.#next() >>> 5;
    const low = this.#next() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }
  int(bound) {
    if (!Number.isInteger(bound) || bound < 1 || bound > 4294967296) {
      throw new RangeError(`Rng.int takes a whole number from 1 to 2^32, not ${bound}`);
    }
    const sure = 4294967296 - bound;
    let draw12 = this.#next();
    while (draw12 > sure && draw12 >= 4294967296 - 4294967296 % bound) draw12 = this.#next();
    return draw12 % bound;
  }
  pick(items) {
    if (items.length === 0) throw new RangeError("Rng.pick was given no items");
    return items[this.int(items.length)];
  }
  shuffle(items) {
    const out = [...items];
    for (let last = out.length - 1; last > 0; last -= 1) {
      const other = this.int(last + 1);
      [out[last], out[other]] = [out[other], out[last]];
    }
    return out;
  }
  /** xoshiro128** 1.1 (Blackman and Vigna, 2018), 32 bits a draw. */
  #next() {
    this.#state ??= stateOf(this.#key);
    return xoshiro128(this.#state);
  }
};
function stateOf(key) {
  const state10 = new Uint32Array(4);
  for (let at = 0; at < 16; at += 1)
    state10[at >> 2] = state10[at >> 2] | key.charCodeAt(at) << 8 * (at & 3);
  state10[0] = state10[0] | 1;
  return state10;
}
var rotate = (value2, by) => value2 << by | value2 >>> 32 - by;
function xoshiro128(state10) {
  const s0 = state10[0];
  const s1 = state10[1];
  const s2 = state10[2];
  const s3 = state10[3];
  const result = Math.imul(rotate(Math.imul(s1, 5), 7), 9) >>> 0;
  const a2 = s2 ^ s0;
  const a3 = s3 ^ s1;
  state10[1] = s1 ^ a2;
  state10[0] = s0 ^ a3;
  state10[2] = a2 ^ s1 << 9;
  state10[3] = rotate(a3, 11);
  return result;
}

// envs/kit/text-env.ts
import { z as z3 } from "zod";

// envs/core/env.ts
function defineEnv(definition) {
  return definition;
}

// envs/core/step.ts
function reward(terms) {
  let total = 0;
  for (const name2 in terms) total += terms[name2];
  return { total, terms };
}

// envs/core/task.ts
function findPanel(source, env, name2) {
  const info = source.panels.find((panel) => panel.name === name2);
  if (info !== void 0) return info;
  const names6 = source.panels.map((panel) => panel.name);
  const unavailablePanels = source.unavailablePanels?.find((panel) => panel.name === name2);
  if (unavailablePanels !== void 0) {
    const others = names6.length === 0 ? "" : `, or choose one of ${names6.join(", ")}`;
    throw new UsageError({
      where: `panel "${name2}" of ${env}`,
      what: `the panel is empty: ${unavailablePanels.why}.`,
      fix: `${unavailablePanels.fix}${others}.`
    });
  }
  if (names6.length === 0) {
    throw new UsageError({
      where: `panel "${name2}" of ${env}`,
      what: "the env has no panels.",
      fix: "Give it at least one; training needs one of purpose train and one of purpose dev."
    });
  }
  throw new UsageError({
    where: `panel "${name2}" of ${env}`,
    what: "this panel does not exist.",
    fix: `${didYouMean(nearest(name2, names6))}Choose one of ${names6.join(", ")}.`
  });
}
function assertTask(source, env, task2) {
  const info = findPanel(source, env, task2.panel);
  if (Number.isInteger(task2.index) && task2.index >= 0 && task2.index < info.size) return;
  throw new UsageError({
    where: `task ${task2.index} of panel "${task2.panel}" of ${env}`,
    what: "this task does not exist.",
    fix: `Choose an integer from 0 to ${info.size - 1}.`
  });
}

// envs/kit/text-world.ts
import { z as z2 } from "zod";
var noConfig = z2.strictObject({});
var callable = z2.custom((value2) => typeof value2 === "function", "must be a function");
var schema = z2.custom((value2) => value2 instanceof z2.ZodType, "is no zod schema");
var size = z2.int().positive();
var worldSchema = z2.strictObject({
  id: z2.string(),
  summary: z2.string(),
  config: schema.optional(),
  turnLimit: z2.union([size, callable]),
  panels: z2.record(
    z2.string().min(1),
    z2.union([
      size,
      z2.strictObject({
        size,
        purpose: z2.enum(["train", "dev", "held-out"]).optional(),
        summary: z2.string().optional()
      })
    ])
  ).refine((panels) => Object.keys(panels).length > 0, "names no panel"),
  deterministic: z2.boolean().optional(),
  state: schema.optional(),
  action: z2.looseObject({ schema, print: callable, parse: callable, isSample: callable.optional() }).optional(),
  observation: z2.strictObject({ schema, print: callable }).optional(),
  task: callable,
  observe: callable,
  actions: callable,
  accepts: callable.optional(),
  step: callable,
  features: callable.optional(),
  target: callable.optional(),
  information: callable.optional(),
  key: callable.optional(),
  experts: z2.strictObject({ planner: callable.optional(), searcher: callable.optional() }).optional(),
  audit: z2.strictObject({ swapHidden: callable.optional(), secrets: callable.optional() }).optional(),
  recipes: z2.unknown().optional(),
  catalogue: z2.unknown().optional(),
  bench: z2.unknown().optional(),
  unchecked: z2.unknown().optional()
});
function assertWorld(world) {
  const parsed = worldSchema.safeParse(world);
  if (parsed.success) return;
  throw new UsageError({
    where: `defineTextEnv of ${world.id}`,
    what: `${describeIssues(parsed.error)}.`,
    fix: "Fix these members. The documentation of TextWorld describes each one."
  });
}

// envs/kit/text-env.ts
function defineTextEnv(world) {
  assertWorld(world);
  const { turnLimit, recipes, bench, catalogue, unchecked } = world;
  const words3 = wordsOf(world);
  return defineEnv({
    id: world.id,
    summary: world.summary,
    config: world.config ?? noConfig,
    // without a config its type is that of `noConfig`
    observation: words3.observation.schema,
    action: words3.action.schema,
    deterministic: world.deterministic ?? true,
    turnLimit: typeof turnLimit === "number" ? () => turnLimit : turnLimit,
    text: {
      observation: words3.observation.print,
      action: words3.action.print,
      parse: words3.action.parse,
      ...words3.action.isSample === void 0 ? {} : { isSample: words3.action.isSample },
      ...world.features === void 0 ? {} : { features: world.features.bind(world) },
      ...world.target === void 0 ? {} : { target: world.target.bind(world) }
    },
    ...recipes === void 0 ? {} : { recipes },
    ...bench === void 0 ? {} : { bench },
    ...catalogue === void 0 ? {} : { catalogue },
    ...unchecked === void 0 ? {} : { unchecked },
    open: async (config) => hostOf({ world, words: words3, config })
  });
}
var plainAction = { schema: z3.string(), print: (text) => text, parse: parseLine };
var plainObservation = { schema: z3.string(), print: (text) => text };
function wordsOf({
  action = plainAction,
  observation = plainObservation
}) {
  return { action, observation };
}
function parseLine(text) {
  const action = text.trim();
  if (action === "") return { kind: "malformed", why: "Nothing was said. Say one of the actions.", text };
  if (/[\r\n]/.test(action)) return { kind: "malformed", why: "Say one action, on one line.", text };
  return { kind: "action", action };
}
function hostOf(opened) {
  const { world, config } = opened;
  const { experts, audit, turnLimit } = world;
  const panels = Object.entries(world.panels).map(([name2, panel]) => panelOf(world.id, name2, panel));
  const read4 = (ref) => {
    assertTask({ panels }, world.id, ref);
    const place3 = `${world.id}, task ${ref.panel}/${ref.index}`;
    const task2 = world.task(ref, config);
    checked(place3, "task", taskSchema, task2);
    return { ...task2, place: place3, start: keepState(place3, task2.start) };
  };
  return {
    panels,
    // A numeric limit is not part of the config, but results with different limits must have different
    // fingerprints.
    ...typeof turnLimit === "number" ? { identity: { ...recordSchema.parse(config), turnLimit } } : {},
    describeTask: (ref) => {
      const { instruction, start: start2, family = familyOf(world.id), content } = read4(ref);
      return { family, instruction, content: content ?? { instruction, start: start2.json } };
    },
    create: async () => envOf(opened, read4),
    close: () => Promise.resolve(),
    ...experts === void 0 ? {} : { experts: expertsOf(experts, config, read4) },
    ...audit === void 0 ? {} : { audit: auditOf(audit, opened, read4) }
  };
}
function expertsOf(experts, config, read4) {
  const planner = experts.planner?.bind(experts);
  const searcher = experts.searcher?.bind(experts);
  return {
    ...planner === void 0 ? {} : { planner: (ref) => planner(read4(ref).start.state, config, ref) },
    ...searcher === void 0 ? {} : { searcher: (rng) => searcher(rng, config) }
  };
}
function auditOf(audit, opened, read4) {
  const { world, config } = opened;
  const place3 = `${world.id}, audit`;
  const swapHidden = audit.swapHidden?.bind(audit);
  const secrets = audit.secrets?.bind(audit);
  const swap2 = (snapshot, rng) => {
    const { state: state10 } = keepState(place3, restored(opened, snapshot));
    const swapped = swapHidden?.(state10, rng, config);
    if (swapped === void 0) return void 0;
    checked(place3, "swapHidden", swappedSchema, swapped);
    const { json } = keepState(place3, swapped.state);
    return {
      snapshot: { ...snapshot, world: json },
      reveals: (action) => swapped.reveals(action)
    };
  };
  return {
    ...swapHidden === void 0 ? {} : { swapHidden: swap2 },
    ...secrets === void 0 ? {} : { secrets: (ref) => secrets(read4(ref).start.state, config) }
  };
}
function restored({ world }, snapshot) {
  if (world.state === void 0) return snapshot.world;
  return readSnapshot(z3.object({ world: world.state, episode: z3.unknown() }), snapshot, world.id).world;
}
function envOf(opened, taskOf) {
  const { world, words: words3, config } = opened;
  const listSchema = z3.array(words3.action.schema);
  const hasPlainActions = words3.action === plainAction;
  const hasPlainObservations = words3.observation === plainObservation;
  let now;
  let listed2;
  let task2 = world.id;
  let steps2 = 0;
  const place3 = () => `${task2}, step ${steps2}`;
  const actions = () => {
    if (listed2?.in === now) return listed2.actions;
    const given2 = world.actions(now.state, config);
    const isSound2 = hasPlainActions && areStrings(given2);
    listed2 = { in: now, actions: isSound2 ? [...given2] : checked(place3(), "actions", listSchema, given2) };
    return listed2.actions;
  };
  const observation = () => {
    const given2 = world.observe(now.state, config);
    if (hasPlainObservations && typeof given2 === "string") return given2;
    return checked(place3(), "observe", words3.observation.schema, given2);
  };
  const stateKey = () => world.key === void 0 ? now.text : world.key(now.state);
  const turn = () => ({
    observation: observation(),
    stateKey: stateKey(),
    anchorKey: world.information === void 0 ? stateKey() : jsonText(place3(), "information", world.information(now.state, config)),
    admissible: [...actions()],
    stepsLeft: void 0,
    seat: 0
  });
  const isAdmissible = (action) => {
    if (typeof action === "string" ? actions().includes(action) : isListed(action, actions())) return true;
    return world.accepts?.(now.state, action, config) === true;
  };
  return {
    reset: async (ref) => {
      const { instruction, start: start2, place: begun } = taskOf(ref);
      [now, task2, steps2] = [start2, begun, 0];
      return { ...turn(), instruction };
    },
    step: async (action, context) => {
      steps2 += 1;
      const inadmissible = !isAdmissible(action);
      if (inadmissible) return { kind: "ongoing", ...turn(), reward: reward({}), inadmissible };
      const done = world.step(now.state, action, context, config);
      const isSound2 = isSoundStep(done);
      const { reward: earned, outcome } = isSound2 ? done : checked(place3(), "step", stepSchema, done);
      now = keepState(place3(), done.state);
      const result = { reward: reward(earned === void 0 ? {} : definedTerms(earned)), inadmissible };
      if (outcome === void 0) return { kind: "ongoing", ...turn(), ...result };
      return { kind: "terminated", outcome, observation: observation(), stateKey: stateKey(), ...result };
    },
    close: () => Promise.resolve(),
    snapshots: {
      take: () => ({ world: now.json, episode: {}, steps: 0 }),
      restore: (snapshot) => {
        now = keepState(place3(), restored(opened, snapshot));
        return turn();
      }
    }
  };
}
function isListed(action, list2) {
  const text = canonicalJson(action);
  return list2.some((one2) => canonicalJson(one2) === text);
}
function panelOf(id, name2, panel) {
  const given2 = typeof panel === "number" ? { size: panel } : panel;
  const {
    size: size2,
    purpose = name2 === "train" || name2 === "dev" ? name2 : "held-out",
    summary = `${size2} tasks of ${id}`
  } = given2;
  return { name: name2, size: size2, purpose, summary };
}
var familyOf = (id) => id.replace(/^.*\//, "").replace(/-v\d+$/, "");
var recordSchema = z3.record(z3.string(), z3.json());
var given = z3.unknown().refine((value2) => value2 !== void 0, "is missing");
var taskSchema = z3.strictObject({
  instruction: z3.string().min(1),
  start: given,
  family: z3.string().min(1).exactOptional(),
  content: z3.json().exactOptional()
});
var stepSchema = z3.strictObject({
  state: given,
  reward: z3.record(z3.string(), z3.custom((value2) => typeof value2 === "number", "expected number").optional()).optional(),
  // every env is checked for finite rewards later
  outcome: z3.enum(["solved", "failed"]).optional()
});
function isSoundStep(done) {
  if (typeof done !== "object" || done === null || Object.getPrototypeOf(done) !== Object.prototype)
    return false;
  const keys = Object.keys(done);
  return keys.length === 1 && keys[0] === "state" && "state" in done && done.state !== void 0;
}
var areStrings = (list2) => Array.isArray(list2) && list2.every((item) => typeof item === "string");
var definedTerms = (terms) => Object.fromEntries(Object.entries(terms).filter((term) => term[1] !== void 0));
var swappedSchema = z3.strictObject({
  state: given,
  reveals: z3.custom((value2) => typeof value2 === "function", "must be a function")
});
var wanted = {
  task: "{ instruction, start, family?, content? }",
  step: "{ state, reward?, outcome? }",
  observe: "a value of the observation schema, by default a string",
  actions: "an array of values of the action schema, by default strings",
  swapHidden: "{ state, reveals } or undefined"
};
function checked(place3, call, schema3, value2) {
  const parsed = schema3.safeParse(value2);
  if (parsed.success) return parsed.data;
  const isPromise = value2 instanceof Promise;
  throw new UsageError({
    where: `${place3}, ${call}`,
    what: isPromise ? "it returned a promise." : `its return value is invalid: ${describeIssues(parsed.error)}.`,
    fix: isPromise ? "Remove async from it." : `Return ${wanted[call]}.`
  });
}

// envs/puzzle/catalogue.ts
var catalogueOf = ({
  name: name2,
  category,
  unique
}, form) => ({
  family: "puzzle",
  tags: [category, form, "generated", ...unique === true ? ["one-solution"] : []],
  ...name2.includes("/") ? {} : { licence: "Apache-2.0" }
});

// envs/puzzle/difficulty.ts
import { z as z4 } from "zod";
var difficultyKey = (levels) => z4.int().min(0).max(levels).default(0).describe(`level of the questions, 1 (easiest) to ${levels}; 0 mixes all levels evenly`);
var familyOfLevel = (level) => `level-${level}`;

// envs/puzzle/frozen-schema.ts
var asFrozen = (schema3) => schema3;

// envs/puzzle/items.ts
import { hash as hash2 } from "node:crypto";
var puzzlePanels = {
  train: { size: 1e3, summary: "Questions to learn on" },
  dev: { size: 100, summary: "Other questions, for every choice" },
  unseen: { size: 100, summary: "Other questions again, run once at the end" }
};
var mostDraws = 2e3;
var Items = class {
  #rules;
  #root;
  #example;
  constructor(rules) {
    this.#rules = rules;
    this.#root = createRng(0).fork("puzzle").fork(rules.name);
  }
  /** The question of a seed. `level` counts from 1. */
  ofSeed(seed2, level) {
    return this.#draw(this.#root.fork("seed").fork(seed2).fork(level), level);
  }
  /** The question of a task. With difficulty 0 the levels take turns. */
  ofTask({ panel, index }, difficulty) {
    const level = difficulty === 0 ? index % this.#rules.levels.length + 1 : difficulty;
    const stream = this.#root.fork("task").fork(level).fork(panel).fork(index);
    const example = this.example().kept.text;
    for (let draw12 = 0; draw12 < mostDraws; draw12 += 1) {
      const item = this.#draw(stream.fork(draw12), level);
      if (panelOf2(item.kept.text) === panel && item.kept.text !== example) return item;
    }
    throw new UsageError({
      where: `puzzle ${this.#rules.name}, level ${level}`,
      what: `${mostDraws} draws gave no question of panel ${panel}.`,
      fix: "Let the generator draw from more questions: a level needs hundreds."
    });
  }
  /** The question of the instruction. It is in no panel. */
  example() {
    this.#example ??= this.#draw(this.#root.fork("example"), 1);
    return this.#example;
  }
  #draw(rng, level) {
    const { name: name2, levels, generate } = this.#rules;
    const settings = levels[level - 1];
    if (settings === void 0) throw unknownLevel(name2, level, levels.length);
    const { question: question33, solution } = generate(rng, settings);
    const kept = keepState(`puzzle ${name2}, generate`, question33);
    return { question: kept.state, kept, solution, level };
  }
};
function panelOf2(text) {
  const share = Number.parseInt(hash2("sha256", text, "hex").slice(0, 8), 16) % 10;
  return share < 8 ? "train" : share === 8 ? "dev" : "unseen";
}
var unknownLevel = (name2, level, levels) => new UsageError({
  where: `puzzle ${name2}`,
  what: `level ${level} does not exist.`,
  fix: `Choose an integer from 1 to ${levels}.`
});

// envs/puzzle/judge.ts
var defaultLongest = 4096;
var longestAnswer = ({ longest: longest2 = defaultLongest }) => longest2;
function readAnswer(words3, question33, text) {
  if (text.length > longestAnswer(words3)) return void 0;
  const plain = text.trim().replaceAll("\r\n", "\n");
  if (plain === "" || !isPlain(plain, words3.symbols ?? "")) return void 0;
  return words3.read(plain, question33);
}
function judge({ answer, verify }, question33, text) {
  const read4 = readAnswer(answer, question33, text);
  if (read4 === void 0) return "unreadable";
  return verify(question33, read4) ? "right" : "wrong";
}
function isPlain(text, symbols) {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const printable = code >= 32 && code < 127 || code === 10 || code === 9;
    if (!printable && !symbols.includes(character)) return false;
  }
  return true;
}

// envs/puzzle/remember.ts
function once(make) {
  let made;
  return () => (made ??= { value: make() }).value;
}
function rememberLast(call) {
  let last;
  return (argument) => {
    if (last?.argument !== argument) last = { argument, result: call(argument) };
    return last.result;
  };
}

// envs/puzzle/answer-env.ts
var listed = 4;
function answerEnvOf({
  rules,
  items,
  id
}) {
  const { answer: words3, solve: solve8 } = rules;
  const longest2 = longestAnswer(words3);
  const instruction = once(() => instructionOf(rules, items));
  const write16 = (answer, question33) => words3.write(answer, question33);
  const guesses = (question33) => {
    const rng = createRng(0).fork(hash3("sha256", canonicalJson(question33), "hex"));
    const drawn2 = Array.from(
      { length: listed },
      (_, index) => write16(rules.audit.guess(question33, rng.fork(index)), question33)
    );
    return [...new Set(drawn2)];
  };
  const config = z5.strictObject({ difficulty: difficultyKey(rules.levels.length) });
  const state10 = z5.strictObject({
    question: rules.question,
    verdict: z5.enum(["right", "wrong"]).exactOptional()
  });
  const env = defineTextEnv({
    id: id(""),
    summary: `${rules.summary}; one answer in words`,
    config,
    turnLimit: 1,
    panels: puzzlePanels,
    state: state10,
    unchecked: {
      secrets: "nothing is hidden",
      hidden: "nothing is hidden",
      "state-key-alias": "an episode has one step, and tasks differ in their question",
      "steps-left": "an episode has one step",
      experts: solve8 === void 0 ? "nothing is hidden that a searcher could look at, and the solution is known from the generator alone" : "nothing is hidden that the searcher could look at"
    },
    catalogue: catalogueOf(rules, "single-answer"),
    recipes: answerRecipes(rules.moves === void 0 ? void 0 : id("-moves")),
    observation: { schema: asFrozen(rules.question), print: (question33) => rules.render(question33) },
    action: {
      schema: z5.string().min(1).max(longest2),
      print: (text) => text,
      parse: (given2) => {
        const text = given2.trim();
        if (text === "") return { kind: "malformed", why: "The answer is empty.", text: given2 };
        if (text.length <= longest2) return { kind: "action", action: text };
        const why = `The answer has ${text.length} characters. At most ${longest2} are allowed.`;
        return { kind: "malformed", why, text: given2 };
      },
      isSample: () => true
    },
    task: (ref, { difficulty }) => {
      const { question: question33, kept, level } = items.ofTask(ref, difficulty);
      const content = { question: kept.json };
      return { instruction: instruction(), start: { question: question33 }, family: familyOfLevel(level), content };
    },
    observe: ({ question: question33 }) => question33,
    actions: ({ question: question33 }) => guesses(question33),
    accepts: ({ question: question33 }, text) => readAnswer(words3, question33, text) !== void 0,
    step: ({ question: question33 }, text) => judge(rules, question33, text) === "right" ? { state: { question: question33, verdict: "right" }, outcome: "solved", reward: { solved: 1 } } : { state: { question: question33, verdict: "wrong" }, outcome: "failed" },
    experts: {
      planner: (_start, { difficulty }, ref) => {
        const { question: question33, solution } = items.ofTask(ref, difficulty);
        return [write16(solution, question33)];
      },
      ...solve8 === void 0 ? {} : {
        searcher: () => ({
          act: ({ observation: question33, admissible = [] }) => {
            const [first2] = solve8(question33).answers;
            return first2 === void 0 ? admissible[0] ?? "?" : write16(first2, question33);
          }
        })
      }
    }
  });
  return { env, instruction };
}
function instructionOf({ rules, render, answer }, items) {
  const { question: question33, solution } = items.example();
  return [
    rules,
    `Answer: ${answer.format}`,
    `Example:
${render(question33)}
Answer of the example:
${answer.write(solution, question33)}`
  ].join("\n\n");
}
var answerRecipes = (movesEnv) => ({
  choice: [
    {
      refusal: {
        what: "it trains a choice policy, which chooses among listed actions, but the answers of this puzzle are written freely.",
        fix: movesEnv === void 0 ? "Train a language model on it, with --policy token --model FOLDER." : `Train it on ${movesEnv}, or train a language model here, with --policy token --model FOLDER.`
      }
    }
  ]
});

// envs/puzzle/audit/audit-puzzle.ts
import { z as z6 } from "zod";

// envs/puzzle/audit/audit-moves.ts
function auditMoves({ name: name2, moves, levels }, items, { level, plays, findings }) {
  const settings = levels[level - 1];
  if (moves === void 0 || settings === void 0) return void 0;
  const table = new Table(name2, moves, moves.turnLimit(settings));
  const total = { random: 0, expert: 0, moves: 0, choices: 0, steps: 0 };
  for (let seed2 = 0; seed2 < plays; seed2 += 1) {
    const where = `seed ${seed2}, level ${level}`;
    findings.attempt(where, () => {
      const item = items.ofSeed(seed2, level);
      const plan2 = moves.plan(item.question, item.solution);
      total.moves += plan2.length;
      const flaw = table.followPlan(item, plan2);
      if (flaw !== void 0) findings.add("plan", where, flaw);
      const rng = createRng(0).fork("plays").fork(level).fork(seed2);
      const random = table.play(item, (listed2) => {
        total.choices += listed2.length;
        total.steps += 1;
        return rng.pick(listed2);
      });
      total.random += random.isSolved ? 1 : 0;
      const { next: next2 } = moves;
      if (next2 === void 0) return;
      const expert = table.play(item, (listed2, state10) => next2(state10) ?? listed2[0] ?? "");
      if (expert.foul !== void 0) findings.add("expert", where, `"${expert.foul}" is not listed.`);
      total.expert += expert.isSolved ? 1 : 0;
    });
  }
  return {
    random: total.random / plays,
    expert: moves.next === void 0 ? void 0 : total.expert / plays,
    moves: total.moves / plays,
    choices: total.choices / Math.max(1, total.steps)
  };
}
var Table = class {
  #name;
  #moves;
  #limit;
  constructor(name2, moves, limit) {
    this.#name = name2;
    this.#moves = moves;
    this.#limit = limit;
  }
  #start(item) {
    return keepState(`puzzle ${this.#name}, start`, this.#moves.start(item.question)).state;
  }
  #play(state10, move) {
    return keepState(`puzzle ${this.#name}, play`, this.#moves.play(state10, move)).state;
  }
  /** What is wrong with a plan; undefined where it solves the puzzle. */
  followPlan(item, plan2) {
    if (plan2.length > this.#limit) return `It has ${plan2.length} moves, but the limit is ${this.#limit}.`;
    let state10 = this.#start(item);
    for (const [index, move] of plan2.entries()) {
      if (this.#moves.isSolved(state10))
        return `The puzzle is solved before move ${index + 1} of ${plan2.length}.`;
      if (this.#moves.isLost?.(state10) === true) return `The puzzle is lost before move ${index + 1}.`;
      if (!this.#moves.list(state10).includes(move)) return `Move ${index + 1}, "${move}", is not listed.`;
      state10 = this.#play(state10, move);
    }
    return this.#moves.isSolved(state10) ? void 0 : "It does not solve the puzzle.";
  }
  play(item, choose) {
    let state10 = this.#start(item);
    for (let step2 = 0; step2 < this.#limit; step2 += 1) {
      const listed2 = this.#moves.list(state10);
      if (listed2.length === 0 || this.#moves.isLost?.(state10) === true) break;
      const move = choose(listed2, state10);
      if (!listed2.includes(move)) return { isSolved: false, foul: move };
      state10 = this.#play(state10, move);
      if (this.#moves.isSolved(state10)) return { isSolved: true, foul: void 0 };
    }
    return { isSolved: false, foul: void 0 };
  }
};

// envs/puzzle/audit/findings.ts
var mostOfOneCheck = 3;
var Findings = class {
  list = [];
  add(check, where, what) {
    if (this.list.filter((finding) => finding.check === check).length >= mostOfOneCheck) return;
    this.list.push({ check, where, what });
  }
  /** Calls a part of the puzzle. An exception is a finding, and the value is then undefined. */
  attempt(where, call) {
    try {
      return call();
    } catch (thrown) {
      const isMutation = thrown instanceof TypeError && /read only|not extensible|Cannot (assign|delete|add)/.test(thrown.message);
      this.add(isMutation ? "frozen" : "exceptions", where, messageOf(thrown));
      return void 0;
    }
  }
};

// envs/puzzle/audit/odd-answers.ts
var wide = (text) => text.replaceAll(/[!-~]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 65248));
function hostileTexts(gold) {
  return {
    "full-width characters": wide(gold),
    "zero-width space inside": `${gold.slice(0, 1)}\u200B${gold.slice(1)}`,
    "right-to-left mark": `\u202E${gold}`,
    "combining mark": `${gold}\u0301`,
    "unpaired surrogate": `${gold}\uD800`,
    "control character": `${gold}\0`,
    empty: "",
    "white space": " \n	 ",
    prototype: "__proto__",
    constructor: "constructor",
    code: "process.exit(1)",
    "nested brackets": `${"(".repeat(2e3)}${")".repeat(2e3)}`,
    "a huge number": "9".repeat(4e3),
    infinity: "1e999",
    "a megabyte": "a".repeat(1048576),
    "the solution and a megabyte of blanks inside": `${gold.slice(0, 1)}${" ".repeat(1048576)}${gold.slice(1)}`
  };
}
function changedTexts(gold, rng) {
  const at = rng.int(gold.length);
  const pair = gold.length > 1 ? rng.int(gold.length - 1) : 0;
  return {
    "one character changed": gold.slice(0, at) + otherCharacter(gold[at] ?? "", rng) + gold.slice(at + 1),
    "two characters swapped": gold.slice(0, pair) + (gold[pair + 1] ?? "") + (gold[pair] ?? "") + gold.slice(pair + 2),
    "one character missing": gold.slice(0, at) + gold.slice(at + 1),
    "cut in half": gold.slice(0, Math.floor(gold.length / 2)),
    "given twice": `${gold}
${gold}`,
    reversed: gold.split("").toReversed().join("")
  };
}
function otherCharacter(character, rng) {
  const kinds2 = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", ".#/\\+-*() \n"];
  const kind2 = kinds2.find((characters) => characters.includes(character)) ?? kinds2.join("");
  return rng.pick(kind2.split("").filter((other) => other !== character));
}

// envs/puzzle/audit/audit-puzzle.ts
var count = z6.int().min(1).max(1e6);
var planSchema = z6.strictObject({
  /** Questions of each level whose answers are tried. */
  seeds: count.default(100),
  /** Questions of each level that are compared for repeats. */
  distinct: count.default(1e3),
  /** Random answers of each level. */
  guesses: count.default(1e3),
  /** Questions of each panel that are compared with the other panels, at most the size of the panel. */
  tasks: count.default(100),
  /** Random episodes of each level of the step-wise form. */
  plays: count.default(20)
});
function auditPuzzle(rules, items, given2) {
  const parsed = planSchema.safeParse(given2);
  if (!parsed.success) {
    const what = `${describeIssues(parsed.error)}.`;
    throw new UsageError({ where: "audit plan", what, fix: "Fix these members, or leave them out." });
  }
  const plan2 = parsed.data;
  const auditor = new Auditor(rules, items, plan2);
  const levels = rules.levels.map((_level, index) => auditor.level(index + 1));
  auditor.panels();
  auditor.difficulty(levels);
  const { findings, rejected, accepted } = auditor;
  return { puzzle: rules.name, plan: plan2, findings: findings.list, rejected, accepted, levels };
}
var Auditor = class {
  findings = new Findings();
  rejected = /* @__PURE__ */ new Map();
  // by kind
  accepted = /* @__PURE__ */ new Map();
  #rules;
  #items;
  #plan;
  constructor(rules, items, plan2) {
    this.#rules = rules;
    this.#items = items;
    this.#plan = plan2;
  }
  level(level) {
    const { seeds, guesses } = this.#plan;
    const { chance: chances } = this.#rules.audit;
    const chance = typeof chances === "function" ? chances(level) : chances;
    let [effort, right, tried] = [0, 0, 0];
    for (let seed2 = 0; seed2 < seeds; seed2 += 1) {
      const where = `seed ${seed2}, level ${level}`;
      const rng = createRng(0).fork("audit").fork(level).fork(seed2);
      const item = this.findings.attempt(where, () => this.#items.ofSeed(seed2, level));
      if (item === void 0) continue;
      effort += this.findings.attempt(where, () => this.#question(where, item, seed2, rng)) ?? 0;
      for (let guess = 0; guess < Math.ceil(guesses / seeds); guess += 1) {
        tried += 1;
        right += this.findings.attempt(where, () => this.#guess(where, item, rng.fork(`guess ${guess}`))) ?? 0;
      }
    }
    const bound = tried * chance + (chance === 0 ? 0 : 1 + 5 * Math.sqrt(tried * chance * (1 - chance)));
    if (right > bound) {
      const what = `${right} of ${tried} random answers were right, but chance allows ${Math.floor(bound)}.`;
      this.findings.add("chance", `level ${level}`, what);
    }
    return {
      level,
      different: this.#different(level),
      effort: this.#rules.solve === void 0 ? void 0 : effort / seeds,
      guessed: tried === 0 ? 0 : right / tried,
      chance,
      moves: auditMoves(this.#rules, this.#items, { level, ...this.#plan, findings: this.findings })
    };
  }
  /** Returns the effort of the solver. */
  #question(where, item, seed2, rng) {
    const { question: question33, solution, level } = item;
    const gold = this.#rules.answer.write(solution, question33);
    const again = this.#items.ofSeed(seed2, level);
    if (again.kept.text !== item.kept.text || this.#rules.answer.write(again.solution, question33) !== gold)
      this.findings.add("repeatable", where, "A second draw of the seed gives something else.");
    if (typeof this.#rules.render(question33) !== "string")
      this.findings.add("exceptions", where, "render returned no text.");
    const verdict = judge(this.#rules, question33, gold);
    if (verdict !== "right") this.findings.add("gold", where, `"${gold}" is judged ${verdict}.`);
    this.#mutants(where, item, gold, rng);
    this.#equivalents(where, item, gold);
    this.#hostile(where, item, gold);
    if (this.#rules.answer.write(solution, question33) !== gold)
      this.findings.add("frozen", where, "The verifier changed the solution.");
    return this.#solve(where, item, gold);
  }
  #mutants(where, { question: question33, solution }, gold, rng) {
    const { audit, answer, unique } = this.#rules;
    const own = Object.entries(audit.mutants(solution, question33, rng.fork("mutants")));
    const wrong = own.flatMap(
      ([kind2, mutant]) => mutant === void 0 ? [] : [[kind2, answer.write(mutant, question33)]]
    );
    const changed = unique === true ? Object.entries(changedTexts(gold, rng.fork("changes"))) : [];
    for (const [kind2, text] of [
      ...wrong,
      ...changed.filter(([, text2]) => !this.#isGold(question33, text2, gold))
    ]) {
      if (judge(this.#rules, question33, text) === "right")
        this.findings.add("mutants", where, `"${text}" (${kind2}) is accepted; the solution is "${gold}".`);
      else this.rejected.set(kind2, (this.rejected.get(kind2) ?? 0) + 1);
    }
  }
  /** Whether a text is another way to write the solution. */
  #isGold(question33, text, gold) {
    const read4 = readAnswer(this.#rules.answer, question33, text);
    return read4 !== void 0 && this.#rules.answer.write(read4, question33) === gold;
  }
  #equivalents(where, { question: question33, solution }, gold) {
    const forms = {
      "blanks around it": `  ${gold} 
`,
      "line ends of Windows": gold.replaceAll("\n", "\r\n"),
      ...this.#rules.audit.equivalents?.(solution, question33)
    };
    for (const [kind2, text] of Object.entries(forms)) {
      const verdict = judge(this.#rules, question33, text);
      if (verdict === "right") this.accepted.set(kind2, (this.accepted.get(kind2) ?? 0) + 1);
      else this.findings.add("equivalents", where, `"${text}" (${kind2}) is judged ${verdict}.`);
    }
  }
  #hostile(where, { question: question33 }, gold) {
    for (const [kind2, text] of Object.entries(hostileTexts(gold))) {
      const verdict = this.findings.attempt(`${where}, ${kind2}`, () => judge(this.#rules, question33, text));
      if (verdict === "right") this.findings.add("hostile", where, `An answer with ${kind2} is accepted.`);
      else this.rejected.set(kind2, (this.rejected.get(kind2) ?? 0) + 1);
    }
  }
  #solve(where, { question: question33 }, gold) {
    const solved = this.#rules.solve?.(question33);
    if (solved === void 0) return 0;
    const texts = solved.answers.map((answer) => this.#rules.answer.write(answer, question33));
    if (texts.length === 0) this.findings.add("solver", where, "It finds no solution.");
    for (const text of texts) {
      if (judge(this.#rules, question33, text) !== "right")
        this.findings.add("solver", where, `Its solution "${text}" is not accepted.`);
    }
    if (this.#rules.unique === true && (texts.length !== 1 || texts[0] !== gold))
      this.findings.add("unique", where, `The solver finds "${texts.join('" and "')}", not only "${gold}".`);
    return solved.effort;
  }
  #guess(where, { question: question33 }, rng) {
    const { audit, answer } = this.#rules;
    const text = answer.write(audit.guess(question33, rng), question33);
    const verdict = judge(this.#rules, question33, text);
    if (verdict === "unreadable")
      this.findings.add("guess", where, `The random answer "${text}" is unreadable.`);
    return verdict === "right" ? 1 : 0;
  }
  #different(level) {
    const { distinct } = this.#plan;
    const texts = /* @__PURE__ */ new Set();
    for (let seed2 = 0; seed2 < distinct; seed2 += 1) texts.add(this.#items.ofSeed(seed2, level).kept.text);
    const variety = this.#rules.audit.variety?.(level) ?? 1e9;
    const expected = distinct - variety * -Math.expm1(distinct * Math.log1p(-1 / variety));
    const repeats2 = distinct - texts.size;
    if (repeats2 > expected + 5 * Math.sqrt(expected) + 1) {
      const what = `${repeats2} of ${distinct} seeds repeat a question, but chance gives ${expected.toFixed(1)}.`;
      this.findings.add("variety", `level ${level}`, what);
    }
    return texts.size;
  }
  /** No question may be in two panels. */
  panels() {
    const owners = /* @__PURE__ */ new Map();
    for (const [panel, { size: size2 }] of Object.entries(puzzlePanels)) {
      for (let index = 0; index < Math.min(size2, this.#plan.tasks); index += 1) {
        const where = `${panel}/${index}`;
        const text = this.findings.attempt(where, () => this.#items.ofTask({ panel, index }, 0).kept.text);
        if (text === void 0) return;
        const owner = owners.get(text) ?? panel;
        if (owner !== panel) this.findings.add("disjoint", where, `Its question is in panel ${owner} too.`);
        owners.set(text, owner);
      }
    }
  }
  difficulty(levels) {
    const [first2, last] = [levels[0]?.effort, levels.at(-1)?.effort];
    if (first2 === void 0 || last === void 0 || last >= first2) return;
    const what = `The solver needs ${last.toFixed(1)} steps at the hardest level and ${first2.toFixed(1)} at the easiest.`;
    this.findings.add("difficulty", "all levels", what);
  }
};

// envs/puzzle/moves-env.ts
import { z as z7 } from "zod";

// envs/puzzle/moves-recipes.ts
var movesSettings = {
  credit: { kind: "gigpo" },
  finalPanels: ["unseen"],
  iterations: 15,
  warmStart: { episodes: 32, epochs: 60, evaluateEvery: 20, patience: 2 }
};
var movesRecipes = { choice: [{ settings: movesSettings }] };

// envs/puzzle/moves-env.ts
function movesEnvOf({
  rules,
  items,
  id,
  moves
}) {
  const { key, next: next2, features, target } = moves;
  const recipes = moves.recipes ?? (features === void 0 ? void 0 : movesRecipes);
  const limits = rules.levels.map((level) => moves.turnLimit(level));
  const config = z7.strictObject({ difficulty: difficultyKey(rules.levels.length) });
  const instruction = once(() => movesInstructionOf(rules, moves, items));
  const list2 = rememberLast((state10) => moves.list(state10));
  return defineTextEnv({
    id: id("-moves"),
    summary: `${rules.summary}; move by move`,
    config,
    turnLimit: ({ difficulty }) => limits[difficulty - 1] ?? Math.max(...limits),
    panels: puzzlePanels,
    catalogue: catalogueOf(rules, "step-wise"),
    state: moves.state,
    unchecked: {
      secrets: "nothing is hidden",
      hidden: "nothing is hidden",
      experts: "nothing is hidden that the searcher could look at"
    },
    observation: { schema: asFrozen(moves.state), print: (state10) => moves.render(state10) },
    task: (ref, { difficulty }) => {
      const { question: question33, kept, level } = items.ofTask(ref, difficulty);
      return {
        instruction: instruction(),
        start: moves.start(question33),
        family: familyOfLevel(level),
        content: { question: kept.json }
      };
    },
    observe: (state10) => state10,
    ...features === void 0 ? {} : { features },
    ...target === void 0 ? {} : { target },
    ...recipes === void 0 ? {} : { recipes },
    actions: list2,
    step: (before, move) => {
      const state10 = moves.play(before, move);
      const { state: after4 } = keepState(`puzzle ${rules.name}, play`, state10);
      if (moves.isSolved(after4)) return { state: after4, outcome: "solved", reward: { solved: 1 } };
      return moves.isLost?.(after4) === true || list2(after4).length === 0 ? { state: after4, outcome: "failed" } : { state: after4 };
    },
    ...key === void 0 ? {} : { key },
    experts: {
      planner: (_start, { difficulty }, ref) => {
        const { question: question33, solution } = items.ofTask(ref, difficulty);
        return moves.plan(question33, solution);
      },
      ...next2 === void 0 ? {} : {
        searcher: () => ({
          act: ({ observation, admissible }) => next2(observation) ?? admissible?.[0] ?? ""
        })
      }
    }
  });
}
function movesInstructionOf({ rules }, moves, items) {
  const { question: question33, solution } = items.example();
  const [first2 = ""] = moves.plan(question33, solution);
  return `${rules}

Moves: ${moves.rules} Example of a move: "${first2}".`;
}

// envs/puzzle/rules.ts
var puzzleCategories = [
  "grid",
  "crypto",
  "sequential",
  "search",
  "arithmetic",
  "graph",
  "logic"
];

// envs/puzzle/define-puzzle.ts
function definePuzzle(rules) {
  assertRules(rules);
  const { name: name2, category, summary, levels, moves, unique = false } = rules;
  const items = new Items(rules);
  const parts = { rules, items, id: (form) => idOf(name2, form) };
  const readQuestion = (question33) => {
    const parsed = rules.question.safeParse(question33);
    if (parsed.success) return keepState(`puzzle ${name2}, question`, parsed.data).state;
    throw new UsageError({
      where: `puzzle ${name2}, question`,
      what: `it does not match the schema: ${describeIssues(parsed.error)}.`,
      fix: "Pass a question of this puzzle, as item() returns it."
    });
  };
  const answers = answerEnvOf(parts);
  return {
    name: name2,
    category,
    summary,
    levels: levels.length,
    unique,
    envs: moves === void 0 ? [answers.env] : [answers.env, movesEnvOf({ ...parts, moves })],
    instruction: answers.instruction,
    item: (seed2, level) => {
      const { question: question33, kept, solution } = items.ofSeed(seed2, level);
      const text = rules.render(question33);
      return { question: kept.json, text, solution: rules.answer.write(solution, question33), level };
    },
    judge: (question33, answer) => judge(rules, readQuestion(question33), answer),
    judgeOf: (given2) => {
      const question33 = readQuestion(given2);
      return (answer) => judge(rules, question33, answer);
    },
    solve: (given2) => {
      const question33 = readQuestion(given2);
      return rules.solve?.(question33).answers.map((answer) => rules.answer.write(answer, question33));
    },
    audit: (plan2 = {}) => auditPuzzle(rules, items, plan2)
  };
}
function idOf(name2, form) {
  const [, scope = "", plain = name2] = /^(.*\/)?([^/]*)$/.exec(name2) ?? [];
  return `${scope}puzzle-${plain}${form}-v1`;
}
var callable2 = z8.custom((value2) => typeof value2 === "function", "must be a function");
var schema2 = z8.custom((value2) => value2 instanceof z8.ZodType, "is no zod schema");
var words = z8.string().min(1);
var rulesSchema = z8.strictObject({
  name: z8.string().regex(/^([a-z\d][a-z\d-]*\/)?[a-z][a-z\d]*(-[a-z\d]+)*$/, "must be words in lower case with hyphens"),
  category: z8.enum(puzzleCategories),
  summary: words,
  question: schema2,
  levels: z8.array(z8.unknown()).min(1),
  generate: callable2,
  rules: words,
  render: callable2,
  answer: z8.strictObject({
    format: words,
    write: callable2,
    read: callable2,
    symbols: z8.string().optional(),
    longest: z8.int().min(1).max(65536).optional()
  }),
  verify: callable2,
  solve: callable2.optional(),
  unique: z8.boolean().optional(),
  audit: z8.strictObject({
    guess: callable2,
    chance: z8.union([z8.number().min(0).max(1), callable2]),
    mutants: callable2,
    equivalents: callable2.optional(),
    variety: callable2.optional()
  }),
  moves: z8.strictObject({
    rules: words,
    state: schema2,
    start: callable2,
    render: callable2,
    list: callable2,
    play: callable2,
    isSolved: callable2,
    isLost: callable2.optional(),
    plan: callable2,
    next: callable2.optional(),
    key: callable2.optional(),
    turnLimit: callable2,
    features: callable2.optional(),
    target: callable2.optional(),
    recipes: z8.custom((value2) => typeof value2 === "object", "must be recipes").optional()
    // the trainer validates them
  }).optional()
});
function assertRules(rules) {
  const parsed = rulesSchema.safeParse(rules);
  const where = `definePuzzle of ${String(rules.name)}`;
  if (!parsed.success) {
    const fix = "Fix these members. The documentation of PuzzleRules describes each one.";
    throw new UsageError({ where, what: `${describeIssues(parsed.error)}.`, fix });
  }
  if (rules.unique === true && rules.solve === void 0) {
    throw new UsageError({
      where,
      what: "it says that solutions are unique, but has no solver to prove it.",
      fix: "Give solve, which returns two solutions where there are two, or remove unique."
    });
  }
}

// envs/puzzle/puzzles/arithmetic/reach-target.ts
var close = 1e-9;
function reachTarget(numbers, target, most) {
  const trail2 = [];
  const met = /* @__PURE__ */ new Set();
  let [tried, ways] = [0, 0];
  let first2;
  const search = (values) => {
    if (values.length > 3) {
      const table = values.toSorted((a, b) => a - b).join(" ");
      if (met.has(table)) return;
      met.add(table);
    }
    for (let left = 0; left < values.length; left += 1) {
      for (let right = 0; right < values.length; right += 1) {
        if (left === right) continue;
        for (const operator of operators) {
          if (right < left && (operator === "+" || operator === "*")) continue;
          tried += 1;
          const value2 = compute(operator, values[left], values[right]);
          if (!Number.isFinite(value2)) continue;
          if (values.length === 2 && Math.abs(value2 - target) > close) continue;
          trail2.push({ operator, left, right });
          if (values.length > 2) search(taken(values, left, right, value2));
          else if (isExact(numbers, target, trail2)) {
            ways += 1;
            first2 ??= [...trail2];
          }
          trail2.pop();
          if (ways >= most) return;
        }
      }
    }
  };
  if (numbers.length > 1) search(numbers.map(([numerator, denominator]) => numerator / denominator));
  return { steps: first2, tried, ways };
}
function compute(operator, left, right) {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return Math.abs(right) < close ? Number.NaN : left / right;
  }
}
function taken(items, left, right, result) {
  const rest = [];
  for (let index = 0; index < items.length; index += 1)
    if (index !== left && index !== right) rest.push(items[index]);
  rest.push(result);
  return rest;
}
function isExact(numbers, target, steps2) {
  let table = numbers;
  for (const { operator, left, right } of steps2) {
    const value2 = apply(operator, table[left], table[right]);
    if (value2 === void 0) return false;
    table = taken(table, left, right, value2);
  }
  return table[0]?.[0] === target && table[0][1] === 1;
}
function expressionOf(numbers, steps2) {
  let table = numbers;
  for (const { operator, left, right } of steps2)
    table = taken(table, left, right, {
      operator,
      left: table[left],
      right: table[right]
    });
  return table[0];
}
function usesExactly(expression, numbers) {
  const used = numbersOf(expression).toSorted((a, b) => a - b);
  const given2 = numbers.toSorted((a, b) => a - b);
  return used.length === given2.length && used.every((number2, index) => number2 === given2[index]);
}
function movesOf({ numbers }) {
  const moves = [];
  const pairs = /* @__PURE__ */ new Set();
  for (const [first2, left] of numbers.entries()) {
    for (const [second, right] of numbers.entries()) {
      const pair = `${left} ${right}`;
      if (first2 === second || pairs.has(pair)) continue;
      pairs.add(pair);
      if (first2 < second) moves.push(`${left} + ${right}`, `${left} * ${right}`);
      moves.push(`${left} - ${right}`);
      if (right !== "0") moves.push(`${left} / ${right}`);
    }
  }
  return moves;
}
function playMove({ numbers, target }, move) {
  const [left = "", operator = "+", right = ""] = move.split(" ");
  const value2 = apply(operator, readFraction(left), readFraction(right)) ?? [0, 1];
  const rest = [...numbers];
  for (const used of [left, right]) rest.splice(rest.indexOf(used), 1);
  const place3 = rest.findIndex((other) => quotient(other) > value2[0] / value2[1]);
  rest.splice(place3 < 0 ? rest.length : place3, 0, writeFraction(value2));
  return { numbers: rest, target };
}
var quotient = (text) => {
  const [numerator, denominator] = readFraction(text);
  return numerator / denominator;
};
var isReached = ({ numbers, target }) => numbers.length === 1 && numbers[0] === String(target);
function movesFor(expression) {
  const moves = [];
  const value2 = (part) => {
    if (typeof part === "number") return [part, 1];
    if ("negated" in part) return apply("-", [0, 1], value2(part.negated)) ?? [0, 1];
    const [left, right] = [value2(part.left), value2(part.right)];
    moves.push(moveOf(part.operator, left, right));
    return apply(part.operator, left, right) ?? [0, 1];
  };
  value2(expression);
  return moves;
}
function moveOf(operator, left, right) {
  const isSwapped = (operator === "+" || operator === "*") && right[0] / right[1] < left[0] / left[1];
  const [first2, second] = isSwapped ? [right, left] : [left, right];
  return `${writeFraction(first2)} ${operator} ${writeFraction(second)}`;
}
function nextMove({ numbers, target }) {
  const values = numbers.map(readFraction);
  const [step2] = reachTarget(values, target, 1).steps ?? [];
  if (step2 === void 0) return void 0;
  return moveOf(step2.operator, values[step2.left], values[step2.right]);
}
var featuresOf = ({ numbers, target }) => ({
  fields: {
    target,
    count: numbers.length,
    ...numbers.length > 3 ? {} : Object.fromEntries(numbers.map((number2, at) => [`number ${at + 1}`, quotient(number2)]))
  }
});
function targetOf(move) {
  const [left = "0", operator = "+", right = "0"] = move.split(" ");
  const [numerator, denominator] = apply(operator, readFraction(left), readFraction(right)) ?? [
    0,
    1
  ];
  const result = numerator / denominator;
  return {
    verb: operator,
    fields: { left: quotient(left), right: quotient(right), result, whole: denominator === 1 }
  };
}

// envs/puzzle/puzzles/arithmetic/countdown.ts
var number = z9.int().min(1).max(100);
var question = z9.strictObject({
  numbers: z9.array(number).min(2).max(6),
  target: z9.int().min(0).max(1e5)
});
var fraction = z9.string().regex(/^-?\d+(\/\d+)?$/);
function drawExpression(rng, numbers) {
  const parts = rng.shuffle(numbers);
  while (parts.length > 1) {
    const [left] = parts.splice(rng.int(parts.length), 1);
    const [right] = parts.splice(rng.int(parts.length), 1);
    parts.push({ operator: rng.pick(operators), left, right });
  }
  return parts[0];
}
var whole = (value2) => [value2, 1];
var foundBefore = /* @__PURE__ */ new Map();
function foundFor(sorted, target) {
  const name2 = `${sorted.join(" ")} ${target}`;
  const found = foundBefore.get(name2) ?? reachTarget(sorted.map(whole), target, 1e4);
  foundBefore.set(name2, found);
  return found;
}
function drawTarget(rng, { count: count3, largest: largest2, target, ways }) {
  const numbers = Array.from({ length: count3 }, () => 1 + rng.int(largest2));
  if (ways !== void 0) {
    const [goal] = target;
    const sorted = numbers.toSorted((a, b) => a - b);
    const found = foundFor(sorted, goal);
    if (found.steps === void 0 || found.ways < ways[0] || found.ways > ways[1]) return void 0;
    return { question: { numbers, target: goal }, solution: expressionOf(sorted, found.steps) };
  }
  const solution = drawExpression(rng, numbers);
  const [value2, divisor] = evaluate(solution) ?? [0, 0];
  const fits2 = divisor === 1 && value2 >= target[0] && value2 <= target[1];
  return fits2 ? { question: { numbers, target: value2 }, solution } : void 0;
}
function defineTarget({
  name: name2,
  summary,
  rules,
  levels,
  effort,
  chance,
  variety
}) {
  return definePuzzle({
    name: name2,
    category: "arithmetic",
    summary,
    question,
    levels,
    generate: (rng, level) => {
      for (; ; ) {
        const generated = drawTarget(rng, level);
        if (generated !== void 0) return generated;
      }
    },
    rules,
    render: ({ numbers, target }) => `Numbers: ${numbers.join(" ")}
Target: ${target}`,
    answer: {
      format: "one expression of the numbers, + - * / and brackets, without an equals sign.",
      write: (expression) => writeExpression(expression),
      read: (text, { target }) => parseExpression(text.replace(new RegExp(`\\s*=\\s*${target}$`), "")),
      symbols: arithmeticSymbols,
      longest: 256
    },
    verify: ({ numbers, target }, expression) => {
      if (!usesExactly(expression, numbers)) return false;
      const [value2, divisor] = evaluate(expression) ?? [0, 0];
      return value2 === target && divisor === 1;
    },
    solve: ({ numbers, target }) => {
      const { steps: steps2, tried, ways } = reachTarget(numbers.map(whole), target, effort === "first" ? 1 : 1e4);
      return {
        answers: steps2 === void 0 ? [] : [expressionOf(numbers, steps2)],
        effort: tried / Math.max(1, ways)
      };
    },
    audit: {
      guess: ({ numbers }, rng) => drawExpression(rng, numbers),
      chance,
      mutants: (solution, { numbers, target }, rng) => {
        const other = drawExpression(rng, numbers);
        const [value2, divisor] = evaluate(other) ?? [0, 0];
        const withNumber = (operator, right) => ({
          operator,
          left: solution,
          right
        });
        return {
          "a number left out": typeof solution === "object" && "left" in solution ? solution.left : void 0,
          "a number used twice": withNumber("+", numbers[0]),
          "the target itself": target,
          "a foreign number": withNumber("*", 1),
          "another value": value2 === target && divisor === 1 ? void 0 : other
        };
      },
      equivalents: (solution, { target }) => {
        const text = writeExpression(solution);
        return {
          "without blanks": text.replaceAll(" ", ""),
          "all in brackets": `((${text}))`,
          "with an equals sign": `${text} = ${target}`,
          "signs of typography": text.replaceAll("*", "\xD7").replaceAll("/", "\xF7").replaceAll("-", "\u2212")
        };
      },
      ...variety === void 0 ? {} : { variety }
    },
    moves: {
      rules: "A move takes two numbers from the table and puts their result back, such as 3 + 5. At the end the target alone must lie there.",
      state: z9.strictObject({ numbers: z9.array(fraction), target: z9.int() }),
      start: ({ numbers, target }) => ({ numbers: numbers.toSorted((a, b) => a - b).map(String), target }),
      render: ({ numbers, target }) => `Numbers: ${numbers.join(" ")}
Target: ${target}`,
      list: movesOf,
      play: playMove,
      isSolved: isReached,
      plan: (_question, solution) => movesFor(solution),
      next: nextMove,
      turnLimit: ({ count: count3 }) => count3,
      features: featuresOf,
      target: targetOf
    }
  });
}
var countdown = defineTarget({
  name: "countdown",
  summary: "Countdown: combine all numbers to a target",
  rules: "Combine the numbers to the target. Use each number once, with + - * / and brackets. Results in between may be fractions or negative.",
  levels: [
    { count: 3, largest: 20, target: [10, 100] },
    { count: 4, largest: 50, target: [10, 200] },
    { count: 5, largest: 100, target: [10, 500] },
    { count: 6, largest: 100, target: [100, 999] }
  ],
  effort: "first",
  chance: (level) => [0.1, 0.02, 0.01, 0.01][level - 1] ?? 0,
  variety: (level) => level === 1 ? 4e4 : 1e9
});
var game24 = defineTarget({
  name: "game-24",
  summary: "24 points: combine four numbers to 24",
  rules: "Combine the four numbers to 24. Use each number once, with + - * / and brackets. Results in between may be fractions or negative.",
  levels: [
    { count: 4, largest: 13, target: [24, 24], ways: [40, 1e4] },
    { count: 4, largest: 13, target: [24, 24], ways: [12, 39] },
    { count: 4, largest: 13, target: [24, 24], ways: [1, 11] }
  ],
  effort: "mean",
  chance: (level) => [0.08, 0.03, 0.01][level - 1] ?? 0,
  variety: (level) => [3e3, 6e3, 6e3][level - 1] ?? 1
});

// envs/puzzle/puzzles/crypto/classical.ts
import { z as z10 } from "zod";

// envs/puzzle/puzzles/crypto/cipher.ts
var first = 65;
var alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
var modulo = (value2, by) => (value2 % by + by) % by;
function replace(text, to) {
  let [out, count3] = ["", 0];
  for (let at = 0; at < text.length; at += 1) {
    const letter2 = text.charCodeAt(at) - first;
    if (letter2 < 0 || letter2 > 25) out += text[at];
    else {
      out += alphabet[modulo(to(letter2, count3), 26)];
      count3 += 1;
    }
  }
  return out;
}
var shift = (text, by) => replace(text, (letter2) => letter2 + by);
var vigenere = (text, key, sign) => replace(text, (letter2, count3) => letter2 + sign * (key.charCodeAt(count3 % key.length) - first));
var substitute = (text, key) => replace(text, (letter2) => key.charCodeAt(letter2) - first);
var inverseKey = (key) => alphabet.split("").map((letter2) => alphabet[key.indexOf(letter2)]).join("");
function transpose(text, columns) {
  let out = "";
  for (let column = 0; column < columns; column += 1)
    for (let at = column; at < text.length; at += columns) out += text[at];
  return out;
}
function untranspose(text, columns) {
  const out = [];
  let next2 = 0;
  for (let column = 0; column < columns; column += 1)
    for (let at = column; at < text.length; at += columns) out[at] = text[next2++] ?? "";
  return out.join("");
}
function readLetters(text) {
  const plain = text.toUpperCase().replaceAll(/["'.\s]+/g, " ").trim();
  return /^[A-Z ]+$/.test(plain) ? plain : void 0;
}

// envs/puzzle/puzzles/crypto/words.ts
var cipherWords = `about above actor after again agree alarm album alive alone angle animal answer apple arrow autumn balance banana
  basket beach begin below bench berry better blanket block board border bottle bounce branch brave bread breeze bridge bright brother brown
  brush bucket build butter button camera candle carpet castle cattle center chain chair change cheese cherry circle clean clear climb clock
  cloud coast coffee color common copper corner cotton cousin cover crane cross crowd current dance danger daughter deep desert dinner doctor
  dozen dream drive early earth east eight either engine enough evening exact family farmer father feather fence fever field fifty finger
  first flame floor flower follow forest forget fresh friend frozen fruit future garden gather gentle giant glass golden grain grass gravel
  green ground group guest guitar hammer happy harbor harvest heavy hidden honey horse hotel house humble hunter island jacket jewel journey
  judge juice jungle kettle kitchen knife ladder large later laugh lemon letter light listen little lizard local lucky lunch magnet maple
  market matter meadow melody memory metal middle minute mirror modern moment money month morning mother motor mountain mouse music narrow
  nation needle never night noble noise north number object ocean office often olive onion orange orbit other owner oxygen palace paper parrot
  pattern pencil people pepper picture pilot planet plenty pocket police potato powder prince puzzle quarter queen quick quiet rabbit radio
  railway rapid ready reason recipe record ribbon river rocket rough round royal sailor salad sample school season secret seven shadow shape
  sharp shelter shine short silver simple sister sleep small smile smooth snow south spare spider spring square stable station steam stone
  storm story stream street strong sugar summer sunny supper sweet table teacher temple thank thick thing thirty thread thunder ticket tiger
  timber today tomato tower train travel treasure tunnel turtle twelve uncle under valley velvet village violin visit voice wagon walnut
  warm water weather wheel whisper white winter wisdom wonder wooden world yellow young zebra`.toUpperCase().split(/\s+/);
var drawWords = (rng, count3) => {
  const drawn2 = /* @__PURE__ */ new Set();
  while (drawn2.size < count3) drawn2.add(rng.pick(cipherWords));
  return [...drawn2];
};

// envs/puzzle/puzzles/crypto/define-cipher.ts
function defineCipher({
  name: name2,
  summary,
  rules,
  question: question33,
  levels,
  encrypt,
  render,
  decrypt,
  matches,
  keys
}) {
  return definePuzzle({
    name: name2,
    category: "crypto",
    summary,
    question: question33,
    levels,
    generate: (rng, level) => {
      for (; ; ) {
        const plain = drawWords(rng, level.words).join(" ");
        const drawn2 = encrypt(rng, plain, level);
        if (drawn2 !== void 0) return { question: drawn2, solution: plain };
      }
    },
    rules,
    render,
    answer: {
      format: "the text before encryption, in capitals.",
      write: (plain) => plain,
      read: readLetters
    },
    verify: matches,
    unique: true,
    solve: (given2) => {
      const { texts, tried } = decrypt(given2);
      return { answers: texts, effort: tried };
    },
    audit: {
      guess: (_given, rng) => drawWords(rng, levels[0]?.words ?? 1).join(" "),
      chance: 1e-3,
      ...keys === void 0 ? {} : {
        variety: (level) => Math.min(1e9, keys * cipherWords.length ** (levels[level - 1]?.words ?? 1))
      },
      mutants: (plain, _given, rng) => {
        const at = rng.int(plain.length);
        const wrong = rng.pick(alphabet.split("").filter((letter2) => letter2 !== plain[at]));
        return {
          "another letter": plain[at] === " " ? void 0 : plain.slice(0, at) + wrong + plain.slice(at + 1),
          "shifted by one": shift(plain, 1),
          "the last word missing": plain.includes(" ") ? plain.slice(0, plain.lastIndexOf(" ")) : void 0,
          "words in another order": plain.includes(" ") ? `${plain.slice(plain.indexOf(" ") + 1)} ${plain.slice(0, plain.indexOf(" "))}` : void 0,
          "without blanks": plain.includes(" ") ? plain.replaceAll(" ", "") : void 0
        };
      },
      equivalents: (plain) => ({
        "small letters": plain.toLowerCase(),
        "in quotation marks": `"${plain}"`,
        "as a sentence": `${plain.slice(0, 1)}${plain.slice(1).toLowerCase()}.`
      })
    }
  });
}

// envs/puzzle/puzzles/crypto/classical.ts
var capitals = z10.string().regex(/^[A-Z ]+$/).max(400);
var withCrib = z10.strictObject({
  ciphertext: capitals,
  /** A word of the text. It makes the key certain. */
  crib: capitals
});
function shiftsOf({ ciphertext, crib }) {
  const shifts = [];
  for (let by = 1; by < 26; by += 1) {
    const hidden = shift(crib, by);
    if (` ${ciphertext} `.includes(` ${hidden} `)) shifts.push(by);
  }
  return shifts;
}
var caesar = defineCipher({
  name: "crypto-caesar",
  summary: "Caesar's cipher without its key",
  rules: "The text was encrypted by moving every letter on by the same number of places of the alphabet, from 1 to 25; A follows Z. Blanks did not change. One word of the text is known. Find the text.",
  question: withCrib,
  levels: [{ words: 2 }, { words: 4 }, { words: 8 }, { words: 16 }],
  keys: 25,
  encrypt: (rng, plain) => {
    const given2 = { ciphertext: shift(plain, 1 + rng.int(25)), crib: rng.pick(plain.split(" ")) };
    return shiftsOf(given2).length === 1 ? given2 : void 0;
  },
  render: ({ ciphertext, crib }) => `Encrypted: ${ciphertext}
A word of the text: ${crib}`,
  decrypt: (given2) => ({
    texts: shiftsOf(given2).map((by) => shift(given2.ciphertext, -by)),
    tried: given2.ciphertext.length
  }),
  matches: (given2, plain) => shiftsOf(given2).some((by) => shift(plain, by) === given2.ciphertext)
});
var vigenereQuestion = z10.strictObject({
  ciphertext: capitals,
  /** The key, or the first words of the text and the length of the key, which is at most their number of letters. */
  known: z10.discriminatedUnion("kind", [
    z10.strictObject({ kind: z10.literal("key"), key: z10.string().regex(/^[A-Z]{1,12}$/) }),
    z10.strictObject({ kind: z10.literal("start"), start: capitals, length: z10.int().min(1).max(12) })
  ])
});
function keyOf({ ciphertext, known: known4 }) {
  if (known4.kind === "key") return known4.key;
  const letters4 = (text) => text.replaceAll(" ", "").slice(0, known4.length);
  return vigenere(letters4(ciphertext), letters4(known4.start), -1);
}
var vigenereCipher = defineCipher({
  name: "crypto-vigenere",
  summary: "Vigen\xE8re's cipher with its key or with the start of the text",
  rules: "The text was encrypted with a key of letters. Each letter of the key is a number: A is 0, B is 1, and so on to Z, 25. The first letter of the text moved on by the first number, the second by the second, and so on; after its last letter the key starts again. A follows Z. Blanks did not change and use no letter of the key. Find the text.",
  question: vigenereQuestion,
  levels: [
    { words: 2, length: 2, start: 0 },
    { words: 5, length: 4, start: 0 },
    { words: 8, length: 4, start: 1 },
    { words: 14, length: 8, start: 2 }
  ],
  encrypt: (rng, plain, { length, start: start2 }) => {
    const key = Array.from({ length }, () => rng.pick(alphabet.split(""))).join("");
    const ciphertext = vigenere(plain, key, 1);
    if (start2 === 0) return { ciphertext, known: { kind: "key", key } };
    const begin = plain.split(" ").slice(0, start2).join(" ");
    if (begin.replaceAll(" ", "").length < length) return void 0;
    return { ciphertext, known: { kind: "start", start: begin, length } };
  },
  render: ({ ciphertext, known: known4 }) => `Encrypted: ${ciphertext}
${known4.kind === "key" ? `Key: ${known4.key}` : `The text starts with: ${known4.start}
Letters of the key: ${known4.length}`}`,
  decrypt: (given2) => ({
    texts: [vigenere(given2.ciphertext, keyOf(given2), -1)],
    tried: given2.ciphertext.length
  }),
  matches: (given2, plain) => vigenere(plain, keyOf(given2), 1) === given2.ciphertext
});

// envs/puzzle/puzzles/crypto/known-attack.ts
import { z as z11 } from "zod";
var capitals2 = z11.string().regex(/^[A-Z ]+$/).max(600);
var stage = z11.discriminatedUnion("kind", [
  /** The letter of the key at the place of each letter of the alphabet. */
  z11.strictObject({ kind: z11.literal("substitute"), key: z11.string().regex(/^[A-Z]{26}$/) }),
  z11.strictObject({ kind: z11.literal("shift"), by: z11.int().min(1).max(25) }),
  z11.strictObject({ kind: z11.literal("columns"), columns: z11.int().min(2).max(9) }),
  z11.strictObject({ kind: z11.literal("reverse") })
]);
var reverse = (text) => text.split("").toReversed().join("");
function apply2(text, step2) {
  switch (step2.kind) {
    case "substitute":
      return substitute(text, step2.key);
    case "shift":
      return shift(text, step2.by);
    case "columns":
      return transpose(text, step2.columns);
    case "reverse":
      return reverse(text);
  }
}
function undo(text, step2) {
  switch (step2.kind) {
    case "substitute":
      return substitute(text, inverseKey(step2.key));
    case "shift":
      return shift(text, -step2.by);
    case "columns":
      return untranspose(text, step2.columns);
    case "reverse":
      return reverse(text);
  }
}
function describeStage(step2) {
  switch (step2.kind) {
    case "substitute":
      return `Replace each letter: ${alphabet} becomes ${step2.key}.`;
    case "shift":
      return `Move each letter on by ${step2.by} places of the alphabet. A follows Z.`;
    case "columns":
      return `Write the text, with its blanks, into rows of ${step2.columns} characters. Read it column by column, from the left.`;
    case "reverse":
      return "Write the whole text backwards.";
  }
}
var drawKey = (rng) => rng.shuffle(alphabet.split("")).join("");
function drawStage(rng, kind2) {
  switch (kind2) {
    case "substitute":
      return { kind: kind2, key: drawKey(rng) };
    case "shift":
      return { kind: kind2, by: 1 + rng.int(25) };
    case "columns":
      return { kind: kind2, columns: 2 + rng.int(6) };
    case "reverse":
      return { kind: kind2 };
  }
}
var cryptoKnownKey = defineCipher({
  name: "crypto-known-key",
  summary: "Known key: decrypt a text whose encryption is described",
  rules: "A text of words was encrypted by the steps below, in this order. Blanks are never replaced. Undo the steps and find the text.",
  question: z11.strictObject({ steps: z11.array(stage).min(1), ciphertext: z11.string().regex(/^[A-Z ]+$/) }),
  levels: [
    { words: 2, kinds: ["substitute"] },
    { words: 4, kinds: ["substitute"] },
    { words: 4, kinds: ["substitute", "reverse"] },
    { words: 6, kinds: ["shift", "columns", "substitute"] },
    { words: 8, kinds: ["substitute", "columns", "shift", "reverse"] }
  ],
  encrypt: (rng, plain, { kinds: kinds2 }) => {
    const steps2 = kinds2.map((kind2) => drawStage(rng, kind2));
    const ciphertext = steps2.reduce(apply2, plain);
    return ciphertext.trim() === ciphertext ? { steps: steps2, ciphertext } : void 0;
  },
  render: ({ steps: steps2, ciphertext }) => [
    ...steps2.map((step2, index) => `${index + 1}. ${describeStage(step2)}`),
    `Encrypted, between the bars: |${ciphertext}|`
  ].join("\n"),
  decrypt: ({ steps: steps2, ciphertext }) => ({
    texts: [steps2.reduceRight(undo, ciphertext)],
    tried: steps2.length * ciphertext.length
  }),
  matches: ({ steps: steps2, ciphertext }, plain) => plain.length === ciphertext.length && steps2.reduce(apply2, plain) === ciphertext
});
var known = z11.strictObject({
  /** Texts with their encryption. Together they show every letter of the ciphertext. */
  pairs: z11.array(z11.strictObject({ plain: capitals2, encrypted: capitals2 })).min(1),
  ciphertext: capitals2
});
function lettersOf({
  pairs
}) {
  const letters4 = /* @__PURE__ */ new Map();
  for (const { plain, encrypted } of pairs)
    for (let at = 0; at < encrypted.length; at += 1) letters4.set(encrypted[at] ?? "", plain[at] ?? "");
  return letters4;
}
var translate = (text, letters4) => {
  let out = "";
  for (const letter2 of text) out += letter2 === " " ? " " : letters4.get(letter2) ?? "?";
  return out;
};
var cryptoKnownPlaintext = defineCipher({
  name: "crypto-known-plaintext",
  summary: "Known plaintext: find a substitution from examples and decrypt another text",
  rules: "All texts were encrypted with the same key: every letter is replaced by one other letter, and different letters by different ones. Blanks did not change. The examples show what you need. Find the last text.",
  question: known,
  levels: [
    { words: 2, pairs: 5 },
    { words: 3, pairs: 7 },
    { words: 5, pairs: 8 },
    { words: 8, pairs: 10 }
  ],
  encrypt: (rng, plain, { pairs: count3 }) => {
    const key = drawKey(rng);
    const ciphertext = substitute(plain, key);
    const open = new Set(plain.replaceAll(" ", ""));
    const pairs = [];
    for (let draw12 = 0; draw12 < 300 && (open.size > 0 || pairs.length < count3); draw12 += 1) {
      const [word = ""] = drawWords(rng, 1);
      const isNew2 = word.split("").some((letter2) => open.has(letter2));
      if (plain.includes(word) || open.size > 0 && !isNew2 || pairs.some((pair) => pair.plain === word))
        continue;
      for (const letter2 of word) open.delete(letter2);
      pairs.push({ plain: word, encrypted: substitute(word, key) });
    }
    return open.size === 0 ? { pairs: rng.shuffle(pairs), ciphertext } : void 0;
  },
  render: ({ pairs, ciphertext }) => [
    "Text and encryption:",
    ...pairs.map(({ plain, encrypted }) => `${plain} ${encrypted}`),
    `Encrypted: ${ciphertext}`
  ].join("\n"),
  decrypt: (given2) => ({
    texts: [translate(given2.ciphertext, lettersOf(given2))],
    tried: given2.ciphertext.length
  }),
  matches: (given2, plain) => translate(given2.ciphertext, lettersOf(given2)) === plain
});

// envs/puzzle/puzzles/graph/components.ts
import { z as z13 } from "zod";

// envs/puzzle/puzzles/graph/weighted.ts
import { z as z12 } from "zod";
var node = z12.int().min(1).max(40);
var weightedEdge = z12.tuple([node, node, z12.int().min(1).max(999)]);
var graphNode = node;
function waysOf({ nodes, edges }, isDirected = false) {
  const ways = Array.from({ length: nodes + 1 }, () => []);
  for (const [from, to, weight] of edges) {
    ways[from]?.push({ to, weight });
    if (!isDirected) ways[to]?.push({ to: from, weight });
  }
  return ways;
}
function distancesTo(given2, goal) {
  const ways = waysOf(given2);
  const distance2 = Array.from({ length: given2.nodes + 1 }, () => Infinity);
  const next2 = Array.from({ length: given2.nodes + 1 }, () => 0);
  const isDone = new Uint8Array(given2.nodes + 1);
  distance2[goal] = 0;
  let looked = 0;
  for (; ; ) {
    let at = 0;
    for (let each = 1; each <= given2.nodes; each += 1)
      if (isDone[each] === 0 && (distance2[each] ?? 0) < (at === 0 ? Infinity : distance2[at] ?? 0))
        at = each;
    if (at === 0) return { distance: distance2, next: next2, looked };
    isDone[at] = 1;
    for (const { to, weight } of ways[at] ?? []) {
      looked += 1;
      const through = (distance2[at] ?? 0) + weight;
      if (through >= (distance2[to] ?? 0)) continue;
      distance2[to] = through;
      next2[to] = at;
    }
  }
}
function shortestWay(given2, from, goal) {
  const { distance: distance2, next: next2 } = distancesTo(given2, goal);
  if (distance2[from] === Infinity) return void 0;
  const way = [from];
  while (way.at(-1) !== goal) way.push(next2[way.at(-1)]);
  return way;
}
function lengthOf({ edges }, way) {
  let sum = 0;
  for (let at = 1; at < way.length; at += 1) {
    const [a, b] = [way[at - 1], way[at]];
    let step2 = Infinity;
    for (const [from, to, weight] of edges)
      if ((from === a && to === b || from === b && to === a) && weight < step2) step2 = weight;
    if (step2 === Infinity) return void 0;
    sum += step2;
  }
  return sum;
}
function drawConnected(rng, { nodes, more, most }) {
  const order = rng.shuffle(Array.from({ length: nodes }, (_, index) => index + 1));
  const seen2 = /* @__PURE__ */ new Set();
  const edges = [];
  const add2 = (a, b) => {
    const [low, high] = a < b ? [a, b] : [b, a];
    if (low === high || seen2.has(low * 64 + high)) return;
    seen2.add(low * 64 + high);
    edges.push([low, high, 1 + rng.int(most)]);
  };
  for (let index = 1; index < nodes; index += 1) add2(order[rng.int(index)], order[index]);
  for (let tries = 0; edges.length < nodes - 1 + more && tries < 10 * more; tries += 1)
    add2(1 + rng.int(nodes), 1 + rng.int(nodes));
  return { nodes, edges: rng.shuffle(edges) };
}
function readNodes(text, nodes) {
  const list2 = text.split(/\s*(?:->|-|,|\s)\s*/).map((part) => /^\d{1,2}$/.test(part) ? Number(part) : 0);
  return list2.every((at) => at >= 1 && at <= nodes) ? list2 : void 0;
}
function readEdges(text, nodes) {
  const edges = [];
  for (const part of text.split(/[\s,;]+/)) {
    const [, a = "", b = ""] = /^(\d{1,2})-(\d{1,2})$/.exec(part) ?? [];
    const [low, high] = [Math.min(Number(a), Number(b)), Math.max(Number(a), Number(b))];
    if (low < 1 || high > nodes) return void 0;
    edges.push([low, high]);
  }
  return edges;
}
var writeEdges = (edges) => edges.map(([a, b]) => `${a}-${b}`).join(" ");
var drawEdges = ({ edges }) => edges.map(([a, b, weight]) => `${a}-${b} (${weight})`).join(", ");
function nodesFrom(graph5, way, isGoal2) {
  const ways = waysOf(graph5);
  const steps2 = new Map((ways[way.at(-1) ?? 0] ?? []).map(({ to, weight }) => [to, weight]));
  const rows = Array.from({ length: graph5.nodes }, (_, at) => {
    const node3 = at + 1;
    const step2 = steps2.get(node3);
    if (step2 === void 0) return ["far", "-", "-"];
    const left = graph5.left - step2;
    const direct = Math.min(...(ways[node3] ?? []).map(({ to, weight }) => isGoal2(to) ? weight : Infinity));
    const kind2 = isGoal2(node3) ? "goal" : way.includes(node3) ? "visited" : "node";
    return [
      `${kind2}, ${leaves(left)}`,
      direct === Infinity ? "no edge" : leaves(left - direct),
      String(step2)
    ];
  });
  return { rows };
}
var leaves = (length) => length < 0 ? "too long" : length === 0 ? "exact" : "short";

// envs/puzzle/puzzles/graph/components.ts
var question2 = z13.strictObject({
  nodes: z13.int().min(2).max(40),
  edges: z13.array(z13.tuple([graphNode, graphNode]))
});
function labels({ nodes, edges }) {
  const label = Array.from({ length: nodes + 1 }, (_, at) => at);
  for (let isOpen2 = true; isOpen2; ) {
    isOpen2 = false;
    for (const [a, b] of edges) {
      const [first2, second] = [label[a], label[b]];
      if (first2 === second) continue;
      label[a] = label[b] = Math.min(first2, second);
      isOpen2 = true;
    }
  }
  return label;
}
function group(nodes, labelOf) {
  const groups = /* @__PURE__ */ new Map();
  for (let node3 = 1; node3 <= nodes; node3 += 1) {
    const list2 = groups.get(labelOf(node3)) ?? [];
    list2.push(node3);
    groups.set(labelOf(node3), list2);
  }
  return [...groups.values()];
}
var componentsOf = (given2) => {
  const label = labels(given2);
  return group(given2.nodes, (node3) => label[node3]);
};
function drawGraph(rng, nodes, parts) {
  const label = Array.from({ length: nodes + 1 }, () => rng.int(parts));
  const edges = [];
  const seen2 = /* @__PURE__ */ new Set();
  for (let tries = 0; tries < 12 * nodes && edges.length < 1.5 * nodes; tries += 1) {
    const [a, b] = [1 + rng.int(nodes), 1 + rng.int(nodes)];
    if (a >= b || label[a] !== label[b] || seen2.has(a * 64 + b)) continue;
    seen2.add(a * 64 + b);
    edges.push([a, b]);
  }
  return { nodes, edges };
}
var write2 = (groups) => groups.map((each) => each.join(" ")).join("\n");
var connectedComponents = definePuzzle({
  name: "connected-components",
  category: "graph",
  summary: "The connected components of a graph",
  question: question2,
  levels: [
    { nodes: 6, parts: 2 },
    { nodes: 10, parts: 3 },
    { nodes: 18, parts: 4 },
    { nodes: 30, parts: 6 }
  ],
  generate: (rng, { nodes, parts }) => {
    for (; ; ) {
      const drawn2 = drawGraph(rng, nodes, parts);
      const solution = componentsOf(drawn2);
      if (solution.length > 1 && solution.length < nodes) return { question: drawn2, solution };
    }
  },
  rules: "Two nodes belong to one component if edges lead from one to the other, directly or through other nodes. Edges lead in both directions. Find all components. A node without an edge is a component of its own.",
  render: ({ nodes, edges }) => `Nodes: 1 to ${nodes}
Edges: ${edges.map(([a, b]) => `${a}-${b}`).join(" ")}`,
  answer: {
    format: "one line for each component: its nodes with blanks between them.",
    write: write2,
    read: (text, { nodes }) => {
      const groups = text.split(/\s*[\n;]\s*/).map((line2) => line2.split(/[\s,]+/).map((part) => /^\d{1,2}$/.test(part) ? Number(part) : 0));
      const fits2 = groups.every((each) => each.every((at) => at >= 1 && at <= nodes));
      return fits2 ? groups.map((each) => each.toSorted((a, b) => a - b)).toSorted(([a = 0], [b = 0]) => a - b) : void 0;
    }
  },
  verify: (given2, groups) => {
    const label = labels(given2);
    const seen2 = /* @__PURE__ */ new Set();
    for (const each of groups) {
      for (const node3 of each) {
        if (seen2.has(node3) || label[node3] !== label[each[0]]) return false;
        seen2.add(node3);
      }
    }
    return seen2.size === given2.nodes && groups.length === new Set(label.slice(1)).size;
  },
  unique: true,
  solve: (given2) => ({ answers: [componentsOf(given2)], effort: given2.nodes + given2.edges.length }),
  audit: {
    guess: ({ nodes }, rng) => {
      const label = Array.from({ length: nodes + 1 }, () => rng.int(2));
      return group(nodes, (node3) => label[node3]);
    },
    chance: (level) => [0.1, 0.01, 1e-3, 1e-3][level - 1] ?? 0,
    mutants: (groups) => ({
      "two components joined": [[...groups[0] ?? [], ...groups[1] ?? []], ...groups.slice(2)],
      "a component missing": groups.slice(1),
      "a node twice": [...groups.slice(0, -1), [...groups.at(-1) ?? [], groups[0]?.[0] ?? 1]],
      "a component split": groups.flatMap(
        (each) => each.length > 1 ? [each.slice(0, 1), each.slice(1)] : [each]
      )
    }),
    equivalents: (groups) => ({
      "one line": write2(groups).replaceAll("\n", "; "),
      commas: groups.map((each) => each.join(", ")).join("\n"),
      "another order": groups.map((each) => each.toReversed().join(" ")).toReversed().join("\n")
    }),
    variety: (level) => level === 1 ? 2e4 : 1e9
  }
});

// envs/puzzle/puzzles/arithmetic/geometry.ts
import { z as z14 } from "zod";
var coordinate = z14.int().min(-100).max(100);
var points = z14.array(z14.tuple([coordinate, coordinate])).min(3).max(8);
var figure = z14.discriminatedUnion("kind", [
  /** The angles of a convex polygon in degrees, all but one. */
  z14.strictObject({ kind: z14.literal("angle"), angles: z14.array(z14.int().min(1).max(179)).min(2).max(11) }),
  /** The corners of a polygon in order. */
  z14.strictObject({ kind: z14.literal("area"), points }),
  z14.strictObject({ kind: z14.enum(["centroid", "circumcentre", "orthocentre"]), points })
]);
var question3 = z14.strictObject({ figure });
function reduce2(numerator, denominator) {
  let [a, b] = [Math.abs(numerator), Math.abs(denominator)];
  while (b !== 0) [a, b] = [b, a % b];
  const sign = denominator < 0 ? -1 : 1;
  return [sign * numerator / a + 0, sign * denominator / a];
}
var twiceArea = (corners) => corners.reduce((sum, [x, y], at) => {
  const [nextX, nextY] = corners[(at + 1) % corners.length];
  return sum + x * nextY - nextX * y;
}, 0);
function equationsOf(kind2, [p, q, r]) {
  const square = ([x, y]) => x * x + y * y;
  switch (kind2) {
    case "centroid":
      return [
        [3, 0, p[0] + q[0] + r[0]],
        [0, 3, p[1] + q[1] + r[1]]
      ];
    case "circumcentre":
      return [q, r].map(
        (other) => [2 * (other[0] - p[0]), 2 * (other[1] - p[1]), square(other) - square(p)]
      );
    case "orthocentre":
      return [
        [p, q, r],
        [q, r, p]
      ].map(([corner, a, b]) => {
        const [x, y] = [a[0] - b[0], a[1] - b[1]];
        return [x, y, x * corner[0] + y * corner[1]];
      });
  }
}
function equations(given2) {
  if (given2.kind === "angle") {
    const sum = given2.angles.reduce((total, each) => total + each, 0);
    return [[1, 0, 180 * (given2.angles.length - 1) - sum]];
  }
  if (given2.kind === "area") return [[2, 0, Math.abs(twiceArea(given2.points))]];
  return equationsOf(given2.kind, given2.points.slice(0, 3));
}
function solve(given2) {
  const [[a, b, c] = [0, 0, 0], second] = equations(given2);
  if (second === void 0) return [reduce2(c, a)];
  const [d, e, f] = second;
  const divisor = a * e - b * d;
  return divisor === 0 ? void 0 : [reduce2(c * e - b * f, divisor), reduce2(a * f - c * d, divisor)];
}
function drawPolygon(rng, corners, most) {
  for (; ; ) {
    const drawn2 = Array.from({ length: corners }, () => [
      rng.int(2 * most + 1) - most,
      rng.int(2 * most + 1) - most
    ]);
    const isConvex = drawn2.every(
      (point, at) => twiceArea([point, drawn2[(at + 1) % corners], drawn2[(at + 2) % corners]]) > 0
    );
    if (isConvex) return drawn2;
  }
}
function drawAngles(rng, corners) {
  for (; ; ) {
    const angles = Array.from({ length: corners - 1 }, () => 20 + rng.int(155));
    const last = 180 * (corners - 2) - angles.reduce((sum, each) => sum + each, 0);
    if (last >= 10 && last < 180) return angles;
  }
}
var write3 = (values) => values.map(
  ([numerator, denominator]) => denominator === 1 ? String(numerator) : `${numerator}/${denominator}`
).join(" ");
var wanted2 = {
  centroid: "centroid, where the lines from the corners to the middles of the opposite sides meet",
  circumcentre: "circumcentre, which is equally far from all corners",
  orthocentre: "orthocentre, where the heights meet"
};
var geometry = definePuzzle({
  name: "geometry",
  category: "arithmetic",
  summary: "Plane geometry with exact answers: angles, areas and the centres of triangles",
  question: question3,
  levels: ["angle", "area", "centroid", "circumcentre", "orthocentre"],
  generate: (rng, kind2) => {
    const drawn2 = kind2 === "angle" ? { kind: kind2, angles: drawAngles(rng, 4 + rng.int(3)) } : { kind: kind2, points: drawPolygon(rng, kind2 === "area" ? 3 + rng.int(2) : 3, 20) };
    return { question: { figure: drawn2 }, solution: solve(drawn2) ?? [] };
  },
  rules: "Answer the question about a figure of the plane. Give exact values.",
  render: ({ figure: given2 }) => {
    if (given2.kind === "angle")
      return `A convex polygon has ${given2.angles.length + 1} corners. Its angles are ${given2.angles.join(", ")} and one more, in degrees. What is the missing angle?`;
    const corners = given2.points.map(([x, y]) => `(${x}, ${y})`).join(", ");
    return given2.kind === "area" ? `A polygon has the corners ${corners}, in this order. What is its area?` : `A triangle has the corners ${corners}. What is its ${wanted2[given2.kind]}?`;
  },
  answer: {
    format: "a number, or for a point x and y with a blank between them. Write fractions such as 7/3.",
    write: write3,
    read: (text, { figure: given2 }) => {
      const parts = text.replace(/^\(\s*(.*?)\s*\)$/, "$1").replace(/\s*(?:degrees|°)$/, "").split(/\s*,\s*|\s+/);
      if (parts.length !== (given2.kind === "angle" || given2.kind === "area" ? 1 : 2)) return void 0;
      const values = [];
      for (const part of parts) {
        const [, whole2 = "", digits2, divisor] = /^(-?\d{1,7})(?:\.(\d{1,3})|\/([1-9]\d{0,6}))?$/.exec(part) ?? [];
        if (whole2 === "") return void 0;
        values.push(
          digits2 === void 0 ? reduce2(Number(whole2), Number(divisor ?? 1)) : reduce2(Number(whole2 + digits2), 10 ** digits2.length)
        );
      }
      return values;
    },
    symbols: "\xB0"
  },
  verify: ({ figure: given2 }, [[x, xDivisor] = [0, 1], [y, yDivisor] = [0, 1]]) => (
    // (a x/p + b y/q = c) times p q
    equations(given2).every(([a, b, c]) => a * x * yDivisor + b * y * xDivisor === c * xDivisor * yDivisor)
  ),
  unique: true,
  solve: ({ figure: given2 }) => {
    const solution = solve(given2);
    return { answers: solution === void 0 ? [] : [solution], effort: equations(given2).length };
  },
  audit: {
    guess: ({ figure: given2 }, rng) => equations(given2).map(
      (_equation, at) => [given2.kind === "angle" && at === 0 ? 10 + rng.int(170) : rng.int(41) - 20, 1]
    ),
    chance: (level) => level === 1 ? 0.02 : 0.01,
    mutants: (values) => ({
      "one too many": values.map(([a, b], at) => at === 0 ? [a + b, b] : [a, b]),
      "x and y swapped": values.length === 2 && write3(values) !== write3(values.toReversed()) ? values.toReversed() : void 0,
      "the wrong sign": values[0]?.[0] === 0 ? void 0 : values.map(([a, b], at) => at === 0 ? [-a, b] : [a, b])
    }),
    equivalents: (values) => ({
      "not reduced": values.map(([a, b]) => `${2 * a}/${2 * b}`).join(" "),
      "in brackets": `(${write3(values).replaceAll(" ", ", ")})`
    }),
    variety: (level) => level === 2 ? 1e8 : 1e7
  }
});

// envs/puzzle/puzzles/arithmetic/random-calculation.ts
import { z as z15 } from "zod";
var token = z15.string().regex(/^(?:[-+*/]|\d{1,3}(?:\^[23]|\/[1-9]\d{0,2})?)$/);
var question4 = z15.strictObject({ postfix: z15.array(token).min(1).max(63) });
function operand(text) {
  const [, base = "0", power, divisor] = /^(\d+)(?:\^(\d)|\/(\d+))?$/.exec(text) ?? [];
  return [BigInt(base) ** BigInt(power ?? 1), BigInt(divisor ?? 1)];
}
function evaluate2(tokens) {
  const stack = [];
  for (const each of tokens) {
    if (!"+-*/".includes(each)) {
      stack.push(operand(each));
      continue;
    }
    const [right, left] = [stack.pop(), stack.pop()];
    if (right === void 0 || left === void 0) return void 0;
    const [[a, b], [c, d]] = [left, right];
    if (each === "+") stack.push([a * d + c * b, b * d]);
    else if (each === "-") stack.push([a * d - c * b, b * d]);
    else if (each === "*") stack.push([a * c, b * d]);
    else if (c === 0n) return void 0;
    else stack.push([a * d, b * c]);
  }
  return stack.length === 1 ? stack[0] : void 0;
}
var absolute = (value2) => value2 < 0n ? -value2 : value2;
function reduce3([numerator, denominator]) {
  let [a, b] = [absolute(numerator), absolute(denominator)];
  while (b !== 0n) [a, b] = [b, a % b];
  const sign = denominator < 0n ? -1n : 1n;
  return [sign * numerator / a, sign * denominator / a];
}
function write4(tokens) {
  const stack = [];
  for (const each of tokens) {
    if (!"+-*/".includes(each)) stack.push(each.includes("/") ? `(${each})` : each);
    else {
      const [right = "", left = ""] = [stack.pop(), stack.pop()];
      stack.push(`(${left} ${each} ${right})`);
    }
  }
  const [whole2 = ""] = stack;
  return tokens.length > 1 ? whole2.slice(1, -1) : whole2;
}
function drawOperand(rng) {
  const kind2 = rng.int(10);
  if (kind2 < 6) return String(rng.int(101));
  if (kind2 === 6) return `${2 + rng.int(30)}^2`;
  if (kind2 === 7) return `${2 + rng.int(9)}^3`;
  return `${1 + rng.int(12)}/${2 + rng.int(11)}`;
}
function draw(rng, steps2) {
  if (steps2 === 0) return [drawOperand(rng)];
  const left = rng.int(steps2);
  return [...draw(rng, left), ...draw(rng, steps2 - 1 - left), rng.pick(["+", "+", "-", "-", "*", "/"])];
}
var show = ([numerator, denominator]) => denominator === 1n ? String(numerator) : `${numerator}/${denominator}`;
var largest = 1000000000n;
var randomCalculation = definePuzzle({
  name: "random-calculation",
  category: "arithmetic",
  summary: "Random calculations of any length over integers, fractions, squares and cubes",
  question: question4,
  levels: [1, 2, 4, 8, 16],
  generate: (rng, steps2) => {
    for (; ; ) {
      const postfix = draw(rng, steps2);
      const value2 = evaluate2(postfix);
      if (value2 === void 0) continue;
      const solution = reduce3(value2);
      if (absolute(solution[0]) <= largest && solution[1] <= largest)
        return { question: { postfix }, solution };
    }
  },
  rules: "Calculate the exact value. The sign ^ is a power: 5^2 is 25. Brackets come first, and * and / come before + and -.",
  render: ({ postfix }) => write4(postfix),
  answer: {
    format: "an integer such as -12, a fraction such as 7/3, or a decimal number that is exact, such as 2.5.",
    write: show,
    read: (text) => {
      const [, sign, whole2 = "", digits2, divisor] = /^([-−])?(\d{1,30})(?:\.(\d{1,30})|\s*\/\s*(\d{1,30}))?$/.exec(text.replace(/^=\s*/, "")) ?? [];
      if (whole2 === "" || divisor !== void 0 && /^0+$/.test(divisor)) return void 0;
      const numerator = BigInt(whole2 + (digits2 ?? ""));
      return [
        sign === void 0 ? numerator : -numerator,
        digits2 === void 0 ? BigInt(divisor ?? 1) : 10n ** BigInt(digits2.length)
      ];
    },
    symbols: "\u2212"
  },
  verify: ({ postfix }, [numerator, denominator]) => {
    const [a, b] = evaluate2(postfix) ?? [0n, 0n];
    return b !== 0n && a * denominator === numerator * b;
  },
  solve: ({ postfix }) => {
    const value2 = evaluate2(postfix);
    return { answers: value2 === void 0 ? [] : [reduce3(value2)], effort: postfix.length };
  },
  audit: {
    guess: (_given, rng) => [BigInt(rng.int(201)), 1n],
    chance: 0.01,
    mutants: ([numerator, denominator]) => ({
      "one too many": [numerator + denominator, denominator],
      "the wrong sign": numerator === 0n ? void 0 : [-numerator, denominator],
      "upside down": numerator <= 1n || numerator === denominator ? void 0 : [denominator, numerator],
      "without the denominator": denominator === 1n ? void 0 : [numerator, 1n],
      "a little more": [numerator * 1000n + 1n, denominator * 1000n]
    }),
    equivalents: ([numerator, denominator]) => ({
      "not reduced": `${numerator * 3n}/${denominator * 3n}`,
      "with an equals sign": `= ${show([numerator, denominator])}`,
      ...denominator === 1n ? { "with a decimal point": `${numerator}.0` } : {},
      "typographic minus": show([numerator, denominator]).replace("-", "\u2212")
    }),
    variety: (level) => level === 1 ? 8e3 : 1e9
  }
});

// envs/puzzle/puzzles/graph/hamiltonian.ts
import { z as z16 } from "zod";

// envs/puzzle/grid-text.ts
function readGrid(text, { rows, columns, alphabet: alphabet3 }) {
  const lines3 = text.split("\n").map((line2) => line2.replaceAll(/[ \t,|]/g, ""));
  const fits2 = lines3.length === rows && lines3.every((line2) => line2.length === columns && hasOnly(line2, alphabet3));
  return fits2 ? lines3 : void 0;
}
function hasOnly(line2, alphabet3) {
  for (const character of line2) if (!alphabet3.includes(character)) return false;
  return true;
}
var spaced = (row) => row.split("").join(" ");
function withCell(rows, row, column, character) {
  return rows.map(
    (line2, index) => index === row ? line2.slice(0, column) + character + line2.slice(column + 1) : line2
  );
}
var cellName = (row, column) => `row ${row + 1} column ${column + 1}`;
function targetOfCell(move) {
  const [, row = "", column = "", value2 = ""] = /^row (\d+) column (\d+) is (.+)$/.exec(move) ?? [];
  return { verb: "write", cell: [Number(row) - 1, Number(column) - 1], value: value2 };
}
function boardOf(values, columns) {
  const rows = [];
  for (let at = 0; at < values.length; at += columns) rows.push(values.slice(at, at + columns).map(String));
  return { rows };
}

// envs/puzzle/puzzles/graph/hamiltonian.ts
var node2 = z16.int().min(1).max(31);
var graph = { nodes: z16.int().min(3).max(31), edges: z16.array(z16.tuple([node2, node2])) };
var question5 = z16.strictObject(graph);
var state = z16.strictObject({ ...graph, path: z16.array(node2) });
var neighbours = ({ edges }) => neighboursBy(edges);
var neighboursBy = rememberLast((edges) => {
  const nodes = Math.max(...edges.flat());
  const sets = Array.from({ length: nodes + 1 }, () => 0);
  for (const [a, b] of edges) {
    sets[a] = (sets[a] ?? 0) | 1 << b;
    sets[b] = (sets[b] ?? 0) | 1 << a;
  }
  return sets;
});
function isRight(given2, path, closed) {
  if (path.length !== given2.nodes || new Set(path).size !== given2.nodes) return false;
  const sets = neighbours(given2);
  const joined = (a, b) => ((sets[a] ?? 0) >> b & 1) === 1;
  return path.every((at, index) => index === 0 || joined(path[index - 1], at)) && (!closed || joined(path.at(-1), path[0]));
}
var mostTried = 2e5;
function complete(given2, begun, closed) {
  const sets = neighbours(given2);
  const path = [...begun];
  let free = 0;
  for (let at = 1; at <= given2.nodes; at += 1) if (!path.includes(at)) free |= 1 << at;
  let tried = 0;
  const ways = (at) => {
    const open = (sets[at] ?? 0) & free;
    const list2 = [];
    for (let next2 = 1; next2 <= given2.nodes; next2 += 1) if (open >> next2 & 1) list2.push(next2);
    return list2;
  };
  const extend = () => {
    const last = path.at(-1);
    if (free === 0) return !closed || ((sets[last] ?? 0) >> path[0] & 1) === 1;
    const starts = Array.from({ length: closed ? 1 : given2.nodes }, (_, index) => index + 1);
    const next2 = last === void 0 ? starts : ways(last);
    const ordered = next2.map((at) => [at, ways(at).length]).toSorted((a, b) => a[1] - b[1]);
    for (const [at] of ordered) {
      if ((tried += 1) > mostTried) return false;
      path.push(at);
      free &= ~(1 << at);
      if (extend()) return true;
      free |= 1 << at;
      path.pop();
    }
    return false;
  };
  return { path: extend() ? path : void 0, tried };
}
function plant(rng, nodes, closed) {
  const path = rng.shuffle(Array.from({ length: nodes }, (_, index) => index + 1));
  const seen2 = /* @__PURE__ */ new Set();
  const edges = [];
  const add2 = (a, b) => {
    const [low, high] = a < b ? [a, b] : [b, a];
    if (low === high || seen2.has(low * 32 + high)) return;
    seen2.add(low * 32 + high);
    edges.push([low, high]);
  };
  for (let index = 1; index < nodes; index += 1) add2(path[index - 1], path[index]);
  if (closed) add2(path[nodes - 1], path[0]);
  const wanted3 = edges.length + Math.ceil(nodes / 2);
  while (edges.length < wanted3) add2(1 + rng.int(nodes), 1 + rng.int(nodes));
  return { graph: { nodes, edges: rng.shuffle(edges) }, path };
}
function bitsIn(set) {
  let count3 = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count3 += 1;
  return count3;
}
var draw2 = ({ nodes, edges }) => `Nodes: 1 to ${nodes}
Edges: ${edges.map(([a, b]) => `${a}-${b}`).join(" ")}`;
var numberIn = (move) => Number(move.replaceAll(/\D/g, ""));
function defineHamiltonian({
  name: name2,
  closed,
  chance
}) {
  const what = closed ? "cycle" : "path";
  return definePuzzle({
    name: name2,
    category: "graph",
    summary: `A Hamiltonian ${what}: through every node of a graph once`,
    question: question5,
    levels: [6, 9, 13, 18],
    generate: (rng, nodes) => {
      const { graph: drawn2, path } = plant(rng, nodes, closed);
      return { question: drawn2, solution: path };
    },
    rules: `Visit every node of the graph once. Each step follows an edge, in either direction.${closed ? " An edge must also lead from the last node back to the first." : ""} You may start anywhere.`,
    render: draw2,
    answer: {
      format: `all nodes in the order of the ${what}, with blanks between them${closed ? "; do not repeat the first node" : ""}.`,
      write: (path) => path.join(" "),
      read: (text, { nodes }) => {
        const path = text.split(/\s*(?:->|-|,|\s)\s*/).map((part) => /^\d{1,2}$/.test(part) ? Number(part) : 0);
        return path.every((at) => at >= 1 && at <= nodes) ? path : void 0;
      }
    },
    verify: (given2, path) => isRight(given2, path, closed),
    solve: (given2) => {
      const { path, tried } = complete(given2, [], closed);
      return { answers: path === void 0 ? [] : [path], effort: tried };
    },
    audit: {
      guess: ({ nodes }, rng) => rng.shuffle(Array.from({ length: nodes }, (_, index) => index + 1)),
      chance,
      mutants: (path, given2, rng) => {
        const at = rng.int(path.length);
        const apart = path.findIndex((first2, index) => {
          const swapped = [...path];
          [swapped[0], swapped[index]] = [
            swapped[index],
            first2 === path[0] ? first2 : path[0]
          ];
          return index > 0 && !isRight(given2, swapped, closed);
        });
        return {
          "a node missing": path.filter((_node, index) => index !== at),
          "a node twice": [...path.slice(0, at), path[at], ...path.slice(at)],
          "a node in place of another": path.map(
            (here, index) => index === at ? path[(at + 1) % path.length] : here
          ),
          "a step without an edge": apart < 0 ? void 0 : swap(path, 0, apart)
        };
      },
      equivalents: (path) => ({
        arrows: path.join(" -> "),
        commas: path.join(", "),
        backwards: path.toReversed().join(" "),
        ...closed ? { "another start": [...path.slice(1), path[0]].join(" ") } : {}
      })
    },
    moves: {
      rules: "A move goes to a node that was not visited: the first to any node, the others along an edge.",
      state,
      start: (given2) => ({ ...given2, path: [] }),
      render: (at) => `${draw2(at)}
Path: ${at.path.length === 0 ? "none" : at.path.join(" ")}`,
      list: ({ path, ...given2 }) => {
        const last = path.at(-1);
        const open = last === void 0 ? -1 : neighbours(given2)[last] ?? 0;
        const list2 = [];
        for (let next2 = 1; next2 <= given2.nodes; next2 += 1)
          if ((open >> next2 & 1) === 1 && !path.includes(next2)) list2.push(`go to ${next2}`);
        return list2;
      },
      play: (before, move) => ({ ...before, path: [...before.path, numberIn(move)] }),
      isSolved: ({ path, ...given2 }) => path.length === given2.nodes && isRight(given2, path, closed),
      plan: (_question, path) => path.map((at) => `go to ${at}`),
      next: ({ path, ...given2 }) => {
        const next2 = complete(given2, path, closed).path?.[path.length];
        return next2 === void 0 ? void 0 : `go to ${next2}`;
      },
      turnLimit: (nodes) => nodes + 1,
      // how many ways lead on from a node to nodes that were not visited
      features: ({ path, ...given2 }) => {
        const sets = neighbours(given2);
        let free = 0;
        for (let node3 = 1; node3 <= given2.nodes; node3 += 1) if (!path.includes(node3)) free |= 1 << node3;
        const first2 = closed ? sets[path[0] ?? 0] ?? 0 : 0;
        const cells = Array.from({ length: given2.nodes }, (_, at) => {
          if (path.includes(at + 1)) return at + 1 === path.at(-1) ? "here" : "visited";
          const returns = first2 >> at + 1 & 1 ? " and back" : "";
          return `${bitsIn((sets[at + 1] ?? 0) & free)} ways${returns}`;
        });
        return { grid: boardOf(cells, 1), fields: { left: given2.nodes - path.length } };
      },
      target: (move) => ({ verb: "go", cell: [numberIn(move) - 1, 0] })
    }
  });
}
function swap(path, a, b) {
  const swapped = [...path];
  [swapped[a], swapped[b]] = [path[b], path[a]];
  return swapped;
}

// envs/puzzle/puzzles/graph/hamiltonian-path.ts
var hamiltonianPath = defineHamiltonian({
  name: "hamiltonian-path",
  closed: false,
  chance: (level) => [0.2, 0.01, 1e-3, 1e-3][level - 1] ?? 0
});
var hamiltonianCycle = defineHamiltonian({
  name: "hamiltonian-cycle",
  closed: true,
  chance: (level) => [0.2, 0.01, 1e-3, 1e-3][level - 1] ?? 0
});

// envs/puzzle/puzzles/graph/maze.ts
import { z as z17 } from "zod";
var directions = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] };
var names = ["up", "down", "left", "right"];
var byName = new Map(
  names.flatMap((name2) => [
    [name2, name2],
    [name2.slice(0, 1), name2]
  ])
);
var place = z17.int().min(0).max(60);
var question6 = z17.strictObject({
  /** `#` is a wall, `.` is a way. */
  rows: z17.array(z17.string().regex(/^[#.]+$/)),
  at: z17.tuple([place, place]),
  goal: z17.tuple([place, place])
});
var beside = ([row, column], direction) => [
  row + directions[direction][0],
  column + directions[direction][1]
];
var isOpen = (rows, [row, column]) => rows[row]?.[column] === ".";
var isSame = (a, b) => a[0] === b[0] && a[1] === b[1];
function shortest({ rows, at, goal }) {
  const width = rows[0]?.length ?? 0;
  const code = ([row, column]) => row * width + column;
  const towards = /* @__PURE__ */ new Map();
  const queue = [goal];
  const seen2 = /* @__PURE__ */ new Set([code(goal)]);
  for (const here of queue) {
    if (isSame(here, at)) break;
    for (const [index, name2] of names.entries()) {
      const next2 = beside(here, name2);
      if (!isOpen(rows, next2) || seen2.has(code(next2))) continue;
      seen2.add(code(next2));
      towards.set(code(next2), names[index ^ 1]);
      queue.push(next2);
    }
  }
  if (!seen2.has(code(at))) return { way: void 0, visited: queue.length };
  const way = [];
  for (let here = at; !isSame(here, goal); here = beside(here, way.at(-1)))
    way.push(towards.get(code(here)));
  return { way, visited: queue.length };
}
function carve(side2, rng) {
  const width = 2 * side2 + 1;
  const cells = Array.from({ length: width }, () => Array.from({ length: width }, () => "#"));
  const trail2 = [[2 * rng.int(side2) + 1, 2 * rng.int(side2) + 1]];
  const set = ([row, column]) => void (cells[row][column] = ".");
  set(trail2[0]);
  while (trail2.length > 0) {
    const here = trail2.at(-1);
    const free = names.filter((name3) => {
      const [row, column] = beside(beside(here, name3), name3);
      return cells[row]?.[column] === "#";
    });
    if (free.length === 0) {
      trail2.pop();
      continue;
    }
    const name2 = rng.pick(free);
    const door = beside(here, name2);
    set(door);
    set(beside(door, name2));
    trail2.push(beside(door, name2));
  }
  return cells.map((row) => row.join(""));
}
var draw3 = ({ rows, at, goal }) => rows.map(
  (line2, row) => line2.split("").map((mark, column) => isSame(at, [row, column]) ? "@" : isSame(goal, [row, column]) ? "G" : mark).join("")
).join("\n");
var maze = definePuzzle({
  name: "maze",
  category: "graph",
  summary: "The way through a maze",
  question: question6,
  levels: [3, 5, 8, 12],
  generate: (rng, side2) => {
    const rows = carve(side2, rng);
    const room = () => [2 * rng.int(side2) + 1, 2 * rng.int(side2) + 1];
    for (; ; ) {
      const drawn2 = { rows, at: room(), goal: room() };
      const { way } = shortest(drawn2);
      if (way !== void 0 && way.length >= 2 * side2) return { question: drawn2, solution: way };
    }
  },
  rules: "Walk from @ to G. The mark # is a wall, and . is a way. A step goes up, down, left or right, and never into a wall.",
  render: draw3,
  answer: {
    format: "the steps in order: up, down, left and right, with blanks between them. Any way that ends at G is right.",
    write: (way) => way.join(" "),
    read: (text) => {
      const way = text.toLowerCase().split(/[\s,]+/).map((name2) => byName.get(name2));
      return way.some((name2) => name2 === void 0) ? void 0 : way.filter((name2) => name2 !== void 0);
    },
    longest: 8192
  },
  verify: ({ rows, at, goal }, way) => {
    let here = at;
    for (const name2 of way) {
      here = beside(here, name2);
      if (!isOpen(rows, here)) return false;
    }
    return isSame(here, goal);
  },
  solve: (given2) => {
    const { way, visited } = shortest(given2);
    return { answers: way === void 0 ? [] : [way], effort: visited };
  },
  audit: {
    guess: ({ rows }, rng) => Array.from({ length: rows.length - 1 }, () => rng.pick(names)),
    chance: (level) => level === 1 ? 0.01 : 1e-3,
    mutants: (way, { rows, at }, rng) => {
      const wall = names.find((name2) => !isOpen(rows, beside(at, name2)));
      return {
        "the last step missing": way.slice(0, -1),
        "one more step": [...way, rng.pick(names)],
        "into a wall and back": wall === void 0 ? void 0 : [wall, names[names.indexOf(wall) ^ 1], ...way],
        "the way back": way.map((name2) => names[names.indexOf(name2) ^ 1])
      };
    },
    equivalents: (way) => ({
      "first letters": way.map((name2) => name2.slice(0, 1)).join(" "),
      "commas between steps": way.join(", "),
      "upper case": way.join(" ").toUpperCase(),
      "a step back and forth": `${way.join(" ")} ${names[names.indexOf(way.at(-1)) ^ 1]} ${way.at(-1)}`
    }),
    variety: (level) => level === 1 ? 192 * 20 : 1e9
  },
  moves: {
    rules: "A move is one step.",
    state: question6,
    start: (start2) => start2,
    render: draw3,
    list: ({ rows, at }) => names.filter((name2) => isOpen(rows, beside(at, name2))),
    play: (state10, name2) => ({ ...state10, at: beside(state10.at, byName.get(name2) ?? "up") }),
    isSolved: ({ at, goal }) => isSame(at, goal),
    plan: (_question, way) => way,
    next: (state10) => shortest(state10).way?.[0],
    turnLimit: (side2) => 4 * side2 * side2,
    // without walls: with them the encoder would search the way
    features: ({ rows, at, goal }) => ({ grid: { rows: withCell(rows, ...goal, "X"), focus: at } }),
    target: (name2) => ({ verb: "go", direction: directions[byName.get(name2) ?? "up"] })
  }
});

// envs/puzzle/puzzles/search/checkmate-in-one.ts
import { z as z18 } from "zod";

// envs/engines/chess/pieces.ts
var pawn = 1;
var knight = 2;
var bishop = 3;
var rook = 4;
var queen = 5;
var king = 6;
var letters = ".PNBRQK";
var steps = {
  [knight]: [31, 33, 14, 18, -31, -33, -14, -18],
  [bishop]: [15, 17, -15, -17],
  [rook]: [1, -1, 16, -16],
  [queen]: [15, 17, -15, -17, 1, -1, 16, -16],
  [king]: [15, 17, -15, -17, 1, -1, 16, -16]
};
var isOff = (square) => (square & 136) !== 0;
var rankOf = (square) => square >> 4;
var fileOf = (square) => square & 7;
var allSquares = Array.from(
  { length: 64 },
  (_, at) => at >> 3 << 4 | at & 7
);
var squareName = (square) => `${"abcdefgh"[fileOf(square)]}${rankOf(square) + 1}`;
var readSquare = (name2) => /^[a-h][1-8]$/.test(name2) ? (Number(name2[1]) - 1) * 16 + "abcdefgh".indexOf(name2[0] ?? "") : -1;
function letterOf(piece2) {
  const letter2 = letters[Math.abs(piece2)] ?? ".";
  return piece2 < 0 ? letter2.toLowerCase() : letter2;
}

// envs/engines/chess/board.ts
var bits = new Int32Array(2 * 16 * 128);
var seed = 2654435769;
for (let at = 0; at < bits.length; at += 1) {
  seed = Math.imul(seed ^ seed >>> 15, 2246822507) + 1831565813;
  seed ^= seed >>> 13;
  bits[at] = Math.imul(seed, 3266489909) ^ seed >>> 16;
}
var bitsOf = (piece2, square) => piece2 + 7 << 7 | square;
var rights = "KQkq";
var endedBy = /* @__PURE__ */ new Map([
  [readSquare("h1"), 1],
  [readSquare("a1"), 2],
  [readSquare("e1"), 3],
  [readSquare("h8"), 4],
  [readSquare("a8"), 8],
  [readSquare("e8"), 12]
]);
var becomes = [queen, rook, bishop, knight];
var homeOf = (side2) => side2 === 1 ? readSquare("e1") : readSquare("e8");
var Board = class _Board {
  squares = new Int8Array(128);
  turn = 1;
  #castling = 0;
  /** The square behind a pawn that just made two steps; -1 where there is none. */
  #enPassant = -1;
  /** Half-moves since the last capture or move of a pawn. */
  halfMoves = 0;
  #fullMoves = 1;
  #kings = { 1: -1, "-1": -1 };
  #undos = [];
  #low = 0;
  #high = 0;
  /**
   * Reads a position in Forsyth-Edwards notation.
   *
   * @throws UsageError where the text is no position with one king each, or the side to move could capture a king
   */
  static read(fen) {
    const board3 = new _Board();
    const why = board3.#read(fen);
    if (why === void 0) return board3;
    throw new UsageError({
      where: `chess position "${fen.slice(0, 100)}"`,
      what: why,
      fix: 'Give a position in FEN, such as "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".'
    });
  }
  #read(fen) {
    const [rows = "", turn = "w", castling = "-", enPassant = "-", half2 = "0", full = "1"] = fen.split(" ");
    const lines3 = rows.split("/");
    if (lines3.length !== 8) return "it does not have 8 ranks.";
    for (const [row, line2] of lines3.entries()) {
      let file = 0;
      for (const mark of line2) {
        if (/[1-8]/.test(mark)) {
          file += Number(mark);
          continue;
        }
        const piece2 = letters.indexOf(mark.toUpperCase());
        if (piece2 < 1 || file > 7) return `rank ${8 - row} is not 8 squares of pieces and numbers.`;
        const side2 = mark === mark.toUpperCase() ? 1 : -1;
        const square = (7 - row) * 16 + file;
        if (piece2 === king && this.#kings[side2] >= 0) return "a side has two kings.";
        if (piece2 === king) this.#kings[side2] = square;
        if (piece2 === pawn && (row === 0 || row === 7)) return "a pawn stands on the first or last rank.";
        this.#put(square, piece2 * side2);
        file += 1;
      }
      if (file !== 8) return `rank ${8 - row} is not 8 squares of pieces and numbers.`;
    }
    if (this.#kings[1] < 0 || this.#kings[-1] < 0) return "a side has no king.";
    if (turn !== "w" && turn !== "b") return `"${turn}" is no side: w and b are.`;
    this.turn = turn === "w" ? 1 : -1;
    if (!/^(-|K?Q?k?q?)$/.test(castling)) return `"${castling}" are no rights to castle.`;
    for (const [bit, right] of rights.split("").entries())
      if (castling.includes(right)) this.#castling |= 1 << bit;
    this.#enPassant = readSquare(enPassant);
    if (!/^\d{1,4}$/.test(half2) || !/^\d{1,4}$/.test(full)) return "its counts of moves are no numbers.";
    this.halfMoves = Number(half2);
    this.#fullMoves = Number(full);
    if (this.isAttacked(this.#kings[this.turn === 1 ? -1 : 1], this.turn))
      return "the side to move could capture the king.";
    return void 0;
  }
  /** The position without its counts of moves. Equal keys are a repetition. En passant is part of it where the capture is legal. */
  get key() {
    const rows = [];
    for (let rank = 7; rank >= 0; rank -= 1) {
      let [row, gap] = ["", 0];
      for (let file = 0; file < 8; file += 1) {
        const piece2 = this.squares[rank * 16 + file] ?? 0;
        if (piece2 === 0) gap += 1;
        else {
          row += gap > 0 ? `${gap}${letterOf(piece2)}` : letterOf(piece2);
          gap = 0;
        }
      }
      rows.push(gap > 0 ? row + String(gap) : row);
    }
    let castling = "";
    for (let bit = 0; bit < 4; bit += 1) if (this.#castling & 1 << bit) castling += rights[bit];
    const captures = this.#enPassant >= 0 && this.moves().some(({ kind: kind2 }) => kind2 === "en-passant");
    const enPassant = captures ? squareName(this.#enPassant) : "-";
    return `${rows.join("/")} ${this.turn === 1 ? "w" : "b"} ${castling === "" ? "-" : castling} ${enPassant}`;
  }
  /** The position in Forsyth-Edwards notation. */
  get fen() {
    return `${this.key} ${this.halfMoves} ${this.#fullMoves}`;
  }
  /** A number of 53 bits that equal positions share, and others almost never. */
  get hash() {
    const rest = bitsOf(0, this.#castling | (this.turn === 1 ? 0 : 16));
    const passing = bitsOf(7, this.#enPassant + 1);
    const low = this.#low ^ (bits[rest] ?? 0) ^ (bits[passing] ?? 0);
    const high = this.#high ^ (bits[rest + 2048] ?? 0) ^ (bits[passing + 2048] ?? 0);
    return (high >>> 11) * 4294967296 + (low >>> 0);
  }
  #put(square, piece2) {
    const before = this.squares[square] ?? 0;
    if (before !== 0) this.#toggle(bitsOf(before, square));
    if (piece2 !== 0) this.#toggle(bitsOf(piece2, square));
    this.squares[square] = piece2;
  }
  #toggle(at) {
    this.#low ^= bits[at] ?? 0;
    this.#high ^= bits[at + 2048] ?? 0;
  }
  kingOf(side2) {
    return this.#kings[side2];
  }
  get isCheck() {
    return this.isAttacked(this.#kings[this.turn], this.turn === 1 ? -1 : 1);
  }
  /** Whether a piece of `by` could capture on a square. */
  isAttacked(square, by) {
    const { squares } = this;
    const behind = square - 16 * by;
    for (const from of [behind - 1, behind + 1]) if (!isOff(from) && squares[from] === pawn * by) return true;
    for (const step2 of steps[knight] ?? []) {
      const from = square + step2;
      if (!isOff(from) && squares[from] === knight * by) return true;
    }
    for (const step2 of steps[queen] ?? []) {
      const slides = step2 === 1 || step2 === -1 || step2 === 16 || step2 === -16 ? rook : bishop;
      for (let from = square + step2; !isOff(from); from += step2) {
        const piece2 = (squares[from] ?? 0) * by;
        if (piece2 === 0) continue;
        if (piece2 === queen || piece2 === slides || piece2 === king && from === square + step2) return true;
        break;
      }
    }
    return false;
  }
  /** The legal moves. */
  moves() {
    const legal = [];
    const side2 = this.turn;
    for (const move of this.#pseudoMoves(false)) {
      this.make(move);
      if (!this.isAttacked(this.#kings[side2], this.turn)) legal.push(move);
      this.undo();
    }
    return legal;
  }
  /** The legal captures and promotions. */
  captures() {
    const side2 = this.turn;
    return this.#pseudoMoves(true).filter((move) => {
      this.make(move);
      const isLegal = !this.isAttacked(this.#kings[side2], this.turn);
      this.undo();
      return isLegal;
    });
  }
  /** Moves that may leave the own king attacked. */
  #pseudoMoves(forcing) {
    const { squares, turn } = this;
    const moves = [];
    for (const from of allSquares) {
      const piece2 = (squares[from] ?? 0) * turn;
      if (piece2 <= 0) continue;
      if (piece2 === pawn) {
        this.#pawnMoves(from, forcing, moves);
        continue;
      }
      const isStepping = piece2 === knight || piece2 === king;
      for (const step2 of steps[piece2] ?? [])
        for (let to = from + step2; !isOff(to); to += step2) {
          const target = (squares[to] ?? 0) * turn;
          if (target > 0) break;
          if (target < 0 || !forcing) moves.push({ from, to, promotes: 0, kind: "plain" });
          if (target < 0 || isStepping) break;
        }
      if (piece2 === king && !forcing) this.#castles(from, moves);
    }
    return moves;
  }
  #pawnMoves(from, forcing, moves) {
    const { squares, turn } = this;
    const ahead = from + 16 * turn;
    const isLast = rankOf(ahead) === (turn === 1 ? 7 : 0);
    const push2 = (to) => {
      if (isLast) for (const promotes of becomes) moves.push({ from, to, promotes, kind: "plain" });
      else moves.push({ from, to, promotes: 0, kind: "plain" });
    };
    if (squares[ahead] === 0 && (isLast || !forcing)) {
      push2(ahead);
      const twice = ahead + 16 * turn;
      if (!forcing && rankOf(from) === (turn === 1 ? 1 : 6) && squares[twice] === 0)
        moves.push({ from, to: twice, promotes: 0, kind: "double" });
    }
    for (const to of [ahead - 1, ahead + 1]) {
      if (isOff(to)) continue;
      if ((squares[to] ?? 0) * turn < 0) push2(to);
      else if (to === this.#enPassant) moves.push({ from, to, promotes: 0, kind: "en-passant" });
    }
  }
  #castles(from, moves) {
    const { squares, turn } = this;
    const other = turn === 1 ? -1 : 1;
    const shift2 = turn === 1 ? 0 : 2;
    if ((this.#castling & 3 << shift2) === 0 || from !== homeOf(turn) || this.isAttacked(from, other))
      return;
    const isFree2 = (square) => squares[square] === 0;
    const isRook = (square) => squares[square] === rook * turn;
    if (this.#castling & 1 << shift2 && isRook(from + 3) && isFree2(from + 1) && isFree2(from + 2)) {
      if (!this.isAttacked(from + 1, other)) moves.push({ from, to: from + 2, promotes: 0, kind: "castle" });
    }
    if (this.#castling & 2 << shift2 && isRook(from - 4) && [1, 2, 3].every((by) => isFree2(from - by))) {
      if (!this.isAttacked(from - 1, other)) moves.push({ from, to: from - 2, promotes: 0, kind: "castle" });
    }
  }
  make(move) {
    const { squares, turn } = this;
    const { from, to, promotes, kind: kind2 } = move;
    const moved = squares[from] ?? 0;
    const victim = kind2 === "en-passant" ? to - 16 * turn : to;
    const captured = squares[victim] ?? 0;
    this.#undos.push({
      move,
      moved,
      captured,
      castling: this.#castling,
      enPassant: this.#enPassant,
      halfMoves: this.halfMoves
    });
    this.#put(victim, 0);
    this.#put(from, 0);
    this.#put(to, promotes === 0 ? moved : promotes * turn);
    if (moved === king * turn) this.#kings[turn] = to;
    if (kind2 === "castle") {
      const [corner, beside5] = to > from ? [from + 3, from + 1] : [from - 4, from - 1];
      this.#put(corner, 0);
      this.#put(beside5, rook * turn);
    }
    this.#castling &= ~((endedBy.get(from) ?? 0) | (endedBy.get(to) ?? 0));
    this.#enPassant = kind2 === "double" ? from + 16 * turn : -1;
    this.halfMoves = captured !== 0 || moved === pawn * turn ? 0 : this.halfMoves + 1;
    if (turn === -1) this.#fullMoves += 1;
    this.turn = turn === 1 ? -1 : 1;
  }
  /** Takes the last move back. */
  undo() {
    const last = this.#undos.pop();
    if (last === void 0) return;
    const { move, moved, captured, castling, enPassant, halfMoves } = last;
    const turn = this.turn === 1 ? -1 : 1;
    this.turn = turn;
    if (turn === -1) this.#fullMoves -= 1;
    const { from, to, kind: kind2 } = move;
    this.#put(to, 0);
    this.#put(from, moved);
    this.#put(kind2 === "en-passant" ? to - 16 * turn : to, captured);
    if (moved === king * turn) this.#kings[turn] = from;
    if (kind2 === "castle") {
      const [corner, beside5] = to > from ? [from + 3, from + 1] : [from - 4, from - 1];
      this.#put(beside5, 0);
      this.#put(corner, rook * turn);
    }
    this.#castling = castling;
    this.#enPassant = enPassant;
    this.halfMoves = halfMoves;
  }
  /** Whether no sequence of legal moves can give mate, by the material alone: bare kings, one minor piece, or bishops of one colour. */
  get isDeadMaterial() {
    let [minors, shades, knights] = [0, 0, 0];
    for (const square of allSquares) {
      const piece2 = Math.abs(this.squares[square] ?? 0);
      if (piece2 === 0 || piece2 === king) continue;
      if (piece2 !== knight && piece2 !== bishop) return false;
      minors += 1;
      if (piece2 === knight) knights += 1;
      else shades |= 1 << (rankOf(square) + fileOf(square) & 1);
    }
    return minors <= 1 || knights === 0 && shades !== 3;
  }
};

// envs/engines/chess/notation.ts
function moveName({ from, to, promotes }) {
  const name2 = squareName(from) + squareName(to);
  return promotes === 0 ? name2 : name2 + (letters[promotes] ?? "").toLowerCase();
}
function standardName(board3, move, legal = board3.moves()) {
  const { from, to, promotes, kind: kind2 } = move;
  const piece2 = Math.abs(board3.squares[from] ?? 0);
  let name2 = "";
  if (kind2 === "castle") name2 = to > from ? "O-O" : "O-O-O";
  else {
    const captures = board3.squares[to] !== 0 || kind2 === "en-passant";
    if (piece2 === pawn) name2 = captures ? squareName(from)[0] ?? "" : "";
    else name2 = (letters[piece2] ?? "") + distinction(board3, move, legal);
    name2 += (captures ? "x" : "") + squareName(to);
    if (promotes !== 0) name2 += `=${letters[promotes]}`;
  }
  board3.make(move);
  const mark = board3.isCheck ? board3.moves().length === 0 ? "#" : "+" : "";
  board3.undo();
  return name2 + mark;
}
function distinction({ squares }, { from, to }, legal) {
  if (Math.abs(squares[from] ?? 0) === king) return "";
  const others = legal.filter(
    (other) => other.to === to && other.from !== from && squares[other.from] === squares[from]
  );
  if (others.length === 0) return "";
  const [file = "", rank = ""] = squareName(from);
  if (others.every((other) => fileOf(other.from) !== fileOf(from))) return file;
  return others.every((other) => rankOf(other.from) !== rankOf(from)) ? rank : file + rank;
}
function findMove(board3, text) {
  const legal = board3.moves();
  const plain = (name2) => name2.replaceAll(/[+#!?=\s]/g, "").replaceAll("0", "O");
  const wanted3 = plain(text);
  return legal.find((move) => moveName(move) === text.toLowerCase()) ?? legal.find((move) => plain(standardName(board3, move, legal)) === wanted3);
}

// envs/engines/chess/evaluate.ts
var kingSteps = (one2, other) => Math.max(Math.abs(fileOf(one2) - fileOf(other)), Math.abs(rankOf(one2) - rankOf(other)));

// envs/puzzle/puzzles/search/checkmate-in-one.ts
var question7 = z18.strictObject({ fen: z18.string() });
var start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
var [soonest, latest] = [12, 120];
function matesOf(board3) {
  return board3.moves().filter((move) => {
    board3.make(move);
    const isMate = board3.isCheck && board3.moves().length === 0;
    board3.undo();
    return isMate;
  });
}
function drawGame(rng) {
  const board3 = Board.read(start);
  for (let ply = 0; ply < latest; ply += 1) {
    const legal = board3.moves();
    if (legal.length === 0 || board3.isDeadMaterial || board3.halfMoves > 60) return void 0;
    if (ply >= soonest && matesOf(board3).length === 1) return board3.fen;
    const captures = rng.uniform() < 0.3 ? board3.captures() : [];
    board3.make(rng.pick(captures.length > 0 ? captures : legal));
  }
  return void 0;
}
function drawPieces(rng, pieces) {
  const squares = rng.shuffle(allSquares);
  const edge = squares.findIndex((square) => rankOf(square) === 7);
  [squares[0], squares[edge]] = [squares[edge] ?? 0, squares[0] ?? 0];
  const cells = new Map(pieces.split("").map((piece2, at) => [squares[at] ?? 0, piece2]));
  for (const [square, piece2] of cells)
    if (/p/i.test(piece2) && (rankOf(square) === 0 || rankOf(square) === 7)) return void 0;
  const rows = Array.from(
    { length: 8 },
    (_, row) => Array.from({ length: 8 }, (_unused, file) => cells.get((7 - row) * 16 + file) ?? "1").join("")
  );
  const packed = rows.join("/").replaceAll(/1+/g, (gap) => String(gap.length));
  const [own = 0, other = 0] = [...cells].flatMap(([square, piece2]) => /k/i.test(piece2) ? [square] : []);
  if (kingSteps(own, other) < 2) return void 0;
  if (Board.read(`${packed} b - - 0 1`).isCheck) return void 0;
  const fen = `${packed} w - - 0 1`;
  return matesOf(Board.read(fen)).length === 1 ? fen : void 0;
}
var read = (text, fen) => {
  if (!/^[a-hKQRBNOo0][\w=+#-]{1,9}$/.test(text)) return void 0;
  const move = findMove(Board.read(fen), text);
  return move === void 0 ? void 0 : moveName(move);
};
var drawn = (board3) => Array.from({ length: 8 }, (_, row) => {
  const marks = Array.from(
    { length: 8 },
    (_unused, file) => letterOf(board3.squares[(7 - row) * 16 + file] ?? 0)
  );
  return `${8 - row} ${marks.join(" ")}`;
}).join("\n");
var titleOf = (fen, name2) => {
  const board3 = Board.read(fen);
  const move = findMove(board3, name2);
  return move === void 0 ? name2 : standardName(board3, move);
};
var checkmateInOne = definePuzzle({
  name: "checkmate-in-one",
  category: "search",
  summary: "Checkmate in one: the move that ends a game of chess",
  question: question7,
  levels: [{ pieces: "kKQR" }, { pieces: "kKRBNPPppn" }, { pieces: void 0 }],
  generate: (rng, { pieces }) => {
    for (; ; ) {
      const fen = pieces === void 0 ? drawGame(rng) : drawPieces(rng, pieces);
      const [mate] = fen === void 0 ? [] : matesOf(Board.read(fen));
      if (fen !== void 0 && mate !== void 0) return { question: { fen }, solution: moveName(mate) };
    }
  },
  rules: "Find the move that gives checkmate at once. Capitals are White, small letters are Black.",
  render: ({ fen }) => {
    const board3 = Board.read(fen);
    return `${drawn(board3)}
  a b c d e f g h
FEN: ${fen}
${board3.turn === 1 ? "White" : "Black"} moves.`;
  },
  answer: {
    format: "one move, as two squares such as e2e4 or e7e8q, or in algebraic notation such as Qxf7#.",
    write: (move) => move,
    read: (text, { fen }) => read(text, fen),
    longest: 16
  },
  verify: ({ fen }, name2) => {
    const board3 = Board.read(fen);
    const move = findMove(board3, name2);
    if (move === void 0) return false;
    board3.make(move);
    return board3.isCheck && board3.moves().length === 0;
  },
  unique: true,
  solve: ({ fen }) => {
    const board3 = Board.read(fen);
    return { answers: matesOf(board3).slice(0, 2).map(moveName), effort: board3.moves().length };
  },
  audit: {
    guess: ({ fen }, rng) => moveName(rng.pick(Board.read(fen).moves())),
    // the mean of one divided by the number of moves
    chance: 0.06,
    mutants: (mate, { fen }, rng) => {
      const others = Board.read(fen).moves().map(moveName).filter((name2) => name2 !== mate);
      const back = mate.slice(2, 4) + mate.slice(0, 2);
      return {
        "another move": others.length === 0 ? void 0 : rng.pick(others),
        "the way back": back
      };
    },
    equivalents: (mate, { fen }) => ({
      "algebraic notation": titleOf(fen, mate),
      "without a mark of mate": titleOf(fen, mate).replace("#", "")
    })
  }
});

// envs/puzzle/puzzles/grid/crossword.ts
import { z as z19 } from "zod";
var question8 = z19.strictObject({ rows: z19.array(z19.string()), words: z19.array(z19.string()) });
function slotsOf(rows) {
  const width = rows[0]?.length ?? 0;
  const isOpen2 = (row, column) => (rows[row]?.[column] ?? "#") !== "#";
  const slots = [];
  for (const [down, across] of [
    [0, 1],
    [1, 0]
  ])
    for (let row = 0; row < rows.length; row += 1)
      for (let column = 0; column < width; column += 1) {
        if (!isOpen2(row, column) || isOpen2(row - down, column - across)) continue;
        const slot = [];
        for (let at = 0; isOpen2(row + at * down, column + at * across); at += 1)
          slot.push((row + at * down) * width + column + at * across);
        if (slot.length > 1) slots.push(slot);
      }
  return slots;
}
function fill({ rows, words: given2 }, most) {
  const width = rows[0]?.length ?? 0;
  const cells = rows.join("").split("");
  const left = new Set(given2);
  const open = new Set(slotsOf(rows));
  const solutions = [];
  let tried = 0;
  const fitting = (slot) => [...left].filter(
    (word) => word.length === slot.length && slot.every((cell, at) => cells[cell] === "." || cells[cell] === word[at])
  );
  const search = () => {
    let best2;
    for (const slot2 of open) {
      const options2 = fitting(slot2);
      if (best2 === void 0 || options2.length < best2.options.length) best2 = { slot: slot2, options: options2 };
      if (options2.length === 0) return;
    }
    if (best2 === void 0) {
      solutions.push(rows.map((_row, row) => cells.slice(row * width, (row + 1) * width).join("")));
      return;
    }
    const { slot, options } = best2;
    open.delete(slot);
    for (const word of options) {
      tried += 1;
      const before = slot.map((cell) => cells[cell] ?? ".");
      for (const [at, cell] of slot.entries()) cells[cell] = word[at] ?? ".";
      left.delete(word);
      search();
      left.add(word);
      for (const [at, cell] of slot.entries()) cells[cell] = before[at] ?? ".";
      if (solutions.length >= most) break;
    }
    open.add(slot);
  };
  search();
  return { solutions, tried };
}
var Layout = class {
  cells = /* @__PURE__ */ new Map();
  used = [];
  /** Whether a word can stand here: it crosses at least one other by equal letters, and touches none beside it. */
  fits(word, { row, column, isDown }) {
    const at = (y, x) => this.cells.get(`${y} ${x}`);
    const [dy, dx] = isDown ? [1, 0] : [0, 1];
    if (at(row - dy, column - dx) !== void 0 || at(row + dy * word.length, column + dx * word.length) !== void 0)
      return false;
    let crossings = 0;
    for (let step2 = 0; step2 < word.length; step2 += 1) {
      const [y, x] = [row + dy * step2, column + dx * step2];
      const there = at(y, x);
      if (there !== void 0 && there !== word[step2]) return false;
      if (there !== void 0) crossings += 1;
      else if (at(y + dx, x + dy) !== void 0 || at(y - dx, x - dy) !== void 0) return false;
    }
    return crossings > 0 || this.used.length === 0;
  }
  put(word, { row, column, isDown }) {
    for (let step2 = 0; step2 < word.length; step2 += 1)
      this.cells.set(`${row + (isDown ? step2 : 0)} ${column + (isDown ? 0 : step2)}`, word[step2] ?? "");
    this.used.push(word);
  }
  rows() {
    const places = [...this.cells.keys()].map((key) => key.split(" ").map(Number));
    const [ys, xs] = [0, 1].map((axis) => places.map((place3) => place3[axis] ?? 0));
    const [top, left] = [Math.min(...ys ?? []), Math.min(...xs ?? [])];
    const [bottom, right] = [Math.max(...ys ?? []), Math.max(...xs ?? [])];
    return Array.from(
      { length: bottom - top + 1 },
      (_, y) => Array.from(
        { length: right - left + 1 },
        (_unused, x) => this.cells.get(`${top + y} ${left + x}`) ?? "#"
      ).join("")
    );
  }
};
var usable = cipherWords.filter((word) => word.length <= 8);
function lay(rng, amount2) {
  const layout = new Layout();
  const pool = rng.shuffle(usable).slice(0, 12 * amount2);
  const [first2 = "word", ...others] = pool;
  layout.put(first2, { row: 0, column: 0, isDown: false });
  for (const word of others) {
    if (layout.used.length === amount2) return layout;
    const places = [...layout.cells].flatMap(([key, letter2]) => {
      const [row = 0, column = 0] = key.split(" ").map(Number);
      return word.split("").flatMap(
        (one2, step2) => one2 === letter2 ? [
          { row: row - step2, column, isDown: true },
          { row, column: column - step2, isDown: false }
        ] : []
      );
    });
    const place3 = rng.shuffle(places).find((one2) => layout.fits(word, one2));
    if (place3 !== void 0) layout.put(word, place3);
  }
  return void 0;
}
var hide = (rows) => rows.map((row) => row.replaceAll(/[^#]/g, "."));
function isFilled({ rows, words: given2 }, answer) {
  const cells = answer.join("");
  const keepsShape = rows.every((row, at) => row.length === answer[at]?.length) && rows.length === answer.length;
  const isSame3 = rows.join("").split("").every((mark, at) => mark === "#" === (cells[at] === "#"));
  const found = slotsOf(rows).map((slot) => slot.map((cell) => cells[cell]).join(""));
  return keepsShape && isSame3 && found.toSorted().join() === [...given2].toSorted().join();
}
var crossword = definePuzzle({
  name: "crossword",
  category: "grid",
  summary: "Crossword: put all words of a list into a grid",
  question: question8,
  levels: [{ words: 5 }, { words: 8 }, { words: 12 }, { words: 16 }],
  generate: (rng, { words: amount2 }) => {
    for (; ; ) {
      const layout = lay(rng, amount2);
      if (layout === void 0) continue;
      const solution = layout.rows();
      const given2 = { rows: hide(solution), words: layout.used.toSorted() };
      if (slotsOf(given2.rows).length === amount2 && fill(given2, 2).solutions.length === 1)
        return { question: given2, solution };
    }
  },
  rules: "Put every word of the list into the grid, across or down, each once. Dots are open cells, # are none. Where words cross, they share a letter.",
  render: ({ rows, words: given2 }) => `${rows.map(spaced).join("\n")}
Words: ${given2.join(" ")}`,
  answer: {
    format: "the whole grid, one line a row, with # where there is no cell.",
    write: (rows) => rows.join("\n"),
    read: (text, { rows }) => readGrid(text.toUpperCase(), {
      rows: rows.length,
      columns: rows[0]?.length ?? 0,
      alphabet: "#ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    })
  },
  verify: (given2, rows) => isFilled(given2, rows),
  unique: true,
  solve: (given2) => {
    const { solutions, tried } = fill(given2, 2);
    return { answers: solutions, effort: tried };
  },
  audit: {
    guess: ({ rows, words: given2 }, rng) => {
      const letters4 = given2.join("").split("");
      return rows.map((row) => row.replaceAll(".", () => rng.pick(letters4)));
    },
    chance: 1e-6,
    mutants: (rows, _given, rng) => {
      const open = rows.flatMap(
        (row, y2) => row.split("").flatMap((mark, x2) => mark === "#" ? [] : [[y2, x2]])
      );
      const [y, x] = rng.pick(open);
      const change = (mark) => rows.map((row, at) => at === y ? row.slice(0, x) + mark + row.slice(x + 1) : row);
      return {
        "one letter changed": change(rows[y]?.[x] === "Q" ? "X" : "Q"),
        "one cell closed": change("#")
      };
    },
    equivalents: (rows) => ({
      "blanks between cells": rows.map(spaced).join("\n"),
      "small letters": rows.join("\n").toLowerCase(),
      "a frame of bars": rows.map((row) => `|${row}|`).join("\n")
    })
  }
});

// envs/puzzle/puzzles/logic/first-order.ts
import { z as z20 } from "zod";
var literal = z20.strictObject({ property: z20.int().min(0).max(7), holds: z20.boolean() });
var rule = z20.strictObject({ when: z20.array(literal).min(1).max(2), then: z20.array(literal).min(1).max(2) });
var claim = z20.strictObject({ person: z20.int().min(0).max(3), then: z20.array(literal).min(1).max(2) });
var question9 = z20.strictObject({
  people: z20.array(z20.string()).min(1).max(4),
  properties: z20.array(z20.string()).min(3).max(8),
  rules: z20.array(rule),
  facts: z20.array(claim),
  conclusions: z20.array(claim).min(1)
});
var names2 = "Ada Bruno Clara Dario Edith Farid Greta Hugo".split(" ");
var words2 = "tall, kind, brave, calm, eager, funny, gentle, honest, lucky, patient, quiet, rich, shy, strong, tired, wise".split(
  ", "
);
var verdicts = ["true", "false", "uncertain"];
var has = (model, { property, holds: holds3 }) => (model >> property & 1) === 1 === holds3;
var keeps = (model, { when, then }) => !when.every((one2) => has(model, one2)) || then.some((one2) => has(model, one2));
function modelsOf({ properties, rules, facts }, person2) {
  const own = facts.filter((fact) => fact.person === person2);
  return Array.from({ length: 1 << properties.length }, (_, model) => model).filter(
    (model) => rules.every((each) => keeps(model, each)) && own.every(({ then }) => then.some((one2) => has(model, one2)))
  );
}
function verdictOf(models, { then }) {
  const holds3 = models.filter((model) => then.some((one2) => has(model, one2))).length;
  return holds3 === models.length ? "true" : holds3 === 0 ? "false" : "uncertain";
}
function solve2(given2) {
  const models = given2.people.map((_name, person2) => modelsOf(given2, person2));
  return given2.conclusions.map((claimed) => verdictOf(models[claimed.person] ?? [], claimed));
}
var say = ({ property, holds: holds3 }, properties) => `${holds3 ? "" : "not "}${properties[property]}`;
var join = (literals, properties, by) => literals.map((one2) => say(one2, properties)).join(` ${by} `);
var sayRule = ({ when, then }, properties) => `Everyone who is ${join(when, properties, "and")} is ${join(then, properties, "or")}.`;
var sayClaim = ({ person: person2, then }, { people: people2, properties }) => `${people2[person2]} is ${join(then, properties, "or")}.`;
function drawLiterals(rng, properties, amount2) {
  return rng.shuffle(Array.from({ length: properties }, (_, property) => property)).slice(0, amount2).map((property) => ({ property, holds: rng.uniform() < 0.7 }));
}
function drawClaim(rng, { people: people2, properties }) {
  return { person: rng.int(people2), then: drawLiterals(rng, properties, rng.uniform() < 0.75 ? 1 : 2) };
}
function draw4(rng, level) {
  const { people: people2, properties, rules } = level;
  const drawRule = () => {
    const [first2, ...others] = drawLiterals(rng, properties, 2 + rng.int(2));
    const second = others.length > 1 && rng.uniform() < 0.5;
    return {
      when: [first2, ...second ? others.slice(0, 1) : []].filter((one2) => one2 !== void 0),
      then: second ? others.slice(1) : others
    };
  };
  return {
    people: rng.shuffle(names2).slice(0, people2),
    properties: rng.shuffle(words2).slice(0, properties),
    rules: Array.from({ length: rules }, drawRule),
    facts: Array.from({ length: people2 + rng.int(people2 + 1) }, (_, at) => ({
      ...drawClaim(rng, level),
      person: at % people2
    })),
    conclusions: []
  };
}
var firstOrder = definePuzzle({
  name: "first-order",
  category: "logic",
  summary: "First-order logic: which conclusions about people are true, false or uncertain",
  question: question9,
  levels: [
    { people: 1, properties: 4, rules: 3, conclusions: 2 },
    { people: 2, properties: 5, rules: 4, conclusions: 3 },
    { people: 2, properties: 6, rules: 6, conclusions: 4 },
    { people: 3, properties: 8, rules: 8, conclusions: 4 }
  ],
  generate: (rng, level) => {
    const wishes = Array.from({ length: level.conclusions }, () => rng.int(verdicts.length));
    for (; ; ) {
      const base = draw4(rng, level);
      const models = base.people.map((_name, person2) => modelsOf(base, person2));
      if (models.some((own) => own.length === 0)) continue;
      const told = new Set(base.facts.map((fact) => sayClaim(fact, base)));
      const conclusions = [];
      const found = [];
      for (let attempt = 0; attempt < 100 && conclusions.length < level.conclusions; attempt += 1) {
        const wanted3 = verdicts[wishes[conclusions.length] ?? 0] ?? "true";
        const claimed = drawClaim(rng, level);
        const text = sayClaim(claimed, base);
        if (told.has(text) || verdictOf(models[claimed.person] ?? [], claimed) !== wanted3) continue;
        told.add(text);
        conclusions.push(claimed);
        found.push(wanted3);
      }
      const given2 = { ...base, conclusions };
      const solution = found;
      if (conclusions.length === level.conclusions)
        return { question: given2, solution };
    }
  },
  rules: 'Read the facts and rules. Say of each numbered conclusion whether it is true (it follows), false (its opposite follows) or uncertain (neither follows). "Or" means one of them or both. What is not said may be so or not.',
  render: (given2) => [
    ...given2.rules.map((each) => sayRule(each, given2.properties)),
    ...given2.facts.map((fact) => sayClaim(fact, given2)),
    "Conclusions:",
    ...given2.conclusions.map((claimed, at) => `${at + 1}. ${sayClaim(claimed, given2)}`)
  ].join("\n"),
  answer: {
    format: "true, false or uncertain for each conclusion in their order, with blanks between them.",
    write: (answer) => answer.join(" "),
    read: (text, { conclusions }) => {
      const parts = text.toLowerCase().split(/[\s,]+/);
      if (parts.length !== conclusions.length) return void 0;
      const read4 = parts.flatMap((part) => verdicts.filter((verdict) => verdict === part));
      return read4.length === parts.length ? read4 : void 0;
    }
  },
  verify: (given2, answer) => {
    const right = solve2(given2);
    return right.every((verdict, at) => verdict === answer[at]);
  },
  unique: true,
  solve: (given2) => ({
    answers: [solve2(given2)],
    effort: given2.people.length * 2 ** given2.properties.length
  }),
  audit: {
    guess: ({ conclusions }, rng) => conclusions.map(() => rng.pick(verdicts)),
    chance: (level) => 3 ** -([2, 3, 4, 4][level - 1] ?? 1),
    mutants: (answer, _question, rng) => {
      const at = rng.int(answer.length);
      const other = rng.pick(verdicts.filter((verdict) => verdict !== answer[at]));
      const turned2 = { true: "false", false: "uncertain", uncertain: "true" };
      return {
        "one verdict changed": answer.with(at, other),
        "all verdicts changed": answer.map((verdict) => turned2[verdict])
      };
    },
    equivalents: (answer) => ({
      commas: answer.join(", "),
      capitals: answer.join(" ").toUpperCase(),
      "one line each": answer.join("\n")
    })
  }
});

// envs/puzzle/puzzles/grid/magic-square.ts
import { z as z21 } from "zod";
var question10 = z21.strictObject({
  side: z21.int().min(3).max(4),
  first: z21.int().min(1),
  step: z21.int().min(1),
  cells: z21.array(z21.int().min(0))
});
var linesOf = (side2) => {
  const all = Array.from({ length: side2 }, (_, at) => at);
  return [
    ...all.map((row) => all.map((column) => row * side2 + column)),
    ...all.map((column) => all.map((row) => row * side2 + column)),
    all.map((at) => at * (side2 + 1)),
    all.map((at) => (at + 1) * (side2 - 1))
  ];
};
var lines = { 3: linesOf(3), 4: linesOf(4) };
var numbersOf2 = ({ side: side2, first: first2, step: step2 }) => Array.from({ length: side2 * side2 }, (_, at) => first2 + at * step2);
var sumOf = (given2) => numbersOf2(given2).reduce((sum, one2) => sum + one2, 0) / given2.side;
var isMagic = (given2, cells) => {
  const sum = sumOf(given2);
  return new Set(cells).size === cells.length && cells.every((cell) => numbersOf2(given2).includes(cell)) && (lines[given2.side] ?? []).every((line2) => line2.reduce((total, at) => total + (cells[at] ?? 0), 0) === sum);
};
function complete2(given2, most, rng) {
  const cells = [...given2.cells];
  const sum = sumOf(given2);
  const free = new Set(numbersOf2(given2).filter((one2) => !cells.includes(one2)));
  const found = [];
  let tried = 0;
  const search = () => {
    let best2;
    for (const line2 of lines[given2.side] ?? []) {
      const open = line2.filter((at3) => cells[at3] === 0);
      const rest = sum - line2.reduce((total, at3) => total + (cells[at3] ?? 0), 0);
      if (open.length === 0 && rest !== 0) return;
      const [at2] = open;
      if (open.length !== 1 || at2 === void 0) continue;
      if (!free.has(rest)) return;
      best2 = { at: at2, options: [rest] };
    }
    const at = best2?.at ?? cells.indexOf(0);
    if (at < 0) {
      found.push([...cells]);
      return;
    }
    const options = best2?.options ?? [...free];
    for (const option of rng === void 0 ? options : rng.shuffle(options)) {
      tried += 1;
      cells[at] = option;
      free.delete(option);
      search();
      free.add(option);
      cells[at] = 0;
      if (found.length >= most) return;
    }
  };
  search();
  return { found, tried };
}
var write5 = (cells, side2) => Array.from({ length: side2 }, (_, row) => cells.slice(row * side2, (row + 1) * side2).join(" ")).join("\n");
var shown2 = (cells, side2) => {
  const widest = Math.max(...cells.map((cell) => String(cell).length), 2);
  return Array.from(
    { length: side2 },
    (_, row) => cells.slice(row * side2, (row + 1) * side2).map((cell) => (cell === 0 ? "." : String(cell)).padStart(widest)).join(" ")
  ).join("\n");
};
function draw5(rng, side2, holes) {
  const first2 = 1 + (side2 === 3 ? rng.int(60) : rng.int(20));
  const step2 = 1 + rng.int(side2 === 3 ? 9 : 5);
  const empty = { side: side2, first: first2, step: step2, cells: Array.from({ length: side2 * side2 }, () => 0) };
  const [full = []] = complete2(empty, 1, rng).found;
  let cells = [...full];
  let left = holes;
  for (const at of rng.shuffle([...cells.keys()])) {
    if (left === 0) break;
    const fewer = cells.with(at, 0);
    if (complete2({ ...empty, cells: fewer }, 2).found.length !== 1) continue;
    cells = fewer;
    left -= 1;
  }
  return left > 0 ? void 0 : { question: { ...empty, cells }, solution: full };
}
var moveOf2 = (at, side2, value2) => `row ${Math.floor(at / side2) + 1} column ${at % side2 + 1} is ${value2}`;
var openNumbers = (given2) => numbersOf2(given2).filter((one2) => !given2.cells.includes(one2));
var magicSquare = definePuzzle({
  name: "magic-square",
  category: "grid",
  summary: "Magic squares: rows, columns and diagonals with one sum",
  question: question10,
  levels: [
    { side: 3, holes: 4 },
    { side: 3, holes: 6 },
    { side: 4, holes: 7 },
    { side: 4, holes: 10 }
  ],
  generate: (rng, { side: side2, holes }) => {
    for (; ; ) {
      const drawn2 = draw5(rng, side2, holes);
      if (drawn2 !== void 0) return drawn2;
    }
  },
  rules: "Fill the open cells (.) so that each row, each column and both diagonals have the same sum. The square has each of the given numbers once.",
  render: (given2) => `${shown2(given2.cells, given2.side)}
Numbers: ${numbersOf2(given2).join(" ")}
Sum: ${sumOf(given2)}`,
  answer: {
    format: "the whole square, one line a row, with blanks between the numbers.",
    write: (cells, { side: side2 }) => write5(cells, side2),
    read: (text, { side: side2 }) => {
      const rows = text.split("\n").map((line2) => line2.trim().split(/\s*[,|]\s*|\s+/));
      if (rows.length !== side2 || rows.some((row) => row.length !== side2)) return void 0;
      return rows.flat().every((word) => /^\d{1,4}$/.test(word)) ? rows.flat().map(Number) : void 0;
    }
  },
  verify: (given2, cells) => given2.cells.every((cell, at) => cell === 0 || cell === cells[at]) && isMagic(given2, cells),
  unique: true,
  solve: (given2) => {
    const { found, tried } = complete2(given2, 2);
    return { answers: found, effort: tried };
  },
  audit: {
    guess: (given2, rng) => {
      const numbers = rng.shuffle(openNumbers(given2));
      return given2.cells.map((cell) => cell === 0 ? numbers.pop() ?? 0 : cell);
    },
    chance: (level) => [1 / 24, 1 / 720, 1 / 5040, 1e-6][level - 1] ?? 1,
    mutants: (solution, { cells }, rng) => {
      const [one2 = 0, other = 0] = rng.shuffle([...cells.keys()]);
      const swapped = solution.with(one2, solution[other] ?? 0).with(other, solution[one2] ?? 0);
      return {
        "two numbers exchanged": swapped,
        "one number larger": solution.with(one2, (solution[one2] ?? 0) + 1),
        "rows in another order": solution.toReversed()
      };
    },
    equivalents: (solution, { side: side2 }) => ({
      commas: write5(solution, side2).replaceAll(" ", ", "),
      bars: write5(solution, side2).replaceAll(" ", " | ")
    }),
    variety: (level) => [2e4, 5e4, 1e9, 1e9][level - 1] ?? 1
  },
  moves: {
    rules: "A move writes one of the numbers that are left into an open cell. No cell can be changed later.",
    state: question10,
    start: (given2) => given2,
    render: (given2) => `${shown2(given2.cells, given2.side)}
Numbers that are left: ${openNumbers(given2).join(" ")}
Sum: ${sumOf(given2)}`,
    list: (given2) => given2.cells.flatMap(
      (cell, at) => cell === 0 ? openNumbers(given2).map((value2) => moveOf2(at, given2.side, value2)) : []
    ),
    play: (given2, move) => {
      const [, row = "", column = "", value2 = ""] = /^row (\d) column (\d) is (\d+)$/.exec(move) ?? [];
      const at = (Number(row) - 1) * given2.side + Number(column) - 1;
      return { ...given2, cells: given2.cells.with(at, Number(value2)) };
    },
    isSolved: (given2) => isMagic(given2, given2.cells),
    plan: ({ cells, side: side2 }, solution) => cells.flatMap((cell, at) => cell === 0 ? [moveOf2(at, side2, solution[at] ?? 0)] : []),
    next: (given2) => {
      const [solution] = complete2(given2, 1).found;
      const at = given2.cells.indexOf(0);
      return solution === void 0 || at < 0 ? void 0 : moveOf2(at, given2.side, solution[at] ?? 0);
    },
    turnLimit: ({ holes }) => holes,
    features: (given2) => ({ grid: boardOf(given2.cells, given2.side), fields: { sum: sumOf(given2) } }),
    target: (move) => {
      const [, row = "1", column = "1", value2 = ""] = /^row (\d) column (\d) is (\d+)$/.exec(move) ?? [];
      return { verb: "write", cell: [Number(row) - 1, Number(column) - 1], value: value2 };
    }
  }
});

// envs/puzzle/puzzles/arithmetic/polynomial.ts
import { z as z22 } from "zod";
var coefficients = z22.array(z22.int());
var question11 = z22.strictObject({
  task: z22.enum(["expand", "differentiate", "compose", "divide"]),
  /** Factors of a product, or f and g. */
  parts: z22.array(coefficients).min(1).max(3)
});
var trim = (list2) => {
  let length = list2.length;
  while (length > 0 && list2[length - 1] === 0) length -= 1;
  return list2.slice(0, length);
};
var add = (one2, other) => trim(
  Array.from({ length: Math.max(one2.length, other.length) }, (_, at) => (one2[at] ?? 0) + (other[at] ?? 0))
);
var multiply = (one2, other) => {
  const product = Array.from({ length: Math.max(one2.length + other.length - 1, 0) }, () => 0);
  for (const [at, a] of one2.entries())
    for (const [by, b] of other.entries()) product[at + by] = (product[at + by] ?? 0) + a * b;
  return trim(product);
};
var differentiate = (of) => trim(of.slice(1).map((value2, at) => value2 * (at + 1)));
var compose = (f, g) => f.reduceRight((sum, value2) => add(multiply(sum, g), [value2]), []);
function divide(dividend, divisor) {
  const rest = [...dividend];
  const quotient2 = [];
  for (let at = rest.length - divisor.length; at >= 0; at -= 1) {
    const factor = rest[at + divisor.length - 1] ?? 0;
    quotient2[at] = factor;
    for (const [by, value2] of divisor.entries()) rest[at + by] = (rest[at + by] ?? 0) - factor * value2;
  }
  return trim(quotient2);
}
var one = [1];
function solve3({ task: task2, parts }) {
  const [first2 = [], second = []] = parts;
  switch (task2) {
    case "expand":
      return parts.reduce((product, part) => multiply(product, part), one);
    case "differentiate":
      return differentiate(parts.reduce((product, part) => multiply(product, part), one));
    case "compose":
      return compose(first2, second);
    case "divide":
      return divide(first2, second);
  }
}
function writePolynomial(of) {
  const terms = of.flatMap((value2, power) => {
    if (value2 === 0) return [];
    const size2 = Math.abs(value2) === 1 && power > 0 ? "" : String(Math.abs(value2));
    const variable = power === 0 ? "" : power === 1 ? "x" : `x^${power}`;
    return [`${value2 < 0 ? "-" : "+"} ${size2}${variable}`];
  });
  const text = terms.toReversed().join(" ");
  return text === "" ? "0" : text.startsWith("+ ") ? text.slice(2) : text.replace("- ", "-");
}
var [highest, digits] = [12, 12];
function read2(text) {
  const plain = text.replaceAll(/[\s*]/g, "").replaceAll("\u2212", "-").toLowerCase();
  const sum = Array.from({ length: highest + 1 }, () => 0);
  let at = 0;
  for (const match of plain.matchAll(/([+-]?)(\d*)(x(?:\^(\d{1,2}))?)?/gy)) {
    const [term, sign = "", size2 = "", variable, power] = match;
    if (term === "") break;
    if (size2 === "" && variable === void 0 || size2.length > digits || at > 0 && sign === "")
      return void 0;
    const of = variable === void 0 ? 0 : Number(power ?? "1");
    if (of > highest) return void 0;
    sum[of] = (sum[of] ?? 0) + (sign === "-" ? -1 : 1) * Number(size2 === "" ? "1" : size2);
    at += term.length;
  }
  return at === plain.length && at > 0 ? trim(sum) : void 0;
}
var ofDegree = (rng, degree, size2) => Array.from({ length: degree + 1 }, (_, at) => {
  const value2 = rng.int(2 * size2 + 1) - size2;
  return at === degree && value2 === 0 ? 1 : value2;
});
function draw6(rng, { tasks, degree, size: size2, factors }) {
  const task2 = rng.pick(tasks);
  const pair = [ofDegree(rng, degree, size2), ofDegree(rng, degree, size2)];
  if (task2 === "compose") return { task: task2, parts: pair };
  if (task2 === "divide") {
    const divisor = [...ofDegree(rng, degree - 1, size2), 1];
    return { task: task2, parts: [[...multiply(ofDegree(rng, degree, size2), divisor)], divisor] };
  }
  return { task: task2, parts: Array.from({ length: factors }, () => ofDegree(rng, degree, size2)) };
}
var inBrackets = (parts) => parts.map((part) => `(${writePolynomial(part)})`).join(" ");
var polynomial = definePuzzle({
  name: "polynomial",
  category: "arithmetic",
  summary: "Symbolic algebra: products, derivatives, compositions and quotients of polynomials",
  question: question11,
  levels: [
    { tasks: ["expand", "differentiate"], degree: 1, size: 9, factors: 2 },
    { tasks: ["expand", "differentiate", "divide"], degree: 2, size: 9, factors: 2 },
    { tasks: ["expand", "differentiate", "divide", "compose"], degree: 2, size: 12, factors: 3 },
    { tasks: ["compose", "divide", "expand"], degree: 3, size: 12, factors: 3 }
  ],
  generate: (rng, level) => {
    for (; ; ) {
      const given2 = draw6(rng, level);
      const solution = solve3(given2);
      if (solution.length > 1) return { question: given2, solution };
    }
  },
  rules: "Calculate with polynomials in x, and give the result without brackets.",
  render: ({ task: task2, parts }) => {
    const [first2 = [], second = []] = parts;
    switch (task2) {
      case "expand":
        return `Expand ${inBrackets(parts)}.`;
      case "differentiate":
        return `Differentiate ${inBrackets(parts)} with respect to x.`;
      case "compose":
        return `f(x) = ${writePolynomial(first2)}
g(x) = ${writePolynomial(second)}
Write f(g(x)).`;
      case "divide":
        return `Divide ${writePolynomial(first2)} by ${writePolynomial(second)}. There is no remainder.`;
    }
  },
  answer: {
    format: "a sum of terms, such as 3x^2 - x + 5.",
    write: writePolynomial,
    read: (text) => read2(text),
    symbols: "\u2212",
    longest: 400
  },
  verify: (given2, answer) => {
    const right = solve3(given2);
    return right.length === answer.length && right.every((value2, at) => value2 === answer[at]);
  },
  unique: true,
  solve: (given2) => ({
    answers: [solve3(given2)],
    effort: given2.parts.reduce((work, part) => work * part.length, 1)
  }),
  audit: {
    guess: (given2, rng) => {
      const right = solve3(given2).length;
      return trim(ofDegree(rng, right - 1, 20));
    },
    chance: (level) => [5e-3, 1e-3, 1e-4, 1e-4][level - 1] ?? 1,
    mutants: (answer, _given, rng) => {
      const at = rng.int(answer.length);
      return {
        "one coefficient larger": trim(answer.with(at, (answer[at] ?? 0) + 1)),
        "the wrong sign": answer.map((value2) => -value2),
        "one power higher": [0, ...answer],
        "powers in another order": answer.join() === answer.toReversed().join() ? void 0 : trim(answer.toReversed())
      };
    },
    variety: (level) => [13e4, 4e6, 1e9, 1e9][level - 1] ?? 1,
    equivalents: (answer) => ({
      "without blanks": writePolynomial(answer).replaceAll(" ", ""),
      "lowest power first": answer.map((value2, power) => `${value2 < 0 ? "-" : "+"}${Math.abs(value2)}x^${power}`).join(" "),
      "with signs of multiplication": writePolynomial(answer).replaceAll(/(\d)x/g, "$1*x"),
      "typographic minus": writePolynomial(answer).replaceAll("-", "\u2212")
    })
  }
});

// envs/puzzle/puzzles/grid/campsite.ts
import { z as z24 } from "zod";

// envs/puzzle/puzzles/grid/define-grid.ts
import { z as z23 } from "zod";

// envs/puzzle/puzzles/grid/grid-search.ts
function searchGrid({ cells: given2, options, fits: fits2, accepts, most, rng }) {
  const cells = [...given2];
  const isOpen2 = cells.map((mark) => mark === ".");
  const solutions = [];
  let tried = 0;
  const search = (at) => {
    if (at === cells.length) {
      if (accepts?.(cells) !== false) solutions.push([...cells]);
      return;
    }
    if (isOpen2[at] !== true) {
      if (fits2(cells, at)) search(at + 1);
      return;
    }
    for (const option of rng === void 0 ? options : rng.shuffle(options)) {
      tried += 1;
      cells[at] = option;
      if (fits2(cells, at)) search(at + 1);
      if (solutions.length >= most) break;
    }
    cells[at] = ".";
  };
  search(0);
  return { solutions, tried };
}
var flat = (rows) => rows.join("").split("");
var rowsOf = (cells, columns) => Array.from(
  { length: cells.length / columns },
  (_, row) => cells.slice(row * columns, (row + 1) * columns).join("")
);
var columnsOf = (rows) => Array.from({ length: rows[0]?.length ?? 0 }, (_, column) => rows.map((row) => row[column]).join(""));
var countOf = (text, mark) => text.split(mark).length - 1;

// envs/puzzle/puzzles/grid/define-grid.ts
var mostTries = 1e5;
function defineGrid(grid) {
  const marks = grid.marks.split("");
  const options = grid.staysOpen ? [".", ...marks] : marks;
  const find = (question33, most) => {
    if (grid.solver !== void 0) return grid.solver(question33, most);
    const start2 = grid.start(question33);
    return searchGrid({
      cells: flat(start2),
      options,
      fits: (cells, at) => grid.fits(question33, cells, at),
      accepts: (cells) => grid.isRight(question33, rowsOf(cells, columnsIn(start2))),
      most
    });
  };
  const solutionOf = rememberLast((question33) => {
    const [cells] = find(question33, 1).solutions;
    return cells === void 0 ? void 0 : rowsOf(cells, columnsIn(grid.start(question33)));
  });
  return definePuzzle({
    name: grid.name,
    category: grid.category,
    summary: grid.summary,
    question: grid.question,
    levels: grid.levels,
    generate: (rng, level) => {
      for (let attempt = 0; attempt < mostTries; attempt += 1) {
        const drawn2 = grid.draw(
          rng,
          level,
          (question33) => find(question33, 2).solutions.length
        );
        if (drawn2 !== void 0) return drawn2;
      }
      throw new Error(`${grid.name}: no question in ${mostTries} tries`);
    },
    rules: grid.rules,
    render: (question33) => grid.render(question33, grid.start(question33)),
    answer: {
      format: `the whole grid, one line a row, with ${grid.staysOpen ? ". where nothing is placed" : "every cell filled"}.`,
      write: (rows) => rows.join("\n"),
      read: (text, question33) => {
        const start2 = grid.start(question33);
        const fixed = start2.join("").replaceAll(".", "");
        return readGrid(text, {
          rows: start2.length,
          columns: columnsIn(start2),
          alphabet: options.join("") + fixed
        });
      }
    },
    verify: (question33, rows) => keeps2(grid.start(question33), rows, options) && grid.isRight(question33, rows),
    unique: true,
    solve: (question33) => {
      const { solutions, tried } = find(question33, 2);
      const columns = columnsIn(grid.start(question33));
      return { answers: solutions.map((cells) => rowsOf(cells, columns)), effort: tried };
    },
    audit: {
      guess: (question33, rng) => grid.start(question33).map((row) => row.replaceAll(".", () => rng.pick(options))),
      chance: (level) => 4 * options.length ** -grid.open(grid.levels[level - 1]),
      mutants: (rows, question33, rng) => mutantsOf(rows, { start: grid.start(question33), options, rng }),
      equivalents: (rows) => ({
        "blanks between cells": rows.map(spaced).join("\n"),
        "commas between cells": rows.map((row) => row.split("").join(", ")).join("\n"),
        "a frame of bars": rows.map((row) => `|${row}|`).join("\n")
      }),
      ...grid.variety === void 0 ? {} : { variety: grid.variety }
    },
    moves: {
      rules: `A move writes one mark into one open cell. The marks are ${marks.join(" and ")}. No cell can be changed later.`,
      state: z23.strictObject({ question: grid.question, rows: z23.array(z23.string()) }),
      start: (question33) => ({ question: question33, rows: grid.start(question33) }),
      render: ({ question: question33, rows }) => grid.render(question33, rows),
      list: ({ question: question33, rows }) => {
        const moves = [];
        for (const [row, line2] of rows.entries()) {
          for (let column = 0; column < line2.length; column += 1) {
            if (line2[column] !== ".") continue;
            for (const mark of marks)
              if (grid.allows(question33, rows, { row, column, mark })) moves.push(moveName2(row, column, mark));
          }
        }
        return moves;
      },
      play: ({ question: question33, rows }, move) => {
        const [, row = "", column = "", mark = ""] = /^row (\d+) column (\d+) is (.)$/.exec(move) ?? [];
        return { question: question33, rows: withCell(rows, Number(row) - 1, Number(column) - 1, mark) };
      },
      isSolved: ({ question: question33, rows }) => keeps2(grid.start(question33), rows, options) && grid.isRight(question33, rows),
      plan: (question33, solution) => missing(grid.start(question33), solution),
      next: ({ question: question33, rows }) => {
        const solution = solutionOf(question33);
        return solution === void 0 ? void 0 : missing(rows, solution)[0];
      },
      turnLimit: (level) => grid.cells(level),
      features: ({ question: question33, rows }) => ({ grid: grid.board?.(question33, rows) ?? { rows } }),
      target: (move) => {
        const { cell: [row, column] = [0, 0], ...target } = targetOfCell(move);
        const { margin = 0 } = grid;
        return { ...target, cell: [row + margin, column + margin] };
      }
    }
  });
}
var columnsIn = (rows) => rows[0]?.length ?? 0;
var keeps2 = (start2, rows, options) => start2.every((line2, row) => {
  for (let column = 0; column < line2.length; column += 1) {
    const [before, now] = [line2[column], rows[row]?.[column] ?? ""];
    if (before === "." ? !options.includes(now) : before !== now) return false;
  }
  return true;
});
var names3 = /* @__PURE__ */ new Map();
function moveName2(row, column, mark) {
  const key = `${row} ${column} ${mark}`;
  const known4 = names3.get(key);
  if (known4 !== void 0) return known4;
  const name2 = `${cellName(row, column)} is ${mark}`;
  names3.set(key, name2);
  return name2;
}
var missing = (rows, solution) => solution.flatMap(
  (line2, row) => line2.split("").flatMap(
    (mark, column) => mark !== "." && rows[row]?.[column] === "." ? [moveName2(row, column, mark)] : []
  )
);
function mutantsOf(rows, { start: start2, options, rng }) {
  const open = flat(start2).flatMap((mark, cell) => mark === "." ? [cell] : []);
  const cells = flat(rows);
  const columns = columnsIn(rows);
  const at = rng.pick(open);
  const changed = cells.with(at, rng.pick(options.filter((mark) => mark !== cells[at])));
  const other = rng.shuffle(open).find((cell) => cells[cell] !== cells[at]);
  const exchanged = other === void 0 ? void 0 : cells.with(at, cells[other] ?? "").with(other, cells[at] ?? "");
  const differs = (mutant) => mutant.join("\n") === rows.join("\n") ? void 0 : mutant;
  return {
    "one cell changed": rowsOf(changed, columns),
    "two cells exchanged": exchanged === void 0 ? void 0 : rowsOf(exchanged, columns),
    "rows in another order": differs(rows.toReversed()),
    "the grid of the question": differs(start2)
  };
}

// envs/puzzle/puzzles/grid/campsite.ts
var counts = z24.array(z24.int().min(0).max(9));
var [tree, tent] = ["T", "^"];
var beside2 = (cell, side2) => [cell - side2, cell + side2, cell % side2 > 0 ? cell - 1 : -1, (cell + 1) % side2 > 0 ? cell + 1 : -1].filter(
  (near) => near >= 0 && near < side2 * side2
);
var touches = (one2, other, side2) => Math.abs(one2 % side2 - other % side2) <= 1 && Math.abs(Math.floor(one2 / side2) - Math.floor(other / side2)) <= 1;
function canShare(trees, tents, side2) {
  const owner = /* @__PURE__ */ new Map();
  const settle = (at, tried) => beside2(at, side2).some((near) => {
    if (!tents.includes(near) || tried.has(near)) return false;
    tried.add(near);
    const before = owner.get(near);
    if (before !== void 0 && !settle(before, tried)) return false;
    owner.set(near, at);
    return true;
  });
  return trees.length === tents.length && trees.every((at) => settle(at, /* @__PURE__ */ new Set()));
}
var placesOf = (cells, mark) => cells.flatMap((each, at) => each === mark ? [at] : []);
function pitch(rng, side2, amount2) {
  const cells = Array.from({ length: side2 * side2 }, () => ".");
  for (const cell of rng.shuffle([...cells.keys()])) {
    if (placesOf(cells, tent).length === amount2) return cells;
    if (cells[cell] !== "." || placesOf(cells, tent).some((other) => touches(cell, other, side2))) continue;
    const free = beside2(cell, side2).filter((near) => cells[near] === ".");
    if (free.length === 0) continue;
    cells[cell] = tent;
    cells[rng.pick(free)] = tree;
  }
  return void 0;
}
var campsite = defineGrid({
  name: "campsite",
  category: "grid",
  summary: "Campsite: a tent beside each tree, with the numbers of tents of rows and columns",
  rules: "Pitch tents (^) so that each tree (T) has a tent of its own directly above, below or beside it, and there are no other tents. No two tents touch, not even at a corner. Each row and each column has the number of tents that stands beside or below it.",
  question: z24.strictObject({ rows: z24.array(z24.string()), rowCounts: counts, columnCounts: counts }),
  levels: [
    { side: 5, tents: 4 },
    { side: 6, tents: 6 },
    { side: 7, tents: 9 }
  ],
  marks: tent,
  staysOpen: true,
  cells: ({ side: side2 }) => side2 * side2,
  open: ({ side: side2, tents }) => side2 * side2 - tents,
  draw: (rng, { side: side2, tents }, solutions) => {
    const cells = pitch(rng, side2, tents);
    if (cells === void 0) return void 0;
    const solution = rowsOf(cells, side2);
    const question33 = {
      rows: solution.map((row) => row.replaceAll(tent, ".")),
      rowCounts: solution.map((row) => countOf(row, tent)),
      columnCounts: columnsOf(solution).map((column) => countOf(column, tent))
    };
    return solutions(question33) === 1 ? { question: question33, solution } : void 0;
  },
  start: ({ rows }) => rows,
  render: ({ rowCounts, columnCounts }, rows) => [
    ...rows.map((row, at) => `${spaced(row)} | ${rowCounts[at]}`),
    `Tents of columns: ${columnCounts.join(" ")}`
  ].join("\n"),
  isRight: ({ rowCounts, columnCounts }, rows) => {
    const cells = flat(rows);
    const tents = placesOf(cells, tent);
    return rows.every((row, at) => countOf(row, tent) === rowCounts[at]) && columnsOf(rows).every((column, at) => countOf(column, tent) === columnCounts[at]) && tents.every((one2, at) => !tents.slice(0, at).some((other) => touches(one2, other, rows.length))) && canShare(placesOf(cells, tree), tents, rows.length);
  },
  fits: ({ rowCounts, columnCounts }, cells, at) => {
    const side2 = columnCounts.length;
    const [row, column] = [Math.floor(at / side2), at % side2];
    if (cells[at] === tent) {
      for (const before of [at - 1, at - side2, at - side2 - 1, at - side2 + 1])
        if (cells[before] === tent && touches(at, before, side2)) return false;
      if (!beside2(at, side2).some((near) => cells[near] === tree)) return false;
    }
    let [across, down] = [0, 0];
    for (let cell = row * side2; cell <= at; cell += 1) if (cells[cell] === tent) across += 1;
    for (let cell = column; cell <= at; cell += side2) if (cells[cell] === tent) down += 1;
    const [wanted3, below] = [rowCounts[row] ?? 0, columnCounts[column] ?? 0];
    return across <= wanted3 && down <= below && across + side2 - 1 - column >= wanted3 && down + side2 - 1 - row >= below;
  },
  allows: ({ rowCounts, columnCounts }, rows, { row, column }) => {
    const side2 = rows.length;
    const cells = flat(rows);
    const at = row * side2 + column;
    return countOf(rows[row] ?? "", tent) < (rowCounts[row] ?? 0) && countOf(rows.map((line2) => line2[column]).join(""), tent) < (columnCounts[column] ?? 0) && beside2(at, side2).some((near) => cells[near] === tree) && !placesOf(cells, tent).some((other) => touches(at, other, side2));
  },
  board: ({ rowCounts, columnCounts }, rows) => ({
    rows: rows.map(
      (line2, row) => line2.split("").map(
        (mark, column) => mark === "." ? `row ${rowCounts[row]} column ${columnCounts[column]}` : mark
      )
    )
  })
});

// envs/puzzle/puzzles/search/hitori.ts
import { z as z25 } from "zod";
var shaded = "#";
function isConnected(cells, side2) {
  const open = cells.flatMap((mark, at) => mark === shaded ? [] : [at]);
  const reached = new Set(open.slice(0, 1));
  for (const at of reached)
    for (const near of [at - side2, at + side2, at % side2 > 0 ? at - 1 : -1, (at + 1) % side2 > 0 ? at + 1 : -1])
      if (near >= 0 && near < cells.length && cells[near] !== shaded) reached.add(near);
  return reached.size === open.length;
}
var repeats = (digits2, marks) => {
  const left = digits2.split("").filter((_digit, at) => marks[at] !== shaded);
  return new Set(left).size !== left.length;
};
function shade(rng, side2, amount2) {
  let cells = Array.from({ length: side2 * side2 }, () => ".");
  let left = amount2;
  for (const at of rng.shuffle([...cells.keys()])) {
    if (left === 0) break;
    const sides3 = [at - side2, at + side2, at % side2 > 0 ? at - 1 : -1, (at + 1) % side2 > 0 ? at + 1 : -1];
    if (sides3.some((near) => cells[near] === shaded)) continue;
    const more = cells.with(at, shaded);
    if (!isConnected(more, side2)) continue;
    cells = more;
    left -= 1;
  }
  return cells;
}
function latin(rng, side2) {
  const [rows, columns, digits2] = [0, 1, 2].map(
    () => rng.shuffle(Array.from({ length: side2 }, (_, at) => at))
  );
  return Array.from({ length: side2 * side2 }, (_, cell) => {
    const [row = 0, column = 0] = [rows?.[Math.floor(cell / side2)], columns?.[cell % side2]];
    return String((digits2?.[(row + column) % side2] ?? 0) + 1);
  });
}
var hitori = defineGrid({
  name: "hitori",
  category: "search",
  summary: "Hitori: shade cells so that no number repeats in a row or column",
  rules: "Shade cells (#) so that no number stands twice in a row or column among the cells that are not shaded. Shaded cells do not touch by a side. All cells that are not shaded are connected by their sides.",
  question: z25.strictObject({ digits: z25.array(z25.string()) }),
  levels: [
    { side: 4, shaded: 4 },
    { side: 5, shaded: 7 },
    { side: 6, shaded: 10 }
  ],
  marks: shaded,
  staysOpen: true,
  cells: ({ side: side2 }) => side2 * side2,
  open: ({ side: side2 }) => side2 * side2,
  draw: (rng, { side: side2, shaded: amount2 }, solutions) => {
    const marks = shade(rng, side2, amount2);
    const digits2 = latin(rng, side2);
    for (const [at, mark] of marks.entries()) {
      if (mark !== shaded) continue;
      const line2 = digits2.filter(
        (_digit, cell) => marks[cell] !== shaded && (cell % side2 === at % side2 || Math.floor(cell / side2) === Math.floor(at / side2))
      );
      digits2[at] = rng.pick(line2);
    }
    const question33 = { digits: rowsOf(digits2, side2) };
    return solutions(question33) === 1 ? { question: question33, solution: rowsOf(marks, side2) } : void 0;
  },
  start: ({ digits: digits2 }) => digits2.map((row) => ".".repeat(row.length)),
  render: ({ digits: digits2 }, rows) => digits2.map(
    (row, at) => spaced(
      row.split("").map((digit, column) => rows[at]?.[column] === shaded ? shaded : digit).join("")
    )
  ).join("\n"),
  isRight: ({ digits: digits2 }, rows) => !/##/.test(rows.join("\n")) && !columnsOf(rows).some((column) => column.includes("##")) && digits2.every((row, at) => !repeats(row, rows[at] ?? "")) && columnsOf(digits2).every((column, at) => !repeats(column, columnsOf(rows)[at] ?? "")) && isConnected(flat(rows), digits2.length),
  fits: ({ digits: digits2 }, cells, at) => {
    const side2 = digits2.length;
    const column = at % side2;
    if (cells[at] === shaded) return !(column > 0 && cells[at - 1] === shaded) && cells[at - side2] !== shaded;
    const digitAt = (cell) => digits2[Math.floor(cell / side2)]?.[cell % side2] ?? "";
    const digit = digitAt(at);
    for (let cell = at - column; cell < at; cell += 1)
      if (cells[cell] !== shaded && digitAt(cell) === digit) return false;
    for (let cell = column; cell < at; cell += side2)
      if (cells[cell] !== shaded && digitAt(cell) === digit) return false;
    return true;
  },
  allows: (_question, rows, { row, column }) => [
    rows[row]?.[column - 1],
    rows[row]?.[column + 1],
    rows[row - 1]?.[column],
    rows[row + 1]?.[column]
  ].every((mark) => mark !== shaded),
  // an open cell says how often its number stands in its row and in its column
  board: ({ digits: digits2 }, rows) => {
    const columns = columnsOf(digits2);
    return {
      rows: digits2.map(
        (line2, row) => line2.split("").map((digit, column) => {
          if (rows[row]?.[column] === shaded) return shaded;
          const across = line2.split("").filter((one2, at) => one2 === digit && rows[row]?.[at] !== shaded).length;
          const down = (columns[column] ?? "").split("").filter((one2, at) => one2 === digit && rows[at]?.[column] !== shaded).length;
          return `${across} and ${down}`;
        })
      )
    };
  }
});

// envs/puzzle/puzzles/search/light-up.ts
import { z as z26 } from "zod";
var bulb = "*";
var isWall = (mark) => mark === void 0 || /[#0-4]/.test(mark);
var sides = (cell, side2) => [
  cell - side2,
  cell + side2,
  cell % side2 > 0 ? cell - 1 : -1,
  (cell + 1) % side2 > 0 ? cell + 1 : -1
];
function sight(cells, cell, side2) {
  const seen2 = [];
  for (let direction = 0; direction < 4; direction += 1)
    for (let at = sides(cell, side2)[direction] ?? -1; !isWall(cells[at]); at = sides(at, side2)[direction] ?? -1)
      seen2.push(at);
  return seen2;
}
var bulbsBeside = (cells, cell, side2) => sides(cell, side2).filter((near) => cells[near] === bulb).length;
var isLit = (cells, cell, side2) => cells[cell] === bulb || sight(cells, cell, side2).some((at) => cells[at] === bulb);
function light(rng, side2, walls) {
  const cells = Array.from({ length: side2 * side2 }, () => ".");
  for (const cell of rng.shuffle([...cells.keys()]).slice(0, walls / 2))
    [cells[cell], cells[cells.length - 1 - cell]] = ["#", "#"];
  for (const cell of rng.shuffle([...cells.keys()]))
    if (cells[cell] === "." && !isLit(cells, cell, side2)) cells[cell] = bulb;
  return cells;
}
var lightUp = defineGrid({
  name: "light-up",
  category: "search",
  summary: "Light Up: bulbs that light every cell and not each other",
  rules: "Put bulbs (*) into open cells so that every open cell is lit. A bulb lights its row and column up to the next wall. No bulb lights another. A number is a wall with exactly that many bulbs directly above, below and beside it, and # is a wall with any number.",
  question: z26.strictObject({ rows: z26.array(z26.string()) }),
  levels: [
    { side: 4, walls: 4 },
    { side: 5, walls: 6 },
    { side: 6, walls: 10 },
    { side: 7, walls: 14 }
  ],
  marks: bulb,
  staysOpen: true,
  cells: ({ side: side2 }) => side2 * side2,
  open: ({ side: side2, walls }) => side2 * side2 - walls,
  draw: (rng, { side: side2, walls }, solutions) => {
    const cells = light(rng, side2, walls);
    const numbered = cells.map((mark, at) => mark === "#" ? String(bulbsBeside(cells, at, side2)) : mark);
    const questionOf = (marks2) => ({
      rows: rowsOf(
        marks2.map((mark) => mark === bulb ? "." : mark),
        side2
      )
    });
    let marks = numbered;
    if (solutions(questionOf(marks)) !== 1) return void 0;
    for (const cell of rng.shuffle([...marks.keys()])) {
      if (!/\d/.test(marks[cell] ?? "") || rng.uniform() < 0.4) continue;
      const fewer = marks.with(cell, "#");
      if (solutions(questionOf(fewer)) === 1) marks = fewer;
    }
    return { question: questionOf(marks), solution: rowsOf(marks, side2) };
  },
  start: ({ rows }) => rows,
  render: (_question, rows) => rows.map(spaced).join("\n"),
  isRight: (_question, rows) => {
    const cells = flat(rows);
    const side2 = rows.length;
    return cells.every((mark, at) => {
      if (/\d/.test(mark)) return bulbsBeside(cells, at, side2) === Number(mark);
      if (mark === "#") return true;
      return mark === bulb ? sight(cells, at, side2).every((other) => cells[other] !== bulb) : isLit(cells, at, side2);
    });
  },
  fits: ({ rows }, cells, at) => {
    const side2 = rows.length;
    const mark = cells[at] ?? "";
    const isCounted2 = (cell) => {
      if (!/\d/.test(cells[cell] ?? "")) return true;
      const wanted3 = Number(cells[cell]);
      const [bulbs, later] = [bulbsBeside(cells, cell, side2), sides(cell, side2)];
      const open = later.filter((near) => near > at && near < cells.length && cells[near] === ".").length;
      return bulbs <= wanted3 && bulbs + open >= wanted3;
    };
    if (!isCounted2(at) || !sides(at, side2).every((near) => near < 0 || near >= cells.length || isCounted2(near)))
      return false;
    if (mark === bulb) {
      for (let up = at - side2; !isWall(cells[up]); up -= side2) if (cells[up] === bulb) return false;
      for (let left = at; left % side2 > 0 && !isWall(cells[left - 1]); left -= 1)
        if (cells[left - 1] === bulb) return false;
    }
    for (const cell of [at, at - side2, at - 1]) {
      if (cell < 0 || isWall(cells[cell]) || isLit(cells, cell, side2)) continue;
      if (sight(cells, cell, side2).every((other) => other <= at) && cell <= at) return false;
    }
    return true;
  },
  allows: (_question, rows, { row, column }) => {
    const cells = flat(rows);
    const side2 = rows.length;
    const at = row * side2 + column;
    return !isLit(cells, at, side2) && sides(at, side2).every(
      (near) => !/\d/.test(cells[near] ?? "") || bulbsBeside(cells, near, side2) < Number(cells[near])
    );
  },
  board: (_question, rows) => {
    const cells = flat(rows);
    const side2 = rows.length;
    const marks = cells.map((mark, at) => mark === "." && isLit(cells, at, side2) ? "lit" : mark);
    return { rows: rows.map((_row, at) => marks.slice(at * side2, (at + 1) * side2)) };
  }
});

// envs/puzzle/puzzles/search/minesweeper.ts
import { z as z27 } from "zod";
var mine = "*";
function around(cell, side2) {
  const [row, column] = [Math.floor(cell / side2), cell % side2];
  const cells = [];
  for (let y = Math.max(row - 1, 0); y <= Math.min(row + 1, side2 - 1); y += 1)
    for (let x = Math.max(column - 1, 0); x <= Math.min(column + 1, side2 - 1); x += 1)
      if (y !== row || x !== column) cells.push(y * side2 + x);
  return cells;
}
var minesAround = (cells, cell, side2) => around(cell, side2).filter((near) => cells[near] === mine).length;
var isNumber = (mark) => mark !== void 0 && mark >= "0" && mark <= "8";
var minesweeperPuzzle = defineGrid({
  name: "minesweeper",
  category: "search",
  summary: "Minesweeper as a puzzle: all mines of a board, by its numbers",
  rules: "Mark all mines (*). A number is a cell without a mine, and says how many of the eight cells around it have one. Other cells may have one.",
  question: z27.strictObject({ rows: z27.array(z27.string()), mines: z27.int().min(1) }),
  levels: [
    { side: 4, mines: 3, numbers: 6 },
    { side: 5, mines: 5, numbers: 9 },
    { side: 6, mines: 8, numbers: 12 },
    { side: 7, mines: 11, numbers: 16 }
  ],
  marks: mine,
  staysOpen: true,
  cells: ({ side: side2 }) => side2 * side2,
  open: ({ side: side2, numbers }) => side2 * side2 - numbers - 6,
  draw: (rng, { side: side2, mines, numbers }, solutions) => {
    const places = new Set(rng.shuffle(Array.from({ length: side2 * side2 }, (_, at) => at)).slice(0, mines));
    const bare = Array.from({ length: side2 * side2 }, (_, at) => places.has(at) ? mine : ".");
    let cells = bare.map((mark, at) => mark === mine ? mark : String(minesAround(bare, at, side2)));
    const questionOf = (marks) => ({
      rows: rowsOf(
        marks.map((mark) => mark === mine ? "." : mark),
        side2
      ),
      mines
    });
    if (solutions(questionOf(cells)) !== 1) return void 0;
    let shown3 = side2 * side2 - mines;
    for (const at of rng.shuffle([...cells.keys()])) {
      if (shown3 <= numbers) break;
      if (!isNumber(cells[at])) continue;
      const fewer = cells.with(at, ".");
      if (solutions(questionOf(fewer)) !== 1) continue;
      cells = fewer;
      shown3 -= 1;
    }
    if (shown3 > numbers + 6) return void 0;
    return { question: questionOf(cells), solution: rowsOf(cells, side2) };
  },
  start: ({ rows }) => rows,
  render: ({ mines }, rows) => [...rows.map(spaced), `Mines: ${mines}`].join("\n"),
  isRight: ({ mines }, rows) => {
    const cells = flat(rows);
    return countOf(rows.join(""), mine) === mines && cells.every((mark, at) => !isNumber(mark) || minesAround(cells, at, rows.length) === Number(mark));
  },
  fits: ({ rows, mines }, cells, at) => {
    const side2 = rows.length;
    const counted = (cell) => {
      if (!isNumber(cells[cell])) return true;
      const wanted3 = Number(cells[cell]);
      const near = around(cell, side2);
      const found2 = near.filter((one2) => cells[one2] === mine).length;
      const open = near.filter((one2) => one2 > at && cells[one2] === ".").length;
      return found2 <= wanted3 && found2 + open >= wanted3;
    };
    if (!counted(at) || !around(at, side2).every(counted)) return false;
    let found = 0;
    for (let cell = 0; cell <= at; cell += 1) if (cells[cell] === mine) found += 1;
    return found <= mines;
  },
  allows: ({ mines }, rows, { row, column }) => {
    const cells = flat(rows);
    const side2 = rows.length;
    return countOf(rows.join(""), mine) < mines && around(row * side2 + column, side2).every(
      (near) => !isNumber(cells[near]) || minesAround(cells, near, side2) < Number(cells[near])
    );
  }
});

// envs/puzzle/puzzles/search/slant.ts
import { z as z28 } from "zod";
var [rising, falling] = ["/", "\\"];
function endsOf(cell, mark, side2) {
  const wide2 = side2 + 1;
  const corner = Math.floor(cell / side2) * wide2 + cell % side2;
  return mark === falling ? [corner, corner + wide2 + 1] : [corner + 1, corner + wide2];
}
function isOpenPath(cells, side2) {
  const group2 = Array.from({ length: (side2 + 1) ** 2 }, (_, at) => at);
  const rootOf = (at) => {
    let root = at;
    while (group2[root] !== root) root = group2[root] ?? root;
    group2[at] = root;
    return root;
  };
  return cells.every((mark, cell) => {
    if (mark === ".") return true;
    const [one2, other] = endsOf(cell, mark, side2).map(rootOf);
    if (one2 === other || one2 === void 0 || other === void 0) return false;
    group2[one2] = other;
    return true;
  });
}
function meetingsOf(cells, side2) {
  const meetings = Array.from({ length: (side2 + 1) ** 2 }, () => 0);
  for (const [cell, mark] of cells.entries())
    if (mark !== ".") for (const end of endsOf(cell, mark, side2)) meetings[end] = (meetings[end] ?? 0) + 1;
  return meetings;
}
function cellsAt(corner, side2) {
  const [row, column] = [Math.floor(corner / (side2 + 1)), corner % (side2 + 1)];
  const cells = [];
  for (const y of [row - 1, row])
    for (const x of [column - 1, column])
      if (y >= 0 && x >= 0 && y < side2 && x < side2) cells.push(y * side2 + x);
  return cells;
}
var cornersOf = (clues2) => clues2.join("").split("");
function isCounted(clues2, cells, corners) {
  const side2 = clues2.length - 1;
  const marks = cornersOf(clues2);
  return corners.every((corner) => {
    if (marks[corner] === ".") return true;
    const wanted3 = Number(marks[corner]);
    let [met, open] = [0, 0];
    for (const cell of cellsAt(corner, side2)) {
      const mark = cells[cell] ?? ".";
      if (mark === ".") open += 1;
      else if (endsOf(cell, mark, side2).includes(corner)) met += 1;
    }
    return met <= wanted3 && met + open >= wanted3;
  });
}
var around2 = (cell, side2) => {
  const corner = Math.floor(cell / side2) * (side2 + 1) + cell % side2;
  return [corner, corner + 1, corner + side2 + 1, corner + side2 + 2];
};
var slant = defineGrid({
  name: "slant",
  category: "search",
  summary: "Slant: a diagonal in each cell, with numbers at the corners and no loop",
  rules: "Draw one diagonal, / or \\, in each cell. A number at a corner of cells says how many diagonals end there. The diagonals form no closed loop.",
  question: z28.strictObject({ clues: z28.array(z28.string()) }),
  levels: [
    { side: 3, hidden: 6 },
    { side: 4, hidden: 10 },
    { side: 5, hidden: 16 }
  ],
  marks: rising + falling,
  staysOpen: false,
  cells: ({ side: side2 }) => side2 * side2,
  open: ({ side: side2 }) => side2 * side2,
  draw: (rng, { side: side2, hidden }, solutions) => {
    let cells = Array.from({ length: side2 * side2 }, () => ".");
    for (const cell of rng.shuffle([...cells.keys()])) {
      const [first2, second] = rng.shuffle([rising, falling]);
      const one2 = cells.with(cell, first2 ?? rising);
      cells = isOpenPath(one2, side2) ? one2 : cells.with(cell, second ?? falling);
    }
    if (!isOpenPath(cells, side2)) return void 0;
    let marks = meetingsOf(cells, side2).map(String);
    const questionOf = (of) => ({ clues: rowsOf(of, side2 + 1) });
    if (solutions(questionOf(marks)) !== 1) return void 0;
    let left = hidden;
    for (const corner of rng.shuffle([...marks.keys()])) {
      if (left === 0) break;
      const fewer = marks.with(corner, ".");
      if (solutions(questionOf(fewer)) !== 1) continue;
      marks = fewer;
      left -= 1;
    }
    return left > hidden / 2 ? void 0 : { question: questionOf(marks), solution: rowsOf(cells, side2) };
  },
  start: ({ clues: clues2 }) => clues2.slice(1).map((row) => ".".repeat(row.length - 1)),
  render: ({ clues: clues2 }, rows) => clues2.flatMap((line2, at) => [
    line2.split("").join("   "),
    ...rows[at] === void 0 ? [] : [`  ${rows[at].split("").join("   ")}`]
  ]).join("\n"),
  isRight: ({ clues: clues2 }, rows) => {
    const cells = flat(rows);
    return isOpenPath(cells, rows.length) && isCounted(clues2, cells, [...cornersOf(clues2).keys()]);
  },
  fits: ({ clues: clues2 }, cells, at) => {
    const side2 = clues2.length - 1;
    return isCounted(clues2, cells, around2(at, side2)) && isOpenPath(cells, side2);
  },
  allows: ({ clues: clues2 }, rows, { row, column, mark }) => {
    const side2 = rows.length;
    const cells = flat(rows).with(row * side2 + column, mark);
    return isCounted(clues2, cells, around2(row * side2 + column, side2)) && isOpenPath(cells, side2);
  },
  variety: (level) => level === 1 ? 5e3 : 1e6,
  // a cell says the numbers at its corners
  board: ({ clues: clues2 }, rows) => ({
    rows: rows.map(
      (line2, row) => line2.split("").map(
        (mark, column) => mark === "." ? `${clues2[row]?.slice(column, column + 2)}/${clues2[row + 1]?.slice(column, column + 2)}` : mark
      )
    )
  })
});

// envs/puzzle/puzzles/grid/binario.ts
import { z as z29 } from "zod";
var isBalanced = (line2) => !/000|111/.test(line2) && countOf(line2, "0") === countOf(line2, "1");
var isMixed = (lines3) => lines3.every(isBalanced) && new Set(lines3).size === lines3.length;
var fits = (cells, at, side2) => isSound(cells, { from: at - at % side2, at, step: 1, side: side2 }) && isSound(cells, { from: at % side2, at, step: side2, side: side2 });
function isSound(cells, { from, at, step: step2, side: side2 }) {
  const digit = cells[at];
  if (at - 2 * step2 >= from && cells[at - step2] === digit && cells[at - 2 * step2] === digit) return false;
  let equal = 0;
  for (let cell = from; cell <= at; cell += step2) if (cells[cell] === digit) equal += 1;
  return 2 * equal <= side2;
}
var binario = defineGrid({
  name: "binario",
  category: "grid",
  summary: "Binario: a grid of 0 and 1 without three in a row",
  rules: "Fill the open cells with 0 and 1. Each row and each column has as many 0 as 1. No three equal digits stand side by side in a row or column. No two rows are equal, and no two columns are equal.",
  question: z29.strictObject({ rows: z29.array(z29.string()) }),
  levels: [
    { side: 4, holes: 9 },
    { side: 6, holes: 20 },
    { side: 6, holes: 25 },
    { side: 8, holes: 36 }
  ],
  marks: "01",
  staysOpen: false,
  cells: ({ side: side2 }) => side2 * side2,
  open: ({ side: side2 }) => side2,
  draw: (rng, { side: side2, holes }, solutions) => {
    const open = Array.from({ length: side2 * side2 }, () => ".");
    const { solutions: found } = searchGrid({
      cells: open,
      options: ["0", "1"],
      fits: (cells2, at) => fits(cells2, at, side2),
      most: 1,
      rng
    });
    const full = rowsOf(found[0] ?? open, side2);
    if (!isMixed(full) || !isMixed(columnsOf(full))) return void 0;
    let cells = flat(full);
    let dug = 0;
    for (const cell of rng.shuffle([...cells.keys()])) {
      const fewer = cells.with(cell, ".");
      if (solutions({ rows: rowsOf(fewer, side2) }) !== 1) continue;
      cells = fewer;
      dug += 1;
      if (dug === holes) break;
    }
    return dug < side2 ? void 0 : { question: { rows: rowsOf(cells, side2) }, solution: full };
  },
  start: ({ rows }) => rows,
  render: (_question, rows) => rows.map(spaced).join("\n"),
  isRight: (_question, rows) => isMixed(rows) && isMixed(columnsOf(rows)),
  fits: ({ rows }, cells, at) => fits(cells, at, rows.length),
  allows: (_question, rows, { row, column, mark }) => {
    const line2 = rows[row] ?? "";
    const across = line2.slice(0, column) + mark + line2.slice(column + 1);
    const down = rows.map((other, at) => at === row ? mark : other[column] ?? "").join("");
    const half2 = rows.length / 2;
    return [across, down].every((text) => !/000|111/.test(text) && countOf(text, mark) <= half2);
  },
  variety: (level) => level === 1 ? 5e4 : 1e9
});

// envs/puzzle/puzzles/grid/skyscraper.ts
import { z as z30 } from "zod";
var clues = z30.array(z30.int().min(0).max(99));
var question12 = z30.strictObject({
  rows: z30.array(z30.string()),
  top: clues,
  bottom: clues,
  left: clues,
  right: clues
});
function seen(line2, isSum) {
  let [tallest, total] = [0, 0];
  for (const digit of line2.split("").map(Number)) {
    if (digit <= tallest) continue;
    tallest = digit;
    total += isSum ? digit : 1;
  }
  return total;
}
var backwards = (line2) => line2.split("").toReversed().join("");
var agrees = (line2, [first2 = 0, last = 0], isSum) => (first2 === 0 || seen(line2, isSum) === first2) && (last === 0 || seen(backwards(line2), isSum) === last);
function isNew(cells, at, side2) {
  const column = at % side2;
  for (let before = at - column; before < at; before += 1) if (cells[before] === cells[at]) return false;
  for (let above = column; above < at; above += side2) if (cells[above] === cells[at]) return false;
  return true;
}
function skylines(side2, isSum) {
  const grow = (line2) => line2.length === side2 ? [line2] : Array.from({ length: side2 }, (_, height) => String(height + 1)).filter((height) => !line2.includes(height)).flatMap((height) => grow(line2 + height));
  return grow("").map((line2) => ({ line: line2, ends: [seen(line2, isSum), seen(backwards(line2), isSum)] }));
}
function raise({ rows, top, bottom, left, right }, {
  lines: lines3,
  isSum,
  most
}) {
  const fitting = rows.map(
    (given2, row) => lines3.filter(({ line: line2, ends: [first2, last] }) => {
      const isSeen = [0, first2].includes(left[row] ?? 0) && [0, last].includes(right[row] ?? 0);
      return isSeen && given2.split("").every((mark, column) => mark === "." || mark === line2[column]);
    })
  );
  const chosen = [];
  const solutions = [];
  let tried = 0;
  const choose = (row) => {
    if (row === rows.length) {
      const isSeen = columnsOf(chosen).every(
        (line2, at) => agrees(line2, [top[at] ?? 0, bottom[at] ?? 0], isSum)
      );
      if (isSeen) solutions.push(flat(chosen));
      return;
    }
    for (const { line: line2 } of fitting[row] ?? []) {
      if (chosen.some((other) => meets(other, line2))) continue;
      tried += 1;
      chosen.push(line2);
      choose(row + 1);
      chosen.pop();
      if (solutions.length >= most) return;
    }
  };
  choose(0);
  return { solutions, tried };
}
function meets(a, b) {
  for (let at = 0; at < a.length; at += 1) if (a[at] === b[at]) return true;
  return false;
}
function defineSkyscraper(name2, isSum) {
  const what = isSum ? "the sum of the visible heights" : "how many buildings are visible";
  const linesOf3 = new Map([4, 5].map((side2) => [side2, skylines(side2, isSum)]));
  return defineGrid({
    name: name2,
    category: "grid",
    summary: isSum ? "Sum Skyscraper: heights with sums at the edges" : "Skyscraper: heights with counts at the edges",
    rules: `Fill the open cells with heights from 1 to the number of rows. Each row and each column has each height once. A building hides all lower ones behind it. A number at the edge is ${what} from there; 0 means that nothing is known.`,
    question: question12,
    levels: [
      { side: 4, hidden: 4 },
      { side: 4, hidden: 2 },
      { side: 5, hidden: 5 }
    ],
    marks: "12345",
    staysOpen: false,
    cells: ({ side: side2 }) => side2 * side2,
    open: ({ side: side2 }) => side2 * side2 - side2,
    draw: (rng, { side: side2, hidden }, solutions) => {
      const cells = Array.from({ length: side2 * side2 }, () => ".");
      const options = Array.from({ length: side2 }, (_, height) => String(height + 1));
      const { solutions: found } = searchGrid({
        cells,
        options,
        fits: (made, at) => isNew(made, at, side2),
        most: 1,
        rng
      });
      const full = rowsOf(found[0] ?? cells, side2);
      const look = (lines3) => lines3.map((line2) => hidden > 0 && rng.int(hidden) === 0 ? 0 : seen(line2, isSum));
      const edges = {
        top: look(columnsOf(full)),
        bottom: look(columnsOf(full).map(backwards)),
        left: look(full),
        right: look(full.map(backwards))
      };
      for (const cell of [void 0, ...rng.shuffle([...cells.keys()]).slice(0, side2)]) {
        if (cell !== void 0) cells[cell] = flat(full)[cell] ?? ".";
        const drawn2 = { rows: rowsOf(cells, side2), ...edges };
        if (solutions(drawn2) === 1) return { question: drawn2, solution: full };
      }
      return void 0;
    },
    start: ({ rows }) => rows,
    render: ({ top, bottom, left, right }, rows) => [
      `Top:    ${top.join(" ")}`,
      ...rows.map((row, at) => `${left[at]} | ${spaced(row)} | ${right[at]}`),
      `Bottom: ${bottom.join(" ")}`
    ].join("\n"),
    isRight: ({ top, bottom, left, right }, rows) => {
      const isFull = (line2) => new Set(line2).size === rows.length && line2.split("").every((height) => Number(height) <= rows.length);
      return rows.every((row, at) => isFull(row) && agrees(row, [left[at] ?? 0, right[at] ?? 0], isSum)) && columnsOf(rows).every(
        (line2, at) => isFull(line2) && agrees(line2, [top[at] ?? 0, bottom[at] ?? 0], isSum)
      );
    },
    fits: ({ top, bottom, left, right, rows }, cells, at) => {
      const side2 = rows.length;
      const [row, column] = [Math.floor(at / side2), at % side2];
      if (Number(cells[at]) > side2 || !isNew(cells, at, side2)) return false;
      if (column === side2 - 1) {
        const line2 = cells.slice(row * side2, at + 1).join("");
        if (!agrees(line2, [left[row] ?? 0, right[row] ?? 0], isSum)) return false;
      }
      let down = "";
      for (let cell = column; cell <= at; cell += side2) down += cells[cell] ?? "";
      const [above = 0, below = 0] = [top[column], bottom[column]];
      if (row === side2 - 1) return agrees(down, [above, below], isSum);
      return above === 0 || seen(down, isSum) <= above;
    },
    solver: (given2, most) => raise(given2, { lines: linesOf3.get(given2.rows.length) ?? [], isSum, most }),
    allows: (_question, rows, { row, column, mark }) => Number(mark) <= rows.length && rows[row]?.includes(mark) === false && rows.every((line2) => line2[column] !== mark),
    variety: (level) => level < 3 ? 2e5 : 1e9,
    board: ({ top, bottom, left, right }, rows) => {
      const clue2 = (number2) => number2 ? `sees ${number2}` : "no clue";
      const edge = (clues2) => ["corner", ...clues2.map(clue2), "corner"];
      return {
        rows: [
          edge(top),
          ...rows.map((row, at) => [clue2(left[at]), ...row.split(""), clue2(right[at])]),
          edge(bottom)
        ]
      };
    },
    margin: 1
  });
}
var skyscraper = defineSkyscraper("skyscraper", false);
var sumSkyscraper = defineSkyscraper("sum-skyscraper", true);

// envs/puzzle/puzzles/grid/star-battle.ts
import { z as z31 } from "zod";
function drawStars(rng, side2) {
  const stars = rng.shuffle(Array.from({ length: side2 }, (_, column) => column));
  const isApart = stars.every((column, row) => row === 0 || Math.abs(column - (stars[row - 1] ?? 0)) > 1);
  return isApart ? stars : void 0;
}
function drawRegions(rng, stars) {
  const side2 = stars.length;
  const cells = Array.from({ length: side2 * side2 }, () => ".");
  const edge = [];
  const claim3 = (cell, region) => {
    cells[cell] = region;
    edge.push(cell);
  };
  for (const [row, column] of stars.entries()) claim3(row * side2 + column, String.fromCharCode(65 + row));
  while (edge.length > 0) {
    const place3 = rng.int(edge.length);
    const cell = edge[place3] ?? 0;
    const free = beside3(cell, side2).filter((other) => cells[other] === ".");
    if (free.length === 0) edge.splice(place3, 1);
    else claim3(rng.pick(free), cells[cell] ?? "");
  }
  return rowsOf(cells, side2);
}
function beside3(cell, side2) {
  const [row, column] = [Math.floor(cell / side2), cell % side2];
  const list2 = [];
  if (row > 0) list2.push(cell - side2);
  if (row < side2 - 1) list2.push(cell + side2);
  if (column > 0) list2.push(cell - 1);
  if (column < side2 - 1) list2.push(cell + 1);
  return list2;
}
var touches2 = (rows, row, column) => {
  for (let down = -1; down <= 1; down += 1)
    for (let right = -1; right <= 1; right += 1)
      if ((down !== 0 || right !== 0) && rows[row + down]?.[column + right] === "*") return true;
  return false;
};
function placeStars({ regions }, most) {
  const side2 = regions.length;
  const codes = regions.map((row) => row.split("").map((letter2) => 1 << letter2.charCodeAt(0) - 65));
  const stars = [];
  const solutions = [];
  let tried = 0;
  const place3 = (row, columns, taken2) => {
    if (row === side2) {
      solutions.push(stars.flatMap((column) => starAt(column, side2).split("")));
      return;
    }
    const above = stars[row - 1] ?? -2;
    for (let column = 0; column < side2 && solutions.length < most; column += 1) {
      const region = codes[row]?.[column] ?? 0;
      if (columns >> column & 1 || taken2 & region || Math.abs(above - column) <= 1) continue;
      tried += 1;
      stars.push(column);
      place3(row + 1, columns | 1 << column, taken2 | region);
      stars.pop();
    }
  };
  place3(0, 0, 0);
  return { solutions, tried };
}
var starAt = (column, side2) => `${".".repeat(column)}*${".".repeat(side2 - column - 1)}`;
function canStand(regions, rows, row, column) {
  const region = regions[row]?.[column];
  return rows.every((line2, at) => {
    const star = line2.indexOf("*");
    if (star < 0) return true;
    const isNear = Math.abs(at - row) <= 1 && Math.abs(star - column) <= 1;
    return at !== row && star !== column && regions[at]?.[star] !== region && !isNear;
  });
}
var starBattle = defineGrid({
  name: "star-battle",
  category: "grid",
  summary: "Star Battle: one star in each row, column and region",
  rules: "Place stars (*) in the grid. Each row, each column and each region has one star. Stars do not touch each other, not even diagonally. The first grid shows the regions: cells with the same letter form a region.",
  question: z31.strictObject({ regions: z31.array(z31.string()) }),
  levels: [5, 6, 7],
  marks: "*",
  staysOpen: true,
  cells: (side2) => side2 * side2,
  open: (side2) => side2 * side2,
  draw: (rng, side2, solutions) => {
    const stars = drawStars(rng, side2);
    if (stars === void 0) return void 0;
    const question33 = { regions: drawRegions(rng, stars) };
    if (solutions(question33) !== 1) return void 0;
    return {
      question: question33,
      solution: stars.map((column) => starAt(column, side2))
    };
  },
  start: ({ regions }) => regions.map((row) => ".".repeat(row.length)),
  render: ({ regions }, rows) => `Regions:
${regions.join("\n")}
Grid:
${rows.join("\n")}`,
  isRight: ({ regions }, rows) => {
    const starred = rows.flatMap((line2, row) => {
      const column = line2.indexOf("*");
      return column < 0 ? [] : [regions[row]?.[column] ?? ""];
    });
    return rows.every((line2) => countOf(line2, "*") === 1) && columnsOf(rows).every((line2) => countOf(line2, "*") === 1) && new Set(starred).size === regions.length && rows.every((line2, row) => !touches2(rows, row, line2.indexOf("*")));
  },
  fits: ({ regions }, cells, at) => {
    const side2 = regions.length;
    const [row, column] = [Math.floor(at / side2), at % side2];
    const start2 = row * side2;
    if (cells[at] !== "*") return column < side2 - 1 || cells.slice(start2, at + 1).includes("*");
    const region = regions[row]?.[column];
    for (let before = 0; before < at; before += 1) {
      if (cells[before] !== "*") continue;
      const [above, left] = [Math.floor(before / side2), before % side2];
      if (above === row || left === column || regions[above]?.[left] === region) return false;
      if (row - above === 1 && Math.abs(left - column) <= 1) return false;
    }
    return true;
  },
  solver: placeStars,
  allows: ({ regions }, rows, { row, column }) => canStand(regions, rows, row, column),
  variety: (level) => level === 1 ? 1e5 : 1e9,
  // an open cell says how many open cells its region has; a cell that a star rules out is closed
  board: ({ regions }, rows) => {
    const isOpen2 = (row, column) => canStand(regions, rows, row, column);
    const open = /* @__PURE__ */ new Map();
    for (const [row, line2] of regions.entries())
      for (const [column, region] of line2.split("").entries())
        if (isOpen2(row, column)) open.set(region, (open.get(region) ?? 0) + 1);
    return {
      rows: rows.map(
        (line2, row) => line2.split("").map((mark, column) => {
          if (mark === "*") return mark;
          return isOpen2(row, column) ? `one of ${open.get(regions[row]?.[column] ?? "") ?? 0}` : "closed";
        })
      )
    };
  }
});

// envs/puzzle/puzzles/graph/matching.ts
import { z as z32 } from "zod";
var people = [
  "Ada",
  "Ben",
  "Cleo",
  "Dan",
  "Ella",
  "Finn",
  "Gwen",
  "Hugo",
  "Iris",
  "Jack",
  "Kim",
  "Leo",
  "Mia",
  "Noah"
];
var person = z32.int().min(0).max(people.length - 1);
var task = z32.int().min(0).max(25);
var office = { can: z32.array(z32.array(task)).min(2).max(people.length), tasks: z32.int().min(2).max(26) };
var question13 = z32.strictObject(office);
var state2 = z32.strictObject({ ...office, pairs: z32.array(z32.tuple([person, task])), most: z32.int() });
var taskName = (each) => String.fromCharCode(65 + each);
function complete3(can, begun) {
  const owner = /* @__PURE__ */ new Map();
  const busy = new Set(begun.map(([who]) => who));
  const closed = new Set(begun.map(([, what]) => what));
  let looked = 0;
  const place3 = (who, seen2) => {
    for (const what of can[who] ?? []) {
      looked += 1;
      if (closed.has(what) || seen2.has(what)) continue;
      seen2.add(what);
      const other = owner.get(what);
      if (other !== void 0 && !place3(other, seen2)) continue;
      owner.set(what, who);
      return true;
    }
    return false;
  };
  for (let who = 0; who < can.length; who += 1) if (!busy.has(who)) place3(who, /* @__PURE__ */ new Set());
  const added = [...owner].map(([what, who]) => [who, what]).toSorted((a, b) => a[0] - b[0]);
  return { pairs: [...begun, ...added], looked };
}
var draw7 = ({ can }) => can.map((tasks, who) => `${people[who]}: ${tasks.map(taskName).join(" ")}`).join("\n");
var write6 = (pairs) => pairs.map(([who, what]) => `${people[who]}: ${taskName(what)}`).join("\n");
var matching = definePuzzle({
  name: "matching",
  category: "graph",
  summary: "A maximum matching of people and tasks",
  question: question13,
  levels: [4, 6, 9, 14],
  generate: (rng, count3) => {
    const can = Array.from({ length: count3 }, () => {
      const tasks = rng.shuffle(Array.from({ length: count3 }, (_, each) => each));
      return tasks.slice(0, 1 + rng.int(3)).toSorted((a, b) => a - b);
    });
    return { question: { can, tasks: count3 }, solution: complete3(can, []).pairs };
  },
  rules: "Each person is followed by the tasks that this person can do. Give tasks to people so that as many people as possible have one. A person does at most one task, and a task is done by at most one person. If several answers reach the most, each of them is right.",
  render: draw7,
  answer: {
    format: 'one line for each person who has a task, such as "Ada: C".',
    write: write6,
    read: (text) => {
      const pairs = [];
      for (const part of text.split(/\s*[\n,;]\s*/)) {
        const [, name2 = "", letter2 = ""] = /^([a-z]+)\s*(?::|\s)\s*([a-z])$/i.exec(part) ?? [];
        const who = people.findIndex((each) => each.toLowerCase() === name2.toLowerCase());
        if (who < 0) return void 0;
        pairs.push([who, letter2.toUpperCase().charCodeAt(0) - 65]);
      }
      return pairs;
    }
  },
  verify: ({ can }, pairs) => pairs.every(([who, what]) => can[who]?.includes(what) === true) && new Set(pairs.map(([who]) => who)).size === pairs.length && new Set(pairs.map(([, what]) => what)).size === pairs.length && pairs.length === complete3(can, []).pairs.length,
  solve: ({ can }) => {
    const { pairs, looked } = complete3(can, []);
    return { answers: [pairs], effort: looked };
  },
  audit: {
    guess: ({ can }, rng) => can.map((tasks, who) => [who, rng.pick(tasks)]),
    chance: (level) => [0.2, 0.08, 0.02, 5e-3][level - 1] ?? 0,
    mutants: (pairs, { can }) => {
      const [who, what] = pairs[0];
      const foreign = can.findIndex((tasks) => !tasks.includes(what));
      return {
        "a pair missing": pairs.slice(1),
        "a pair twice": [...pairs.slice(0, -1), pairs[0]],
        "a task that the person cannot do": foreign < 0 ? void 0 : [...pairs.filter(([each]) => each !== who && each !== foreign), [foreign, what]]
      };
    },
    equivalents: (pairs) => ({
      "one line": write6(pairs).replaceAll("\n", ", "),
      "small letters": write6(pairs).toLowerCase(),
      "another order": write6(pairs.toReversed())
    }),
    variety: (level) => level === 1 ? 2e4 : 1e9
  },
  moves: {
    rules: 'A move gives a task to a person: "give C to Ada". What is given stays given. All who can have a task must get one.',
    state: state2,
    start: (given2) => ({ ...given2, pairs: [], most: complete3(given2.can, []).pairs.length }),
    render: (at) => `${draw7(at)}
Given: ${at.pairs.length === 0 ? "none" : write6(at.pairs).replaceAll("\n", ", ")}
Tasks to give: ${at.most - at.pairs.length}`,
    list: ({ can, pairs }) => {
      const busy = new Set(pairs.map(([who]) => who));
      const taken2 = new Set(pairs.map(([, what]) => what));
      const list2 = [];
      for (const [who, tasks] of can.entries()) {
        if (busy.has(who)) continue;
        for (const what of tasks) if (!taken2.has(what)) list2.push(`give ${taskName(what)} to ${people[who]}`);
      }
      return list2;
    },
    play: (at, move) => {
      const pair = [people.indexOf(move.slice(10)), move.charCodeAt(5) - 65];
      return { ...at, pairs: [...at.pairs, pair] };
    },
    isSolved: ({ pairs, most }) => pairs.length === most,
    plan: (_question, pairs) => pairs.map(([who, what]) => `give ${taskName(what)} to ${people[who]}`),
    next: ({ can, pairs }) => {
      const pair = complete3(can, pairs).pairs[pairs.length];
      return pair === void 0 ? void 0 : `give ${taskName(pair[1])} to ${people[pair[0]]}`;
    },
    turnLimit: (count3) => count3,
    // people by rows and tasks by columns: what can still be given
    features: ({ can, tasks, pairs, most }) => {
      const busy = new Set(pairs.map(([who]) => who));
      const taken2 = new Set(pairs.map(([, what]) => what));
      const rows = can.map(
        (able, who) => Array.from(
          { length: tasks },
          (_, what) => able.includes(what) && !busy.has(who) && !taken2.has(what) ? "o" : "."
        ).join("")
      );
      return { grid: { rows }, fields: { left: most - pairs.length } };
    },
    target: (move) => ({ verb: "give", cell: [people.indexOf(move.slice(10)), move.charCodeAt(5) - 65] })
  }
});

// envs/puzzle/puzzles/graph/max-flow.ts
import { z as z33 } from "zod";
var question14 = z33.strictObject({ nodes: z33.int().min(2).max(40), edges: z33.array(weightedEdge) });
function maximum({ nodes, edges }) {
  const arcs = [];
  const out = Array.from({ length: nodes + 1 }, () => []);
  for (const [from, to, capacity] of edges) {
    out[from]?.push(arcs.length);
    out[to]?.push(arcs.length + 1);
    arcs.push({ to, back: arcs.length + 1, room: capacity }, { to: from, back: arcs.length, room: 0 });
  }
  let [value2, looked] = [0, 0];
  for (; ; ) {
    const by = Array.from({ length: nodes + 1 }, () => -1);
    const queue = [1];
    for (const at of queue) {
      for (const index of out[at] ?? []) {
        looked += 1;
        const { to, room } = arcs[index];
        if (room === 0 || to === 1 || by[to] !== -1) continue;
        by[to] = index;
        queue.push(to);
      }
      if (by[nodes] !== -1) break;
    }
    if (by[nodes] === -1) break;
    const path = [];
    for (let at = nodes; at !== 1; ) {
      const arc = arcs[by[at]];
      path.push(arc);
      at = arcs[arc.back].to;
    }
    const more = Math.min(...path.map(({ room }) => room));
    for (const arc of path) {
      arc.room -= more;
      arcs[arc.back].room += more;
    }
    value2 += more;
  }
  const flow = edges.map(([from, to], index) => [from, to, arcs[2 * index + 1].room]).filter(([, , amount2]) => amount2 > 0);
  return { flow, value: value2, looked };
}
function valueOf({ nodes, edges }, flow) {
  const balance = Array.from({ length: nodes + 1 }, () => 0);
  const seen2 = /* @__PURE__ */ new Set();
  for (const [from, to, amount2] of flow) {
    const edge = edges.find(([a, b]) => a === from && b === to);
    if (edge === void 0 || amount2 > edge[2] || seen2.has(from * 64 + to)) return void 0;
    seen2.add(from * 64 + to);
    balance[from] = balance[from] - amount2;
    balance[to] = balance[to] + amount2;
  }
  for (let node3 = 2; node3 < nodes; node3 += 1) if (balance[node3] !== 0) return void 0;
  return balance[nodes];
}
function drawNetwork(rng, nodes, count3) {
  const edges = [];
  const seen2 = /* @__PURE__ */ new Set();
  for (let tries = 0; edges.length < count3 && tries < 20 * count3; tries += 1) {
    const [from, to] = [1 + rng.int(nodes - 1), 2 + rng.int(nodes - 1)];
    if (from === to || from === 1 && to === nodes || seen2.has(from * 64 + to) || seen2.has(to * 64 + from))
      continue;
    seen2.add(from * 64 + to);
    edges.push([from, to, 1 + rng.int(12)]);
  }
  return { nodes, edges };
}
var write7 = (flow) => flow.map(([from, to, amount2]) => `${from}>${to}: ${amount2}`).join("\n");
var maxFlow = definePuzzle({
  name: "max-flow",
  category: "graph",
  summary: "A maximum flow through a network of pipes",
  question: question14,
  levels: [
    { nodes: 5, edges: 8, least: 4 },
    { nodes: 7, edges: 14, least: 6 },
    { nodes: 10, edges: 24, least: 8 },
    { nodes: 14, edges: 38, least: 10 }
  ],
  generate: (rng, { nodes, edges, least }) => {
    for (; ; ) {
      const drawn2 = drawNetwork(rng, nodes, edges);
      const { flow, value: value2 } = maximum(drawn2);
      if (value2 >= least) return { question: { nodes, edges: drawn2.edges }, solution: flow };
    }
  },
  rules: "Water flows through pipes from node 1 to the last node. Each pipe has a direction and a capacity, the most that may flow through it. At every other node as much must leave as arrives. Let as much water as possible arrive at the last node. If several flows reach the most, each of them is right.",
  render: ({ nodes, edges }) => `Nodes: 1 to ${nodes}
Pipes with their capacities: ${edges.map(([from, to, capacity]) => `${from}>${to} (${capacity})`).join(", ")}`,
  answer: {
    format: 'one line for each pipe that is used, such as "1>3: 4" for a flow of 4 from node 1 to node 3.',
    write: write7,
    read: (text) => {
      const flow = [];
      for (const part of text.split(/\s*[\n,;]\s*/)) {
        const [, from, to, amount2] = /^(\d{1,2})\s*-?>\s*(\d{1,2})\s*:\s*(\d{1,3})$/.exec(part) ?? [];
        if (amount2 === void 0) return void 0;
        flow.push([Number(from), Number(to), Number(amount2)]);
      }
      return flow;
    }
  },
  verify: (given2, flow) => valueOf(given2, flow) === maximum(given2).value,
  solve: (given2) => {
    const { flow, looked } = maximum(given2);
    return { answers: [flow], effort: looked };
  },
  audit: {
    guess: ({ edges }, rng) => edges.map(([from, to, capacity]) => [from, to, rng.int(capacity + 1)]).filter(([, , amount2]) => amount2 > 0),
    chance: 1e-3,
    mutants: (flow, { edges }) => {
      const full = edges.find(
        ([from, to, capacity]) => flow.some((pipe) => pipe[0] === from && pipe[1] === to && pipe[2] === capacity)
      );
      return {
        "a pipe missing": flow.slice(1),
        "a pipe twice": [...flow, flow[0]],
        "more than the capacity": full === void 0 ? void 0 : flow.map(
          ([from, to, amount2]) => [from, to, from === full[0] && to === full[1] ? amount2 + 1 : amount2]
        ),
        "one unit lost": flow.map(
          ([from, to, amount2], index) => [from, to, index === 0 ? amount2 - 1 : amount2]
        ),
        "against the direction": flow.map(([from, to, amount2]) => [to, from, amount2])
      };
    },
    equivalents: (flow) => ({
      "one line": write7(flow).replaceAll("\n", ", "),
      arrows: write7(flow).replaceAll(">", " -> "),
      "another order": write7(flow.toReversed())
    })
  }
});

// envs/puzzle/puzzles/graph/navigation.ts
import { z as z34 } from "zod";
var kinds = ["house", "shop", "school", "bank", "garden", "cinema", "clinic"];
var kind = z34.enum(kinds);
var town = {
  /** The kinds of the places: the first is place 1, where the walk starts. */
  places: z34.array(kind).min(2).max(26),
  /** Roads with their lengths in metres. */
  edges: z34.array(weightedEdge),
  goal: kind
};
var question15 = z34.strictObject(town);
var state3 = z34.strictObject({ ...town, way: z34.array(graphNode).min(1), left: z34.int() });
var nameOf = ({ places }, node3) => `${places[node3 - 1]} ${String.fromCharCode(64 + node3)}`;
var graphOf = ({ places, edges }) => ({ nodes: places.length, edges });
var isGoal = ({ places, goal }, node3) => places[node3 - 1] === goal;
function nearest2(given2, from) {
  const graph5 = graphOf(given2);
  const { distance: distance2, looked, next: next2 } = distancesTo(graph5, from);
  let goal = 0;
  for (let node3 = 1; node3 <= graph5.nodes; node3 += 1)
    if (isGoal(given2, node3) && (goal === 0 || (distance2[node3] ?? 0) < (distance2[goal] ?? 0))) goal = node3;
  const way = goal === 0 ? [] : [goal];
  while (goal !== 0 && way[0] !== from) way.unshift(next2[way[0]]);
  return { way, length: goal === 0 ? Infinity : distance2[goal] ?? Infinity, looked };
}
var describe = (given2) => [
  ...given2.edges.map(
    ([a, b, length]) => `A road of ${length} metres joins ${nameOf(given2, a)} and ${nameOf(given2, b)}.`
  ),
  `You look for the nearest ${given2.goal}.`
].join("\n");
var navigation = definePuzzle({
  name: "navigation",
  category: "graph",
  summary: "Navigation by words: the shortest walk to the nearest place of a kind",
  question: question15,
  levels: [
    { count: 6, more: 2, steps: 2 },
    { count: 10, more: 5, steps: 2 },
    { count: 15, more: 9, steps: 3 },
    { count: 22, more: 16, steps: 3 }
  ],
  generate: (rng, { count: count3, more, steps: steps2 }) => {
    for (; ; ) {
      const { edges } = drawConnected(rng, { nodes: count3, more, most: 20 });
      const places = Array.from({ length: count3 }, () => rng.pick(kinds));
      const drawn2 = {
        places,
        edges: edges.map(([a, b, length]) => [a, b, 10 * length]),
        goal: rng.pick(kinds)
      };
      if (places[0] === drawn2.goal) continue;
      const { way } = nearest2(drawn2, 1);
      if (way.length > steps2) return { question: drawn2, solution: way };
    }
  },
  rules: "The roads of a town are described below. Every place has a kind and a letter. Roads lead in both directions. Start at place A and walk to the nearest place of the wanted kind by a shortest way. If several ways are shortest, each of them is right.",
  render: (given2) => `${describe(given2)}
You start at ${nameOf(given2, 1)}.`,
  answer: {
    format: "the letters of the places on the way, from A to the goal, with blanks between them.",
    write: (way) => way.map((node3) => String.fromCharCode(64 + node3)).join(" "),
    read: (text, { places }) => {
      const letters4 = text.toUpperCase().split(/\s*(?:->|-|,|\s)\s*/);
      const way = letters4.map((letter2) => /^[A-Z]$/.test(letter2) ? letter2.charCodeAt(0) - 64 : 0);
      return way.every((node3) => node3 >= 1 && node3 <= places.length) ? way : void 0;
    }
  },
  verify: (given2, way) => way[0] === 1 && isGoal(given2, way.at(-1)) && lengthOf(graphOf(given2), way) === nearest2(given2, 1).length,
  solve: (given2) => {
    const { way, looked } = nearest2(given2, 1);
    return { answers: way.length === 0 ? [] : [way], effort: looked };
  },
  audit: {
    guess: (given2, rng) => {
      const ways = waysOf(graphOf(given2));
      const way = [1];
      while (!isGoal(given2, way.at(-1)) && way.length < given2.places.length)
        way.push(rng.pick(ways[way.at(-1)] ?? []).to);
      return way;
    },
    chance: (level) => [0.25, 0.15, 0.08, 0.05][level - 1] ?? 0,
    mutants: (way) => ({
      "the last place missing": way.slice(0, -1),
      "the first place missing": way.slice(1),
      "a step there and back": [way[0], way[1], ...way],
      backwards: way.toReversed()
    }),
    equivalents: (way) => {
      const letters4 = way.map((node3) => String.fromCharCode(64 + node3));
      return {
        arrows: letters4.join(" -> "),
        commas: letters4.join(", "),
        "small letters": letters4.join(" ").toLowerCase()
      };
    }
  },
  moves: {
    rules: 'A move walks along a road: "walk to C". The way must be a shortest one, so a detour loses.',
    state: state3,
    start: (given2) => ({ ...given2, way: [1], left: nearest2(given2, 1).length }),
    render: (at) => `${describe(at)}
Your way: ${at.way.map((node3) => nameOf(at, node3)).join(", ")}
Metres that are left: ${at.left}`,
    list: ({ edges, way }) => {
      const here = way.at(-1);
      const next2 = edges.flatMap(([a, b]) => a === here ? [b] : b === here ? [a] : []);
      return next2.toSorted((a, b) => a - b).map((node3) => `walk to ${String.fromCharCode(64 + node3)}`);
    },
    play: (at, move) => {
      const to = move.charCodeAt(8) - 64;
      const step2 = lengthOf(graphOf(at), [at.way.at(-1), to]) ?? 0;
      return { ...at, way: [...at.way, to], left: at.left - step2 };
    },
    isSolved: (at) => isGoal(at, at.way.at(-1)) && at.left === 0,
    isLost: ({ left }) => left <= 0,
    plan: (_question, way) => way.slice(1).map((node3) => `walk to ${String.fromCharCode(64 + node3)}`),
    next: (at) => {
      const [, node3] = nearest2(at, at.way.at(-1)).way;
      return node3 === void 0 ? void 0 : `walk to ${String.fromCharCode(64 + node3)}`;
    },
    turnLimit: ({ count: count3 }) => count3,
    features: (at) => ({
      grid: nodesFrom({ ...graphOf(at), left: at.left }, at.way, (node3) => isGoal(at, node3)),
      fields: { left: at.left / 10 }
    }),
    target: (move) => ({ verb: "walk", cell: [move.charCodeAt(8) - 65, 0] })
  }
});

// envs/puzzle/puzzles/graph/shortest-path.ts
import { z as z35 } from "zod";
var graph2 = { nodes: z35.int().min(2).max(40), edges: z35.array(weightedEdge), goal: graphNode };
var question16 = z35.strictObject({ ...graph2, from: graphNode });
var state4 = z35.strictObject({ ...graph2, way: z35.array(graphNode).min(1), left: z35.int() });
var draw8 = (given2) => `Nodes: 1 to ${given2.nodes}
Edges with their lengths: ${drawEdges(given2)}
Goal: ${given2.goal}`;
var shortestPath = definePuzzle({
  name: "shortest-path",
  category: "graph",
  summary: "A shortest path in a graph whose edges have lengths",
  question: question16,
  levels: [
    { nodes: 6, more: 4, steps: 2 },
    { nodes: 9, more: 8, steps: 3 },
    { nodes: 14, more: 14, steps: 4 },
    { nodes: 22, more: 24, steps: 5 }
  ],
  generate: (rng, { nodes, more, steps: steps2 }) => {
    for (; ; ) {
      const drawn2 = drawConnected(rng, { nodes, more, most: 20 });
      const [from, goal] = [1 + rng.int(nodes), 1 + rng.int(nodes)];
      const way = shortestWay(drawn2, from, goal) ?? [];
      if (way.length > steps2) return { question: { ...drawn2, goal, from }, solution: way };
    }
  },
  rules: "Find a shortest path from the start to the goal. Edges lead in both directions. The length of a path is the sum of the lengths of its edges. If several paths are shortest, each of them is right.",
  render: (given2) => `${draw8(given2)}
Start: ${given2.from}`,
  answer: {
    format: "the nodes of the path from the start to the goal, with blanks between them.",
    write: (way) => way.join(" "),
    read: (text, { nodes }) => readNodes(text, nodes)
  },
  verify: (given2, way) => way[0] === given2.from && way.at(-1) === given2.goal && lengthOf(given2, way) === distancesTo(given2, given2.goal).distance[given2.from],
  solve: (given2) => {
    const way = shortestWay(given2, given2.from, given2.goal);
    return { answers: way === void 0 ? [] : [way], effort: distancesTo(given2, given2.goal).looked };
  },
  audit: {
    guess: (given2, rng) => {
      const ways = waysOf(given2);
      const way = [given2.from];
      while (way.at(-1) !== given2.goal && way.length <= given2.nodes)
        way.push(rng.pick(ways[way.at(-1)] ?? []).to);
      return way;
    },
    chance: (level) => [0.2, 0.08, 0.05, 0.03][level - 1] ?? 0,
    mutants: (way, { nodes }, rng) => ({
      "the last node missing": way.slice(0, -1),
      "the first node missing": way.slice(1),
      "a step there and back": [way[0], way[1], ...way],
      "a node that stays where it is": [way[0], ...way],
      "past the goal": [...way, 1 + rng.int(nodes)],
      backwards: way.toReversed()
    }),
    equivalents: (way) => ({ arrows: way.join(" -> "), commas: way.join(", ") })
  },
  moves: {
    rules: 'A move goes along an edge: "go to 4". The path must be a shortest one, so a detour loses.',
    state: state4,
    start: ({ from, ...given2 }) => ({
      ...given2,
      way: [from],
      left: distancesTo(given2, given2.goal).distance[from] ?? 0
    }),
    render: (at) => `${draw8(at)}
Path: ${at.way.join(" ")}
Length that is left: ${at.left}`,
    list: (at) => {
      const here = at.way.at(-1);
      const next2 = at.edges.flatMap(([a, b]) => a === here ? [b] : b === here ? [a] : []);
      return next2.toSorted((a, b) => a - b).map((each) => `go to ${each}`);
    },
    play: (at, move) => {
      const to = Number(move.slice(6));
      const step2 = lengthOf(at, [at.way.at(-1), to]) ?? 0;
      return { ...at, way: [...at.way, to], left: at.left - step2 };
    },
    isSolved: ({ way, goal, left }) => way.at(-1) === goal && left === 0,
    isLost: ({ left }) => left <= 0,
    plan: (_question, way) => way.slice(1).map((each) => `go to ${each}`),
    next: (at) => {
      const next2 = distancesTo(at, at.goal).next[at.way.at(-1)];
      return next2 === void 0 ? void 0 : `go to ${next2}`;
    },
    turnLimit: ({ nodes }) => nodes,
    features: (at) => ({
      grid: nodesFrom(at, at.way, (node3) => node3 === at.goal),
      fields: { left: at.left }
    }),
    target: (move) => ({ verb: "go", cell: [Number(move.slice(6)) - 1, 0] })
  }
});

// envs/puzzle/puzzles/graph/spanning-tree.ts
import { z as z36 } from "zod";
var graph3 = { nodes: z36.int().min(2).max(40), edges: z36.array(weightedEdge) };
var question17 = z36.strictObject(graph3);
var state5 = z36.strictObject({ ...graph3, tree: z36.array(z36.tuple([graphNode, graphNode])), left: z36.int() });
var Sets = class {
  #parent;
  constructor(nodes) {
    this.#parent = Array.from({ length: nodes + 1 }, (_, at) => at);
  }
  root(node3) {
    let at = node3;
    while (this.#parent[at] !== at) {
      this.#parent[at] = this.#parent[this.#parent[at]];
      at = this.#parent[at];
    }
    return at;
  }
  join(a, b) {
    const [first2, second] = [this.root(a), this.root(b)];
    this.#parent[first2] = second;
    return first2 !== second;
  }
};
function complete4({ nodes, edges }, begun) {
  const sets = new Sets(nodes);
  for (const [a, b] of begun) sets.join(a, b);
  const tree2 = [];
  let cost = 0;
  for (const [a, b, weight] of edges.toSorted((one2, other) => one2[2] - other[2])) {
    if (!sets.join(a, b)) continue;
    tree2.push([a, b]);
    cost += weight;
  }
  return { tree: tree2, cost };
}
var costs = ({ edges }) => new Map(edges.map(([a, b, weight]) => [Math.min(a, b) * 64 + Math.max(a, b), weight]));
var spanningTree = definePuzzle({
  name: "minimum-spanning-tree",
  category: "graph",
  summary: "A minimum spanning tree: the cheapest edges that connect all nodes",
  question: question17,
  levels: [
    { nodes: 5, more: 3 },
    { nodes: 7, more: 6 },
    { nodes: 10, more: 12 },
    { nodes: 15, more: 20 }
  ],
  generate: (rng, { nodes, more }) => {
    const drawn2 = drawConnected(rng, { nodes, more, most: 20 });
    return { question: drawn2, solution: complete4(drawn2, []).tree };
  },
  rules: "Choose edges that connect all nodes with each other, without a cycle and at the lowest total cost. If several choices cost the least, each of them is right.",
  render: (given2) => `Nodes: 1 to ${given2.nodes}
Edges with their costs: ${drawEdges(given2)}`,
  answer: {
    format: "the edges, such as 1-2 2-5, with blanks between them.",
    write: writeEdges,
    read: (text, { nodes }) => readEdges(text, nodes)
  },
  verify: (given2, tree2) => {
    if (tree2.length !== given2.nodes - 1) return false;
    const known4 = costs(given2);
    const sets = new Sets(given2.nodes);
    let cost = 0;
    for (const [a, b] of tree2) {
      const weight = known4.get(Math.min(a, b) * 64 + Math.max(a, b));
      if (weight === void 0 || !sets.join(a, b)) return false;
      cost += weight;
    }
    return cost === complete4(given2, []).cost;
  },
  solve: (given2) => ({ answers: [complete4(given2, []).tree], effort: given2.edges.length }),
  audit: {
    guess: ({ nodes, edges }, rng) => {
      const sets = new Sets(nodes);
      return rng.shuffle(edges).filter(([a, b]) => sets.join(a, b)).map(([a, b]) => [a, b]);
    },
    chance: (level) => [0.3, 0.1, 0.02, 5e-3][level - 1] ?? 0,
    mutants: (tree2, { edges, nodes }) => {
      const isIn = (a, b) => tree2.some((pair) => pair[0] === a && pair[1] === b);
      const outside = edges.find(([a, b]) => !isIn(a, b));
      let apart;
      for (let b = 2; b <= nodes; b += 1)
        if (!edges.some((edge) => edge[0] === 1 && edge[1] === b)) apart = [1, b];
      return {
        "an edge missing": tree2.slice(1),
        "an edge twice": [...tree2.slice(1), tree2[1]],
        "a cycle": outside === void 0 ? void 0 : [...tree2, [outside[0], outside[1]]],
        "an edge that does not exist": apart === void 0 ? void 0 : [...tree2.slice(1), apart]
      };
    },
    equivalents: (tree2) => ({
      commas: tree2.map(([a, b]) => `${a}-${b}`).join(", "),
      "the larger node first": tree2.map(([a, b]) => `${b}-${a}`).join(" "),
      "another order": writeEdges(tree2.toReversed())
    })
  },
  moves: {
    rules: 'A move takes an edge that closes no cycle: "take 2-5". What you take cannot be given back.',
    state: state5,
    start: (given2) => ({ ...given2, tree: [], left: complete4(given2, []).cost }),
    render: (at) => `Nodes: 1 to ${at.nodes}
Edges with their costs: ${drawEdges(at)}
Taken: ${at.tree.length === 0 ? "none" : writeEdges(at.tree)}
Cost that is left: ${at.left}`,
    list: ({ nodes, edges, tree: tree2 }) => {
      const sets = new Sets(nodes);
      for (const [a, b] of tree2) sets.join(a, b);
      return edges.filter(([a, b]) => sets.root(a) !== sets.root(b)).map(([a, b]) => `take ${a}-${b}`);
    },
    play: (at, move) => {
      const [a = 0, b = 0] = move.slice(5).split("-").map(Number);
      const cost = at.edges.find((edge) => edge[0] === a && edge[1] === b)?.[2] ?? 0;
      return { ...at, tree: [...at.tree, [a, b]], left: at.left - cost };
    },
    isSolved: ({ nodes, tree: tree2, left }) => tree2.length === nodes - 1 && left >= 0,
    isLost: ({ left }) => left < 0,
    plan: (_question, tree2) => tree2.map(([a, b]) => `take ${a}-${b}`),
    next: (at) => {
      const [edge] = complete4(at, at.tree).tree;
      return edge === void 0 ? void 0 : `take ${edge[0]}-${edge[1]}`;
    },
    turnLimit: ({ nodes }) => nodes,
    // the costs of the edges that close no cycle, by their ends
    features: ({ nodes, edges, tree: tree2, left }) => {
      const sets = new Sets(nodes);
      for (const [a, b] of tree2) sets.join(a, b);
      const cells = Array.from({ length: nodes * nodes }, () => "-");
      let least = Infinity;
      for (const [a, b, cost] of edges) {
        if (sets.root(a) === sets.root(b)) continue;
        cells[(a - 1) * nodes + b - 1] = `costs ${cost}`;
        least = Math.min(least, cost);
      }
      return { grid: boardOf(cells, nodes), fields: { left, cheapest: `costs ${least}` } };
    },
    target: (move) => {
      const [a = 1, b = 1] = move.slice(5).split("-").map(Number);
      return { verb: "take", cell: [a - 1, b - 1] };
    }
  }
});

// envs/puzzle/puzzles/graph/topological-sort.ts
import { z as z37 } from "zod";
var graph4 = { nodes: z37.int().min(2).max(31), edges: z37.array(z37.tuple([graphNode, graphNode])) };
var question18 = z37.strictObject(graph4);
var state6 = z37.strictObject({ ...graph4, order: z37.array(graphNode) });
var isFree = ({ edges }, order, node3) => edges.every(([before, after4]) => after4 !== node3 || order.includes(before));
function complete5(given2, begun) {
  const order = [...begun];
  while (order.length < given2.nodes) {
    let next2 = 0;
    for (let node3 = 1; node3 <= given2.nodes && next2 === 0; node3 += 1)
      if (!order.includes(node3) && isFree(given2, order, node3)) next2 = node3;
    if (next2 === 0) return void 0;
    order.push(next2);
  }
  return order;
}
var draw9 = ({ nodes, edges }) => `Tasks: 1 to ${nodes}
${edges.map(([before, after4]) => `${before} before ${after4}`).join(", ")}`;
var topologicalSort = definePuzzle({
  name: "topological-sort",
  category: "graph",
  summary: "Topological sort: an order of tasks in which each comes after those that it needs",
  question: question18,
  levels: [
    { nodes: 5, edges: 6 },
    { nodes: 8, edges: 12 },
    { nodes: 13, edges: 24 },
    { nodes: 20, edges: 42 }
  ],
  generate: (rng, { nodes, edges: count3 }) => {
    const order = rng.shuffle(Array.from({ length: nodes }, (_, index) => index + 1));
    const edges = [];
    const seen2 = /* @__PURE__ */ new Set();
    while (edges.length < count3) {
      const [first2, second] = [rng.int(nodes), rng.int(nodes)];
      if (first2 >= second || seen2.has(first2 * 64 + second)) continue;
      seen2.add(first2 * 64 + second);
      edges.push([order[first2], order[second]]);
    }
    return { question: { nodes, edges }, solution: order };
  },
  rules: 'Put all tasks into an order. "3 before 5" means that task 3 must come somewhere before task 5. Every order that keeps all of these is right.',
  render: draw9,
  answer: {
    format: "the numbers of all tasks in order, with blanks between them.",
    write: (order) => order.join(" "),
    read: (text, { nodes }) => readNodes(text, nodes)
  },
  verify: ({ nodes, edges }, order) => {
    if (order.length !== nodes || new Set(order).size !== nodes) return false;
    const place3 = [];
    for (const [at, node3] of order.entries()) place3[node3] = at;
    return edges.every(([before, after4]) => place3[before] < place3[after4]);
  },
  solve: (given2) => {
    const order = complete5(given2, []);
    return { answers: order === void 0 ? [] : [order], effort: given2.nodes * given2.edges.length };
  },
  audit: {
    guess: ({ nodes }, rng) => rng.shuffle(Array.from({ length: nodes }, (_, index) => index + 1)),
    chance: (level) => [0.1, 0.01, 1e-3, 1e-3][level - 1] ?? 0,
    mutants: (order, { edges: [edge] }) => ({
      "a task missing": order.slice(1),
      "a task twice": [...order, order[0]],
      backwards: order.toReversed(),
      "a task before one that it needs": edge === void 0 ? void 0 : order.map((node3) => node3 === edge[0] ? edge[1] : node3 === edge[1] ? edge[0] : node3)
    }),
    equivalents: (order) => ({ arrows: order.join(" -> "), commas: order.join(", ") }),
    variety: (level) => level === 1 ? 1e7 : 1e9
  },
  moves: {
    rules: 'A move does a task: "do 3". A task that needs another one first loses.',
    state: state6,
    start: (given2) => ({ ...given2, order: [] }),
    render: (at) => `${draw9(at)}
Done: ${at.order.length === 0 ? "none" : at.order.join(" ")}`,
    list: ({ nodes, order }) => {
      const list2 = [];
      for (let node3 = 1; node3 <= nodes; node3 += 1) if (!order.includes(node3)) list2.push(`do ${node3}`);
      return list2;
    },
    play: (at, move) => ({ ...at, order: [...at.order, Number(move.slice(3))] }),
    isSolved: (at) => at.order.length === at.nodes && !isBroken(at),
    isLost: isBroken,
    plan: (_question, order) => order.map((node3) => `do ${node3}`),
    next: (at) => {
      const node3 = complete5(at, at.order)?.[at.order.length];
      return node3 === void 0 ? void 0 : `do ${node3}`;
    },
    turnLimit: ({ nodes }) => nodes,
    features: ({ nodes, edges, order }) => {
      const needs = Array.from({ length: nodes }, () => 0);
      for (const [before, after4] of edges)
        if (!order.includes(before)) needs[after4 - 1] = (needs[after4 - 1] ?? 0) + 1;
      return {
        grid: boardOf(
          needs.map((count3, at) => order.includes(at + 1) ? "done" : count3),
          1
        )
      };
    },
    target: (move) => ({ verb: "do", cell: [Number(move.slice(3)) - 1, 0] })
  }
});
function isBroken({ order, ...given2 }) {
  const last = order.at(-1);
  return last !== void 0 && !isFree(given2, order.slice(0, -1), last);
}

// envs/puzzle/puzzles/grid/jigsaw.ts
import { z as z38 } from "zod";
var piece = z38.array(z38.string().regex(/^[.#o+]{3}$/)).length(3);
var board = { side: z38.int().min(2).max(4), pieces: z38.array(piece).min(4).max(16) };
var question19 = z38.strictObject(board);
var state7 = z38.strictObject({ ...board, order: z38.array(z38.int().min(0).max(15)) });
var signs2 = [".", "#", "o", "+"];
var rowOf = (cells, row) => cells[row] ?? "";
var columnOf = (cells, column) => cells.map((line2) => line2[column] ?? "").join("");
var remembered = /* @__PURE__ */ new WeakMap();
function fitsOf({ pieces }) {
  const known4 = remembered.get(pieces);
  if (known4 !== void 0) return known4;
  const borders = pieces.map((cells) => ({
    top: rowOf(cells, 0),
    bottom: rowOf(cells, 2),
    left: columnOf(cells, 0),
    right: columnOf(cells, 2)
  }));
  const bits2 = (of) => borders.reduce((set, other, at) => of(other) ? set | 1 << at : set, 0);
  const fits2 = {
    right: borders.map(({ right }) => bits2(({ left }) => left === right)),
    below: borders.map(({ bottom }) => bits2(({ top }) => top === bottom))
  };
  remembered.set(pieces, fits2);
  return fits2;
}
function isRight2(given2, order) {
  const { side: side2 } = given2;
  if (order.length !== side2 * side2 || new Set(order).size !== order.length) return false;
  const { right, below } = fitsOf(given2);
  return order.every(
    (at, place3) => (place3 % side2 === 0 || (right[order[place3 - 1]] >> at & 1) === 1) && (place3 < side2 || (below[order[place3 - side2]] >> at & 1) === 1)
  );
}
function matching2(given2, order) {
  const { side: side2 } = given2;
  const { right, below } = fitsOf(given2);
  let count3 = 0;
  for (const [place3, at] of order.entries()) {
    if (place3 % side2 !== 0) count3 += right[order[place3 - 1]] >> at & 1;
    if (place3 >= side2) count3 += below[order[place3 - side2]] >> at & 1;
  }
  return count3;
}
function solve4(given2) {
  const { side: side2, pieces } = given2;
  const { right, below } = fitsOf(given2);
  const found = [];
  const order = [];
  let tried = 0;
  const extend = (free) => {
    const place3 = order.length;
    if (place3 === side2 * side2) {
      found.push([...order]);
      return;
    }
    let open = free;
    if (place3 % side2 !== 0) open &= right[order[place3 - 1]];
    if (place3 >= side2) open &= below[order[place3 - side2]];
    for (; open !== 0 && found.length < 2; open &= open - 1) {
      const at = 31 - Math.clz32(open & -open);
      tried += 1;
      order.push(at);
      extend(free & ~(1 << at));
      order.pop();
    }
  };
  extend((1 << pieces.length) - 1);
  return { found, tried };
}
function cut(rng, side2, colours) {
  const size2 = 2 * side2 + 1;
  const picture = Array.from(
    { length: size2 },
    () => Array.from({ length: size2 }, () => signs2[rng.int(colours)] ?? ".")
  );
  const order = rng.shuffle(Array.from({ length: side2 * side2 }, (_, at) => at));
  const pieces = [];
  for (const [place3, at] of order.entries()) {
    const [row, column] = [2 * Math.floor(place3 / side2), 2 * (place3 % side2)];
    pieces[at] = picture.slice(row, row + 3).map((line2) => line2.slice(column, column + 3).join(""));
  }
  return { pieces, order };
}
var letter = (at) => String.fromCharCode(65 + at);
var write8 = (order, { side: side2 }) => Array.from(
  { length: side2 },
  (_, row) => order.slice(row * side2, (row + 1) * side2).map(letter).join(" ")
).join("\n");
var show2 = ({ pieces }) => pieces.map((cells, at) => `${letter(at)}
${cells.join("\n")}`).join("\n\n");
var jigsaw = definePuzzle({
  name: "jigsaw",
  category: "grid",
  summary: "Jigsaw: arrange square pieces of a text picture so that their borders match",
  question: question19,
  levels: [
    { side: 2, colours: 2 },
    { side: 2, colours: 4 },
    { side: 3, colours: 3 },
    { side: 4, colours: 4 }
  ],
  generate: (rng, { side: side2, colours }) => {
    for (; ; ) {
      const { pieces, order } = cut(rng, side2, colours);
      if (solve4({ side: side2, pieces }).found.length === 1)
        return { question: { side: side2, pieces }, solution: order };
    }
  },
  rules: "The pieces of a picture are squares of three by three characters. Arrange them in a square, without turning them. The right column of a piece must equal the left column of the piece to its right, and its bottom row the top row of the piece below it.",
  render: (given2) => `Pieces for a square of ${given2.side} by ${given2.side}:
${show2(given2)}`,
  answer: {
    format: "the letters of the pieces as they lie: one line for each row, with blanks between the letters.",
    write: write8,
    read: (text, { side: side2 }) => {
      const lines3 = text.toUpperCase().split("\n").map((line2) => line2.replaceAll(/[\s,|]/g, ""));
      if (lines3.length !== side2 || lines3.some((line2) => line2.length !== side2)) return void 0;
      const order = lines3.join("").split("").map((each) => each.charCodeAt(0) - 65);
      return order.every((at) => at >= 0 && at < side2 * side2) ? order : void 0;
    }
  },
  verify: isRight2,
  unique: true,
  solve: (given2) => {
    const { found, tried } = solve4(given2);
    return { answers: found, effort: tried };
  },
  audit: {
    guess: ({ pieces }, rng) => rng.shuffle(pieces.map((_cells, at) => at)),
    chance: (level) => level < 3 ? 1 / 24 : 1e-4,
    mutants: (order, _given, rng) => {
      const [first2, second] = rng.shuffle(order.map((_at, place3) => place3)).slice(0, 2);
      return {
        "two pieces swapped": order.with(first2, order[second]).with(second, order[first2]),
        "a piece twice": order.with(first2, order[second]),
        "turned by half": order.toReversed()
      };
    },
    equivalents: (order, given2) => ({
      "without blanks": write8(order, given2).replaceAll(" ", ""),
      "small letters": write8(order, given2).toLowerCase(),
      bars: write8(order, given2).replaceAll(" ", " | ")
    }),
    variety: (level) => level === 1 ? 1e6 : 1e9
  },
  moves: {
    rules: 'The pieces lie in the order of their letters at first. A move swaps two pieces: "swap A and C".',
    state: state7,
    start: (given2) => ({ ...given2, order: given2.pieces.map((_cells, at) => at) }),
    render: (at) => `${show2(at)}

They lie like this:
${write8(at.order, at)}`,
    list: ({ pieces }) => swapsOf(pieces.length),
    play: (at, move) => {
      const [one2, other] = [move.charCodeAt(5) - 65, move.charCodeAt(11) - 65];
      const [first2, second] = [at.order.indexOf(one2), at.order.indexOf(other)];
      return { ...at, order: at.order.with(first2, other).with(second, one2) };
    },
    isSolved: (at) => isRight2(at, at.order),
    plan: ({ pieces }, solution) => swapsTo(
      pieces.map((_cells, at) => at),
      solution
    ),
    next: (at) => swapsTo(at.order, solve4(at).found[0] ?? at.order)[0],
    turnLimit: ({ side: side2 }) => 3 * side2 * side2,
    // pieces by rows and columns: how many more borders match after their swap
    features: (at) => {
      const now = matching2(at, at.order);
      const count3 = at.order.length;
      const cells = Array.from({ length: count3 * count3 }, () => "-");
      for (let first2 = 0; first2 < count3; first2 += 1) {
        for (let second = first2 + 1; second < count3; second += 1) {
          const [a, b] = [at.order[first2], at.order[second]];
          const gain = matching2(at, at.order.with(first2, b).with(second, a)) - now;
          cells[Math.min(a, b) * count3 + Math.max(a, b)] = String(gain);
        }
      }
      return { grid: boardOf(cells, count3), fields: { missing: 2 * at.side * (at.side - 1) - now } };
    },
    target: (move) => ({ verb: "swap", cell: [move.charCodeAt(5) - 65, move.charCodeAt(11) - 65] })
  }
});
var swaps = /* @__PURE__ */ new Map();
function swapsOf(count3) {
  const known4 = swaps.get(count3);
  if (known4 !== void 0) return known4;
  const list2 = [];
  for (let a = 0; a < count3; a += 1)
    for (let b = a + 1; b < count3; b += 1) list2.push(`swap ${letter(a)} and ${letter(b)}`);
  swaps.set(count3, list2);
  return list2;
}
function swapsTo(from, to) {
  const order = [...from];
  const list2 = [];
  for (const [place3, wanted3] of to.entries()) {
    const here = order[place3];
    if (here === wanted3) continue;
    const [a, b] = [Math.min(here, wanted3), Math.max(here, wanted3)];
    list2.push(`swap ${letter(a)} and ${letter(b)}`);
    order[order.indexOf(wanted3)] = here;
    order[place3] = wanted3;
  }
  return list2;
}

// envs/puzzle/puzzles/grid/sudoku.ts
import { z as z39 } from "zod";

// envs/puzzle/puzzles/grid/sudoku-solver.ts
var SudokuSolver = class {
  side;
  #all;
  // (side) bits
  #rowOf;
  // (side * side)
  #columnOf;
  #boxOf;
  #rows;
  // (side) digits used, as bits
  #columns;
  #boxes;
  #cells;
  // (side * side) 0 where empty
  #solutions = [];
  #most = 1;
  #rng;
  #guesses = 0;
  constructor({ boxRows, boxColumns }) {
    const side2 = boxRows * boxColumns;
    this.side = side2;
    this.#all = (1 << side2) - 1;
    const cells = Array.from(
      { length: side2 * side2 },
      (_, cell) => [Math.floor(cell / side2), cell % side2]
    );
    this.#rowOf = Uint8Array.from(cells, ([row]) => row);
    this.#columnOf = Uint8Array.from(cells, ([, column]) => column);
    this.#boxOf = Uint8Array.from(
      cells,
      ([row, column]) => Math.floor(row / boxRows) * boxRows + Math.floor(column / boxColumns)
    );
    this.#rows = new Uint16Array(side2);
    this.#columns = new Uint16Array(side2);
    this.#boxes = new Uint16Array(side2);
    this.#cells = new Uint8Array(side2 * side2);
  }
  /**
   * Finds solutions, at most `most`. With `rng` the digits are tried in random order.
   *
   * @param given (side * side) digits from 1, 0 where empty
   */
  solve(given2, most, rng) {
    this.#solutions = [];
    [this.#most, this.#rng, this.#guesses] = [most, rng, 0];
    if (this.#load(given2)) this.#search();
    return { solutions: this.#solutions, guesses: this.#guesses };
  }
  /** The digits that a cell can take, as bits; bit 0 is the digit 1. */
  candidates(given2) {
    this.#load(given2);
    return Uint16Array.from(this.#cells, (digit, cell) => digit === 0 ? this.#free(cell) : 0);
  }
  /** Whether no two equal digits meet. */
  isSound(given2) {
    return this.#load(given2);
  }
  /** False where two equal digits meet. */
  #load(given2) {
    this.#rows.fill(0);
    this.#columns.fill(0);
    this.#boxes.fill(0);
    let isSound2 = true;
    for (let cell = 0; cell < this.#cells.length; cell += 1) {
      const digit = given2[cell] ?? 0;
      this.#cells[cell] = digit;
      if (digit === 0) continue;
      if ((this.#free(cell) & 1 << digit - 1) === 0) isSound2 = false;
      else this.#toggle(cell, digit);
    }
    return isSound2;
  }
  #free(cell) {
    const used = this.#rows[this.#rowOf[cell]] | this.#columns[this.#columnOf[cell]] | this.#boxes[this.#boxOf[cell]];
    return this.#all & ~used;
  }
  /** Marks a digit as used by the row, column and box of a cell, or as free again. */
  #toggle(cell, digit) {
    const bit = 1 << digit - 1;
    const [rows, columns, boxes] = [this.#rows, this.#columns, this.#boxes];
    const [row, column, box] = [this.#rowOf[cell], this.#columnOf[cell], this.#boxOf[cell]];
    rows[row] = rows[row] ^ bit;
    columns[column] = columns[column] ^ bit;
    boxes[box] = boxes[box] ^ bit;
  }
  #search() {
    let [best2, bestFree, fewest] = [-1, 0, 99];
    for (let cell = 0; cell < this.#cells.length && fewest > 1; cell += 1) {
      if (this.#cells[cell] !== 0) continue;
      const free = this.#free(cell);
      const count3 = bitCount(free);
      if (count3 < fewest) [best2, bestFree, fewest] = [cell, free, count3];
      if (count3 === 0) return;
    }
    if (best2 < 0) {
      this.#solutions.push(this.#cells.slice());
      return;
    }
    if (fewest > 1) this.#guesses += 1;
    for (const digit of this.#digitsOf(bestFree)) {
      this.#cells[best2] = digit;
      this.#toggle(best2, digit);
      this.#search();
      this.#toggle(best2, digit);
      this.#cells[best2] = 0;
      if (this.#solutions.length >= this.#most) return;
    }
  }
  #digitsOf(free) {
    const digits2 = [];
    for (let digit = 1; digit <= this.side; digit += 1)
      if ((free & 1 << digit - 1) !== 0) digits2.push(digit);
    return this.#rng === void 0 || digits2.length === 1 ? digits2 : this.#rng.shuffle(digits2);
  }
};
function bitCount(bits2) {
  let count3 = 0;
  for (let rest = bits2; rest !== 0; rest &= rest - 1) count3 += 1;
  return count3;
}

// envs/puzzle/puzzles/grid/sudoku.ts
function defineSudoku({ name: name2, holes, variety, ...shape }) {
  const solver = new SudokuSolver(shape);
  const { side: side2 } = solver;
  const digits2 = "123456789".slice(0, side2);
  const schema3 = z39.strictObject({
    rows: z39.array(
      z39.string().regex(/^[1-9.]+$/).length(side2)
    ).length(side2)
  });
  const rowsOf2 = (cells) => Array.from(
    { length: side2 },
    (_, row) => Array.from({ length: side2 }, (__, column) => cells[row * side2 + column] || ".").join("")
  );
  return definePuzzle({
    name: name2,
    category: "grid",
    summary: `Sudoku of ${side2} by ${side2}`,
    question: schema3,
    levels: holes,
    generate: (rng, empty) => {
      const [full = new Uint8Array(side2 * side2)] = solver.solve(
        new Uint8Array(side2 * side2),
        1,
        rng
      ).solutions;
      return { question: { rows: rowsOf2(dig(solver, full, empty, rng)) }, solution: rowsOf2(full) };
    },
    rules: `Fill the empty cells of the grid. Each row, each column and each box of ${shape.boxRows} rows and ${shape.boxColumns} columns must contain the digits 1 to ${side2} once.`,
    render: ({ rows }) => rows.map(spaced).join("\n"),
    answer: {
      format: `the whole grid, in ${side2} lines of ${side2} digits.`,
      write: (rows) => rows.join("\n"),
      read: (text) => readGrid(text, { rows: side2, columns: side2, alphabet: digits2 })
    },
    verify: ({ rows }, answer) => rows.every(
      (row, at) => row.split("").every((mark, column) => mark === "." || mark === answer[at]?.[column])
    ) && solver.isSound(cellsOf(answer)),
    unique: true,
    solve: ({ rows }) => {
      const { solutions, guesses } = solver.solve(cellsOf(rows), 2);
      return { answers: solutions.map(rowsOf2), effort: guesses };
    },
    audit: {
      guess: ({ rows }, rng) => rows.map((row) => row.replaceAll(".", () => rng.pick(digits2.split("")))),
      ...variety === void 0 ? {} : { variety: (level) => variety[level - 1] ?? 1 },
      chance: (level) => 2 * side2 ** -(holes[level - 1] ?? 0),
      mutants: (solution, { rows }, rng) => {
        const cell = rng.pick(cellsOf(rows).flatMap((digit, at) => digit === 0 ? [at] : []));
        const [row, column] = [Math.floor(cell / side2), cell % side2];
        const other = rng.pick(digits2.split("").filter((digit) => digit !== solution[row]?.[column]));
        const [a, b] = rng.shuffle(digits2.split(""));
        return {
          "one digit changed": withCell(solution, row, column, other),
          "two digits exchanged everywhere": solution.map(
            (line2) => line2.replaceAll(/./g, (digit) => digit === a ? b ?? "" : digit === b ? a ?? "" : digit)
          ),
          "rows in another order": solution.toReversed()
        };
      },
      equivalents: (solution) => ({
        "blanks between digits": solution.map(spaced).join("\n"),
        "commas between digits": solution.map((row) => row.split("").join(",")).join("\n"),
        "bars between digits": solution.map((row) => `| ${row.split("").join(" | ")} |`).join("\n")
      })
    },
    moves: movesOf2(solver, schema3, shape)
  });
}
var cellsOf = (rows) => rows.join("").split("").map((mark) => mark === "." ? 0 : Number(mark));
function movesOf2(solver, schema3, { boxRows, boxColumns }) {
  const { side: side2 } = solver;
  const names6 = Array.from({ length: side2 ** 3 }, (_, move) => {
    const cell = Math.floor(move / side2);
    return `${cellName(Math.floor(cell / side2), cell % side2)} is ${move % side2 + 1}`;
  });
  return {
    rules: "A move fills one empty cell with a digit that its row, column and box do not have yet. No cell can be changed later.",
    state: schema3,
    start: ({ rows }) => ({ rows }),
    render: ({ rows }) => rows.map(spaced).join("\n"),
    list: ({ rows }) => {
      const moves = [];
      for (const [cell, free] of solver.candidates(cellsOf(rows)).entries()) {
        for (let digit = 0; free >> digit !== 0; digit += 1)
          if (free >> digit & 1) moves.push(names6[cell * side2 + digit]);
      }
      return moves;
    },
    play: ({ rows }, move) => {
      const [, row = "", column = "", digit = ""] = /^row (\d) column (\d) is (\d)$/.exec(move) ?? [];
      return { rows: withCell(rows, Number(row) - 1, Number(column) - 1, digit) };
    },
    isSolved: ({ rows }) => !rows.some((row) => row.includes(".")),
    isLost: ({ rows }) => {
      const cells = cellsOf(rows);
      return solver.candidates(cells).some((free, cell) => free === 0 && cells[cell] === 0);
    },
    plan: ({ rows }, solution) => cellsOf(rows).flatMap((digit, cell) => {
      const right = Number(solution[Math.floor(cell / side2)]?.[cell % side2]);
      return digit === 0 ? [names6[cell * side2 + right - 1]] : [];
    }),
    next: ({ rows }) => {
      const cells = cellsOf(rows);
      const free = [...solver.candidates(cells)].map(
        (bits2, cell2) => cells[cell2] === 0 ? bitCount(bits2) : 99
      );
      const cell = free.indexOf(Math.min(...free));
      const digit = solver.solve(cells, 1).solutions[0]?.[cell];
      return digit === void 0 ? void 0 : names6[cell * side2 + digit - 1];
    },
    turnLimit: (empty) => empty + 1,
    features: ({ rows }) => ({ grid: { rows, block: [boxRows, boxColumns] } }),
    target: targetOfCell
  };
}
function dig(solver, full, holes, rng) {
  const cells = full.slice();
  let dug = 0;
  for (const cell of rng.shuffle([...cells.keys()])) {
    if (dug === holes) break;
    const digit = cells[cell];
    cells[cell] = 0;
    if (solver.solve(cells, 2).solutions.length === 1) dug += 1;
    else cells[cell] = digit;
  }
  return cells;
}
var sudoku = defineSudoku({ name: "sudoku", boxRows: 3, boxColumns: 3, holes: [25, 35, 45, 52] });
var sudoku4 = defineSudoku({
  name: "sudoku-4",
  boxRows: 2,
  boxColumns: 2,
  holes: [5, 8, 11],
  // 288 full grids, times the ways to empty cells that leave one solution
  variety: [1e6, 19e5, 22e4]
});

// envs/puzzle/puzzles/logic/induction.ts
import { z as z40 } from "zod";
var list = z40.array(z40.int().min(-999).max(9999)).max(64);
var question20 = z40.strictObject({
  examples: z40.array(z40.strictObject({ input: list, output: list })).min(1),
  input: list,
  /** The rule has at most this many steps. */
  depth: z40.int().min(1).max(2)
});
var isSame2 = (a, b) => a.length === b.length && a.every((each, at) => each === b[at]);
var write9 = (answer) => answer.length === 0 ? "empty" : answer.join(" ");
function defineInduction({
  name: name2,
  summary,
  rules,
  known: known4,
  levels,
  drawList
}) {
  const still = { words: "", apply: (given2) => given2 };
  const search = ({ examples, input, depth }) => {
    const [first2] = examples;
    const results = [];
    let tried = 0;
    for (const inner of known4) {
      const between = inner.apply(first2?.input ?? []);
      for (const outer of depth === 1 ? [still] : [still, ...known4]) {
        tried += 1;
        if (!isSame2(outer.apply(between), first2?.output ?? [])) continue;
        const run2 = (given2) => outer.apply(inner.apply(given2));
        if (!examples.every((each) => isSame2(run2(each.input), each.output))) continue;
        const result = run2(input);
        if (!results.some((other) => isSame2(other, result))) results.push(result);
        if (results.length === 2) return { results, tried };
      }
    }
    return { results, tried };
  };
  const remembered3 = /* @__PURE__ */ new WeakMap();
  const resultsOf = (given2) => {
    const results = remembered3.get(given2) ?? search(given2).results;
    remembered3.set(given2, results);
    return results;
  };
  return definePuzzle({
    name: name2,
    category: "logic",
    summary,
    question: question20,
    levels,
    generate: (rng, { depth, examples: count3, length }) => {
      for (; ; ) {
        const steps2 = Array.from({ length: depth }, () => rng.pick(known4));
        const run2 = (given2) => steps2.reduce((done, step2) => step2.apply(done), given2);
        const examples = Array.from({ length: count3 }, () => {
          const input2 = drawList(rng, length);
          return { input: input2, output: run2(input2) };
        });
        const input = drawList(rng, length);
        const solution = run2(input);
        if (isSame2(solution, input) || examples.every((each) => isSame2(each.input, each.output))) continue;
        const drawn2 = { examples, input, depth };
        if (search(drawn2).results.length === 1) return { question: drawn2, solution };
      }
    },
    rules: `${rules} The steps that a rule may have, with N for a number that is always the same:
${[...new Set(known4.map(({ words: words3 }) => words3))].join("\n")}`,
    render: ({ examples, input, depth }) => [
      `Steps of the rule: ${depth === 1 ? "1" : "1 or 2"}`,
      ...examples.map((each) => `${write9(each.input)} => ${write9(each.output)}`),
      `${write9(input)} => ?`
    ].join("\n"),
    answer: {
      format: 'the numbers of the result in order, with blanks between them, or "empty".',
      write: write9,
      read: (text) => {
        if (text.toLowerCase() === "empty") return [];
        const inner = /^\[(.*)\]$/s.exec(text)?.[1] ?? text;
        const parts = inner.trim().split(/\s*,\s*|\s+/);
        return parts.every((part) => /^-?\d{1,4}$/.test(part)) ? parts.map(Number) : void 0;
      }
    },
    verify: (given2, answer) => resultsOf(given2).some((result) => isSame2(result, answer)),
    solve: (given2) => {
      const { results, tried } = search(given2);
      return { answers: results, effort: tried };
    },
    audit: {
      guess: ({ input }, rng) => rng.shuffle(input),
      chance: 0.02,
      mutants: (answer, { input }, rng) => {
        const at = rng.int(Math.max(1, answer.length));
        return {
          "the input itself": input,
          "one number changed": answer.length === 0 ? [0] : answer.map((each, index) => index === at ? each + 1 : each),
          "one number missing": answer.length === 0 ? void 0 : answer.slice(1),
          "one number more": [...answer, answer.at(-1) ?? 0]
        };
      },
      equivalents: (answer) => ({
        commas: answer.length === 0 ? "EMPTY" : answer.join(", "),
        "in brackets": answer.length === 0 ? "Empty" : `[${answer.join(", ")}]`
      })
    }
  });
}

// envs/puzzle/puzzles/logic/arc-1d.ts
var rule2 = (words3, apply3) => ({ words: words3, apply: apply3 });
var withNumbers = (words3, numbers, apply3) => numbers.map((n) => rule2(words3, (list2) => apply3(list2, n)));
function runsOf(list2) {
  const runs = [];
  for (let from = 0; from < list2.length; ) {
    const colour3 = list2[from];
    let to = from + 1;
    while (list2[to] === colour3) to += 1;
    if (colour3 !== 0) runs.push({ from, to, colour: colour3 });
    from = to;
  }
  return runs;
}
function paint(length, runs) {
  const list2 = Array.from({ length }, () => 0);
  for (const { from, to, colour: colour3 } of runs) list2.fill(colour3, Math.max(0, from), Math.max(0, to));
  return list2;
}
var sizeOf = ({ from, to }) => to - from;
var mostOf = (runs) => Math.max(0, ...runs.map(sizeOf));
var leastOf = (runs) => Math.min(99, ...runs.map(sizeOf));
var onRuns = (words3, change) => rule2(words3, (list2) => paint(list2.length, change(runsOf(list2))));
var known2 = [
  ...withNumbers("Push everything N cells to the right. What leaves is lost.", [1, 2, 3, 4], (list2, n) => [
    ...Array.from({ length: n }, () => 0),
    ...list2.slice(0, -n)
  ]),
  ...withNumbers("Push everything N cells to the left. What leaves is lost.", [1, 2, 3, 4], (list2, n) => [
    ...list2.slice(n),
    ...Array.from({ length: n }, () => 0)
  ]),
  rule2("Mirror the row.", (list2) => list2.toReversed()),
  rule2("Move all coloured cells to the left end, in their order.", (list2) => [
    ...list2.filter((each) => each !== 0),
    ...list2.filter((each) => each === 0)
  ]),
  rule2("Move all coloured cells to the right end, in their order.", (list2) => [
    ...list2.filter((each) => each === 0),
    ...list2.filter((each) => each !== 0)
  ]),
  onRuns("Keep the longest blocks only.", (runs) => runs.filter((run2) => sizeOf(run2) === mostOf(runs))),
  onRuns("Keep the shortest blocks only.", (runs) => runs.filter((run2) => sizeOf(run2) === leastOf(runs))),
  onRuns("Remove the blocks of one cell.", (runs) => runs.filter((run2) => sizeOf(run2) > 1)),
  onRuns(
    "Make blocks hollow: only their first and last cells stay.",
    (runs) => runs.flatMap((run2) => [
      { ...run2, to: run2.from + 1 },
      { ...run2, from: run2.to - 1 }
    ])
  ),
  onRuns(
    "Fill the cells between a block and the next one of its colour.",
    (runs) => runs.flatMap((run2, at) => {
      const next2 = runs[at + 1];
      return next2?.colour === run2.colour ? [run2, { ...run2, to: next2.from }] : [run2];
    })
  ),
  onRuns(
    "Keep only the first cell of each block.",
    (runs) => runs.map((run2) => ({ ...run2, to: run2.from + 1 }))
  ),
  onRuns(
    "Let each block take the colour of the block after it; the last takes that of the first.",
    (runs) => runs.map((run2, at) => ({ ...run2, colour: runs[(at + 1) % runs.length]?.colour ?? 0 }))
  ),
  ...withNumbers(
    "Give colour N to everything coloured.",
    [1, 2, 3, 5, 8],
    (list2, n) => list2.map((each) => each === 0 ? 0 : n)
  ),
  ...withNumbers(
    "Remove colour N.",
    [1, 2, 3, 4, 5],
    (list2, n) => list2.map((each) => each === n ? 0 : each)
  ),
  ...withNumbers(
    "Give colour N to the background.",
    [7, 9],
    (list2, n) => list2.map((each) => each === 0 ? n : each)
  ),
  ...withNumbers(
    "Replace colour N by the next one, N + 1.",
    [1, 2, 3, 4],
    (list2, n) => list2.map((each) => each === n ? n + 1 : each)
  )
];
var arc1d = defineInduction({
  name: "arc-1d",
  summary: "ARC in one dimension: find the rule that changes rows of coloured cells, and apply it",
  rules: "Each row shows cells by the numbers of their colours; 0 is the background, and a block is a run of cells of one colour. One rule turns each row on the left into the row on the right. Find the rule and apply it to the last row. Every rule that fits all examples gives the same result.",
  known: known2,
  levels: [
    { depth: 1, examples: 3, length: 12 },
    { depth: 1, examples: 3, length: 20 },
    { depth: 2, examples: 4, length: 16 },
    { depth: 2, examples: 3, length: 26 }
  ],
  drawList: (rng, length) => {
    const runs = [];
    for (let from = 1 + rng.int(3); from < length - 1; ) {
      const to = Math.min(length - 1, from + 1 + rng.int(4));
      runs.push({ from, to, colour: 1 + rng.int(5) });
      from = to + 1 + rng.int(4);
    }
    return paint(length, runs);
  }
});

// envs/puzzle/puzzles/logic/colour-cube.ts
import { z as z41 } from "zod";
var sides2 = ["top", "right", "front", "left", "back", "bottom"];
var side = z41.enum(sides2);
var palette = [
  "red",
  "green",
  "blue",
  "yellow",
  "orange",
  "purple",
  "cyan",
  "magenta",
  "pink",
  "white",
  "gray",
  "violet",
  "brown",
  "black",
  "indigo",
  "gold",
  "silver"
];
var colour = z41.enum(palette);
var question21 = z41.strictObject({
  /** The colours of top, right, front, left, back and bottom. */
  colours: z41.array(colour).length(6),
  /** The side that each turn brings to the top. */
  turns: z41.array(z41.enum(["front", "right", "back", "left", "bottom"])).max(40),
  asked: z41.array(side).min(1).max(6)
});
var turned = {
  front: { top: "front", back: "top", bottom: "back", front: "bottom" },
  back: { top: "back", front: "top", bottom: "front", back: "bottom" },
  right: { top: "right", left: "top", bottom: "left", right: "bottom" },
  left: { top: "left", right: "top", bottom: "right", left: "bottom" },
  bottom: { top: "bottom", bottom: "top", front: "back", back: "front" }
};
var sources = Object.fromEntries(
  Object.entries(turned).map(([turn, from]) => [
    turn,
    sides2.map((each) => sides2.indexOf(from[each] ?? each))
  ])
);
function answerOf({ colours, turns, asked }) {
  let cube = colours;
  for (const turn of turns) cube = (sources[turn] ?? []).map((from) => cube[from]);
  return asked.map((each) => cube[sides2.indexOf(each)]);
}
var isColour = (word) => palette.some((each) => each === word);
var write10 = (answer) => answer.join(" ");
var colourCube = definePuzzle({
  name: "colour-cube",
  category: "logic",
  summary: "Colour cube: follow a cube with coloured sides through its turns",
  question: question21,
  levels: [1, 3, 6, 12, 24],
  generate: (rng, count3) => {
    const colours = rng.shuffle(palette).slice(0, 6);
    const turns = Array.from(
      { length: count3 },
      () => rng.pick(["front", "right", "back", "left", "bottom"])
    );
    const asked = rng.shuffle(sides2).slice(0, 3);
    const drawn2 = { colours, turns, asked };
    return { question: drawn2, solution: answerOf(drawn2) };
  },
  rules: "A cube has six coloured sides. It is turned over as described, always by the shortest way. When front or back comes to the top, left and right stay where they are. When left or right comes to the top, front and back stay. When the bottom comes to the top, the cube turns over the front: front and back swap too.",
  render: ({ colours, turns, asked }) => [
    ...sides2.map((each, at) => `The ${each} side is ${colours[at]}.`),
    ...turns.map((turn) => `The cube is turned so that the ${turn} side comes to the top.`),
    `Which colours are now at these sides, in this order: ${asked.join(", ")}?`
  ].join("\n"),
  answer: {
    format: "the colours in the order of the question, with blanks between them.",
    write: write10,
    read: (text, { asked }) => {
      const words3 = text.toLowerCase().split(/[\s,]+/);
      const known4 = words3.filter(isColour);
      return known4.length === words3.length && known4.length === asked.length ? known4 : void 0;
    }
  },
  verify: (given2, answer) => write10(answerOf(given2)) === write10(answer),
  unique: true,
  solve: (given2) => ({ answers: [answerOf(given2)], effort: given2.turns.length }),
  audit: {
    guess: ({ colours, asked }, rng) => rng.shuffle(colours).slice(0, asked.length),
    chance: 1 / 120,
    mutants: (answer, { colours, asked }) => ({
      "two colours swapped": [answer[1], answer[0], ...answer.slice(2)],
      "the sides before the turns, upside down": answerOf({
        colours: colours.toReversed(),
        turns: [],
        asked
      }).every((each, at) => each === answer[at]) ? void 0 : answerOf({ colours: colours.toReversed(), turns: [], asked }),
      "another colour": [palette.find((each) => !colours.includes(each)) ?? "red", ...answer.slice(1)]
    }),
    equivalents: (answer) => ({ commas: answer.join(", "), capitals: write10(answer).toUpperCase() })
  }
});

// envs/puzzle/puzzles/logic/knights-and-knaves.ts
import { z as z42 } from "zod";
var someone = z42.int().min(0).max(9);
var claim2 = z42.discriminatedUnion("kind", [
  z42.strictObject({ kind: z42.literal("is"), who: someone, knight: z42.boolean() }),
  z42.strictObject({ kind: z42.literal("same"), who: someone, other: someone, same: z42.boolean() }),
  z42.strictObject({
    kind: z42.enum(["and", "or", "implies"]),
    who: someone,
    knight: z42.boolean(),
    other: someone,
    otherKnight: z42.boolean()
  }),
  z42.strictObject({ kind: z42.literal("count"), knights: z42.int().min(0).max(10) })
]);
var question22 = z42.strictObject({ names: z42.array(z42.string()), claims: z42.array(claim2) });
var allNames = ["Ann", "Bob", "Cid", "Dora", "Eve", "Fred", "Gus", "Hope", "Ian", "Jill"];
function holds(said, knights) {
  const is = (who, knight2) => (knights >> who & 1) === (knight2 ? 1 : 0);
  switch (said.kind) {
    case "is":
      return is(said.who, said.knight);
    case "same":
      return ((knights >> said.who ^ knights >> said.other) & 1) === (said.same ? 0 : 1);
    case "and":
      return is(said.who, said.knight) && is(said.other, said.otherKnight);
    case "or":
      return is(said.who, said.knight) || is(said.other, said.otherKnight);
    case "implies":
      return !is(said.who, said.knight) || is(said.other, said.otherKnight);
    case "count":
      return count2(knights) === said.knights;
  }
}
function count2(bits2) {
  let ones2 = 0;
  for (let rest = bits2; rest !== 0; rest &= rest - 1) ones2 += 1;
  return ones2;
}
var isConsistent = (claims, knights) => claims.every((said, who) => holds(said, knights) === ((knights >> who & 1) === 1));
function solve5(claims, most) {
  const found = [];
  for (let knights = 0; knights < 1 << claims.length && found.length < most; knights += 1)
    if (isConsistent(claims, knights)) found.push(knights);
  return found;
}
function drawClaim2(rng, people2, speaker) {
  const who = (speaker + 1 + rng.int(people2 - 1)) % people2;
  const rest = Array.from({ length: people2 }, (_, person2) => person2).filter((person2) => person2 !== who);
  const other = rng.pick(rest);
  const [knight2, otherKnight] = [rng.int(2) === 0, rng.int(2) === 0];
  const kind2 = rng.pick(["is", "same", "and", "or", "implies", "count"]);
  switch (kind2) {
    case "is":
      return { kind: kind2, who, knight: knight2 };
    case "same":
      return { kind: kind2, who, other, same: knight2 };
    case "count":
      return { kind: kind2, knights: rng.int(people2 + 1) };
    default:
      return { kind: kind2, who, knight: knight2, other, otherKnight };
  }
}
function say2(said, names6) {
  const is = (who, knight2) => `${names6[who]} is a ${knight2 ? "knight" : "knave"}`;
  switch (said.kind) {
    case "is":
      return is(said.who, said.knight);
    case "same":
      return `${names6[said.who]} and ${names6[said.other]} are ${said.same ? "of the same kind" : "of different kinds"}`;
    case "and":
    case "or":
      return `${is(said.who, said.knight)} ${said.kind} ${is(said.other, said.otherKnight)}`;
    case "implies":
      return `if ${is(said.who, said.knight)}, then ${is(said.other, said.otherKnight)}`;
    case "count":
      return `exactly ${said.knights} of us ${said.knights === 1 ? "is a knight" : "are knights"}`;
  }
}
var flags = (knights, people2) => Array.from({ length: people2 }, (_, who) => (knights >> who & 1) === 1);
var bitsOf2 = (answer) => answer.reduce((bits2, isKnight, who) => bits2 | (isKnight ? 1 << who : 0), 0);
var knightsAndKnaves = definePuzzle({
  name: "knights-and-knaves",
  category: "logic",
  summary: "Knights and knaves: who speaks the truth and who lies",
  question: question22,
  levels: [2, 3, 4, 6, 8],
  generate: (rng, people2) => {
    const names6 = rng.shuffle(allNames).slice(0, people2);
    for (; ; ) {
      const knights = rng.int(1 << people2);
      const claims = names6.map((_name, who) => {
        for (; ; ) {
          const said = drawClaim2(rng, people2, who);
          if (holds(said, knights) === ((knights >> who & 1) === 1)) return said;
        }
      });
      if (solve5(claims, 2).length === 1)
        return { question: { names: names6, claims }, solution: flags(knights, people2) };
    }
  },
  rules: 'Everyone here is a knight or a knave. Knights always speak the truth, and knaves always lie. Find out who is what. The word "or" allows that both hold.',
  render: ({ names: names6, claims }) => names6.map((name2, who) => `${name2}: "${say2(claims[who], names6)}."`).join("\n"),
  answer: {
    format: 'one line for each person, such as "Ann: knight" or "Bob: knave".',
    write: (answer, { names: names6 }) => names6.map((name2, who) => `${name2}: ${answer[who] === true ? "knight" : "knave"}`).join("\n"),
    read: (text, { names: names6 }) => {
      const parts = text.split(/[\n,;.]+|\band\b/).map((part) => part.trim()).filter((part) => part !== "");
      const said = /* @__PURE__ */ new Map();
      for (const part of parts) {
        const [, name2 = "", kind2 = ""] = /^([a-z]+)(?:\s*:\s*|\s+is\s+an?\s+|\s+)(knight|knave)$/i.exec(part) ?? [];
        const known4 = names6.find((one2) => one2.toLowerCase() === name2.toLowerCase());
        if (known4 === void 0 || said.has(known4)) return void 0;
        said.set(known4, kind2.toLowerCase() === "knight");
      }
      return said.size === names6.length ? names6.map((name2) => said.get(name2) === true) : void 0;
    }
  },
  verify: ({ claims }, answer) => isConsistent(claims, bitsOf2(answer)),
  unique: true,
  solve: ({ claims }) => ({
    answers: solve5(claims, 2).map((knights) => flags(knights, claims.length)),
    effort: 1 << claims.length
  }),
  audit: {
    variety: (level) => [8e3, 1e7][level - 1] ?? 1e9,
    guess: ({ names: names6 }, rng) => names6.map(() => rng.int(2) === 0),
    chance: (level) => 2 ** -([2, 3, 4, 6, 8][level - 1] ?? 2),
    mutants: (answer, _question, rng) => {
      const at = rng.int(answer.length);
      return {
        "one person changed": answer.map((isKnight, who) => who === at ? !isKnight : isKnight),
        "all persons changed": answer.map((isKnight) => !isKnight)
      };
    },
    equivalents: (answer, { names: names6 }) => {
      const lines3 = names6.map((name2, who) => `${name2} is a ${answer[who] === true ? "knight" : "knave"}`);
      return {
        sentences: `${lines3.join(". ")}.`,
        "one sentence": `${lines3.slice(0, -1).join(", ")}, and ${lines3.at(-1)}.`,
        "upper case": lines3.join("\n").toUpperCase(),
        "another order": lines3.toReversed().join("\n")
      };
    }
  }
});

// envs/puzzle/puzzles/search/kakurasu.ts
import { z as z43 } from "zod";
function sumOf2(line2) {
  let sum = 0;
  for (let at = 0; at < line2.length; at += 1) if (line2[at] === "*") sum += at + 1;
  return sum;
}
var sums = z43.array(z43.int().min(0).max(100));
var kakurasu = defineGrid({
  name: "kakurasu",
  category: "search",
  summary: "Kakurasu: stars whose places add up to the sums of rows and columns",
  rules: "Place stars (*) in the grid. A star counts its column number for its row, and its row number for its column, both from 1. Each row and each column must have the sum that stands beside or below it.",
  question: z43.strictObject({ rowSums: sums, columnSums: sums }),
  levels: [4, 5, 6],
  marks: "*",
  staysOpen: true,
  cells: (side2) => side2 * side2,
  open: (side2) => side2 * side2,
  draw: (rng, side2, solutions) => {
    const rows = Array.from(
      { length: side2 },
      () => Array.from({ length: side2 }, () => rng.int(2) === 0 ? "*" : ".").join("")
    );
    const question33 = { rowSums: rows.map(sumOf2), columnSums: columnsOf(rows).map(sumOf2) };
    return solutions(question33) === 1 ? { question: question33, solution: rows } : void 0;
  },
  start: ({ rowSums, columnSums }) => rowSums.map(() => ".".repeat(columnSums.length)),
  render: ({ rowSums, columnSums }, rows) => [
    ...rows.map((row, at) => `${spaced(row)} | ${rowSums[at]}`),
    `Sums of columns: ${columnSums.join(" ")}`
  ].join("\n"),
  isRight: ({ rowSums, columnSums }, rows) => rows.every((row, at) => sumOf2(row) === rowSums[at]) && columnsOf(rows).every((column, at) => sumOf2(column) === columnSums[at]),
  fits: ({ rowSums, columnSums }, cells, at) => {
    const side2 = columnSums.length;
    const [row, column] = [Math.floor(at / side2), at % side2];
    let [across, down] = [0, 0];
    for (let before = 0; before <= column; before += 1)
      if (cells[row * side2 + before] === "*") across += before + 1;
    for (let above = 0; above <= row; above += 1) if (cells[above * side2 + column] === "*") down += above + 1;
    const [wanted3, below] = [rowSums[row] ?? 0, columnSums[column] ?? 0];
    const restAcross = side2 * (side2 + 1) / 2 - (column + 1) * (column + 2) / 2;
    const restDown = rowSums.length * (rowSums.length + 1) / 2 - (row + 1) * (row + 2) / 2;
    return across <= wanted3 && across + restAcross >= wanted3 && down <= below && down + restDown >= below;
  },
  allows: ({ rowSums, columnSums }, rows, { row, column }) => {
    const down = rows.map((line2) => line2[column]).join("");
    return sumOf2(rows[row] ?? "") + column + 1 <= (rowSums[row] ?? 0) && sumOf2(down) + row + 1 <= (columnSums[column] ?? 0);
  },
  variety: (level) => level === 1 ? 2e4 : level === 2 ? 5e6 : 1e9,
  // an open cell says what a star there would leave of the sums of its row and of its column
  board: ({ rowSums, columnSums }, rows) => {
    const columns = columnsOf(rows);
    return {
      rows: rows.map(
        (line2, row) => line2.split("").map((mark, column) => {
          if (mark === "*") return mark;
          const across = (rowSums[row] ?? 0) - sumOf2(line2) - column - 1;
          const down = (columnSums[column] ?? 0) - sumOf2(columns[column] ?? "") - row - 1;
          return across < 0 || down < 0 ? "closed" : `leaves ${across} and ${down}`;
        })
      )
    };
  }
});

// envs/puzzle/puzzles/logic/list-functions.ts
var rule3 = (words3, apply3) => ({ words: words3, apply: apply3 });
var withNumbers2 = (words3, numbers, apply3) => numbers.map((n) => rule3(words3, (list2) => apply3(list2, n)));
var known3 = [
  rule3("Reverse the list.", (list2) => list2.toReversed()),
  rule3("Sort it, smallest first.", (list2) => list2.toSorted((a, b) => a - b)),
  rule3("Sort it, largest first.", (list2) => list2.toSorted((a, b) => b - a)),
  rule3("Drop repeats: of equal numbers the first one stays.", (list2) => [...new Set(list2)]),
  rule3("Keep the even numbers.", (list2) => list2.filter((each) => each % 2 === 0)),
  rule3("Keep the odd numbers.", (list2) => list2.filter((each) => each % 2 !== 0)),
  rule3(
    "Keep the numbers at the places 1, 3, 5 and so on.",
    (list2) => list2.filter((_each, at) => at % 2 === 0)
  ),
  rule3(
    "Keep the numbers at the places 2, 4, 6 and so on.",
    (list2) => list2.filter((_each, at) => at % 2 === 1)
  ),
  rule3("Replace each number by the sum of all numbers up to it.", (list2) => {
    let sum = 0;
    return list2.map((each) => sum += each);
  }),
  rule3(
    "Replace the list by the differences of neighbours, the later one minus the earlier one.",
    (list2) => list2.slice(1).map((each, at) => each - list2[at])
  ),
  rule3("Replace the list by its sum.", (list2) => [list2.reduce((sum, each) => sum + each, 0)]),
  rule3("Replace the list by its length.", (list2) => [list2.length]),
  rule3("Replace the list by its largest number.", (list2) => list2.length === 0 ? [] : [Math.max(...list2)]),
  rule3("Replace the list by its smallest number.", (list2) => list2.length === 0 ? [] : [Math.min(...list2)]),
  rule3(
    "Swap the first and the last number.",
    (list2) => list2.length < 2 ? list2 : [list2.at(-1), ...list2.slice(1, -1), list2[0]]
  ),
  ...withNumbers2("Add N to each number.", [1, 2, 3, 5, 10], (list2, n) => list2.map((each) => each + n)),
  ...withNumbers2("Multiply each number by N.", [2, 3], (list2, n) => list2.map((each) => each * n)),
  ...withNumbers2("Keep the first N numbers.", [2, 3, 4], (list2, n) => list2.slice(0, n)),
  ...withNumbers2("Keep the last N numbers.", [2, 3, 4], (list2, n) => list2.slice(-n)),
  ...withNumbers2("Drop the first N numbers.", [1, 2, 3], (list2, n) => list2.slice(n)),
  ...withNumbers2("Drop the last N numbers.", [1, 2, 3], (list2, n) => list2.slice(0, -n)),
  ...withNumbers2("Keep the numbers above N.", [10, 20, 25], (list2, n) => list2.filter((each) => each > n)),
  ...withNumbers2("Keep the numbers below N.", [10, 20, 25], (list2, n) => list2.filter((each) => each < n)),
  ...withNumbers2("Put N before the list.", [0, 7, 9], (list2, n) => [n, ...list2]),
  ...withNumbers2("Put N after the list.", [0, 7, 9], (list2, n) => [...list2, n]),
  ...withNumbers2("Move the first N numbers to the end.", [1, 2, 3], (list2, n) => [
    ...list2.slice(n),
    ...list2.slice(0, n)
  ])
];
var listFunctions = defineInduction({
  name: "list-functions",
  summary: "List functions: find the rule that turns lists into others, and apply it",
  rules: "One rule turns each list on the left into the list on the right. Find the rule and apply it to the last list. Every rule that fits all examples gives the same result.",
  known: known3,
  levels: [
    { depth: 1, examples: 4, length: 6 },
    { depth: 1, examples: 3, length: 9 },
    { depth: 2, examples: 4, length: 8 },
    { depth: 2, examples: 3, length: 12 }
  ],
  drawList: (rng, length) => Array.from({ length: length - rng.int(3) }, () => rng.int(31))
});

// envs/puzzle/puzzles/logic/self-reference.ts
import { z as z44 } from "zod";
var place2 = z44.int().min(0).max(15);
var amount = z44.int().min(0).max(16);
var statement = z44.discriminatedUnion("kind", [
  z44.strictObject({ kind: z44.enum(["least", "most", "exactly"]), amount, value: z44.boolean() }),
  z44.strictObject({ kind: z44.literal("one-of"), first: place2, second: place2 }),
  z44.strictObject({ kind: z44.literal("prime"), value: z44.boolean() }),
  z44.strictObject({ kind: z44.literal("composite"), value: z44.boolean() }),
  z44.strictObject({ kind: z44.literal("is"), first: place2, value: z44.boolean() })
]);
var question23 = z44.strictObject({ statements: z44.array(statement).min(1).max(16) });
var primes = /* @__PURE__ */ new Set([2, 3, 5, 7, 11, 13]);
function ones(bits2) {
  let count3 = 0;
  for (let rest = bits2; rest !== 0; rest &= rest - 1) count3 += 1;
  return count3;
}
function holds2(said, truths, count3, all) {
  switch (said.kind) {
    case "one-of":
      return ((truths >> said.first ^ truths >> said.second) & 1) === 1;
    case "is":
      return (truths >> said.first & 1) === (said.value ? 1 : 0);
    default: {
      const counted = said.value ? count3 : all - count3;
      if (said.kind === "prime") return primes.has(counted);
      if (said.kind === "composite") return counted > 3 && !primes.has(counted);
      if (said.kind === "least") return counted >= said.amount;
      return said.kind === "most" ? counted <= said.amount : counted === said.amount;
    }
  }
}
function isConsistent2(statements, truths) {
  const count3 = ones(truths);
  for (let at = 0; at < statements.length; at += 1)
    if (holds2(statements[at], truths, count3, statements.length) !== ((truths >> at & 1) === 1))
      return false;
  return true;
}
function solve6(statements) {
  const found = [];
  for (let truths = 0; truths < 1 << statements.length && found.length < 2; truths += 1)
    if (isConsistent2(statements, truths)) found.push(truths);
  return found;
}
function drawStatement(rng, all, own) {
  const other = () => (own + 1 + rng.int(all - 1)) % all;
  const value2 = rng.int(2) === 0;
  const kind2 = rng.pick([
    "least",
    "most",
    "exactly",
    "exactly",
    "one-of",
    "prime",
    "composite",
    "is"
  ]);
  if (kind2 === "is") return { kind: kind2, first: other(), value: value2 };
  if (kind2 === "prime" || kind2 === "composite") return { kind: kind2, value: value2 };
  if (kind2 !== "one-of") return { kind: kind2, amount: 1 + rng.int(all - 1), value: value2 };
  const first2 = other();
  const second = (first2 + 1 + rng.int(all - 1)) % all;
  return { kind: kind2, first: first2, second };
}
function say3(said, all) {
  const truth = "value" in said && said.value ? "true" : "false";
  switch (said.kind) {
    case "least":
      return `At least ${said.amount} of these ${all} statements are ${truth}.`;
    case "most":
      return `At most ${said.amount} of these ${all} statements are ${truth}.`;
    case "exactly":
      return `Exactly ${said.amount} of these ${all} statements are ${truth}.`;
    case "one-of":
      return `Either statement ${said.first + 1} or statement ${said.second + 1} is true, but not both.`;
    case "is":
      return `Statement ${said.first + 1} is ${truth}.`;
    default:
      return `The number of ${truth} statements is a ${said.kind} number.`;
  }
}
var flags2 = (truths, all) => Array.from({ length: all }, (_, at) => (truths >> at & 1) === 1);
var bitsOf3 = (answer) => answer.reduce((bits2, isTrue, at) => bits2 | (isTrue ? 1 << at : 0), 0);
var write11 = (answer) => answer.map((isTrue) => isTrue ? "true" : "false").join(" ");
var selfReference = definePuzzle({
  name: "self-reference",
  category: "logic",
  summary: "Self-reference: statements about how many of them are true, with one solution",
  question: question23,
  levels: [3, 5, 7, 10],
  generate: (rng, count3) => {
    for (; ; ) {
      const truths = rng.int(1 << count3);
      const right = ones(truths);
      const statements = Array.from({ length: count3 }, (_, own) => {
        for (; ; ) {
          const said = drawStatement(rng, count3, own);
          if (holds2(said, truths, right, count3) === ((truths >> own & 1) === 1)) return said;
        }
      });
      if (solve6(statements).length === 1) return { question: { statements }, solution: flags2(truths, count3) };
    }
  },
  rules: "Each statement below is true or false, and speaks about the statements themselves. Find out which are true, so that exactly those hold. A prime number has exactly two divisors, and a composite number has more.",
  render: ({ statements }) => statements.map((said, at) => `${at + 1}. ${say3(said, statements.length)}`).join("\n"),
  answer: {
    format: "true or false for each statement in order, with blanks between them.",
    write: write11,
    read: (text, { statements }) => {
      const parts = text.toLowerCase().split(/[\s,]+/);
      if (parts.length !== statements.length || parts.some((part) => !/^(true|false|t|f)$/.test(part)))
        return void 0;
      return parts.map((part) => part.startsWith("t"));
    }
  },
  verify: ({ statements }, answer) => answer.length === statements.length && isConsistent2(statements, bitsOf3(answer)),
  unique: true,
  solve: ({ statements }) => ({
    answers: solve6(statements).map((truths) => flags2(truths, statements.length)),
    effort: 1 << statements.length
  }),
  audit: {
    guess: ({ statements }, rng) => statements.map(() => rng.int(2) === 0),
    chance: (level) => 2 ** -([3, 5, 7, 10][level - 1] ?? 1),
    mutants: (answer, _question, rng) => {
      const at = rng.int(answer.length);
      return {
        "one statement changed": answer.map((isTrue, index) => index === at ? !isTrue : isTrue),
        "all statements changed": answer.map((isTrue) => !isTrue)
      };
    },
    equivalents: (answer) => ({
      letters: answer.map((isTrue) => isTrue ? "T" : "F").join(" "),
      "one line each": write11(answer).replaceAll(" ", "\n"),
      commas: write11(answer).replaceAll(" ", ", ")
    }),
    variety: (level) => level === 1 ? 1500 : level === 2 ? 1e5 : 1e9
  }
});

// envs/puzzle/puzzles/logic/syllogism.ts
import { z as z45 } from "zod";
var quantifiers = ["all", "no", "some", "some-not"];
var sentence = z45.strictObject({
  quantifier: z45.enum(quantifiers),
  subject: z45.int().min(0).max(4),
  predicate: z45.int().min(0).max(4)
});
var question24 = z45.strictObject({
  terms: z45.array(z45.string()).min(2).max(5),
  premises: z45.array(sentence).min(1),
  conclusions: z45.array(sentence).min(1).max(9)
});
function regionsOf({ quantifier, subject, predicate }, terms) {
  const wantsPredicate = quantifier === "no" || quantifier === "some";
  let regions = 0;
  for (let region = 0; region < 1 << terms; region += 1)
    if (region >> subject & 1 && (region >> predicate & 1) === (wantsPredicate ? 1 : 0))
      regions |= 1 << region;
  return regions;
}
var membersOf = (term, terms) => regionsOf({ quantifier: "some", subject: term, predicate: term }, terms);
function worldOf(premises, terms) {
  let empty = 0;
  const inhabited = Array.from({ length: terms }, (_, term) => membersOf(term, terms));
  for (const premise of premises) {
    const regions = regionsOf(premise, terms);
    if (premise.quantifier === "all" || premise.quantifier === "no") empty |= regions;
    else inhabited.push(regions);
  }
  return { terms, empty, inhabited };
}
var isPossible = ({ empty, inhabited }) => inhabited.every((set) => (set & ~empty) !== 0);
function follows(world, conclusion) {
  const regions = regionsOf(conclusion, world.terms);
  return conclusion.quantifier === "all" || conclusion.quantifier === "no" ? (regions & ~world.empty) === 0 : !isPossible({ ...world, empty: world.empty | regions });
}
var nouns = "artists bakers climbers dancers editors farmers gamblers hikers jugglers lawyers pilots poets sailors singers swimmers teachers writers".split(
  " "
);
function say4({ quantifier, subject, predicate }, terms) {
  const [a, b] = [terms[subject], terms[predicate]];
  switch (quantifier) {
    case "all":
      return `All ${a} are ${b}.`;
    case "no":
      return `No ${a} are ${b}.`;
    case "some":
      return `Some ${a} are ${b}.`;
    case "some-not":
      return `Some ${a} are not ${b}.`;
  }
}
var drawSentence = (rng, a, b) => {
  const [subject, predicate] = rng.int(2) === 0 ? [a, b] : [b, a];
  return { quantifier: rng.pick(quantifiers), subject, predicate };
};
var write12 = (follow) => follow.length === 0 ? "none" : follow.map((each) => each + 1).join(" ");
var solve7 = ({ terms, premises, conclusions }) => {
  const world = worldOf(premises, terms.length);
  return conclusions.flatMap((each, index) => follows(world, each) ? [index] : []);
};
var syllogism = definePuzzle({
  name: "syllogism",
  category: "logic",
  summary: "Syllogisms: which conclusions follow from the premises",
  question: question24,
  levels: [
    { terms: 3, conclusions: 3 },
    { terms: 3, conclusions: 5 },
    { terms: 4, conclusions: 6 },
    { terms: 5, conclusions: 8 }
  ],
  generate: (rng, { terms: count3, conclusions: wanted3 }) => {
    const terms = rng.shuffle(nouns).slice(0, count3);
    for (; ; ) {
      const premises = Array.from({ length: count3 - 1 }, (_, index) => drawSentence(rng, index, index + 1));
      const world = worldOf(premises, count3);
      if (!isPossible(world)) continue;
      const conclusions = /* @__PURE__ */ new Map();
      while (conclusions.size < wanted3) {
        const [a, b] = rng.shuffle(Array.from({ length: count3 }, (_, index) => index));
        const drawn3 = drawSentence(rng, a ?? 0, b ?? 1);
        if (premises.every((premise) => say4(premise, terms) !== say4(drawn3, terms)))
          conclusions.set(say4(drawn3, terms), drawn3);
      }
      const drawn2 = { terms, premises: rng.shuffle(premises), conclusions: [...conclusions.values()] };
      const solution = solve7(drawn2);
      if (solution.length > 0 || rng.int(8) === 0) return { question: drawn2, solution };
    }
  },
  rules: 'Which of the numbered conclusions follow from the premises with certainty? There is at least one of every kind of people. "Some" means at least one, and perhaps all.',
  render: ({ terms, premises, conclusions }) => [
    "Premises:",
    ...premises.map((each) => say4(each, terms)),
    "Conclusions:",
    ...conclusions.map((each, index) => `${index + 1}. ${say4(each, terms)}`)
  ].join("\n"),
  answer: {
    format: 'the numbers of the conclusions that follow, with blanks between them, or "none".',
    write: write12,
    read: (text, { conclusions }) => {
      if (text.toLowerCase() === "none") return [];
      const parts = text.split(/\s*(?:,|\band\b|\s)\s*/);
      if (!parts.every((part) => /^[1-9]$/.test(part) && Number(part) <= conclusions.length))
        return void 0;
      const list2 = parts.map((part) => Number(part) - 1).toSorted((a, b) => a - b);
      return new Set(list2).size === list2.length ? list2 : void 0;
    }
  },
  verify: ({ terms, premises, conclusions }, answer) => {
    const world = worldOf(premises, terms.length);
    return conclusions.every((each, index) => follows(world, each) === answer.includes(index));
  },
  unique: true,
  solve: (given2) => ({ answers: [solve7(given2)], effort: given2.conclusions.length * 2 ** given2.terms.length }),
  audit: {
    guess: ({ conclusions }, rng) => conclusions.flatMap((_each, index) => rng.int(2) === 0 ? [index] : []),
    chance: (level) => 2 ** -([3, 5, 6, 8][level - 1] ?? 1),
    mutants: (answer, { conclusions }, rng) => {
      const at = rng.int(conclusions.length);
      return {
        "one conclusion changed": answer.includes(at) ? answer.filter((each) => each !== at) : [...answer, at].toSorted((a, b) => a - b),
        "the opposite of all": conclusions.flatMap((_each, index) => answer.includes(index) ? [] : [index])
      };
    },
    equivalents: (answer) => ({
      commas: write12(answer).replaceAll(" ", ", "),
      "another order": write12(answer.toReversed())
    })
  }
});

// envs/puzzle/puzzles/logic/zebra.ts
import { z as z46 } from "zod";

// envs/puzzle/puzzles/logic/zebra-solver.ts
var beside4 = (set, all) => (set << 1 | set >> 1) & all;
var lowest = (set) => 31 - Math.clz32(set & -set);
var highest2 = (set) => 31 - Math.clz32(set);
function prune(domains, clue2, all) {
  const a = domains[clue2.a];
  if (clue2.house !== void 0) {
    const bit = 1 << clue2.house;
    domains[clue2.a] = clue2.kind === "at" ? a & bit : a & ~bit;
    return;
  }
  const b = domains[clue2.b];
  if (a === 0 || b === 0) return;
  switch (clue2.kind) {
    case "same":
      domains[clue2.a] = domains[clue2.b] = a & b;
      return;
    case "next":
      domains[clue2.a] = a & beside4(b, all);
      domains[clue2.b] = b & beside4(a, all);
      return;
    case "just-left":
      domains[clue2.a] = a & b >> 1;
      domains[clue2.b] = b & a << 1 & all;
      return;
    case "left":
      domains[clue2.a] = a & (1 << highest2(b)) - 1;
      domains[clue2.b] = b & ~((2 << lowest(a)) - 1) & all;
      return;
    case "apart":
      if ((a & a - 1) === 0) domains[clue2.b] = b & ~a;
      if ((b & b - 1) === 0) domains[clue2.a] = a & ~b;
  }
}
function propagate(domains, clues2, houses) {
  const all = (1 << houses) - 1;
  for (let before = -1; ; ) {
    for (const clue2 of clues2) prune(domains, clue2, all);
    for (let first2 = 0; first2 < domains.length; first2 += houses) {
      let [once2, twice] = [0, 0];
      for (let value2 = first2; value2 < first2 + houses; value2 += 1) {
        const set = domains[value2];
        twice |= once2 & set;
        once2 |= set;
        if ((set & set - 1) !== 0) continue;
        for (let other = first2; other < first2 + houses; other += 1)
          if (other !== value2) domains[other] = domains[other] & ~set;
      }
      if (once2 !== all) return false;
      const only = once2 & ~twice;
      for (let value2 = first2; value2 < first2 + houses; value2 += 1)
        if ((domains[value2] & only) !== 0) domains[value2] = domains[value2] & only;
    }
    let left = 0;
    for (const set of domains) {
      if (set === 0) return false;
      for (let rest = set; rest !== 0; rest &= rest - 1) left += 1;
    }
    if (left === before) return true;
    before = left;
  }
}
function solveZebra({
  houses,
  values,
  clues: clues2
}, most = 2) {
  const found = [];
  let tried = 0;
  const search = (domains) => {
    tried += 1;
    if (!propagate(domains, clues2, houses)) return;
    let [best2, fewest] = [-1, 99];
    for (let value2 = 0; value2 < values; value2 += 1) {
      const set = domains[value2];
      let size2 = 0;
      for (let rest = set; rest !== 0; rest &= rest - 1) size2 += 1;
      if (size2 > 1 && size2 < fewest) [best2, fewest] = [value2, size2];
    }
    if (best2 < 0) {
      found.push(Array.from(domains, (set) => lowest(set)));
      return;
    }
    for (let rest = domains[best2]; rest !== 0 && found.length < most; rest &= rest - 1) {
      const next2 = domains.slice();
      next2[best2] = rest & -rest;
      search(next2);
    }
  };
  search(new Uint8Array(values).fill((1 << houses) - 1));
  return { found, tried };
}
function clueHolds(clue2, house2) {
  const a = house2[clue2.a];
  if (clue2.house !== void 0) return a === clue2.house === (clue2.kind === "at");
  const b = house2[clue2.b];
  switch (clue2.kind) {
    case "same":
      return a === b;
    case "apart":
      return a !== b;
    case "next":
      return Math.abs(a - b) === 1;
    case "just-left":
      return a + 1 === b;
    case "left":
      return a < b;
  }
}

// envs/puzzle/puzzles/logic/zebra.ts
var value = z46.int().min(0).max(35);
var house = z46.int().min(0).max(5);
var clue = z46.discriminatedUnion("kind", [
  z46.strictObject({ kind: z46.enum(["same", "next", "left", "just-left", "apart"]), a: value, b: value }),
  z46.strictObject({ kind: z46.enum(["at", "not-at"]), a: value, house })
]);
var question25 = z46.strictObject({
  categories: z46.array(z46.strictObject({ name: z46.string(), values: z46.array(z46.string()).min(2).max(6) })).min(1).max(6),
  clues: z46.array(clue)
});
var stock = [
  ["name", "Anna Boris Carla David Elena Felix Greta"],
  ["pet", "cat dog fish horse parrot rabbit zebra"],
  ["drink", "coffee juice milk tea water cocoa lemonade"],
  ["colour", "red green blue yellow white black orange"],
  ["job", "baker doctor farmer lawyer painter pilot teacher"],
  ["fruit", "apple banana cherry grape melon peach plum"]
];
var housesOf = ({ categories }) => categories[0]?.values.length ?? 0;
var wordsOf2 = ({ categories }) => categories.flatMap(({ values }) => values);
var problemOf = (given2) => ({
  houses: housesOf(given2),
  values: given2.categories.length * housesOf(given2),
  clues: given2.clues
});
function drawClues(rng, where, houses, isDirect) {
  const clues2 = [];
  for (let a = 0; a < where.length; a += 1) {
    const at = where[a];
    if (isDirect) clues2.push({ kind: "at", a, house: at });
    clues2.push({ kind: "not-at", a, house: (at + 1 + rng.int(houses - 1)) % houses });
    for (let b = 0; b < where.length; b += 1) {
      if (Math.floor(a / houses) === Math.floor(b / houses) && a > b) continue;
      const away = where[b] - at;
      if (away === 0 && a < b) clues2.push({ kind: "same", a, b });
      if (away === 1) clues2.push({ kind: "just-left", a, b });
      if (away > 0) clues2.push({ kind: "left", a, b });
      if (Math.abs(away) === 1 && a < b) clues2.push({ kind: "next", a, b });
    }
  }
  return rng.shuffle(clues2);
}
function drawStreet(rng, size2) {
  const { houses, isDirect } = size2;
  const categories = rng.shuffle(stock).slice(0, size2.categories).map(([name2, values]) => ({ name: name2, values: rng.shuffle(values.split(" ")).slice(0, houses) }));
  const order = Array.from({ length: houses }, (_, at) => at);
  const where = categories.flatMap(() => rng.shuffle(order));
  const drawn2 = drawClues(rng, where, houses, isDirect);
  const isEnough = (clues3) => solveZebra({ houses, values: where.length, clues: clues3 }).found.length === 1;
  let [low, high] = [1, drawn2.length];
  while (low < high) {
    const middle = low + high >> 1;
    if (isEnough(drawn2.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  let clues2 = drawn2.slice(0, low);
  for (const each of clues2) {
    const fewer = clues2.filter((other) => other !== each);
    if (isEnough(fewer)) clues2 = fewer;
  }
  return { street: { categories, clues: clues2 }, where };
}
function say5(said, words3) {
  const a = words3[said.a];
  if (said.house !== void 0)
    return `${a} is ${said.kind === "at" ? "" : "not "}in house ${said.house + 1}.`;
  const b = words3[said.b];
  switch (said.kind) {
    case "same":
      return `${a} and ${b} are in the same house.`;
    case "apart":
      return `${a} and ${b} are in different houses.`;
    case "next":
      return `${a} and ${b} are in houses next to each other.`;
    case "just-left":
      return `${a} is in the house directly to the left of ${b}.`;
    case "left":
      return `${a} is in a house somewhere to the left of ${b}.`;
  }
}
function write13(where, given2) {
  const houses = housesOf(given2);
  const words3 = wordsOf2(given2);
  return Array.from({ length: houses }, (_, at) => {
    const here = words3.filter((_word, index) => where[index] === at);
    return `${at + 1}: ${here.join(" ")}`;
  }).join("\n");
}
function read3(text, given2) {
  const words3 = wordsOf2(given2).map((word) => word.toLowerCase());
  const where = words3.map(() => -1);
  for (const line2 of text.toLowerCase().split(/\s*[\n;]\s*/)) {
    const [, number2 = "", list2 = ""] = /^(?:house )?([1-6])\s*:\s*([a-z ,]+)$/.exec(line2) ?? [];
    if (number2 === "") return void 0;
    for (const word of list2.split(/[ ,]+/).filter((each) => each !== "")) {
      const index = words3.indexOf(word);
      if (index < 0 || where[index] !== -1) return void 0;
      where[index] = Number(number2) - 1;
    }
  }
  return where.includes(-1) ? void 0 : where;
}
var zebra = definePuzzle({
  name: "zebra",
  category: "logic",
  summary: "Zebra puzzles: who lives where, by clues that leave one solution",
  question: question25,
  levels: [
    { houses: 3, categories: 2, isDirect: true },
    { houses: 3, categories: 3, isDirect: true },
    { houses: 4, categories: 4, isDirect: false },
    { houses: 5, categories: 5, isDirect: false }
  ],
  generate: (rng, level) => {
    const { street, where } = drawStreet(rng, level);
    return { question: street, solution: where };
  },
  rules: "Houses stand in a row, numbered from left to right. In every house there is exactly one value of each category, and no value is in two houses. Find out what is in which house.",
  render: (given2) => [
    `Houses: 1 to ${housesOf(given2)}`,
    ...given2.categories.map(({ name: name2, values }) => `${name2}: ${values.join(", ")}`),
    "Clues:",
    ...given2.clues.map((said, index) => `${index + 1}. ${say5(said, wordsOf2(given2))}`)
  ].join("\n"),
  answer: {
    format: 'one line for each house, with its number and its values, such as "1: Anna cat tea".',
    write: write13,
    read: read3
  },
  verify: (given2, where) => {
    const houses = housesOf(given2);
    for (let first2 = 0; first2 < where.length; first2 += houses)
      if (new Set(where.slice(first2, first2 + houses)).size !== houses) return false;
    return where.every((at) => at < houses) && given2.clues.every((said) => clueHolds(said, where));
  },
  unique: true,
  solve: (given2) => {
    const { found, tried } = solveZebra(problemOf(given2));
    return { answers: found, effort: tried };
  },
  audit: {
    guess: (given2, rng) => {
      const order = Array.from({ length: housesOf(given2) }, (_, at) => at);
      return given2.categories.flatMap(() => rng.shuffle(order));
    },
    chance: (level) => [1 / 36, 1 / 216, 1e-3, 1e-3][level - 1] ?? 0,
    mutants: (where, given2, rng) => {
      const houses = housesOf(given2);
      const first2 = houses * rng.int(given2.categories.length);
      const swapped = [...where];
      [swapped[first2], swapped[first2 + 1]] = [where[first2 + 1], where[first2]];
      return {
        "two values swapped": swapped,
        "from right to left": where.map((at) => houses - 1 - at),
        "two values in one house": where.map(
          (at, index) => index === first2 ? where[first2 + 1] : at
        )
      };
    },
    equivalents: (where, given2) => ({
      "one line": write13(where, given2).replaceAll("\n", "; "),
      "small letters": write13(where, given2).toLowerCase(),
      "with the word house": write13(where, given2).replaceAll(/^/gm, "House "),
      "another order": write13(where, given2).split("\n").toReversed().join("\n")
    })
  }
});

// envs/puzzle/puzzles/search/tic-tac-toe.ts
import { z as z47 } from "zod";
var question26 = z47.strictObject({
  rows: z47.array(z47.string().regex(/^[XO.]{3,4}$/)).min(3).max(4),
  turn: z47.enum(["X", "O"])
});
function linesOf2(side2) {
  const places = Array.from({ length: side2 }, (_, at) => at);
  const bits2 = (of) => places.reduce((set, at) => set | 1 << of(at), 0);
  return [
    ...places.map((row) => bits2((at) => row * side2 + at)),
    ...places.map((column) => bits2((at) => at * side2 + column)),
    bits2((at) => at * side2 + at),
    bits2((at) => at * side2 + side2 - 1 - at)
  ];
}
var lines2 = { 3: linesOf2(3), 4: linesOf2(4) };
function boardOf2({ rows, turn }) {
  let [own, other] = [0, 0];
  for (const [place3, mark] of rows.join("").split("").entries()) {
    if (mark === turn) own |= 1 << place3;
    else if (mark !== ".") other |= 1 << place3;
  }
  return { side: rows.length, own, other };
}
var hasWon = (side2, stones) => (lines2[side2] ?? []).some((line2) => (stones & line2) === line2);
function valueOf2(side2, own, other, visited) {
  if (hasWon(side2, other)) return -1;
  const key = own * 65536 + other;
  const known4 = visited.get(key);
  if (known4 !== void 0) return known4;
  let best2 = -2;
  for (let free = (1 << side2 * side2) - 1 & ~(own | other); free !== 0 && best2 < 1; free &= free - 1)
    best2 = Math.max(best2, -valueOf2(side2, other, own | free & -free, visited));
  const value2 = best2 === -2 ? 0 : best2;
  visited.set(key, value2);
  return value2;
}
function bestMoves({ side: side2, own, other }) {
  const visited = /* @__PURE__ */ new Map();
  let [best2, value2] = [[], -2];
  for (let place3 = 0; place3 < side2 * side2; place3 += 1) {
    if ((own | other) >> place3 & 1) continue;
    const here = -valueOf2(side2, other, own | 1 << place3, visited);
    if (here > value2) [best2, value2] = [[], here];
    if (here === value2) best2.push(place3);
  }
  return { best: best2, visited: visited.size };
}
var remembered2 = /* @__PURE__ */ new WeakMap();
function bestOf(position) {
  const known4 = remembered2.get(position) ?? bestMoves(boardOf2(position)).best;
  remembered2.set(position, known4);
  return known4;
}
function draw10(rng, side2, free) {
  const order = rng.shuffle(Array.from({ length: side2 * side2 }, (_, place3) => place3));
  const stones = side2 * side2 - free;
  const marks = Array.from({ length: side2 * side2 }, () => ".");
  const players = rng.shuffle(["X", "O"]);
  for (const [at, place3] of order.slice(0, stones).entries()) marks[place3] = players[at % 2];
  const rows = Array.from({ length: side2 }, (_, row) => marks.slice(row * side2, (row + 1) * side2).join(""));
  const position = { rows, turn: players[stones % 2] ?? "X" };
  const { own, other } = boardOf2(position);
  return hasWon(side2, own) || hasWon(side2, other) ? void 0 : position;
}
var name = (place3, { rows }) => `row ${Math.floor(place3 / rows.length) + 1} column ${place3 % rows.length + 1}`;
var ticTacToe = definePuzzle({
  name: "tic-tac-toe",
  category: "search",
  summary: "Tic-tac-toe: the best move, by exact search",
  question: question26,
  levels: [
    { side: 3, free: [3, 4] },
    { side: 3, free: [5, 6] },
    { side: 4, free: [5, 6] },
    { side: 4, free: [7, 8] }
  ],
  generate: (rng, { side: side2, free }) => {
    for (; ; ) {
      const position = draw10(rng, side2, rng.pick(free));
      if (position === void 0) continue;
      const { best: best2 } = bestMoves(boardOf2(position));
      if (best2.length === 1)
        return { question: { rows: [...position.rows], turn: position.turn }, solution: best2[0] };
    }
  },
  rules: "Two players, X and O, put their marks on free cells in turn. Who first fills a whole row, column or diagonal wins. Find the best move: it wins if a move can win against every defence, and else it holds the draw if a move can. Exactly one move is best.",
  render: ({ rows, turn }) => `${rows.map((row) => row.split("").join(" ")).join("\n")}
${turn} moves.`,
  answer: {
    format: 'the cell, such as "row 1 column 3". Rows are counted from the top and columns from the left.',
    write: (place3, position) => name(place3, position),
    read: (text, { rows }) => {
      const [, row = "0", column = "0"] = /^(?:row\s+)?(\d)\s*,?\s*(?:column\s+|\s)(\d)$/i.exec(text) ?? [];
      const [down, right] = [Number(row), Number(column)];
      return down >= 1 && right >= 1 && down <= rows.length && right <= rows.length ? (down - 1) * rows.length + right - 1 : void 0;
    }
  },
  verify: (position, place3) => bestOf(position).includes(place3),
  unique: true,
  solve: (position) => {
    const { best: best2, visited } = bestMoves(boardOf2(position));
    return { answers: best2.slice(0, 2), effort: visited };
  },
  audit: {
    guess: ({ rows }, rng) => {
      const free = rows.join("").split("").flatMap((mark, place3) => mark === "." ? [place3] : []);
      return rng.pick(free);
    },
    chance: (level) => [1 / 3, 1 / 5, 1 / 5, 1 / 7][level - 1] ?? 0,
    mutants: (best2, { rows }, rng) => {
      const marks = rows.join("").split("");
      const free = marks.flatMap((mark, place3) => mark === "." && place3 !== best2 ? [place3] : []);
      return {
        "another free cell": free.length === 0 ? void 0 : rng.pick(free),
        "a cell that is not free": marks.findIndex((mark) => mark !== ".")
      };
    },
    equivalents: (best2, { rows }) => {
      const [row, column] = [Math.floor(best2 / rows.length) + 1, best2 % rows.length + 1];
      return {
        "two numbers": `${row} ${column}`,
        "with a comma": `${row}, ${column}`,
        capitals: `ROW ${row} COLUMN ${column}`
      };
    },
    variety: (level) => [1200, 500, 5e4, 2e5][level - 1] ?? 1
  }
});

// envs/puzzle/puzzles/sequential/car-painting.ts
import { z as z48 } from "zod";
var palette2 = ["red", "blue", "green", "white", "black"];
var colour2 = z48.enum(palette2);
var shop = {
  /** The colour of each car, in the order in which the cars wait. */
  colours: z48.array(colour2).min(2).max(30),
  /** A car may leave at most this many places earlier or later than it waits. */
  reach: z48.int().min(1).max(4),
  /** The most changes of colour. */
  most: z48.int().min(0)
};
var question27 = z48.strictObject(shop);
var state8 = z48.strictObject({ ...shop, order: z48.array(z48.int().min(1)) });
function candidates({ colours, reach }, place3, isUsed) {
  const due = place3 - reach;
  if (due >= 0 && !isUsed(due)) return [due];
  const open = [];
  for (let car = Math.max(0, due); car <= Math.min(colours.length - 1, place3 + reach); car += 1)
    if (!isUsed(car)) open.push(car);
  return open;
}
function changes({ colours }, order) {
  let count3 = 0;
  for (let place3 = 1; place3 < order.length; place3 += 1)
    if (colours[order[place3]] !== colours[order[place3 - 1]]) count3 += 1;
  return count3;
}
function best(given2, begun) {
  const { colours, reach } = given2;
  const memory = /* @__PURE__ */ new Map();
  const from = (place3, used2, last) => {
    if (place3 === colours.length) return { changes: 0, next: -1 };
    const key = `${place3} ${used2 >>> Math.max(0, place3 - reach)} ${last}`;
    const known4 = memory.get(key);
    if (known4 !== void 0) return known4;
    let found = { changes: Infinity, next: -1 };
    for (const car of candidates(given2, place3, (each) => (used2 >> each & 1) === 1)) {
      const own = colours[car];
      const rest = from(place3 + 1, used2 | 1 << car, own).changes;
      const total = rest + (last === void 0 || last === own ? 0 : 1);
      if (total < found.changes) found = { changes: total, next: car };
    }
    memory.set(key, found);
    return found;
  };
  const order = [...begun];
  let used = 0;
  for (const car of order) used |= 1 << car;
  while (order.length < colours.length) {
    const last = order.at(-1);
    const { next: next2 } = from(order.length, used, last === void 0 ? void 0 : colours[last]);
    if (next2 < 0) break;
    order.push(next2);
    used |= 1 << next2;
  }
  return { order, states: memory.size };
}
var describe2 = ({ colours, reach, most }) => [
  `Cars: ${colours.map((each, car) => `${car + 1} ${each}`).join(", ")}`,
  `Most places away: ${reach}`,
  `Most changes of colour: ${most}`
].join("\n");
var write14 = (order) => order.map((car) => car + 1).join(" ");
var carPainting = definePuzzle({
  name: "car-painting",
  category: "sequential",
  summary: "Car painting: reorder a line of cars so that the colour changes least often",
  question: question27,
  levels: [
    { cars: 8, hues: 3, reach: 2 },
    { cars: 11, hues: 3, reach: 2 },
    { cars: 14, hues: 4, reach: 3 },
    { cars: 18, hues: 5, reach: 3 }
  ],
  generate: (rng, { cars, hues, reach }) => {
    for (; ; ) {
      const colours = Array.from({ length: cars }, () => palette2[rng.int(hues)] ?? "red");
      const { order } = best({ colours, reach }, []);
      const most = changes({ colours, reach }, order);
      const waiting = changes(
        { colours, reach },
        Array.from({ length: cars }, (_, car) => car)
      );
      if (most + 2 <= waiting) return { question: { colours, reach, most }, solution: order };
    }
  },
  rules: "Cars wait in a line before a paint shop. Choose the order in which they are painted: each car once, no car more places earlier or later than is allowed, and the colour changes from one car to the next at most as often as is allowed. No order has fewer changes.",
  render: describe2,
  answer: {
    format: "the numbers of all cars in the order of painting, with blanks between them.",
    write: write14,
    read: (text, { colours }) => {
      const parts = text.split(/[\s,]+/);
      if (parts.length !== colours.length || !parts.every((part) => /^\d{1,2}$/.test(part))) return void 0;
      return parts.map((part) => Number(part) - 1);
    }
  },
  verify: ({ colours, reach, most }, order) => order.length === colours.length && new Set(order).size === order.length && order.every((car, place3) => car >= 0 && car < colours.length && Math.abs(car - place3) <= reach) && changes({ colours, reach }, order) <= most,
  solve: (given2) => {
    const { order, states } = best(given2, []);
    return { answers: [order], effort: states };
  },
  audit: {
    guess: (given2, rng) => {
      const order = [];
      while (order.length < given2.colours.length) {
        const open = candidates(given2, order.length, (car) => order.includes(car));
        order.push(rng.pick(open));
      }
      return order;
    },
    chance: (level) => [0.25, 0.06, 0.01, 5e-3][level - 1] ?? 0,
    mutants: (order, { colours, reach }) => ({
      "as they wait": colours.map((_colour, car) => car),
      backwards: order.toReversed().some((car, place3) => Math.abs(car - place3) > reach) ? order.toReversed() : void 0,
      "a car twice": [...order.slice(0, -1), order[0]]
    }),
    equivalents: (order) => ({ commas: order.map((car) => car + 1).join(", ") }),
    variety: (level) => [2500, 6e4, 1e8, 1e9][level - 1] ?? 1
  },
  moves: {
    rules: 'A move paints a car: "paint 3". It is listed only if the order can still reach all cars in time.',
    state: state8,
    start: (given2) => ({ ...given2, order: [] }),
    render: (at) => `${describe2(at)}
Painted: ${at.order.length === 0 ? "none" : at.order.join(" ")}`,
    list: (at) => candidates(at, at.order.length, (car) => at.order.includes(car + 1)).map((car) => `paint ${car + 1}`),
    play: (at, move) => ({ ...at, order: [...at.order, Number(move.slice(6))] }),
    isSolved: (at) => at.order.length === at.colours.length && isWithin(at),
    isLost: (at) => !isWithin(at),
    plan: (_question, order) => order.map((car) => `paint ${car + 1}`),
    next: (at) => {
      const { order } = best(
        at,
        at.order.map((car2) => car2 - 1)
      );
      const car = order[at.order.length];
      return car === void 0 ? void 0 : `paint ${car + 1}`;
    },
    turnLimit: ({ cars }) => cars,
    features: ({ colours, order, most, ...given2 }) => {
      const last = colours[(order.at(-1) ?? 0) - 1];
      const cars = colours.map((each, at) => order.includes(at + 1) ? "painted" : each);
      const used = changes(
        { colours, ...given2 },
        order.map((car) => car - 1)
      );
      return {
        grid: boardOf(cars, cars.length),
        fields: { left: most - used, ...last === void 0 ? {} : { last } }
      };
    },
    target: (move) => ({ verb: "paint", cell: [0, Number(move.slice(6)) - 1] })
  }
});
function isWithin({
  order,
  most,
  ...given2
}) {
  return changes(
    given2,
    order.map((car) => car - 1)
  ) <= most;
}

// envs/puzzle/puzzles/sequential/hanoi.ts
import { z as z49 } from "zod";
var pegNames = ["A", "B", "C"];
var peg = z49.array(z49.int().min(1).max(9));
var towers = z49.array(peg).length(3);
var allMoves = [0, 1, 2].flatMap(
  (from) => [0, 1, 2].filter((to) => to !== from).map((to) => ({ from, to }))
);
var nameOf2 = ({ from, to }) => `${pegNames[from]}>${pegNames[to]}`;
var moveOf3 = new Map(allMoves.map((move) => [nameOf2(move), move]));
function after(pegs, { from, to }) {
  const [disk, onto] = [pegs[from]?.at(-1), pegs[to]?.at(-1)];
  if (disk === void 0 || onto !== void 0 && onto < disk) return void 0;
  return pegs.map(
    (disks, at) => at === from ? disks.slice(0, -1) : at === to ? [...disks, disk] : [...disks]
  );
}
function codeOf(pegs) {
  let code = 0;
  for (let at = 1; at < 3; at += 1) for (const disk of pegs[at] ?? []) code += at * 3 ** (disk - 1);
  return code;
}
function towersOf(code, disks) {
  const pegs = [[], [], []];
  for (let disk = disks; disk >= 1; disk -= 1) pegs[Math.floor(code / 3 ** (disk - 1)) % 3]?.push(disk);
  return pegs;
}
var disksOf = (pegs) => pegs.reduce((sum, disks) => sum + disks.length, 0);
function step(code, disks, { from, to }) {
  for (let disk = 0, power = 1; disk < disks; disk += 1, power *= 3) {
    const at = Math.floor(code / power) % 3;
    if (at === to) return -1;
    if (at === from) return code + (to - from) * power;
  }
  return -1;
}
function shortest2(start2, goal) {
  const disks = disksOf(start2);
  const [first2, last] = [codeOf(start2), codeOf(goal)];
  const back = new Int8Array(3 ** disks).fill(-1);
  const queue = [last];
  back[last] = 6;
  for (let head = 0; head < queue.length && back[first2] === -1; head += 1) {
    const code = queue[head];
    for (const move of allMoves) {
      const before = step(code, disks, move);
      if (before < 0 || back[before] !== -1) continue;
      back[before] = allMoves.findIndex(({ from, to }) => from === move.to && to === move.from);
      queue.push(before);
    }
  }
  const moves = [];
  for (let code = first2; code !== last; ) {
    const move = allMoves[back[code]];
    moves.push(move);
    code = step(code, disks, move);
  }
  return { moves, visited: queue.length };
}
var draw11 = (pegs) => pegs.map((disks, at) => `${pegNames[at]}: ${disks.length === 0 ? "empty" : disks.join(" ")}`).join("\n");
var drawBoth = ({ pegs, goal }) => `Now:
${draw11(pegs)}
Goal:
${draw11(goal)}`;
var question28 = z49.strictObject({ pegs: towers, goal: towers });
var hanoi = definePuzzle({
  name: "hanoi",
  category: "sequential",
  summary: "Tower of Hanoi from any arrangement to any other",
  question: question28,
  levels: [3, 4, 5, 6],
  generate: (rng, disks) => {
    const [from, shift2] = [rng.int(3 ** disks), 1 + rng.int(3 ** disks - 1)];
    const [pegs, goal] = [towersOf(from, disks), towersOf((from + shift2) % 3 ** disks, disks)];
    return { question: { pegs, goal }, solution: shortest2(pegs, goal).moves };
  },
  rules: "Three pegs A, B and C hold disks, and a larger number is a larger disk. Each peg lists its disks from the bottom to the top. Move the top disk of one peg to another, but never onto a smaller disk, until the disks lie as in the goal.",
  render: drawBoth,
  answer: {
    format: "the moves in order, such as A>C for a move from A to C, with blanks between them. Any number of moves is right.",
    write: (moves) => moves.map(nameOf2).join(" "),
    read: (text) => {
      const moves = text.split(/[\s,]+/).map((name2) => moveOf3.get(name2.toUpperCase()));
      return moves.some((move) => move === void 0) ? void 0 : moves.filter((move) => move !== void 0);
    }
  },
  verify: ({ pegs, goal }, moves) => {
    const disks = disksOf(pegs);
    let code = codeOf(pegs);
    for (const move of moves) {
      code = step(code, disks, move);
      if (code < 0) return false;
    }
    return code === codeOf(goal);
  },
  solve: ({ pegs, goal }) => {
    const { moves, visited } = shortest2(pegs, goal);
    return { answers: [moves], effort: visited };
  },
  audit: {
    guess: ({ pegs }, rng) => Array.from({ length: 2 ** disksOf(pegs) - 1 }, () => rng.pick(allMoves)),
    chance: 0.01,
    mutants: (moves, _question, rng) => ({
      "the last move missing": moves.length > 1 ? moves.slice(0, -1) : void 0,
      "one move twice": [...moves, moves.at(-1)],
      "one more move": [...moves, rng.pick(allMoves)]
    }),
    equivalents: (moves) => ({
      "commas between moves": moves.map(nameOf2).join(", "),
      "one move a line": moves.map(nameOf2).join("\n"),
      "lower case": moves.map(nameOf2).join(" ").toLowerCase()
    }),
    variety: (level) => 3 ** (level + 2) * (3 ** (level + 2) - 1)
  },
  moves: {
    rules: "A move is written A>C: the top disk of peg A goes to peg C.",
    state: question28,
    start: (start2) => start2,
    render: drawBoth,
    list: ({ pegs }) => allMoves.filter((move) => after(pegs, move) !== void 0).map(nameOf2),
    play: (state10, name2) => ({ ...state10, pegs: after(state10.pegs, moveOf3.get(name2)) ?? state10.pegs }),
    isSolved: ({ pegs, goal }) => codeOf(pegs) === codeOf(goal),
    plan: (_question, solution) => solution.map(nameOf2),
    next: ({ pegs, goal }) => shortest2(pegs, goal).moves.map(nameOf2)[0],
    turnLimit: (disks) => 2 ** (disks + 1),
    // a row for each disk, the largest first: its peg, and the peg that it must go to
    features: ({ pegs, goal }) => {
      const rows = [];
      const pegOf = (towers2, disk) => pegNames[towers2.findIndex((disks) => disks.includes(disk))] ?? "";
      for (let disk = disksOf(pegs); disk >= 1; disk -= 1) rows.push(pegOf(pegs, disk) + pegOf(goal, disk));
      return { grid: { rows } };
    },
    target: (move) => ({ verb: move, cell: [0, 0] })
  }
});

// envs/puzzle/puzzles/sequential/rearrange.ts
import { z as z50 } from "zod";
var board2 = z50.array(z50.int().min(1).max(16));
var question29 = z50.strictObject({ board: board2 });
var after2 = (cells, { from }) => from.map((place3) => cells[place3]);
var keyOf2 = (cells) => String.fromCharCode(...cells);
var isSorted = (cells) => cells.every((cell, place3) => cell === place3 + 1);
var mostVisited = 6e4;
var sideFrom = (cells) => ({
  met: /* @__PURE__ */ new Map([[keyOf2(cells), { move: -1, before: void 0 }]]),
  border: [cells]
});
function trail({ met }, key) {
  const moves = [];
  for (let at = met.get(key); at?.before !== void 0; at = met.get(at.before)) moves.push(at.move);
  return moves.toReversed();
}
function shortest3(start2, moves, inverse) {
  const [first2, last] = [sideFrom(start2), sideFrom(start2.map((_cell, place3) => place3 + 1))];
  const goal = keyOf2(last.border[0]);
  if (keyOf2(start2) === goal) return { moves: [], visited: 1 };
  for (; ; ) {
    const [here, there] = first2.border.length <= last.border.length ? [first2, last] : [last, first2];
    const { border } = here;
    here.border = [];
    for (const cells of border) {
      const before = keyOf2(cells);
      for (let move = 0; move < moves.length; move += 1) {
        const next2 = after2(cells, moves[move]);
        const key = keyOf2(next2);
        if (here.met.has(key)) continue;
        here.met.set(key, { move, before });
        if (there.met.has(key)) {
          const back = trail(last, key).map((index) => inverse[index]);
          return {
            moves: [...trail(first2, key), ...back.toReversed()],
            visited: first2.met.size + last.met.size
          };
        }
        here.border.push(next2);
      }
    }
    if (here.border.length === 0 || here.met.size > mostVisited)
      return { moves: void 0, visited: first2.met.size + last.met.size };
  }
}
function scramble(rng, moves, inverse, [fewest, most]) {
  const sorted = (moves[0]?.from ?? []).map((_from, place3) => place3 + 1);
  for (; ; ) {
    let cells = sorted;
    const undo2 = [];
    for (let left = fewest + rng.int(most - fewest + 1); left > 0; ) {
      const index = rng.int(moves.length);
      if (undo2[0] === index) continue;
      cells = after2(cells, moves[index]);
      undo2.unshift(inverse[index]);
      left -= 1;
      if (isSorted(cells)) undo2.length = 0;
    }
    if (undo2.length > 0) return { cells, undo: undo2 };
  }
}
function defineRearrange({
  name: name2,
  summary,
  side: side2,
  moves,
  rules,
  moveWords,
  levels,
  chance,
  variety
}) {
  const names6 = moves.map((move) => move.name);
  const indexOf = new Map(names6.map((each, index) => [each, index]));
  const inverse = moves.map(
    ({ from }) => moves.findIndex((other) => other.from.every((place3, index) => from[place3] === index))
  );
  const width = String(side2 * side2).length;
  const draw12 = ({ board: cells }) => Array.from(
    { length: side2 },
    (_, row) => cells.slice(row * side2, (row + 1) * side2).map((cell) => String(cell).padStart(width)).join(" ")
  ).join("\n");
  const play = (cells, index) => after2(cells, moves[index]);
  const write16 = (answer) => answer.map((index) => names6[index]).join(", ");
  return definePuzzle({
    name: name2,
    category: "sequential",
    summary,
    question: question29,
    levels,
    generate: (rng, level) => {
      const { cells, undo: undo2 } = scramble(rng, moves, inverse, level);
      return { question: { board: [...cells] }, solution: undo2 };
    },
    rules: `Sort the board: its rows, read from left to right and from top to bottom, must hold 1 to ${side2 * side2} in order. ${rules}`,
    render: draw12,
    answer: {
      format: `the moves in order with commas between them, such as "${names6[0]}, ${names6.at(-1)}". Any number of moves is right.`,
      write: write16,
      read: (text) => {
        const read4 = text.toLowerCase().split(/\s*[,;\n]\s*/).map((each) => indexOf.get(each.replaceAll(/\s+/g, " ")));
        return read4.some((index) => index === void 0) ? void 0 : read4.filter((index) => index !== void 0);
      }
    },
    verify: ({ board: cells }, answer) => isSorted(answer.reduce(play, cells)),
    solve: ({ board: cells }) => {
      const found = shortest3(cells, moves, inverse);
      return { answers: found.moves === void 0 ? [] : [found.moves], effort: found.visited };
    },
    audit: {
      guess: (_given, rng) => Array.from({ length: levels[0]?.[1] ?? 1 }, () => rng.int(moves.length)),
      chance,
      mutants: (answer, _given, rng) => ({
        "the last move missing": answer.length > 1 ? answer.slice(0, -1) : void 0,
        "one more move": [...answer, rng.int(moves.length)],
        "the first move twice": [answer[0], ...answer]
      }),
      equivalents: (answer) => ({
        "one move a line": write16(answer).replaceAll(", ", "\n"),
        "upper case": write16(answer).toUpperCase(),
        "a move and its inverse more": write16([...answer, 0, inverse[0]])
      }),
      variety
    },
    moves: {
      rules: moveWords,
      state: question29,
      start: (start2) => start2,
      render: draw12,
      list: () => names6,
      play: ({ board: cells }, move) => ({ board: play(cells, indexOf.get(move) ?? 0) }),
      isSolved: ({ board: cells }) => isSorted(cells),
      plan: (_question, answer) => answer.map((index) => names6[index]),
      next: ({ board: cells }) => {
        const [index] = shortest3(cells, moves, inverse).moves ?? [];
        return index === void 0 ? void 0 : names6[index];
      },
      key: ({ board: cells }) => cells.join(" "),
      turnLimit: ([, most]) => 4 * most + 8,
      features: ({ board: cells }) => ({
        grid: boardOf(cells, side2),
        fields: { home: cells.filter((cell, place3) => cell === place3 + 1).length }
      }),
      // a move is the same on every board, so its own name is its kind
      target: (move) => ({ verb: move, cell: [0, 0] })
    }
  });
}

// envs/puzzle/puzzles/sequential/rotations.ts
function cycle(name2, size2, ring) {
  const from = Array.from({ length: size2 }, (_, place3) => place3);
  for (const [index, place3] of ring.entries()) from[ring[(index + 1) % ring.length]] = place3;
  return { name: name2, from };
}
var line = (count3) => Array.from({ length: count3 }, (_, index) => index);
function lineMoves(side2) {
  return line(side2).flatMap((at) => {
    const row = line(side2).map((column2) => at * side2 + column2);
    const column = line(side2).map((index) => index * side2 + at);
    return [
      cycle(`row ${at + 1} right`, side2 * side2, row),
      cycle(`row ${at + 1} left`, side2 * side2, row.toReversed()),
      cycle(`column ${at + 1} down`, side2 * side2, column),
      cycle(`column ${at + 1} up`, side2 * side2, column.toReversed())
    ];
  });
}
function turnMoves(side2) {
  return line(side2 - 1).flatMap(
    (row) => line(side2 - 1).flatMap((column) => {
      const first2 = row * side2 + column;
      const ring = [first2, first2 + 1, first2 + side2 + 1, first2 + side2];
      const name2 = `block ${row + 1} ${column + 1}`;
      return [
        cycle(`${name2} right`, side2 * side2, ring),
        cycle(`${name2} left`, side2 * side2, ring.toReversed())
      ];
    })
  );
}
var lineRules = "A move pushes a whole row to the left or right, or a whole column up or down, by one cell. The cell that leaves at one end comes back at the other end. Rows and columns are counted from 1.";
var lineWords = 'A move is written "row 1 left" or "column 2 up".';
var ninePuzzle = defineRearrange({
  name: "nine-puzzle",
  summary: "The nine puzzle: sort a 3 by 3 board by pushing rows and columns around",
  side: 3,
  moves: lineMoves(3),
  rules: lineRules,
  moveWords: lineWords,
  levels: [
    [3, 3],
    [4, 5],
    [6, 7],
    [8, 12]
  ],
  chance: (level) => [0.02, 5e-3, 1e-3, 1e-3][level - 1] ?? 0,
  variety: (level) => [700, 3500, 25e3, 8e4][level - 1] ?? 1
});
var sixteenPuzzle = defineRearrange({
  name: "sixteen-puzzle",
  summary: "The sixteen puzzle: sort a 4 by 4 board by pushing rows and columns around",
  side: 4,
  moves: lineMoves(4),
  rules: lineRules,
  moveWords: lineWords,
  levels: [
    [3, 3],
    [4, 4],
    [5, 5],
    [6, 6]
  ],
  chance: (level) => [0.02, 5e-3, 1e-3, 1e-3][level - 1] ?? 0,
  variety: (level) => [1500, 1e4, 35e3, 12e4][level - 1] ?? 1
});
var turnRules = "A move turns a block of 2 by 2 cells by a quarter, to the right (clockwise) or to the left. A block is named by the row and the column of its upper left cell, counted from 1.";
var turnWords = 'A move is written "block 1 2 right": the block whose upper left cell is row 1 column 2.';
var twiddle = defineRearrange({
  name: "twiddle",
  summary: "Twiddle: sort a 3 by 3 board by turning blocks of 2 by 2 cells",
  side: 3,
  moves: turnMoves(3),
  rules: turnRules,
  moveWords: turnWords,
  levels: [
    [4, 4],
    [5, 6],
    [7, 9],
    [10, 16]
  ],
  chance: (level) => [0.02, 0.01, 5e-3, 5e-3][level - 1] ?? 0,
  variety: (level) => [1e3, 1e4, 3e4, 5e4][level - 1] ?? 1
});

// envs/puzzle/puzzles/sequential/sliding.ts
import { z as z51 } from "zod";
var directions2 = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] };
var names4 = ["up", "down", "left", "right"];
var byName2 = new Map(
  names4.flatMap((name2) => [
    [name2, name2],
    [name2.slice(0, 1), name2]
  ])
);
var opposite = (name2) => names4[names4.indexOf(name2) ^ 1];
var question30 = z51.strictObject({ tiles: z51.array(z51.int().min(0).max(15)) });
function pushed(hole, side2, name2) {
  const [down, right] = directions2[name2];
  const [row, column] = [Math.floor(hole / side2) - down, hole % side2 - right];
  return row < 0 || column < 0 || row >= side2 || column >= side2 ? -1 : row * side2 + column;
}
function push(tiles, side2, name2) {
  const hole = tiles.indexOf(0);
  const place3 = pushed(hole, side2, name2);
  if (place3 < 0) return void 0;
  const next2 = [...tiles];
  [next2[hole], next2[place3]] = [tiles[place3], 0];
  return next2;
}
var isSorted2 = (tiles) => tiles.every((tile, place3) => tile === (place3 + 1) % tiles.length);
function distance(tiles, side2) {
  let sum = 0;
  for (let place3 = 0; place3 < tiles.length; place3 += 1) {
    const home = tiles[place3] - 1;
    if (home < 0) continue;
    sum += Math.abs(Math.floor(place3 / side2) - Math.floor(home / side2));
    sum += Math.abs(place3 % side2 - home % side2);
  }
  return sum;
}
function featuresOf2(tiles, side2) {
  const hole = tiles.indexOf(0);
  const now = distance(tiles, side2);
  const fields = {};
  for (const name2 of names4) {
    const after4 = push(tiles, side2, name2);
    if (after4 !== void 0) fields[name2] = distance(after4, side2) < now ? "nearer" : "farther";
  }
  return { grid: { ...boardOf(tiles, side2), focus: [Math.floor(hole / side2), hole % side2] }, fields };
}
var targetOf2 = (move) => ({
  verb: "slide",
  value: move,
  direction: directions2[opposite(byName2.get(move) ?? "up")]
});
var mostVisited2 = 2e5;
var greed = 3;
function sort(start2, side2) {
  const seen2 = /* @__PURE__ */ new Set();
  const open = [];
  const add2 = (node3) => {
    const estimate = node3.moves + greed * distance(node3.tiles, side2);
    (open[estimate] ??= []).push(node3);
    return estimate;
  };
  let at = add2({ tiles: start2, moves: 0, by: void 0, before: void 0 });
  while (at < open.length && seen2.size < mostVisited2) {
    const node3 = open[at]?.pop();
    if (node3 === void 0) {
      at += 1;
      continue;
    }
    const key = String.fromCharCode(...node3.tiles);
    if (seen2.has(key)) continue;
    seen2.add(key);
    if (isSorted2(node3.tiles)) {
      const moves = [];
      for (let each = node3; each?.by !== void 0; each = each.before) moves.push(each.by);
      return { moves: moves.toReversed(), visited: seen2.size };
    }
    for (const name2 of names4) {
      if (node3.by !== void 0 && opposite(node3.by) === name2) continue;
      const tiles = push(node3.tiles, side2, name2);
      if (tiles !== void 0)
        at = Math.min(at, add2({ tiles, moves: node3.moves + 1, by: name2, before: node3 }));
    }
  }
  return { moves: void 0, visited: seen2.size };
}
function scramble2(rng, side2, count3) {
  let tiles = Array.from({ length: side2 * side2 }, (_, place3) => (place3 + 1) % (side2 * side2));
  const back = [];
  while (back.length < count3 || isSorted2(tiles)) {
    const name2 = rng.pick(names4);
    const next2 = name2 === back.at(-1) ? void 0 : push(tiles, side2, name2);
    if (next2 === void 0) continue;
    tiles = next2;
    if (isSorted2(tiles)) back.length = 0;
    else back.push(opposite(name2));
  }
  return { tiles, back: back.toReversed() };
}
function defineSliding({
  name: name2,
  side: side2,
  levels,
  chance,
  variety
}) {
  const last = side2 * side2 - 1;
  const draw12 = ({ tiles }) => Array.from(
    { length: side2 },
    (_, row) => tiles.slice(row * side2, (row + 1) * side2).map((tile) => (tile === 0 ? "_" : String(tile)).padStart(String(last).length)).join(" ")
  ).join("\n");
  const write16 = (moves) => moves.join(" ");
  return definePuzzle({
    name: name2,
    category: "sequential",
    summary: `The ${last} puzzle: slide tiles until they are in order`,
    question: question30,
    levels,
    generate: (rng, count3) => {
      const { tiles, back } = scramble2(rng, side2, count3);
      return { question: { tiles }, solution: back };
    },
    rules: `The board has ${last} tiles and a hole, written _. A move slides a tile beside the hole into it: up, down, left or right is the way of the tile. Sort the tiles: the rows, read from left to right and from top to bottom, must hold 1 to ${last}, with the hole at the end.`,
    render: draw12,
    answer: {
      format: "the moves in order: up, down, left and right, with blanks between them. Any number of moves is right.",
      write: write16,
      read: (text) => {
        const moves = text.toLowerCase().split(/[\s,]+/).map((each) => byName2.get(each));
        return moves.some((move) => move === void 0) ? void 0 : moves.filter((move) => move !== void 0);
      }
    },
    verify: ({ tiles }, moves) => {
      const board3 = [...tiles];
      let hole = board3.indexOf(0);
      for (const move of moves) {
        const place3 = pushed(hole, side2, move);
        if (place3 < 0) return false;
        board3[hole] = board3[place3];
        board3[place3] = 0;
        hole = place3;
      }
      return isSorted2(board3);
    },
    solve: ({ tiles }) => {
      const { moves, visited } = sort(tiles, side2);
      return { answers: moves === void 0 ? [] : [moves], effort: visited };
    },
    audit: {
      guess: (_given, rng) => Array.from({ length: levels[0] ?? 1 }, () => rng.pick(names4)),
      chance,
      mutants: (moves, { tiles }, rng) => {
        const wall = names4.find((each) => push(tiles, side2, each) === void 0);
        return {
          "the last move missing": moves.length > 1 ? moves.slice(0, -1) : void 0,
          "one more move": [...moves, rng.pick(names4)],
          "the last move twice": [...moves, moves.at(-1)],
          "a tile from beyond the border": wall === void 0 ? void 0 : [wall, opposite(wall), ...moves]
        };
      },
      equivalents: (moves) => ({
        "first letters": moves.map((move) => move.slice(0, 1)).join(" "),
        "commas between moves": moves.join(", "),
        "upper case": write16(moves).toUpperCase(),
        "a move back and forth": write16([
          ...moves,
          opposite(moves.at(-1)),
          moves.at(-1)
        ])
      }),
      variety
    },
    moves: {
      rules: "A move is up, down, left or right: the way of the tile that slides into the hole.",
      state: question30,
      start: (start2) => start2,
      render: draw12,
      list: ({ tiles }) => {
        const hole = tiles.indexOf(0);
        return names4.filter((each) => pushed(hole, side2, each) >= 0);
      },
      play: ({ tiles }, move) => ({ tiles: push(tiles, side2, byName2.get(move) ?? "up") ?? [...tiles] }),
      isSolved: ({ tiles }) => isSorted2(tiles),
      plan: (_question, moves) => moves,
      next: ({ tiles }) => sort(tiles, side2).moves?.[0],
      key: ({ tiles }) => tiles.join(" "),
      turnLimit: (count3) => 4 * count3 + 80,
      features: ({ tiles }) => featuresOf2(tiles, side2),
      target: targetOf2
    }
  });
}
var eightPuzzle = defineSliding({
  name: "eight-puzzle",
  side: 3,
  levels: [14, 20, 30, 60],
  chance: (level) => [5e-3, 1e-3, 1e-3, 1e-3][level - 1] ?? 0,
  variety: (level) => [150, 1e3, 1e4, 4e4][level - 1] ?? 1
});
var fifteenPuzzle = defineSliding({
  name: "fifteen-puzzle",
  side: 4,
  levels: [14, 24, 40, 60],
  chance: (level) => [5e-3, 1e-3, 1e-3, 1e-3][level - 1] ?? 0,
  variety: (level) => [1500, 1e6, 1e9, 1e9][level - 1] ?? 1
});

// envs/puzzle/puzzles/sequential/stack-permutation.ts
import { z as z52 } from "zod";
var letters2 = z52.array(z52.string().regex(/^[A-Z]$/));
var question31 = z52.strictObject({ input: letters2, goal: letters2 });
var state9 = z52.strictObject({ input: letters2, stack: letters2, output: letters2, goal: letters2 });
var alphabet2 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("");
function after3({ ...given2 }, operation) {
  const { input, stack, output } = given2;
  const [moved] = operation === "push" ? input : stack.slice(-1);
  if (moved === void 0) return void 0;
  return operation === "push" ? { ...given2, input: input.slice(1), stack: [...stack, moved] } : { ...given2, stack: stack.slice(0, -1), output: [...output, moved] };
}
function outputOf(input, operations) {
  const stack = [];
  let [taken2, output] = [0, ""];
  for (const operation of operations) {
    const moved = operation === "push" ? input[taken2] : stack.pop();
    if (moved === void 0) return void 0;
    if (operation === "pop") output += moved;
    else {
      stack.push(moved);
      taken2 += 1;
    }
  }
  return output;
}
function operationsTo(input, goal) {
  const stack = [];
  const operations = [];
  let taken2 = 0;
  for (const wanted3 of goal) {
    while (stack.at(-1) !== wanted3) {
      const next2 = input[taken2];
      if (next2 === void 0) return void 0;
      stack.push(next2);
      operations.push("push");
      taken2 += 1;
    }
    stack.pop();
    operations.push("pop");
  }
  return operations;
}
function drawOperations(rng, count3) {
  const operations = [];
  let [pushed2, popped] = [0, 0];
  while (popped < count3) {
    const mayPop = popped < pushed2;
    const operation = pushed2 < count3 && (!mayPop || rng.int(2) === 0) ? "push" : "pop";
    operations.push(operation);
    if (operation === "push") pushed2 += 1;
    else popped += 1;
  }
  return operations;
}
var show3 = (list2) => list2.length === 0 ? "empty" : list2.join(" ");
var write15 = (operations) => operations.join(" ");
var stackPermutation = definePuzzle({
  name: "stack-permutation",
  category: "sequential",
  summary: "Stack permutation: bring letters into another order through one stack",
  question: question31,
  levels: [4, 6, 9, 14],
  generate: (rng, count3) => {
    const input = rng.shuffle(alphabet2).slice(0, count3);
    const solution = drawOperations(rng, count3);
    return { question: { input, goal: (outputOf(input, solution) ?? "").split("") }, solution };
  },
  rules: "The letters of the input wait in a line. A push moves the first letter of the line onto the top of a stack, which is empty at first. A pop moves the top of the stack to the end of the output. Bring all letters to the output in the order of the goal.",
  render: ({ input, goal }) => `Input: ${show3(input)}
Goal: ${show3(goal)}`,
  answer: {
    format: "the operations in order: push and pop, with blanks between them.",
    write: write15,
    read: (text) => {
      const operations = text.toLowerCase().split(/[\s,]+/);
      const known4 = operations.filter((each) => each === "push" || each === "pop");
      return known4.length === operations.length ? known4 : void 0;
    }
  },
  verify: ({ input, goal }, operations) => outputOf(input, operations) === goal.join(""),
  unique: true,
  solve: ({ input, goal }) => {
    const operations = operationsTo(input, goal);
    return { answers: operations === void 0 ? [] : [operations], effort: operations?.length ?? 0 };
  },
  audit: {
    guess: ({ input }, rng) => drawOperations(rng, input.length),
    chance: (level) => [0.2, 0.04, 5e-3, 1e-3][level - 1] ?? 0,
    // Four of 26 letters in order, and 14 orders of the output, of which some are drawn more often.
    variety: (level) => level === 1 ? 3e6 : 1e9,
    mutants: (operations) => {
      const at = operations.findIndex((each, index) => each === "pop" && operations[index + 1] === "push");
      return {
        "the last pop missing": operations.slice(0, -1),
        "one pop more": [...operations, "pop"],
        "a push before a pop": at < 0 ? void 0 : operations.with(at, "push").with(at + 1, "pop"),
        "pop and push confused": operations.map((each) => each === "push" ? "pop" : "push")
      };
    },
    equivalents: (operations) => ({
      "commas between operations": operations.join(", "),
      "one operation a line": operations.join("\n"),
      "upper case": write15(operations).toUpperCase()
    })
  },
  moves: {
    rules: "A move is push or pop.",
    state: state9,
    start: ({ input, goal }) => ({ input, stack: [], output: [], goal }),
    render: ({ input, stack, output, goal }) => `Input: ${show3(input)}
Stack, top last: ${show3(stack)}
Output: ${show3(output)}
Goal: ${show3(goal)}`,
    list: ({ input, stack }) => [...input.length > 0 ? ["push"] : [], ...stack.length > 0 ? ["pop"] : []],
    play: (before, move) => after3(before, move === "pop" ? "pop" : "push") ?? before,
    isSolved: ({ output, goal }) => output.length === goal.length && output.every((each, at) => each === goal[at]),
    isLost: ({ output, goal }) => output.at(-1) !== goal[output.length - 1] && output.length > 0,
    plan: (_question, operations) => operations,
    next: ({ stack, output, goal }) => stack.length > 0 && stack.at(-1) === goal[output.length] ? "pop" : "push",
    turnLimit: (count3) => 2 * count3,
    features: ({ input, stack, output, goal }) => ({
      fields: {
        input: input.length,
        stack: stack.length,
        top: stack.at(-1) ?? "",
        next: goal[output.length] ?? "",
        "top is next": stack.length > 0 && stack.at(-1) === goal[output.length]
      }
    }),
    target: (move) => ({ verb: move })
  }
});

// envs/puzzle/puzzles/sequential/string-composition.ts
import { z as z53 } from "zod";
var isVowel = (letter2) => "aeiou".includes(letter2);
var letters3 = (text) => text.split("");
var half = (text) => Math.ceil(text.length / 2);
var next = (letter2) => String.fromCharCode(97 + (letter2.charCodeAt(0) - 96) % 26);
var functions = {
  reverse: ["writes the string backwards", (text) => letters3(text).toReversed().join("")],
  rotate: ["moves the first letter to the end", (text) => text.slice(1) + text.slice(0, 1)],
  double: ["writes the string twice", (text) => text + text],
  stutter: [
    "writes every letter twice",
    (text) => letters3(text).map((each) => each + each).join("")
  ],
  sort: ["puts the letters into alphabetical order", (text) => letters3(text).toSorted().join("")],
  swap: [
    "swaps the first and the last letter",
    (text) => text.length < 2 ? text : text.slice(-1) + text.slice(1, -1) + text.slice(0, 1)
  ],
  odds: [
    "keeps the letters at the places 1, 3, 5 and so on",
    (text) => letters3(text).filter((_each, at) => at % 2 === 0).join("")
  ],
  tail: [
    "drops the first letter, unless it is the only one",
    (text) => text.length < 2 ? text : text.slice(1)
  ],
  halves: [
    "puts the second half before the first; of an odd number of letters the first half has one more",
    (text) => text.slice(half(text)) + text.slice(0, half(text))
  ],
  next: [
    "replaces each letter by the next one of the alphabet; a follows z",
    (text) => letters3(text).map(next).join("")
  ],
  mark: [
    "writes an x after each vowel",
    (text) => letters3(text).map((each) => isVowel(each) ? `${each}x` : each).join("")
  ],
  bare: [
    "drops all vowels, unless there is nothing else",
    (text) => letters3(text).filter((each) => !isVowel(each)).join("") || text
  ],
  once: ["drops letters that occurred before", (text) => [...new Set(letters3(text))].join("")],
  wrap: ["writes a q before and after the string", (text) => `q${text}q`]
};
var names5 = Object.keys(functions).filter((name2) => name2 in functions);
var question32 = z53.strictObject({
  steps: z53.array(z53.enum(names5)).min(1).max(12),
  text: z53.string().regex(/^[a-z]{1,20}$/)
});
var run = ({ steps: steps2, text }) => steps2.reduce((done, name2) => functions[name2][1](done), text);
var longest = 64;
var stringComposition = definePuzzle({
  name: "string-composition",
  category: "sequential",
  summary: "Composed functions of strings: f(g(x)) by the definitions of f and g",
  question: question32,
  levels: [1, 2, 3, 5, 8],
  generate: (rng, depth) => {
    for (; ; ) {
      const text = Array.from({ length: 4 + rng.int(5) }, () => String.fromCharCode(97 + rng.int(26))).join(
        ""
      );
      const steps2 = Array.from({ length: depth }, () => rng.pick(names5));
      const solution = run({ steps: steps2, text });
      if (solution.length <= longest && solution !== text) return { question: { steps: steps2, text }, solution };
    }
  },
  rules: `Apply functions to a string of small letters, the innermost function first.
${names5.map((name2) => `${name2} ${functions[name2][0]}.`).join("\n")}`,
  render: ({ steps: steps2, text }) => `${steps2.toReversed().map((name2) => `${name2}(`).join("")}"${text}"${")".repeat(steps2.length)}`,
  answer: {
    format: "the resulting string.",
    write: (text) => text,
    read: (text) => /^(["']?)([a-z]+)\1$/.exec(text)?.[2]
  },
  verify: (given2, text) => run(given2) === text,
  unique: true,
  solve: (given2) => ({ answers: [run(given2)], effort: given2.steps.length }),
  audit: {
    guess: ({ text }, rng) => rng.shuffle(letters3(text)).join(""),
    chance: (level) => level === 1 ? 0.02 : 0.01,
    mutants: (text, given2) => {
      const without = run({ ...given2, steps: given2.steps.slice(0, -1) });
      return {
        "the string itself": given2.text,
        "the outermost function forgotten": without === text ? void 0 : without,
        "one letter more": `${text}a`,
        "one letter missing": text.length > 1 ? text.slice(1) : void 0
      };
    },
    equivalents: (text) => ({ "in quotation marks": `"${text}"` })
  }
});

// envs/puzzle/puzzles.ts
var byCategory = {
  grid: [
    sudoku,
    sudoku4,
    binario,
    skyscraper,
    sumSkyscraper,
    starBattle,
    jigsaw,
    campsite,
    magicSquare,
    crossword
  ],
  sequential: [
    hanoi,
    eightPuzzle,
    fifteenPuzzle,
    ninePuzzle,
    sixteenPuzzle,
    twiddle,
    carPainting,
    stackPermutation,
    stringComposition
  ],
  search: [kakurasu, ticTacToe, hitori, lightUp, minesweeperPuzzle, slant, checkmateInOne],
  arithmetic: [countdown, game24, randomCalculation, geometry, polynomial],
  graph: [
    hamiltonianPath,
    hamiltonianCycle,
    maze,
    shortestPath,
    connectedComponents,
    topologicalSort,
    spanningTree,
    maxFlow,
    matching,
    navigation
  ],
  logic: [knightsAndKnaves, zebra, selfReference, syllogism, arc1d, listFunctions, colourCube, firstOrder],
  crypto: [cryptoKnownKey, cryptoKnownPlaintext, caesar, vigenereCipher]
};
var puzzles = Object.values(byCategory).flat();
function findPuzzle(name2) {
  const found = puzzles.find((puzzle) => puzzle.name === name2);
  if (found !== void 0) return found;
  const names6 = puzzles.map((puzzle) => puzzle.name);
  throw new UsageError({
    where: `puzzle "${name2}"`,
    what: "this puzzle does not exist.",
    fix: `${didYouMean(nearest(name2, names6))}The puzzles are ${names6.join(", ")}.`
  });
}

// envs/puzzle/audit/fingerprint.ts
import { createHash } from "node:crypto";
var sample = 5;
function fingerprintPuzzle(puzzle) {
  const hash4 = createHash("sha256").update(puzzle.instruction());
  for (let level = 1; level <= puzzle.levels; level += 1)
    for (let seed2 = 0; seed2 < sample; seed2 += 1) hash4.update(canonicalJson({ ...puzzle.item(seed2, level) }));
  return `sha256:${hash4.digest("hex")}`;
}

// ../puz3-try/full.ts
import { writeFileSync } from "node:fs";
var plan = { seeds: 200, distinct: 1e4, guesses: 1e4, tasks: 1e3, plays: 50 };
for (const n of process.argv.slice(2)) {
  const t = process.cpuUsage().user;
  const p = findPuzzle(n);
  const { findings, rejected, accepted, levels } = p.audit(plan);
  console.log((/* @__PURE__ */ new Date()).toISOString(), n, (process.cpuUsage().user - t) / 1e6, JSON.stringify(findings).slice(0, 800));
  if (findings.length === 0) writeFileSync(`/tmp/w/puz3-try/audit-${n}.json`, JSON.stringify({ fingerprint: fingerprintPuzzle(p), plan, rejected: Object.fromEntries(rejected), accepted: Object.fromEntries(accepted), levels }));
}
