import { silentLog } from '../../shared/log.ts';
import { recogniserCode } from '../../vendors/recogniser-languages.ts';
import type { VendorSettings } from '../../vendors/catalogue.ts';
import type { SttOptions, SttProvider, SttSession } from '../../providers/ports/recogniser.ts';
import { vendorFault, type VendorFault } from '../../providers/wire/fault.ts';
import { NAME, SherpaThread } from './decoder-thread.ts';
import { SHERPA_RATE } from './model.ts';
import { openUtterances } from './utterances.ts';
import { checkBySpeech, type HeardCheck } from '../../providers/stt/check-speech.ts';
import { WireAudio } from '../../providers/stt/wire-audio.ts';

const PACKAGE = 'sherpa-onnx-node';
const CHUNK_MS = 100;
/** A thread that decodes nothing of a call for this long, or is this much audio behind, does not keep up. */
const STALL_MS = 3_000;
const LARGEST_BACKLOG_MS = 30_000;
/** Loading a model may take this long. */
const LOAD_MS = 30_000;

type Local = Pick<VendorSettings, 'languages'> & { readonly modelDir: string };
/** A model folder of sherpa-onnx, decoded on this machine. `module` replaces the package, for tests. */
export function sherpaLocalStt(settings: Local, log = silentLog, module = PACKAGE): SttProvider {
  const thread = new SherpaThread({ folder: settings.modelDir, module }, log);
  // The model is loaded before the first call.
  thread.start();
  return providerOf(thread, settings);
}

const providerOf = (thread: SherpaThread, { languages }: Local, { streams } = thread): SttProvider => ({
  name: NAME,
  understands: (language) => recogniserCode(NAME, null, language, languages) !== null,
  open: (options) => (streams ? openSession(thread, options) : openUtterances(thread, options)),
  close: () => thread.stop(),
});

function openSession(thread: SherpaThread, { sampleRate, onEvent }: SttOptions): SttSession {
  const audio = new WireAudio(sampleRate, { encoding: 'float32', rate: SHERPA_RATE, chunkMs: CHUNK_MS });
  let isOver = false;
  let sentMs = 0;
  let heardMs = 0;
  let frameAt = 0;
  let frameClock = performance.now();
  let heardAt = frameClock;
  const now = (): number => frameAt + Math.round(performance.now() - frameClock);
  const fail = ({ message, retryable }: VendorFault): void => {
    if (isOver) return;
    isOver = true;
    thread.close(id);
    onEvent({ type: 'failed', message, retryable, at: now() });
  };
  const id = thread.open({
    failed: (kind, message) => fail(vendorFault(NAME, kind, message)),
    heard: (text, isFinal) => {
      if (isOver) return;
      heardMs += CHUNK_MS;
      heardAt = performance.now();
      if (text === null) return;
      const words = { text, audioMs: heardMs, at: now() };
      onEvent(isFinal ? { type: 'final', confidence: null, ...words } : { type: 'partial', ...words });
    },
  });
  return {
    write(frame, at) {
      if (isOver) return;
      frameAt = at;
      frameClock = performance.now();
      audio.push(frame, (chunk) => {
        sentMs += CHUNK_MS;
        thread.hear(id, new Float32Array(chunk.buffer));
      });
      const behindMs = sentMs - heardMs;
      if (behindMs > LARGEST_BACKLOG_MS || (behindMs > 0 && frameClock - heardAt > STALL_MS)) {
        fail(vendorFault(NAME, 'timeout', 'it does not keep up', { retryable: false }));
      }
    },
    speechStarted: () => undefined,
    speechEnded: () => undefined,
    expect: () => undefined,
    usage: () => [{ vendor: 'sherpa-onnx', model: null, audioMs: sentMs }],
    close() {
      if (isOver) return;
      isOver = true;
      thread.close(id);
    },
  };
}

/** Loads the model as a call worker does and speaks to it. Resolves with its words, or what is missing. */
export async function trySherpaLocal(
  settings: Local,
  speech?: Int16Array,
  module = PACKAGE,
): Promise<HeardCheck | VendorFault> {
  const thread = new SherpaThread({ folder: settings.modelDir, module }, silentLog);
  const fault = await new Promise<VendorFault | null>((resolve) => {
    const timer = setTimeout(
      () => resolve(vendorFault(NAME, 'timeout', `the model is not loaded after ${LOAD_MS} ms`)),
      LOAD_MS,
    );
    const done = (found: VendorFault | null): void => {
      clearTimeout(timer);
      resolve(found);
    };
    thread.start(() => done(null));
    thread.open({
      heard: () => undefined,
      failed: (_kind, message) => done(vendorFault(NAME, 'rejected', message)),
    });
  });
  if (fault === null) return checkBySpeech(providerOf(thread, settings), speech);
  await thread.stop();
  return fault;
}
