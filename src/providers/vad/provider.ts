import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { silentLog, type Log } from '../../shared/log.ts';
import type { SampleRate } from '@callwright/audio';
import type { VadProvider } from '../ports/recogniser.ts';
import { openLight } from './light.ts';
import { onnxTensors } from './onnx-tensors.ts';
import { openSilero, sileroNetwork, type SileroNetwork } from './silero.ts';

export const SILERO_MODEL = fileURLToPath(
  new URL('../../../assets/models/silero_vad_v5.onnx', import.meta.url),
);

export interface VadOptions {
  /** `auto`: Silero, or the light detector where Silero cannot run. */
  engine?: 'auto' | 'silero' | 'light';
  modelPath?: string;
  log?: Log;
}

/**
 * Voice activity detection; `name` is the engine in use. Loads the model once per thread, so that opening a stream is
 * cheap. Throws when the `silero` engine is required and cannot run.
 */
export function createVadProvider(options: VadOptions = {}): VadProvider {
  const engine = options.engine ?? 'auto';
  if (engine === 'light') return lightProvider;
  try {
    return sileroProvider(options.modelPath ?? SILERO_MODEL);
  } catch (error) {
    if (engine === 'silero') throw error;
    (options.log ?? silentLog).warn({ err: error }, 'Silero cannot run: using the light voice detector');
    return lightProvider;
  }
}

const lightProvider: VadProvider = { name: 'light', open: openLight };

function sileroProvider(modelPath: string): VadProvider {
  const tensors = onnxTensors(readFileSync(modelPath));
  const networks = new Map<SampleRate, SileroNetwork>([[8000, sileroNetwork(tensors, 8000)]]);
  return {
    name: 'silero',
    open(sampleRate) {
      const network = networks.get(sampleRate) ?? sileroNetwork(tensors, sampleRate);
      networks.set(sampleRate, network);
      return openSilero(network, sampleRate);
    },
  };
}
