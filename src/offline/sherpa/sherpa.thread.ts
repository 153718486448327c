import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { NativeCalls } from '../../shared/native-threads.ts';
import { link } from '../../shared/threads/remote.ts';
import { NoModel, SHERPA_RATE, sherpaConfig, type SherpaConfig } from './model.ts';
import type { SherpaApi, SherpaData, SherpaEvents } from './recogniser.ts';

/** What is used of the package `sherpa-onnx-node`. */
interface Stream {
  acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void;
}
interface Recogniser {
  createStream(): Stream;
  isReady(stream: Stream): boolean;
  decode(stream: Stream): void;
  isEndpoint(stream: Stream): boolean;
  getResult(stream: Stream): { readonly text: string };
  reset(stream: Stream): void;
}
interface SherpaPackage {
  readonly OnlineRecognizer: new (config: SherpaConfig) => Recogniser;
}

/** Loads package and model. Throws an error that says what is missing. */
function load({ folder, module }: SherpaData): Recogniser {
  const config = sherpaConfig(folder);
  let sherpa: SherpaPackage;
  try {
    sherpa = createRequire(import.meta.url)(module) as SherpaPackage;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
    throw new NoModel(
      isMissing
        ? `the package ${module} is not installed: npm install --no-save ${module}`
        : `the package ${module} cannot be loaded: ${error instanceof Error ? error.message : ''}`,
    );
  }
  return new sherpa.OnlineRecognizer(config);
}

/** Decodes outside the call worker's thread: a network takes milliseconds a chunk. */
function serve(port: NonNullable<typeof parentPort>, data: SherpaData): void {
  const calls = new NativeCalls(data.stop);
  const ends = link<SherpaEvents, never, SherpaApi>(port);
  const { send } = ends.remote;
  const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  const loaded = (): Recogniser | null => {
    try {
      return load(data);
    } catch (error) {
      send.unusable(messageOf(error));
      return null;
    }
  };
  const recogniser = calls.run(loaded) ?? null;
  if (recogniser === null) return;
  const streams = new Map<number, { readonly stream: Stream; text: string }>();
  send.ready();

  const hear = (id: number, samples: Float32Array): void => {
    const heard = streams.get(id);
    if (heard === undefined) return;
    const { stream } = heard;
    stream.acceptWaveform({ samples, sampleRate: SHERPA_RATE });
    while (recogniser.isReady(stream)) recogniser.decode(stream);
    const text = recogniser.getResult(stream).text.trim();
    const isFinal = recogniser.isEndpoint(stream);
    if (isFinal) recogniser.reset(stream);
    const isNew = text !== heard.text || (isFinal && text !== '');
    heard.text = isFinal ? '' : text;
    send.heard(id, isNew ? text : null, isFinal);
  };
  const native = (id: number, run: () => void): void => {
    try {
      calls.run(run);
    } catch (error) {
      send.failed(id, messageOf(error));
    }
  };
  ends.serve({
    api: {
      open: (id) => native(id, () => void streams.set(id, { stream: recogniser.createStream(), text: '' })),
      hear: (id, samples) => native(id, () => hear(id, samples)),
      close: (id) => native(id, () => void streams.delete(id)),
      stop: () => port.close(),
    },
  });
}

if (parentPort !== null) serve(parentPort, workerData as SherpaData);
