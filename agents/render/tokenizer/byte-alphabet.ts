/**
 * The characters with which byte-level tokenizers write bytes. Printable Latin-1 bytes stand for themselves,
 * all others for characters from U+0100 on, in order (Radford et al., 2019, "Language Models are Unsupervised
 * Multitask Learners").
 */
export const byteAlphabet: readonly string[] = buildAlphabet();

function buildAlphabet(): string[] {
  let next = 0x1_00;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    if (isPrintable) return String.fromCharCode(byte);
    next += 1;
    return String.fromCharCode(next - 1);
  });
}
