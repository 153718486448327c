import { longestSilence, soundsIn, wordsHeard, type Stretch } from './listening.ts';
import type { Cue, Plan } from './plan.ts';

/** What a phone sent and received in one call, with the time by which the second recording began later, ms. */
export interface PhoneCall {
  readonly sent: Int16Array;
  readonly received: Int16Array;
  readonly receivedLaterMs: number;
}

/** Figures of one call, all from the phone's side; times in ms of what it sent. */
export interface Score {
  /** From the end of a sentence to the agent's first sound; null: no reply. */
  readonly responses: readonly (number | null)[];
  /** From the first sound of an interruption to the agent's last; null: it did not stop within a second. */
  readonly stops: readonly (number | null)[];
  /** Longest silence of the agent over a murmur or noise beyond its pauses between words. */
  readonly holes: readonly {
    readonly kind: 'murmur' | 'noise';
    readonly text: string;
    readonly ms: number;
  }[];
  /** Pauses inside sentences, and those in which the agent began to speak. */
  readonly pauses: number;
  readonly cutIns: number;
  /** Dictations, and those that one reply repeats whole. */
  readonly dictations: number;
  readonly wholeDictations: number;
  /** Words that the agent's history has and the phone did not hear. */
  readonly ghostWords: number;
  /** Longest silence of both sides. */
  readonly deadAirMs: number;
  /** Replies that were not the expected ones, in words. */
  readonly faults: readonly string[];
  /** Cues that were planned into the agent's speech and met silence: they say nothing. */
  readonly voided: number;
}

/** Silence between coded words. */
const WORD_PAUSE_MS = 60;
/** The agent is silent: longer than between its words. */
const SILENT_MS = 300;
const MISSED_MS = 1_000;
/** After a murmur or noise the agent may still stop for it. */
const HOLE_WATCH_MS = 1_500;
/** A reply that begins this soon after a pause was decided in it. */
const LATE_CUT_IN_MS = 150;
const LONGEST_RESPONSE_MS = 7_000;

/** Scores one call. */
export function scoreCall(plan: Plan, phone: PhoneCall): Score {
  const call = heardBy(plan, phone);
  const spoken = plan.cues.filter(
    ({ kind }) => kind === 'turn' || kind === 'interruption' || kind === 'keys',
  );
  const over = plan.cues.filter(({ into }) => into !== null);
  const live = over.filter((cue) => isSounding(call.words60, cue.fromMs + call.shiftMs));
  const ends = plan.cues.map((_, i) => (plan.cues[i + 1]?.fromMs ?? plan.lengthMs) + call.shiftMs);
  const replies = plan.cues.map((cue, i) =>
    replyAfter(call, (cue.kind === 'silence' ? cue.fromMs : cue.toMs) + call.shiftMs, ends[i] as number),
  );
  const ordinary = plan.cues.flatMap((cue, i) =>
    spoken.includes(cue) && !cue.isPatient && (cue.kind !== 'interruption' || live.includes(cue))
      ? [replies[i]?.afterMs ?? null]
      : [],
  );
  const pauses = plan.cues.flatMap((cue) => cue.pauses);
  const dictations = plan.cues.filter(({ digits }) => digits !== null);
  return {
    responses: ordinary,
    stops: live.filter(({ kind }) => kind === 'interruption').map((cue) => stopOf(call, cue)),
    holes: live.flatMap((cue) =>
      cue.kind === 'murmur' || cue.kind === 'noise'
        ? [{ kind: cue.kind, text: cue.text, ms: holeOf(call, plan, cue) }]
        : [],
    ),
    pauses: pauses.length,
    cutIns: pauses.filter((pause) => cutsIn(call, pause)).length,
    dictations: dictations.length,
    wholeDictations: dictations.filter((cue) => repeats(replies[plan.cues.indexOf(cue)], cue)).length,
    ghostWords: ghostsOf(call, plan),
    deadAirMs: deadAirOf(call, plan),
    faults: plan.cues.flatMap((cue, i) => faultOf(cue, replies[i], isCut(plan.cues, i)) ?? []),
    voided: over.length - live.length,
  };
}

interface Heard {
  /** From the plan's times to those of what was sent. */
  readonly shiftMs: number;
  readonly caller: readonly Stretch[];
  /** The agent's lines, and its sounds with pauses between words joined. */
  readonly lines: readonly Stretch[];
  readonly words60: readonly Stretch[];
  /** The agent's sounds as they are. */
  readonly sounds: readonly Stretch[];
  readonly words: readonly (Stretch & { readonly text: string })[];
}

function heardBy(plan: Plan, { sent, received, receivedLaterMs }: PhoneCall): Heard {
  const later = <T extends Stretch>(list: readonly T[]): T[] =>
    list.map((one) => ({ ...one, fromMs: one.fromMs + receivedLaterMs, toMs: one.toMs + receivedLaterMs }));
  const caller = soundsIn(sent, 0);
  return {
    shiftMs: (caller[0]?.fromMs ?? 0) - (plan.track[0]?.atMs ?? 0),
    caller,
    lines: later(soundsIn(received, SILENT_MS)),
    words60: later(soundsIn(received, WORD_PAUSE_MS + 20)),
    sounds: later(soundsIn(received, 0)),
    words: later(wordsHeard(received)),
  };
}

const isSounding = (sounds: readonly Stretch[], atMs: number): boolean =>
  sounds.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);

