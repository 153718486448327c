/** Deterministic sounds for voice activity tests: full scale 1, sample by sample. */

/** Uniform noise in -1..1 from a linear congruential generator. */
export function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2_147_483_648 - 1;
  };
}

const VOWELS = [
  [700, 1100, 2400],
  [300, 2200, 3000],
  [500, 900, 2400],
  [400, 1900, 2500],
] as const;

/**
 * A voice-like sound: a pulse train with varying pitch through three resonances that change with every syllable, four
 * syllables a second.
 */
export function vowels(sampleRate: number, seconds: number): Float32Array {
  const out = new Float32Array(Math.round(sampleRate * seconds));
  const breath = noise(7);
  const memory = VOWELS[0].map(() => [0, 0]);
  let phase = 0;
  for (let i = 0; i < out.length; i++) {
    const time = i / sampleRate;
    const syllable = Math.floor(time * 4);
    const within = time * 4 - syllable;
    phase += (120 + 25 * Math.sin(time * 3) + 15 * (1 - within)) / sampleRate;
    let pulse = 0.02 * breath();
    if (phase >= 1) {
      phase -= 1;
      pulse += 1;
    }
    const envelope = Math.sin(Math.PI * Math.min(1, within * 1.2));
    let sum = 0;
    for (const [n, formant] of VOWELS[syllable % VOWELS.length]!.entries()) {
      const radius = Math.exp((-Math.PI * 90) / sampleRate);
      const turn = 2 * radius * Math.cos((2 * Math.PI * formant) / sampleRate);
      const past = memory[n]!;
      const value = pulse + turn * past[0]! - radius * radius * past[1]!;
      past[1] = past[0]!;
      past[0] = value;
      sum += value / (n + 1);
    }
    out[i] = 0.04 * Math.max(0, envelope) * sum;
  }
  return out;
}
