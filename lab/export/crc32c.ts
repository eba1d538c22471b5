const table = makeTable();

function makeTable(): Uint32Array {
  const reversedPolynomial = 0x82f63b78; // Castagnoli's, as in RFC 3720, appendix B.4
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1)
      value = (value & 1) === 1 ? (value >>> 1) ^ reversedPolynomial : value >>> 1;
    return value;
  });
}

/** CRC-32C of bytes, an unsigned number of 32 bits. */
export function crc32c(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] as number) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