/** The line that sounds then, also between two of its words. */
const lineAt = (lines: readonly Stretch[], atMs: number): Stretch | undefined =>
  lines.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs + WORD_PAUSE_MS + 20);

interface Reply {
  readonly afterMs: number;
  readonly words: readonly string[];
}

/** The agent's first line after a time, with the words until the next cue. */
function replyAfter({ lines, words }: Heard, fromMs: number, untilMs: number): Reply | null {
  const line = lines.find((one) => one.fromMs >= fromMs);
  if (line === undefined || line.fromMs - fromMs > LONGEST_RESPONSE_MS) return null;
  const until = Math.max(untilMs, line.toMs);
  const heard = words.filter((word) => word.fromMs >= line.fromMs - 1 && word.fromMs < until);
  return { afterMs: line.fromMs - fromMs, words: heard.map(({ text }) => text) };
}

function stopOf({ lines, shiftMs }: Heard, cue: Cue): number | null {
  const fromMs = cue.fromMs + shiftMs;
  const stopMs = Math.max(0, (lineAt(lines, fromMs)?.toMs ?? fromMs) - fromMs);
  return stopMs > MISSED_MS ? null : stopMs;
}

function holeOf(call: Heard, { cues }: Plan, cue: Cue): number {
  const fromMs = cue.fromMs + call.shiftMs;
  const next = cues[cues.indexOf(cue) + 1];
  const watched = cue.toMs + call.shiftMs + HOLE_WATCH_MS;
  const until = Math.min(watched, next === undefined ? Infinity : next.fromMs + call.shiftMs);
  const words = (cue.into ?? '').split(' ');
  const last = call.words.find((word) => word.fromMs > fromMs && word.text === words.at(-1));
  // The line may end meanwhile, with all of its words.
  const end = Math.min(until, last?.toMs ?? until);
  return Math.max(0, Math.round(longestSilence(call.sounds, fromMs, end) - WORD_PAUSE_MS));
}

const cutsIn = ({ lines, shiftMs }: Heard, { fromMs, toMs }: Stretch): boolean =>
  lines.some((line) => line.fromMs > fromMs + shiftMs && line.fromMs < toMs + shiftMs + LATE_CUT_IN_MS);

/** One reply has every digit, in order and nothing between. */
const repeats = (reply: Reply | null | undefined, cue: Cue): boolean =>
  (reply?.words ?? []).join('').replaceAll(/\D/gu, '') === cue.digits;

const HISTORY = '{agent}';

/** The words of the cut line as the agent's history has them, which a later reply tells, beyond those that were heard. */
function ghostsOf(call: Heard, { cues }: Plan): number {
  let ghosts = 0;
  for (const [i, cue] of cues.entries()) {
    const { reply } = cue;
    if (cue.kind !== 'interruption' || reply === null || !reply.includes(HISTORY)) continue;
    const [before = ''] = reply.split(HISTORY);
    const toMs = (cues[i + 1]?.fromMs ?? Infinity) + call.shiftMs;
    const fromMs = cue.fromMs + call.shiftMs;
    const told = call.words.filter((word) => word.fromMs > cue.toMs + call.shiftMs && word.fromMs < toMs);
    const history = told
      .map(({ text }) => text)
      .slice(before.split(' ').filter((word) => word !== '').length);
    const line = lineAt(call.lines, fromMs);
    const heard = call.words.filter(
      (word) => line !== undefined && word.fromMs >= line.fromMs - 1 && word.toMs <= line.toMs + 1,
    );
    ghosts += Math.max(0, history.length - heard.length);
  }
  return ghosts;
}

function deadAirOf({ caller, sounds, shiftMs }: Heard, { cues }: Plan): number {
  const last = sounds.at(-1)?.toMs ?? 0;
  const all = [...caller, ...sounds].sort((a, b) => a.fromMs - b.fromMs);
  const waits = cues.filter(({ kind, isPatient }) => kind === 'silence' || kind === 'keys' || isPatient);
  let most = 0;
  let quietSince = all[0]?.toMs ?? 0;
  for (const sound of all) {
    const isWait = waits.some(
      ({ kind, fromMs, toMs }) =>
        (kind === 'silence' ? fromMs : toMs) + shiftMs < sound.fromMs &&
        toMs + shiftMs > quietSince - WORD_PAUSE_MS - 20,
    );
    if (sound.fromMs <= last && !isWait) most = Math.max(most, sound.fromMs - quietSince);
    quietSince = Math.max(quietSince, sound.toMs);
  }
  return Math.round(most);
}

/** The reply to this cue is interrupted. */
function isCut(cues: readonly Cue[], at: number): boolean {
  const after = cues.slice(at + 1);
  const next = after.findIndex(({ into }) => into === null);
  return after.slice(0, next < 0 ? after.length : next).some(({ kind }) => kind === 'interruption');
}

/** The reply is another one than planned; of one that is interrupted, it must be the beginning. */
function faultOf(cue: Cue, reply: Reply | null | undefined, cut: boolean): string | null {
  if (cue.reply === null || cue.reply.includes(HISTORY) || cue.digits !== null) return null;
  const heard = (reply?.words ?? []).join(' ');
  const isExpected = cut ? heard !== '' && cue.reply.startsWith(heard) : heard.includes(cue.reply);
  return isExpected ? null : `after "${cue.text}": "${heard}" instead of "${cue.reply}"`;
}
