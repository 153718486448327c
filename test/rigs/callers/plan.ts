import { codedSpeech } from '@callwright/stand-ins';
import { seededRandom } from '../../../packages/sip/test/virtual-network.ts';
import { piecesOf, replyTo, wordsOf, type Script, type Step } from './script.ts';
import { soundOf } from './sounds.ts';

/** One thing that the caller does, at a time of the phone's audio, ms. */
export interface Cue {
  readonly kind: 'turn' | 'interruption' | 'murmur' | 'noise' | 'keys' | 'silence';
  /** First and last sample of its sound. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly text: string;
  /** What the agent is expected to say next; null: it goes on with its line. */
  readonly reply: string | null;
  /** The line of the agent that it is planned into; null: the agent is quiet. */
  readonly into: string | null;
  /** Pauses inside the sentence. */
  readonly pauses: readonly { readonly fromMs: number; readonly toMs: number }[];
  /** The agent waits on purpose before it replies. */
  readonly isPatient: boolean;
  readonly digits: string | null;
}

export interface Plan {
  readonly script: Script;
  readonly seed: number;
  readonly track: readonly { readonly atMs: number; readonly pcm: Int16Array }[];
  readonly cues: readonly Cue[];
  readonly keys: readonly { readonly atMs: number; readonly key: string }[];
  readonly lengthMs: number;
}

/**
 * Not the agent's pitch: with one voice for both, a caller who repeats its words would be its echo. The voice detector takes
 * these pitches for speech at once, as it does people; above 200 Hz the harmonics would lie among the tones of the words.
 */
export const CALLER_PITCH_HZ = 105;
const PITCH_REACH_HZ = 13;
export const INTRO = 'Hello.';
/** From the answer to the intro of an agent that waits for a hello, and from a turn to the reply. */
const INTRO_MS = 850;
const HELLO_MS = 150;
const AFTER_HELLO_MS = 250;
const RESPONSE_MS = 650;
/** A caller's pause before a turn, and from key to key. */
const GAP_MS = { least: 600, more: 400 } as const;
const KEY_MS = 300;
/** After the last key without an end key. */
const KEYS_OVER_MS = 2_500;
const RATE = 8000;
/** Each coded word ends with silence. */
const WORD_PAUSE_MS = 60;
const LAST_MS = 1_200;

export const lengthOf = (text: string): number =>
  text.trim() === '' ? 0 : (codedSpeech(text, RATE).length * 1000) / RATE - WORD_PAUSE_MS;

/** Lays out a call: when the caller speaks, by the length of what the agent is expected to say. */
export function planCall(script: Script, seed: number): Plan {
  const random = seededRandom(seed * 7_919 + hash(script.id));
  const pitch = CALLER_PITCH_HZ + Math.round(PITCH_REACH_HZ * random());
  const gain = 10 ** ((script.line?.db ?? 0) / 20);
  const track: { atMs: number; pcm: Int16Array }[] = [];
  const cues: Cue[] = [];
  const keys: { atMs: number; key: string }[] = [];
  const intro = script.intro ?? INTRO;

  const put = (atMs: number, pcm: Int16Array): number => {
    track.push({ atMs, pcm: gain === 1 ? pcm : pcm.map((sample) => Math.round(sample * gain)) });
    return atMs + (pcm.length * 1000) / RATE;
  };
  /** Says the words from `atMs` on; returns the end and the pauses. */
  const speak = (text: string, atMs: number): { toMs: number; pauses: Cue['pauses'] } => {
    const pauses: { fromMs: number; toMs: number }[] = [];
    let at = atMs;
    for (const piece of piecesOf(text)) {
      if ('word' in piece) at = put(at, codedSpeech(piece.word, RATE, 1, pitch));
      else {
        const fromMs = at - WORD_PAUSE_MS;
        at = Math.round(fromMs + piece.pauseMs * (0.85 + 0.15 * random()));
        pauses.push({ fromMs, toMs: at });
      }
    }
    return { toMs: at - WORD_PAUSE_MS, pauses };
  };
  let introMs = INTRO_MS;
  if (script.hello !== undefined) introMs = speak(script.hello, HELLO_MS).toMs + AFTER_HELLO_MS;
  let line = { text: intro, fromMs: introMs, toMs: introMs + lengthOf(intro) };
  const replied = (step: Step, toMs: number, waitMs: number): void => {
    const text = replyTo(step) ?? '';
    const toolMs = 'calls' in step ? (script.tool?.ms ?? 0) + RESPONSE_MS : 0;
    const fromMs = toMs + RESPONSE_MS + waitMs + toolMs;
    line = { text, fromMs, toMs: fromMs + lengthOf(text) };
  };
  const cue = (kind: Cue['kind'], step: Step, fromMs: number, more: Partial<Cue>): void => {
    const isSpoken = 'says' in step || 'interrupts' in step || 'presses' in step;
    cues.push({
      kind,
      fromMs,
      toMs: fromMs,
      text: '',
      reply: replyTo(step),
      into: null,
      pauses: [],
      isPatient: isSpoken && step.calls === true,
      digits: isSpoken ? (step.digits ?? null) : null,
      ...more,
    });
  };

  for (const step of script.steps) {
    const next = Math.round(line.toMs + GAP_MS.least + GAP_MS.more * random());
    if ('says' in step) {
      const { waitMs = 0 } = step;
      const { toMs, pauses } = speak(step.says, next);
      const isPatient = waitMs > 0 || step.calls === true;
      cue('turn', step, next, { toMs, pauses, text: wordsOf(step.says), isPatient });
      replied(step, toMs, waitMs);
    } else if ('presses' in step) {
      const digits = step.presses.split('');
      for (const [i, key] of digits.entries()) keys.push({ atMs: next + i * KEY_MS, key });
      const toMs = next + digits.length * KEY_MS;
      cue('keys', step, next, { toMs, text: step.presses, isPatient: true });
      replied(step, toMs, digits.at(-1) === '#' ? 0 : KEYS_OVER_MS);
    } else if ('silentMs' in step) {
      cue('silence', step, line.toMs, { toMs: line.toMs + step.silentMs });
      line = { ...line, toMs: line.toMs + step.silentMs };
    } else {
      const atMs = Math.round(line.fromMs + step.overMs + 150 * random());
      const into = line.text;
      if ('noise' in step) {
        const toMs = put(atMs, soundOf(step.noise, Math.floor(random() * 2 ** 31)));
        cue('noise', step, atMs, { toMs, into, text: step.noise });
      } else {
        const text = wordsOf('murmurs' in step ? step.murmurs : step.interrupts);
        const { toMs } = speak(text, atMs);
        cue('murmurs' in step ? 'murmur' : 'interruption', step, atMs, { toMs, into, text });
        if ('interrupts' in step) replied(step, toMs, 0);
      }
    }
  }
  return { script, seed, track, cues, keys, lengthMs: Math.round(line.toMs) + LAST_MS };
}

const hash = (text: string): number =>
  text.split('').reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0, 7);
