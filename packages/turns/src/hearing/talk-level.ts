/**
 * Tells the caller from a television or a second talker by level. Only sound that goes on while the agent speaks makes a
 * background; on other lines nothing is muted, however soft the caller speaks. Pure.
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
/** Quieter frames hold no sound. */
const SOUND_DBFS = -55;
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
