import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SampleRate } from '@callwright/audio';
import type { Vad } from '../ports/recogniser.ts';
import { onnxTensors } from './onnx-tensors.ts';
import { createVadProvider, SILERO_MODEL } from './provider.ts';
import { openSilero } from './silero.ts';
import { sileroNetwork, STATE_SIZE } from './silero.ts';
import { noise, vowels } from './test-sounds.ts';

const tensors = onnxTensors(readFileSync(SILERO_MODEL));

/** 0.4 s of faint noise, 1.6 s of vowels in it, 0.4 s of faint noise. */
function scene(sampleRate: SampleRate): Float32Array {
  const voice = vowels(sampleRate, 1.6);
  const hiss = noise(3);
  const start = sampleRate * 0.4;
  const out = new Float32Array(sampleRate * 2.4);
  for (let i = 0; i < out.length; i++) out[i] = Math.fround(0.002 * hiss() + (voice[i - start] ?? 0));
  return out;
}

/** Every fifth decision for `scene` as computed by onnxruntime 1.30 from the same model file. */
const REFERENCE = {
  8000: [
    0.0171, 0.0052, 0.0015, 0.8407, 0.9437, 0.9969, 0.9945, 0.9779, 0.9977, 0.9964, 0.9906, 0.9985, 0.995,
    0.8632, 0.2599,
  ],
  16000: [
    0.0301, 0.0021, 0.0057, 0.9358, 0.9464, 0.9932, 0.9959, 0.9698, 0.9974, 0.9953, 0.972, 0.9976, 0.9916,
    0.2402, 0.0111,
  ],
} as const;

const pcm = (sound: Float32Array): Int16Array => Int16Array.from(sound, (x) => Math.round(x * 32_767));

function decisions(vad: Vad, sound: Int16Array, sampleRate: SampleRate): number[] {
  const frame = sampleRate / 50;
  const out: number[] = [];
  for (let at = 0; at + frame <= sound.length; at += frame)
    out.push(vad.process(sound.slice(at, at + frame)));
  return out;
}

describe('Silero network', () => {
  it.each([8000, 16000] as const)('agrees with onnxruntime at %i Hz', (rate) => {
    const network = sileroNetwork(tensors, rate);
    const sound = scene(rate);
    const state = new Float32Array(STATE_SIZE);
    const samples = new Float32Array(network.context + network.window);
    const got: number[] = [];
    for (let at = 0; at + network.window <= sound.length; at += network.window) {
      samples.set(sound.subarray(at, at + network.window), network.context);
      got.push(network.run(samples, state));
      samples.copyWithin(0, network.window);
    }
    expect(got).toHaveLength(75);
    for (const [i, expected] of REFERENCE[rate].entries()) {
      expect(Math.abs(got[i * 5]! - expected), `window ${i * 5}`).toBeLessThan(0.0005);
    }
  });

  it('rejects a model that is not Silero v5', () => {
    expect(() => sileroNetwork(new Map(), 8000)).toThrow('not a Silero v5 model');
  });
});

describe('openSilero', () => {
  const provider = createVadProvider({ engine: 'silero' });

  it.each([8000, 16000] as const)('follows speech at %i Hz in 20 ms frames', (rate) => {
    const vad = provider.open(rate);
    const out = decisions(vad, pcm(scene(rate)), rate);
    expect(Math.max(...out.slice(0, 18))).toBeLessThan(0.1);
    expect(Math.min(...out.slice(26, 98))).toBeGreaterThan(0.5);
    expect(out.at(-1)).toBeLessThan(0.35);
  });

  it('detects no speech in silence, noise and tones', () => {
    const white = noise(11);
    const sounds = [
      new Int16Array(16_000),
      Int16Array.from({ length: 16_000 }, () => Math.round(1500 * white())),
      Int16Array.from({ length: 16_000 }, (_, i) =>
        Math.round(8000 * Math.sin((2 * Math.PI * 440 * i) / 8000)),
      ),
    ];
    for (const sound of sounds) {
      const out = decisions(provider.open(8000), sound, 8000);
      expect(out.filter((probability) => probability > 0.5).length).toBeLessThan(5);
    }
  });

  it('skips quiet windows and detects speech after them', () => {
    let runs = 0;
    const network = sileroNetwork(tensors, 8000);
    const counting = {
      ...network,
      run: (samples: Float32Array, state: Float32Array): number => {
        runs++;
        return network.run(samples, state);
      },
    };
    const vad = openSilero(counting, 8000);
    decisions(vad, new Int16Array(8000 * 5), 8000);
    expect(runs).toBe(0);
    const out = decisions(vad, pcm(vowels(8000, 1)), 8000);
    expect(runs).toBeGreaterThan(25);
    expect(Math.max(...out)).toBeGreaterThan(0.9);
  });

  it('isolates streams and starts fresh after reset', () => {
    const sound = pcm(scene(8000));
    const [one, two] = [provider.open(8000), provider.open(8000)];
    const alone = decisions(provider.open(8000), sound, 8000);
    const together: number[] = [];
    const silence = new Int16Array(160);
    for (let at = 0; at + 160 <= sound.length; at += 160) {
      together.push(one.process(sound.slice(at, at + 160)));
      two.process(at % 320 === 0 ? silence : sound.slice(0, 160));
    }
    expect(together).toEqual(alone);
    one.reset();
    expect(decisions(one, sound, 8000)).toEqual(alone);
  });

  it('ignores frames of another length', () => {
    const vad = provider.open(8000);
    expect(vad.process(new Int16Array(80))).toBe(0);
  });
});

describe('createVadProvider', () => {
  it('falls back to the light detector unless the engine is silero', () => {
    expect(createVadProvider().name).toBe('silero');
    expect(createVadProvider({ modelPath: '/nonexistent.onnx' }).name).toBe('light');
    expect(createVadProvider({ engine: 'light' }).name).toBe('light');
    expect(() => createVadProvider({ engine: 'silero', modelPath: '/nonexistent.onnx' })).toThrow('ENOENT');
  });
});
