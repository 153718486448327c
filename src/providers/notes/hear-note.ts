import { setTimeout as sleep } from 'node:timers/promises';
import type { AudioUse } from '../../voice/measures.ts';
import type { SttEvent, SttOptions, SttProvider } from '../ports/recogniser.ts';
import { NOTE_RATE } from './decode-note.ts';

const FRAME_MS = 20;
const FRAME = (NOTE_RATE * FRAME_MS) / 1_000;
/** Recognisers keep a dozen seconds of one utterance, so a note is cut in its quietest places. */
const SHORTEST_PART_MS = 5_000;
const LONGEST_PART_MS = 10_000;
/** Silence while a vendor's connection opens, which may drop what it gets before. */
const OPENING_MS = 1_500;
/** Silence after a part: recognisers join speech that goes on sooner. */
const PAUSE_MS = 500;
/** Vendors take audio faster than it is spoken, but not at once. */
const SPEED = 4;
/** Frames written between two waits. */
const BURST = 8;
/** The words are complete when none have come for this time after the end. */
const QUIET_MS = 2_500;
const LIMIT_MS = 20_000;

/** Where to cut `pcm`: ends of parts of five to ten seconds, each in the quietest 200 ms of that time. Pure. */
export function partsOf(pcm: Int16Array): number[] {
  const ends: number[] = [];
  const at = (ms: number): number => (NOTE_RATE * ms) / 1_000;
  const look = at(200);
  for (let from = 0; pcm.length - from > at(LONGEST_PART_MS);) {
    let best = from + at(LONGEST_PART_MS);
    let least = Infinity;
    for (
      let place = from + at(SHORTEST_PART_MS);
      place <= from + at(LONGEST_PART_MS) - look;
      place += look / 2
    ) {
      let energy = 0;
      for (let n = place; n < place + look; n += 4) energy += (pcm[n] ?? 0) ** 2;
      if (energy >= least) continue;
      least = energy;
      best = place + look / 2;
    }
    ends.push(best);
    from = best;
  }
  ends.push(pcm.length);
  return ends;
}

export interface HeardNote {
  /** Null: the recogniser failed or heard none, or the time was over. */
  readonly words: string | null;
  /** What recognisers heard of the note, the silence around it included. */
  readonly uses: readonly AudioUse[];
}

/** Has a recogniser hear a voice note until `signal` cuts it short. `wait` stands in for time in tests. */
export async function hearNote(
  stt: SttProvider,
  pcm: Int16Array,
  options: Omit<SttOptions, 'onEvent' | 'sampleRate'>,
  signal: AbortSignal,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<HeardNote> {
  const finals: { readonly turn: string | undefined; text: string }[] = [];
  let partial = '';
  let results = 0;
  let quietMs = 0;
  const onEvent = (event: SttEvent): void => {
    quietMs = 0;
    if (event.type === 'partial') partial = event.text;
    if (event.type === 'final') {
      partial = '';
      results += 1;
      const same = event.turn === undefined ? undefined : finals.find(({ turn }) => turn === event.turn);
      if (same === undefined) finals.push({ turn: event.turn, text: event.text });
      else same.text = event.text;
    }
    if (event.type === 'nothing' || event.type === 'failed') results += 1;
  };
  const session = stt.open({ ...options, sampleRate: NOTE_RATE, onEvent });
  let writtenMs = 0;
  let uses: readonly AudioUse[] = [];
  const write = async (samples: Int16Array): Promise<void> => {
    for (let at = 0; at < samples.length && !signal.aborted; at += FRAME) {
      const frame = new Int16Array(FRAME);
      frame.set(samples.subarray(at, at + FRAME));
      writtenMs += FRAME_MS;
      session.write(frame, writtenMs);
      if ((at / FRAME) % BURST === BURST - 1) await wait((BURST * FRAME_MS) / SPEED);
    }
  };
  const silence = (ms: number): Int16Array => new Int16Array((NOTE_RATE * ms) / 1_000);
  try {
    for (let ms = 0; ms < OPENING_MS && !signal.aborted; ms += FRAME_MS * BURST) {
      await write(silence(FRAME_MS * BURST));
      await wait(FRAME_MS * BURST * (1 - 1 / SPEED));
    }
    const ends = partsOf(pcm);
    let from = 0;
    for (const end of ends) {
      session.speechStarted(writtenMs);
      await write(pcm.subarray(from, end));
      session.speechEnded(writtenMs);
      await write(silence(PAUSE_MS));
      from = end;
    }
    for (let waited = 0; waited < LIMIT_MS && !signal.aborted; waited += 100) {
      const isQuiet = quietMs >= QUIET_MS || (results >= ends.length && quietMs >= 500);
      if (isQuiet && (results > 0 || quietMs >= LIMIT_MS / 2)) break;
      await wait(100);
      quietMs += 100;
    }
  } finally {
    uses = session.usage?.() ?? [{ vendor: stt.name, model: null, audioMs: writtenMs }];
    session.close();
  }
  const words = [...finals.map(({ text }) => text), partial].join(' ').replaceAll(/\s+/g, ' ').trim();
  return { words: words === '' || signal.aborted ? null : words, uses };
}
