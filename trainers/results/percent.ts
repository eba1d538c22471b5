/** A share from 0 to 1 in percent, without the sign: `2.3`. */
export const percentDigits = (share: number): string => (100 * share).toFixed(1);

/** The same with the sign: `2.3 %`. */
export const percentOf = (share: number): string => `${percentDigits(share)} %`;
