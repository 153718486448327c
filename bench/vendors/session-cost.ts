import { codedSpeech } from '@callwright/stand-ins';
import { createRecogniser, type RecogniserChoice } from '../../src/providers/choose/recognisers.ts';
import { FRAME_MS } from '@callwright/audio';
import type { SttSession } from '../../src/providers/ports/recogniser.ts';

const SESSIONS = 40;
const WARM_UP_MS = 2_000;
const MEASURED_MS = 5_000;
const SETTLE_MS = 500;
/** The caller speaks once in so many frames: every 4 s. */
const CYCLE = 200;
const RATE = 8000;
const SAMPLES = (RATE * FRAME_MS) / 1000;
const QUESTION = codedSpeech('When do you open?', RATE);

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Processor time of one call's frames in this process, percent of a core; null: of the frames alone, without a recogniser. */
export async function sessionCost(choice: RecogniserChoice | null): Promise<number> {
  const sessions = choice === null ? [] : openSessions(choice);
  await pause(SETTLE_MS);
  await writeFrames(sessions, WARM_UP_MS);
  const before = process.cpuUsage();
  const startedAt = performance.now();
  await writeFrames(sessions, MEASURED_MS);
  const { user, system } = process.cpuUsage(before);
  const wallMs = performance.now() - startedAt;
  for (const session of sessions) session.close();
  await pause(SETTLE_MS);
  return ((user + system) / 1000 / wallMs / SESSIONS) * 100;
}

function openSessions(choice: RecogniserChoice): SttSession[] {
  const provider = createRecogniser(choice);
  return Array.from({ length: SESSIONS }, () =>
    provider.open({
      language: 'en-US',
      secondaryLanguage: null,
      sampleRate: RATE,
      vocab: [],
      onEvent: () => undefined,
    }),
  );
}

/** Writes frames to every session at the pace of a call. */
async function writeFrames(sessions: readonly SttSession[], ms: number): Promise<void> {
  const startedAt = performance.now();
  const frame = new Int16Array(SAMPLES);
  for (let tick = 0; tick * FRAME_MS < ms; tick++) {
    const from = (tick % CYCLE) * SAMPLES;
    const at = tick * FRAME_MS;
    frame.fill(0);
    frame.set(QUESTION.subarray(from, from + SAMPLES));
    for (const session of sessions) {
      if (from === 0) session.speechStarted(at);
      if (from >= QUESTION.length && from < QUESTION.length + SAMPLES) session.speechEnded(at);
      session.write(frame, at);
    }
    const leftMs = startedAt + (tick + 1) * FRAME_MS - performance.now();
    if (leftMs > 0) await pause(leftMs);
  }
}
