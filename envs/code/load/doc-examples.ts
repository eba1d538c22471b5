/** The examples that a Python docstring has of its function. */
export interface DocExamples {
  /** `>>> f(1)` and the result on the next line, as assertions. */
  readonly assertions: readonly string[];
  /**
   * Calls of the function on plain data, anywhere in the text. The text states their results, in any wording.
   */
  readonly calls: readonly string[];
}

/** The examples of the function in a text. */
export const docExamples = (text: string, entry: string): DocExamples => ({
  assertions: assertionsIn(text, entry),
  calls: literalCalls(text, entry),
});

/** Comments after the call are removed. */
function assertionsIn(text: string, entry: string): readonly string[] {
  const examples = [...text.matchAll(/^[ \t]*>>>[ \t]*(.+)\n[ \t]*(\S.*)$/gm)].map(
    ([, call = '', result = '']) => ({ call: call.replace(/\s+#[^'"]*$/, '').trim(), result: result.trim() }),
  );
  return examples.flatMap(({ call, result }) =>
    call.includes(`${entry}(`) && isWhole(call) && isWhole(result) && isLiteral(result)
      ? [`assert (${call}) == (${result})`]
      : [],
  );
}

function literalCalls(text: string, entry: string): readonly string[] {
  const calls = callsIn(text, entry).filter(
    (call) => call !== undefined && isLiteral(call.slice(entry.length)),
  );
  return [...new Set(calls)] as readonly string[];
}

/** All calls of the function in the text, without its definition; undefined for a call that does not end. */
function callsIn(text: string, entry: string): readonly (string | undefined)[] {
  return [...text.matchAll(new RegExp(`(?<![\\w.]|\\bdef\\s+)${entry}\\(`, 'g'))].map(({ index }) =>
    balanced(text.slice(index)),
  );
}

const quotedOrBracket = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[()[\]{}]/g;

/** The text up to the bracket that closes its first one; undefined where it is not closed. */
function balanced(text: string): string | undefined {
  let depth = 0;
  for (const { 0: part, index } of text.matchAll(quotedOrBracket)) {
    if ('([{'.includes(part)) depth += 1;
    else if (')]}'.includes(part) && (depth -= 1) === 0) return text.slice(0, index + 1);
  }
  return undefined;
}

/**
 * True for numbers, quoted texts, booleans, None, and lists, tuples, sets and dicts of these. Nothing that
 * would run code.
 */
const isLiteral = (text: string): boolean =>
  /^(?:[\s,:()[\]{}]|-?\d+(?:\.\d+)?(?:e-?\d+)?|True|False|None|'[^'\\]*'|"[^"\\]*")+$/.test(text);

/** Whether every bracket that opens on the line closes on it. */
function isWhole(text: string): boolean {
  const open: string[] = [];
  for (const [part] of text.matchAll(quotedOrBracket)) {
    if ('([{'.includes(part)) open.push(')]}'['([{'.indexOf(part)] as string);
    else if (')]}'.includes(part) && open.pop() !== part) return false;
  }
  return open.length === 0;
}
