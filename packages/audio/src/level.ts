/** Root mean square of the samples, 0 to 32768; 0 for none. */
export function rms(pcm: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < pcm.length; i++) sum += (pcm[i] as number) * (pcm[i] as number);
  return pcm.length === 0 ? 0 : Math.sqrt(sum / pcm.length);
}

/** Largest magnitude, 0 to 32768. */
export function peak(pcm: Int16Array): number {
  let most = 0;
  for (let i = 0; i < pcm.length; i++) most = Math.max(most, Math.abs(pcm[i] as number));
  return most;
}

/** Level in dB of full scale, where a square wave of full scale is 0; silence is -100. */
export const dbfs = (pcm: Int16Array): number => Math.max(-100, 20 * Math.log10(rms(pcm) / 32768));
