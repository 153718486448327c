/** Samples a second of these sounds. */
export const RATE = 8000;

/** A voice-like sound: harmonics with changing pitch and level, over noise. */
export function voice(ms: number): Int16Array {
  const pcm = noise(ms);
  let phase = 0;
  for (let i = 0; i < pcm.length; i++) {
    const second = i / RATE;
    phase += (2 * Math.PI * (120 + 25 * Math.sin(9 * second))) / RATE;
    const swell = 0.5 + 0.5 * Math.sin(2 * Math.PI * 4 * second);
    const harmonics = [1, 2, 3, 4, 5, 6, 8].reduce((sum, n) => sum + Math.sin(phase * n) / n ** 0.5, 0);
    pcm[i] = (pcm[i] ?? 0) + 1500 * swell * harmonics;
  }
  return pcm;
}

/** Even noise, as of a line. */
export function noise(ms: number, level = 60): Int16Array {
  let state = 1;
  return Int16Array.from({ length: (ms * RATE) / 1000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state / 4_294_967_296 - 0.5) * level;
  });
}
