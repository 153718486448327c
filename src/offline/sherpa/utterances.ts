import { createResampler, FRAME_MS, resample } from '@callwright/audio';
import type { SttOptions, SttSession } from '../../providers/ports/recogniser.ts';
import { COMMIT_MS } from '../../providers/stt/dialect.ts';
import { utteranceBuffer } from '../../providers/stt/utterance.ts';
import { vendorFault } from '../../providers/wire/fault.ts';
import { SHERPA_RATE } from './model.ts';
import { NAME, type SherpaThread } from './decoder-thread.ts';

/** An utterance whose words take longer does not help the caller any more. */
const SLOWEST_MS = 4_000;

/** One call with a model of whole utterances: our own detection of speech ends them. */
export function openUtterances(thread: SherpaThread, { sampleRate, onEvent }: SttOptions): SttSession {
  const buffer = utteranceBuffer(sampleRate);
  /** Ends of the utterances whose words have not come, in audio time. */
  const waiting: { readonly audioMs: number; readonly since: number }[] = [];
  let isOver = false;
  let audioMs = 0;
  let decodedMs = 0;
  let frameAt = 0;
  let frameClock = performance.now();
  /** Silence until the utterance ends; null: the caller speaks, or there is none. */
  let leftMs: number | null = null;
  const now = (): number => frameAt + Math.round(performance.now() - frameClock);
  const fail = (kind: 'rejected' | 'lost' | 'timeout', detail: string): void => {
    if (isOver) return;
    isOver = true;
    thread.close(id);
    const { message, retryable } = vendorFault(NAME, kind, detail, { retryable: kind === 'lost' });
    onEvent({ type: 'failed', message, retryable, at: now() });
  };
  const id = thread.open({
    failed: fail,
    heard: (text) => {
      const utterance = waiting.shift();
      if (isOver || utterance === undefined) return;
      const at = now();
      if (text === null || text === '') onEvent({ type: 'nothing', at });
      else onEvent({ type: 'final', text, confidence: null, audioMs: utterance.audioMs, at });
    },
  });
  const commit = (): void => {
    leftMs = null;
    const pcm = buffer.end();
    if (pcm === null) return;
    decodedMs += (pcm.length * 1000) / sampleRate;
    waiting.push({ audioMs, since: performance.now() });
    thread.hearUtterance(id, floats(pcm, sampleRate));
  };
  return {
    write(frame, at) {
      if (isOver) return;
      frameAt = at;
      frameClock = performance.now();
      buffer.write(frame);
      audioMs += FRAME_MS;
      if (leftMs !== null && (leftMs -= FRAME_MS) <= 0) commit();
      const oldest = waiting[0];
      if (oldest !== undefined && frameClock - oldest.since > SLOWEST_MS)
        fail('timeout', 'it does not keep up');
    },
    speechStarted() {
      // A pause that was too short continues the utterance.
      if (leftMs === null) buffer.begin();
      leftMs = null;
    },
    speechEnded() {
      leftMs = COMMIT_MS;
    },
    expect: () => undefined,
    usage: () => [{ vendor: 'sherpa-onnx', model: null, audioMs: Math.round(decodedMs) }],
    close() {
      if (isOver) return;
      isOver = true;
      thread.close(id);
    },
  };
}

function floats(pcm: Int16Array, sampleRate: number): Float32Array<ArrayBuffer> {
  const wide =
    sampleRate === SHERPA_RATE ? pcm : resample(createResampler(sampleRate, SHERPA_RATE), pcm, true);
  return Float32Array.from(wide, (sample) => sample / 32_768);
}
