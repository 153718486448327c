import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { NativeCalls } from '../../shared/native-threads.ts';
import { NoModel, SHERPA_RATE, sherpaConfig, type SherpaConfig } from './model.ts';
import type { FromSherpa, SherpaData, ToSherpa } from './recogniser.ts';

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
  const post = (message: FromSherpa): void => port.postMessage(message);
  const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  const loaded = (): Recogniser | null => {
    try {
      return load(data);
    } catch (error) {
      post({ type: 'unusable', message: messageOf(error) });
      return null;
    }
  };
  const recogniser = calls.run(loaded) ?? null;
  if (recogniser === null) return;
  const streams = new Map<number, { readonly stream: Stream; text: string }>();
  post({ type: 'ready' });

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
    post({ type: 'heard', id, text: isNew ? text : null, isFinal });
  };

  port.on('message', (message: ToSherpa) => {
    if (message.type === 'stop') return port.close();
    try {
      calls.run(() => {
        if (message.type === 'open') streams.set(message.id, { stream: recogniser.createStream(), text: '' });
        else if (message.type === 'close') streams.delete(message.id);
        else hear(message.id, message.samples);
      });
    } catch (error) {
      post({ type: 'failed', id: message.id, message: messageOf(error) });
    }
  });
}

if (parentPort !== null) serve(parentPort, workerData as SherpaData);
