import { dbfs, FRAME_MS, type SampleRate } from '@callwright/audio';
import { normalised, wordsOf } from '../turn/words.ts';

/**
 * Recognises the agent's own voice in what comes back from a speakerphone or a bad line. Compares the waveform sent with
 * the one heard, at 4 kHz and over delays of up to 300 ms; searches only while the agent's sound may be coming back.
 */
export interface EchoGuard {
  readonly step: number;
  /** Sent and heard audio at 4 kHz, differentiated; the newest sample is last. */
  readonly sent: Float32Array;
  readonly heard: Float32Array;
  /** Energy of the samples sent, summed from the start of `sent`. */
  readonly energy: Float64Array;
  /** Level of each frame sent, newest last, dBFS. */
  readonly levels: Float32Array;
  /** The last sample of each before differentiating. */
  lastSent: number;
  lastHeard: number;
  /** Frames since there was sound to come back. */
  sinceSound: number;
  /** The delay of the echo in samples, confirmed or not; -1: none. */
  lag: number;
  hits: number;
  isLocked: boolean;
  /** Level of the echo relative to what was sent, dB. */
  gainDb: number;
  /** Frames of the far side's own talk in a row, and for how many more its talk is kept whole. */
  ownInRow: number;
  nearFrames: number;
  searches: number;
}

const RATE = 4_000;
const FRAME = (RATE * FRAME_MS) / 1_000;
const WINDOW = FRAME * 4;
const LONGEST_LAG = (RATE * 300) / 1_000;
const LEVELS = 20;
/** Quieter frames hold neither speech nor an echo. */
const SOUND_DBFS = -55;
/** Correlation that makes an echo: unconfirmed, confirmed, and clear enough to measure its level. */
const SUSPECT = 0.7;
const ECHO = 0.6;
const CLEAR = 0.8;
/** A delay is confirmed by this many frames in a row. */
const CONFIRM = 4;
/** Samples around the delay that are searched once it is known. */
const NEAR_LAG = 3;
/** Sound this far above the echo's level is the far side itself; this close to it, its tail. */
const OWN_DB = 6;
const TAIL_DB = 3;
/** Talk of the far side is kept whole over quiet sounds of this length. */
const OWN_FRAMES = 12;
/** Without a known delay, every frame is searched at first, then one of so many. */
const EAGER_SEARCHES = 15;
const LAZY = 5;
const EMPHASIS = 0.9;

export const createEchoGuard = (rate: SampleRate): EchoGuard => ({
  step: rate / RATE,
  sent: new Float32Array(LONGEST_LAG + WINDOW),
  heard: new Float32Array(WINDOW),
  energy: new Float64Array(LONGEST_LAG + WINDOW + 1),
  levels: new Float32Array(LEVELS).fill(-100),
  lastSent: 0,
  lastHeard: 0,
  sinceSound: Infinity,
  lag: -1,
  hits: 0,
  isLocked: false,
  gainDb: -20,
  ownInRow: 0,
  nearFrames: 0,
  searches: 0,
});

/** Notes the frame that was sent; null: silence. Call it every 20 ms. */
export function sentFrame(guard: EchoGuard, pcm: Int16Array | null, levelDbfs: number): void {
  guard.sinceSound = pcm !== null && levelDbfs > SOUND_DBFS ? 0 : guard.sinceSound + 1;
  if (guard.sinceSound * FRAME_MS > 600) return;
  guard.lastSent = append(guard.sent, pcm, guard.step, guard.lastSent);
  guard.levels.copyWithin(0, 1);
  guard.levels[LEVELS - 1] = pcm === null ? -100 : levelDbfs;
}

