import { dbfs, FRAME_MS } from '@callwright/audio';
import { initialGate, stepGate, type Expected } from '@callwright/turns';
import type { SttEvent, SttProvider, VadProvider } from '../../../src/providers/ports/recogniser.ts';
import type { CallerLine } from './caller-lines.ts';

const FRAME = (8000 * FRAME_MS) / 1000;
/** Frames of silence before and after the line. */
const LEAD = 25;
const TAIL = 40;
/** Frames of silence after the end of speech that end an utterance. */
const COMMIT = 8;

/** What a recogniser writes of a line, with the edges of our own speech detection, and when its words came. */
export async function hearLine(
  stt: SttProvider,
  vad: VadProvider,
  { pcm }: CallerLine,
  expected: Expected | null = null,
  vocab: readonly string[] = [],
): Promise<{ text: string; events: SttEvent[] }> {
  const events: SttEvent[] = [];
  const settled = Promise.withResolvers<void>();
  let spoken = 0;
  let answered = 0;
  let isOver = false;
  const check = (): void => {
    if (isOver && answered >= spoken) settled.resolve();
  };
  const detector = vad.open(8000);
  const session = stt.open({
    language: 'en-US',
    secondaryLanguage: null,
    sampleRate: 8000,
    vocab,
    onEvent: (event) => {
      events.push(event);
      if (event.type === 'failed') settled.reject(new Error(event.message));
      if (event.type !== 'final' && event.type !== 'nothing') return;
      answered += 1;
      check();
    },
  });
  session.expect(expected);
  let gate = initialGate();
  /** Frames until the utterance ends; null: none is open. */
  let left: number | null = null;
  let at = 0;
  const frames = LEAD + Math.ceil(pcm.length / FRAME) + TAIL;
  for (let i = 0; i < frames; i += 1) {
    const frame = new Int16Array(FRAME);
    const from = (i - LEAD) * FRAME;
    if (from >= 0) frame.set(pcm.subarray(from, from + FRAME));
    at += FRAME_MS;
    session.write(frame, at);
    const step = stepGate(gate, {
      probability: detector.process(frame),
      levelDbfs: dbfs(frame),
      frameMs: FRAME_MS,
      at,
    });
    gate = step.gate;
    if (left !== null && (left -= 1) === 0) {
      spoken += 1;
      left = null;
    }
    if (step.edge?.type === 'speech_started') {
      session.speechStarted(step.edge.since);
      left = null;
    } else if (step.edge !== null) {
      session.speechEnded(at);
      left = COMMIT;
    }
    // Lets the thread keep up, so that nothing is dropped.
    if (i % 25 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  isOver = true;
  check();
  await settled.promise;
  session.close();
  detector.close();
  const text = events.flatMap((event) => (event.type === 'final' ? [event.text] : [])).join(' ');
  return { text, events };
}
