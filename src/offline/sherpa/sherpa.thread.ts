import { parentPort, workerData } from 'node:worker_threads';
import { NativeCalls } from '../../shared/native-threads.ts';
import { optionalPackage } from '../../shared/optional-package.ts';
import { link } from '../../shared/threads/remote.ts';
import { SHERPA_RATE, sherpaModel, type SherpaConfig } from './model.ts';
import type { SherpaApi, SherpaData, SherpaEvents } from './decoder-thread.ts';

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
type UtteranceRecogniser = Pick<Recogniser, 'createStream' | 'decode' | 'getResult'>;
interface SherpaPackage {
  readonly OnlineRecognizer: new (config: SherpaConfig) => Recogniser;
  readonly OfflineRecognizer: new (config: SherpaConfig) => UtteranceRecogniser;
}
type Loaded =
  | { readonly streams: true; readonly recogniser: Recogniser }
  | { readonly streams: false; readonly recogniser: UtteranceRecogniser };

/** Loads package and model. Throws an error that says what is missing. */
function load({ folder, module }: SherpaData): Loaded {
  const { streams, config } = sherpaModel(folder);
  const sherpa = optionalPackage(module) as SherpaPackage;
  return streams
    ? { streams, recogniser: new sherpa.OnlineRecognizer(config) }
    : { streams, recogniser: new sherpa.OfflineRecognizer(config) };
}

/** Decodes outside the call worker's thread: a network takes milliseconds a chunk. */
function serve(port: NonNullable<typeof parentPort>, data: SherpaData): void {
  const calls = new NativeCalls(data.stop);
  const ends = link<SherpaEvents, never, SherpaApi>(port);
  const { send } = ends.remote;
  const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  const loaded = (): Loaded | null => {
    try {
      return load(data);
    } catch (error) {
      send.unusable(messageOf(error));
      return null;
    }
  };
  const model = calls.run(loaded) ?? null;
  if (model === null) return;
  const streams = new Map<number, { readonly stream: Stream; text: string }>();
  send.ready();

  const hear = (id: number, samples: Float32Array): void => {
    const heard = streams.get(id);
    if (heard === undefined || !model.streams) return;
    const { recogniser } = model;
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
  const hearUtterance = (id: number, samples: Float32Array): void => {
    const { recogniser } = model;
    const stream = recogniser.createStream();
    stream.acceptWaveform({ samples, sampleRate: SHERPA_RATE });
    recogniser.decode(stream);
    send.heard(id, recogniser.getResult(stream).text.trim(), true);
  };
  const open = (id: number): void => {
    if (model.streams) streams.set(id, { stream: model.recogniser.createStream(), text: '' });
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
      open: (id) => native(id, () => open(id)),
      hear: (id, samples) => native(id, () => hear(id, samples)),
      hearUtterance: (id, samples) => native(id, () => hearUtterance(id, samples)),
      close: (id) => native(id, () => void streams.delete(id)),
      stop: () => port.close(),
    },
  });
}

if (parentPort !== null) serve(parentPort, workerData as SherpaData);
