/** Numbers from -0.5 to 0.5 that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296 - 0.5;
  };
}

/** Hiss of a line. */
export function hiss(length: number): Float64Array {
  const random = randomFrom(7);
  return Float64Array.from({ length }, random);
}

/** A room of people: these voices one over the other, each from another moment. */
export function babble(length: number, voices: readonly Int16Array[]): Float64Array {
  const out = new Float64Array(length);
  for (const [n, voice] of voices.entries()) {
    for (let i = 0; i < length; i++) out[i] = (out[i] ?? 0) + (voice[(i + n * 5_113) % voice.length] ?? 0);
  }
  return out;
}

const powerOf = (samples: ArrayLike<number>): number =>
  Array.from(samples).reduce((sum, sample) => sum + sample * sample, 0) / samples.length;

/** A recording with noise at this distance below the power of the `speech` in it, dB. */
export function mixed(pcm: Int16Array, speech: Int16Array, noise: Float64Array, db: number): Int16Array {
  const gain = Math.sqrt(powerOf(speech) / 10 ** (db / 10) / powerOf(noise));
  return pcm.map((sample, i) =>
    Math.max(-32_768, Math.min(32_767, Math.round(sample + gain * (noise[i] ?? 0)))),
  );
}