/** Whether the frame heard is the agent's own voice coming back. Call it every 20 ms, after `sentFrame`. */
export function isEcho(guard: EchoGuard, pcm: Int16Array, levelDbfs: number): boolean {
  if (guard.sinceSound * FRAME_MS > 400) {
    guard.nearFrames = 0;
    guard.searches = 0;
    guard.heard.fill(0);
    return false;
  }
  guard.lastHeard = append(guard.heard, pcm, guard.step, guard.lastHeard);
  // Too quiet for the far side's own talk over the agent's.
  if (levelDbfs < SOUND_DBFS) return true;
  const match = compare(guard);
  const over = levelDbfs - expectedDbfs(guard);
  if (guard.isLocked && match >= CLEAR) {
    // Follows the peaks: most frames are quieter than the loudest of their surroundings.
    guard.gainDb += over > 0 ? 0.3 * Math.min(over, OWN_DB) : 0.02 * Math.max(over, -OWN_DB);
  }
  if (guard.isLocked && over >= OWN_DB && match < ECHO) {
    guard.ownInRow += 1;
    if (guard.ownInRow > 1) guard.nearFrames = OWN_FRAMES;
    return false;
  }
  guard.ownInRow = 0;
  if (guard.nearFrames > 0) {
    guard.nearFrames -= 1;
    return false;
  }
  if (!guard.isLocked) return match >= SUSPECT;
  return match >= ECHO || over <= TAIL_DB;
}

/** The best correlation, at the known delay or over all of them; keeps track of the delay. */
function compare(guard: EchoGuard): number {
  if (guard.isLocked) {
    const { lag } = guard;
    const near = best(guard, Math.max(0, lag - NEAR_LAG), Math.min(LONGEST_LAG, lag + NEAR_LAG));
    if (near.match >= ECHO) {
      guard.lag = near.lag;
      guard.searches = 0;
      return near.match;
    }
    guard.searches += 1;
    // Either the far side talks or the delay has changed: a full search, now and then, finds out.
    if (guard.searches % LAZY !== 0) return near.match;
    const anew = best(guard, 0, LONGEST_LAG);
    if (anew.match >= CLEAR) {
      guard.lag = anew.lag;
      return anew.match;
    }
    return near.match;
  }
  guard.searches += 1;
  if (guard.searches > EAGER_SEARCHES && guard.searches % LAZY !== 0) return 0;
  const found = best(guard, 0, LONGEST_LAG);
  const isSame = Math.abs(found.lag - guard.lag) <= NEAR_LAG;
  guard.hits = found.match < SUSPECT ? 0 : isSame ? guard.hits + 1 : 1;
  guard.lag = found.lag;
  if (guard.hits >= CONFIRM) {
    guard.isLocked = true;
    guard.gainDb = levelGap(guard);
  }
  return found.match;
}

/** The delay between `from` and `to` at which what was sent fits best what was heard. */
function best(guard: EchoGuard, from: number, to: number): { match: number; lag: number } {
  const { sent, heard, energy } = guard;
  let power = 0;
  for (let i = 0; i < WINDOW; i++) power += (heard[i] as number) ** 2;
  const found = { match: 0, lag: -1 };
  if (power === 0) return found;
  energy[0] = 0;
  for (let i = 0; i < sent.length; i++) {
    energy[i + 1] = (energy[i] as number) + (sent[i] as number) ** 2;
  }
  const least = power * 0.01;
  for (let lag = from; lag <= to; lag++) {
    const start = LONGEST_LAG - lag;
    const reference = (energy[start + WINDOW] as number) - (energy[start] as number);
    if (reference < least) continue;
    let product = 0;
    for (let i = 0; i < WINDOW; i++) product += (heard[i] as number) * (sent[start + i] as number);
    const match = Math.abs(product) / Math.sqrt(power * reference);
    if (match > found.match) {
      found.match = match;
      found.lag = lag;
    }
  }
  return found;
}

/** Level at which the echo of what was sent should arrive now, its tail of 60 ms included. */
function expectedDbfs({ levels, lag, gainDb }: EchoGuard): number {
  const behind = Math.max(0, Math.round(lag / FRAME));
  let loudest = -100;
  for (let i = behind - 1; i <= behind + 3; i++) {
    const at = LEVELS - 1 - i;
    if (at >= 0 && at < LEVELS) loudest = Math.max(loudest, levels[at] as number);
  }
  return loudest + gainDb;
}

/** Level of the window heard relative to the window sent at the delay found, dB. */
function levelGap({ sent, heard, lag }: EchoGuard): number {
  const start = LONGEST_LAG - lag;
  let [there, here] = [1, 1];
  for (let i = 0; i < WINDOW; i++) {
    there += (sent[start + i] as number) ** 2;
    here += (heard[i] as number) ** 2;
  }
  return 10 * Math.log10(here / there);
}

/**
 * Appends a frame at 4 kHz, differentiated so that a pitch alone does not make a match; `last` is the sample before it.
 * Returns the frame's last sample.
 */
