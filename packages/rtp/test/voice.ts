const RATE = 16_000;

/** A voice-like sound: harmonics of a gliding pitch. */
export function voice(ms: number, rate = RATE): Int16Array {
  const pcm = new Int16Array((ms * rate) / 1000);
  let phase = 0;
  for (let i = 0; i < pcm.length; i++) {
    phase += (2 * Math.PI * (140 + 30 * Math.sin((i * 2) / rate))) / rate;
    let value = 0;
    for (let n = 1; n < 12; n++) value += Math.sin(n * phase) / n;
    pcm[i] = 4000 * value * (0.6 + 0.4 * Math.sin((i * 9) / rate));
  }
  return pcm;
}

/** The best correlation of `heard` with `said` within 40 ms: 1 is equal up to gain. */
export function likeness(said: Int16Array, heard: Int16Array, rate = RATE): number {
  const [from, length] = [rate / 2, rate];
  let best = 0;
  for (let lag = 0; lag < rate / 25; lag++) {
    let [cross, a, b] = [0, 1, 1];
    for (let i = from; i < from + length; i++) {
      const [x, y] = [said[i] ?? 0, heard[i + lag] ?? 0];
      cross += x * y;
      a += x * x;
      b += y * y;
    }
    best = Math.max(best, cross / Math.sqrt(a * b));
  }
  return best;
}
