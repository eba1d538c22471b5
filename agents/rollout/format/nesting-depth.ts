const quote = 0x22;
const backslash = 0x5c;
const openSquare = 0x5b;
const closeSquare = 0x5d;
const openCurly = 0x7b;
const closeCurly = 0x7d;

/**
 * Deepest nesting of arrays and objects in a JSON text. It scans bytes, so that deep input cannot overflow a
 * recursive parser.
 */
export function nestingDepth(json: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] as number;
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) {
      inString = true;
    } else if (byte === openSquare || byte === openCurly) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (byte === closeSquare || byte === closeCurly) {
      depth -= 1;
    }
  }
  return deepest;
}