function append(line: Float32Array, pcm: Int16Array | null, step: number, last: number): number {
  line.copyWithin(0, FRAME);
  const from = line.length - FRAME;
  if (pcm === null) {
    line.fill(0, from);
    return 0;
  }
  let before = last;
  for (let i = 0; i < FRAME; i++) {
    let sum = 0;
    for (let n = 0; n < step; n++) sum += pcm[i * step + n] ?? 0;
    const value = sum / step;
    line[from + i] = value - EMPHASIS * before;
    before = value;
  }
  return before;
}

/**
 * Separates the caller from a television or a second talker by level. Only sound that continues while the agent speaks
 * counts as background; other lines are never muted, however soft the caller speaks. Pure.
 */
export interface TalkLevel {
  /** Level of the caller's loud syllables, dBFS. */
  callerDbfs: number;
  /** Share of the agent's speech over which there was softer talk, of the last seconds. */
  background: number;
  /** Levels of the last frames with talk, and of all of them. */
  readonly recent: Float32Array;
  readonly levels: Float32Array;
  /** Frames of talk while the agent was silent, from which the caller's level is known. */
  known: number;
}

export interface TalkFrame {
  /** Of speech, 0 to 1. */
  readonly probability: number;
  readonly levelDbfs: number;
  readonly agentSounds: boolean;
}

const SILENCE_DBFS = -100;
/** Frames over which the loudest counts, so that soft syllables belong to their word. */
const HOLD_FRAMES = 8;
const TALK = 0.35;
/** Talk that is softer than the caller's by this is not theirs; an interruption takes more certainty. */
const SOFTER_DB = { quiet: 5, overAgent: 3 } as const;
/** How fast the caller's level follows louder talk, a share a frame; and sinks without it, dB a frame. */
const RISE = 0.3;
const SINK_DB = 0.0025;
/** Time constant of a second. */
const FOLLOW = 0.02;
const IS_BACKGROUND = 0.6;
/** Sound over the agent that is this much softer than the caller, over so many frames, comes from far away. */
const FAR_DB = 9;
const FAR_FRAMES = 5;
/** The caller's level is known after half a second of talk. */
const KNOWN_FRAMES = 25;
/** How fast the caller's level follows softer talk while the agent is silent, a share a frame. */
const FALL = 0.01;

export const createTalkLevel = (): TalkLevel => ({
  callerDbfs: SILENCE_DBFS,
  background: 0,
  recent: new Float32Array(HOLD_FRAMES).fill(SILENCE_DBFS),
  levels: new Float32Array(HOLD_FRAMES).fill(SILENCE_DBFS),
  known: 0,
});

/** Handles one frame; true: its talk is background. */
export function isBackground(talk: TalkLevel, { probability, levelDbfs, agentSounds }: TalkFrame): boolean {
  const { recent, levels } = talk;
  levels.copyWithin(0, 1);
  levels[HOLD_FRAMES - 1] = levelDbfs;
  recent.copyWithin(0, 1);
  recent[HOLD_FRAMES - 1] = probability >= TALK ? levelDbfs : SILENCE_DBFS;
  // One or two loud frames are a peak of the background, not a word.
  const loudest = loudestOf(recent)[2];
  if (talk.callerDbfs === SILENCE_DBFS) talk.callerDbfs = loudest;
  else if (loudest > talk.callerDbfs) talk.callerDbfs += RISE * (loudest - talk.callerDbfs);
  else talk.callerDbfs -= SINK_DB;
  const isCallers = !agentSounds && probability >= TALK && talk.background < IS_BACKGROUND;
  if (isCallers) {
    talk.known += 1;
    // A caller who has moved away from the phone stays the caller.
    if (loudest > SILENCE_DBFS) talk.callerDbfs += FALL * Math.min(0, loudest - talk.callerDbfs);
  }
  const isSofter = loudest < talk.callerDbfs - (agentSounds ? SOFTER_DB.overAgent : SOFTER_DB.quiet);
  if (agentSounds) {
    const isTalk = isSofter && probability >= TALK;
    talk.background += FOLLOW * ((isTalk ? 1 : 0) - talk.background);
  }
  return isSofter && talk.background >= IS_BACKGROUND;
}

/**
 * Whether the sound over the agent's speech, speech or not, is too soft to be the caller's, by the last frame handled; null:
 * there is too little sound, or the caller's level is not known.
 */
