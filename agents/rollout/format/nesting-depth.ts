const quote = 0x22;
const backslash = 0x5c;
const openSquare = 0x5b;
const closeSquare = 0x5d;
const openCurly = 0x7b;
const closeCurly = 0x7d;

/** How many arrays and objects are within each other at most, seen from the bytes of a JSON text, before anything recurses over it. */
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
