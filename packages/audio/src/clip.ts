/** Rounds to the nearest 16-bit sample, saturating. */
export const clip16 = (value: number): number =>
  value > 32767 ? 32767 : value < -32768 ? -32768 : Math.round(value);
