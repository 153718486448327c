import { koffi } from '../../shared/koffi.ts';
import type { SampleRate } from '@callwright/audio';

/** Suppresses stationary noise in caller audio, in place, 20 ms frames. */
export interface NoiseFilter {
  process(frame: Int16Array): void;
  close(): void;
}

/** Request codes of speex_preprocess.h. */
const SET_DENOISE = 0;
const SET_AGC = 2;
const SET_NOISE_SUPPRESS = 18;
/** Attenuation at `level` 100, dB. */
const MOST_SUPPRESSION_DB = 40;

const NAMES = ['libspeexdsp.so.1', 'libspeexdsp.so', 'libspeexdsp.dylib'] as const;

interface SpeexDsp {
  init(frameSize: number, sampleRate: number): unknown;
  run(state: unknown, frame: Int16Array): number;
  control(state: unknown, request: number, value: Int32Array): number;
  destroy(state: unknown): void;
}

/** Loaded once per thread on first use; null where the library is not installed. */
const loaded: { dsp?: SpeexDsp | null } = {};

function speexDsp(): SpeexDsp | null {
  if (loaded.dsp !== undefined) return loaded.dsp;
  loaded.dsp = null;
  for (const name of NAMES) {
    try {
      const library = koffi().load(name);
      loaded.dsp = {
        init: library.func('void *speex_preprocess_state_init(int, int)') as SpeexDsp['init'],
        run: library.func('int speex_preprocess_run(void *, int16_t *)') as SpeexDsp['run'],
        control: library.func('int speex_preprocess_ctl(void *, int, int32_t *)') as SpeexDsp['control'],
        destroy: library.func('void speex_preprocess_state_destroy(void *)') as SpeexDsp['destroy'],
      };
      break;
    } catch {
      // Tries the next file name.
    }
  }
  return loaded.dsp;
}

export const noiseFilterAvailable = (): boolean => speexDsp() !== null;

/**
 * A noise filter for 20 ms frames; `level` is noise_suppression_level, 0 (off) to 100 (40 dB). Null at level 0 and where
 * libspeexdsp is not installed.
 */
export function openNoiseFilter(sampleRate: SampleRate, level: number): NoiseFilter | null {
  const dsp = level > 0 ? speexDsp() : null;
  if (dsp === null) return null;
  const frameSize = sampleRate / 50;
  const state = dsp.init(frameSize, sampleRate);
  const decibels = -Math.round((Math.min(100, level) / 100) * MOST_SUPPRESSION_DB);
  dsp.control(state, SET_DENOISE, Int32Array.of(1));
  dsp.control(state, SET_AGC, Int32Array.of(0));
  dsp.control(state, SET_NOISE_SUPPRESS, Int32Array.of(decibels));
  let open = true;
  return {
    process(frame) {
      if (open && frame.length === frameSize) dsp.run(state, frame);
    },
    close() {
      if (!open) return;
      open = false;
      dsp.destroy(state);
    },
  };
}
