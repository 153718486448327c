/** The caller's sound since the last commit. While the gate hears it, no final is pending: the sound may go on. */
export type Sound = Speaking | Quiet;

interface Speaking {
  readonly phase: 'speaking';
  /** Quiet at the moment: the sound may have ended. */
  readonly isPaused: boolean;
  /** A final arrived in this segment, and no words after it. */
  readonly isFinal: boolean;
  /** Time of the segment's start or its last words. */
  readonly changedAt: number;
}

/**
 * `none`: no sound since the last commit, so words are late ones. `over`: the sound has ended. `soft`: only the recogniser
 * heard it, so its words say when it was. `ignored`: the sound continues, but the machine takes it for noise or for the end
 * of a turn. `cut_off`: a hold ended an ignored sound.
 */
interface Quiet {
  readonly phase: 'none' | 'over' | 'soft' | 'ignored' | 'cut_off';
  /** Deadline of the pending final; null: none is pending. */
  readonly owedUntil: number | null;
}

/** One stretch of the caller's sound. */
export interface Segment {
  /** Counts segments, to tell a repeated final from a repeated word. */
  readonly number: number;
  readonly since: number;
  /** Audio time of `since`; null: unknown. */
  readonly audioMs: number | null;
  /**
   * Whether words of this segment arrived. `owed`: no, and the previous segment's final is still pending. `unsure`: words
   * arrived while it is pending, so they may be the previous segment's.
   */
  readonly words: 'none' | 'owed' | 'unsure' | 'heard';
  /** All its words so far are backchannels, or its talker is far. */
  readonly isHarmless: boolean;
}

export const SILENCE: Sound = { phase: 'none', owedUntil: null };
/** The sound continues, but the machine takes it for noise or for the end of the turn. */
export const IGNORED: Sound = { phase: 'ignored', owedUntil: null };
export const NO_SEGMENT: Segment = { number: 0, since: 0, audioMs: null, words: 'none', isHarmless: false };

export const speakingSince = (at: number): Speaking => ({
  phase: 'speaking',
  isPaused: false,
  isFinal: false,
  changedAt: at,
});

/** The sound has ended; its final is due by `owedUntil`. */
export const over = (owedUntil: number | null): Sound => ({ phase: 'over', owedUntil });

/** The gate hears sound, whether or not it counts as speech. */
export const isSounding = ({ phase }: Sound): boolean => phase === 'speaking' || phase === 'ignored';

/** When the pending final is overdue; null: none is pending. */
export const owedUntil = (sound: Sound): number | null =>
  sound.phase === 'speaking' ? null : sound.owedUntil;

/** A final is pending until `until`, unless the gate still hears sound. */
export const owedBy = (sound: Sound, until: number): Sound =>
  sound.phase === 'speaking' || sound.phase === 'ignored' ? sound : { phase: sound.phase, owedUntil: until };

/** No final is pending any more. */
export const withoutOwed = (sound: Sound): Sound =>
  sound.phase === 'speaking' || sound.owedUntil === null ? sound : { phase: sound.phase, owedUntil: null };

export const paused = (sound: Sound, isPaused: boolean): Sound =>
  sound.phase === 'speaking' ? { ...sound, isPaused } : sound;

/** The segment's final arrived, or what arrived covers its sound. */
export const ended = (sound: Sound): Sound =>
  sound.phase === 'speaking' ? { ...sound, isFinal: true } : withoutOwed(sound);

/** A final arrived. `isFinal`: it ends the words of the segment. */
export const withFinal = (sound: Sound, isFinal: boolean, at: number): Sound =>
  sound.phase === 'speaking' ? { ...sound, isFinal, changedAt: at } : withoutOwed(sound);

/** Partial words arrived; without a final they are taken as final after `dueMs`. Ignored and soft sound renews the wait. */
export function withPartial(sound: Sound, at: number, dueMs: number): Sound {
  if (sound.phase === 'speaking') return { ...sound, isFinal: false, changedAt: at };
  const isRenewed = sound.phase !== 'none' && sound.phase !== 'over';
  return { phase: sound.phase, owedUntil: isRenewed ? at + dueMs : (sound.owedUntil ?? at + dueMs) };
}

/** The sound after a commit: current sound continues without its words. */
export function soundAfterCommit(sound: Sound): Sound {
  if (sound.phase === 'speaking') return { ...speakingSince(0), isPaused: sound.isPaused };
  return sound.phase === 'ignored' ? IGNORED : SILENCE;
}

/** The sound when the conversation is suspended: the gate starts again afterwards. */
export function soundAfterHold(sound: Sound): Sound {
  if (sound.phase === 'speaking') return over(null);
  return sound.phase === 'ignored' ? { phase: 'cut_off', owedUntil: null } : SILENCE;
}

/** Words arrived since the segment began. */
export const hasWords = ({ words }: Segment): boolean => words === 'heard' || words === 'unsure';

/** The previous segment's final is still pending. */
export const isOwed = ({ words }: Segment): boolean => words === 'owed' || words === 'unsure';

export const beginSegment = (
  before: Segment,
  begun: { readonly since: number; readonly audioMs: number | null },
  words: Segment['words'],
  isHarmless: boolean,
): Segment => ({ number: before.number + 1, ...begun, words, isHarmless });

export const segmentAfterCommit = ({ number, since, audioMs }: Segment): Segment => ({
  number,
  since,
  audioMs,
  words: 'none',
  isHarmless: false,
});

/** Words of the segment arrived; those that the previous segment still owes say nothing about this one. */
export const partialIn = (segment: Segment, isHarmless: boolean): Segment => {
  const isUnsure = isOwed(segment);
  return { ...segment, words: isUnsure ? 'unsure' : 'heard', isHarmless: isHarmless && !isUnsure };
};

export const finalIn = (segment: Segment): Segment => ({ ...segment, words: 'heard' });

/** The final that the previous segment owed has come, or will not. */
export const owesNothing = (segment: Segment): Segment => {
  if (segment.words === 'none' || segment.words === 'heard') return segment;
  return { ...segment, words: segment.words === 'owed' ? 'none' : 'heard' };
};

export const harmless = (segment: Segment, isHarmless: boolean): Segment =>
  segment.isHarmless === isHarmless ? segment : { ...segment, isHarmless };
