import { blobScript } from './blob-script.ts';
import { closeScript } from './close-script.ts';
import { clockScript } from './clock-script.ts';
import { consoleScript } from './console-script.ts';
import { cookieScript } from './cookie-script.ts';
import { idScript } from './id-script.ts';
import { refusalScript } from './refusal-script.ts';
import { restScript } from './rest-script.ts';
import { stillScript } from './still-script.ts';
import { timeScript } from './time-script.ts';
import { workScript } from './work-script.ts';

/**
 * The script of every document of an episode. It runs before the document's own scripts, as text because it
 * runs in the page. Random numbers come from a seed, all clocks agree, nothing moves by itself, and there is
 * no way around the gateway.
 *
 * Random numbers are mulberry32 over 32 bits of seed (Tommy Ettinger, public domain). Pages need reproducible
 * draws, not strong ones.
 */
export const quietScript = (seed: number): string => `(() => {
  let state = ${seed >>> 0};
  const chance = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  Math.random = () => chance();
  const { getRandomValues } = Crypto.prototype;
  Crypto.prototype.getRandomValues = function (array) {
    getRandomValues.call(this, array); // which refuses what it does not take
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let place = 0; place < bytes.length; place += 1) bytes[place] = chance() * 256;
    return array;
  };
  ${restScript}
  ${clockScript}
  ${timeScript}
  ${consoleScript}
  ${blobScript}
  ${stillScript}
  ${cookieScript}
  ${idScript}
  ${refusalScript}
  ${closeScript}
  ${workScript}
})();`;
