import type { SampleRate } from '@callwright/audio';
import type { Vad } from '../ports/recogniser.ts';
import { STATE_SIZE, type SileroNetwork } from './silero-network.ts';

/** Windows below this power (about -60 dBFS) contain no speech and skip the network. */
const QUIET_POWER = 33 * 33;
/** Quiet windows are skipped only while the last probability is below this. */
const IDLE_PROBABILITY = 0.1;
/** The network's state is reset after this many skipped windows (half a second). */
const FORGET_WINDOWS = 16;

/** Voice activity of one stream by a shared Silero network: 20 ms frames, one decision every 32 ms. */
export function openSilero(network: SileroNetwork, sampleRate: SampleRate): Vad {
  const { window, context } = network;
  const frameSize = sampleRate / 50;
  const samples = new Float32Array(context + window);
  const state = new Float32Array(STATE_SIZE);
  let filled = 0;
  let power = 0;
  let skipped = 0;
  let probability = 0;

  const decide = (): void => {
    if (power < QUIET_POWER * window && probability < IDLE_PROBABILITY) {
      probability = 0;
      if (++skipped === FORGET_WINDOWS) state.fill(0);
    } else {
      skipped = 0;
      probability = network.run(samples, state);
    }
    samples.copyWithin(0, window);
    filled = 0;
    power = 0;
  };

  return {
    process(frame) {
      if (frame.length !== frameSize) return probability;
      for (let i = 0; i < frame.length; i++) {
        const sample = frame[i]!;
        samples[context + filled++] = sample / 32_768;
        power += sample * sample;
        if (filled === window) decide();
      }
      return probability;
    },
    reset() {
      samples.fill(0);
      state.fill(0);
      filled = 0;
      power = 0;
      skipped = 0;
      probability = 0;
    },
    close: () => undefined,
  };
}