export function isFar({ levels, callerDbfs, known }: TalkLevel): boolean | null {
  if (known < KNOWN_FRAMES) return null;
  // A word may begin softly: two loud frames among its first are the caller's.
  if (loudestOf(levels)[1] >= callerDbfs - FAR_DB) return false;
  return levels.filter((level) => level > SOUND_DBFS).length >= FAR_FRAMES ? true : null;
}

/** The three highest levels, the highest first. */
function loudestOf(levels: Float32Array): readonly [number, number, number] {
  let [first, second, third] = [SILENCE_DBFS, SILENCE_DBFS, SILENCE_DBFS];
  for (const level of levels) {
    if (level > first) [first, second, third] = [level, first, second];
    else if (level > second) [second, third] = [level, second];
    else if (level > third) third = level;
  }
  return [first, second, third];
}

const MOST_SENTENCES = 6;
/** A single word is no evidence of an echo: callers repeat the agent's words. */
const LEAST_WORDS = 2;

/** The agent's last sentences, newest last, in the form that `isOwnWords` compares. */
export const withSentence = (sentences: readonly string[], text: string): readonly string[] =>
  [...sentences, normalised(text)].slice(-MOST_SENTENCES);

/** Whether the words are a part of what the agent has just said, word for word. */
export const isOwnWords = (sentences: readonly string[], text: string): boolean =>
  wordsOf(text).length >= LEAST_WORDS && ` ${sentences.join(' ')} `.includes(` ${normalised(text)} `);

/** Words of an echo arrive within this after it. */
const ECHO_WORDS_MS = 1_500;

/** What of a frame is the caller's. */
interface CallerFrame {
  /** For the recogniser: the frame, or silence. */
  readonly frame: Int16Array;
  /** Probability of the caller's speech. */
  readonly spoken: number;
}

/** Takes the agent's own voice and talk in the background out of what the far side sends. */
export class CallerFilter {
  readonly #echo: EchoGuard;
  readonly #talk = createTalkLevel();
  readonly #nothing: CallerFrame;
  #agentSounds = false;
  /** The agent's last sentences, and when its voice last came back. */
  #sentences: readonly string[] = [];
  #echoAt = -Infinity;
  /** Talk over the agent comes from farther away than the caller. */
  #isFar = false;

  constructor(rate: SampleRate) {
    this.#echo = createEchoGuard(rate);
    this.#nothing = { frame: new Int16Array((rate * FRAME_MS) / 1000), spoken: 0 };
  }

  get isFar(): boolean {
    return this.#isFar;
  }

  /** The agent speaks this sentence now. */
  agentSays(text: string): void {
    this.#sentences = withSentence(this.#sentences, text);
  }

  /** The frame that the agent sent; null: silence. */
  sent(pcm: Int16Array | null): void {
    this.#agentSounds = pcm !== null;
    sentFrame(this.#echo, pcm, pcm === null ? SILENCE_DBFS : dbfs(pcm));
  }

  /** Handles one frame; `probability`: of speech in it. */
  take(pcm: Int16Array, probability: number, levelDbfs: number, at: number): CallerFrame {
    const isOwn = isEcho(this.#echo, pcm, levelDbfs);
    if (isOwn && this.#echo.isLocked) this.#echoAt = at;
    const caller = this.#ofCaller(isOwn, pcm, probability, levelDbfs);
    if (this.#agentSounds && !isOwn) this.#isFar = isFar(this.#talk) ?? this.#isFar;
    return caller;
  }

  #ofCaller(isOwn: boolean, pcm: Int16Array, probability: number, levelDbfs: number): CallerFrame {
    // The agent's own voice covers the background, and its pauses show that there is none.
    if (isOwn && levelDbfs >= SOUND_DBFS) return this.#nothing;
    const talk = { probability: isOwn ? 0 : probability, levelDbfs, agentSounds: this.#agentSounds };
    return isBackground(this.#talk, talk) || isOwn ? this.#nothing : { frame: pcm, spoken: probability };
  }

  /** Whether the words are the agent's own, which a recogniser heard in an echo. */
  areOwn(text: string, at: number): boolean {
    return at - this.#echoAt <= ECHO_WORDS_MS && isOwnWords(this.#sentences, text);
  }
}
