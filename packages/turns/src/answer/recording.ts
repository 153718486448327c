import { machineKind } from '@callwright/language';
import type { AnswerReason } from './answered-by.ts';
import { decide, stay, type AnswerEvent, type AnswerState, type Step } from './state.ts';

/** Longer tones are ringing or a modem. */
const LONGEST_BEEP_MS = 1_100;
/** Minimum length of a greeting before a beep; a person's hello is shorter. */
const GREETING_MS = 1_500;
/** From the end of the greeting to its beep. */
const BEEP_GAP_MS = 2_500;
/** A greeting without a tone is over after this silence. */
const GREETING_END_MS = 3_000;
const RECORD_BY_MS = 30_000;
export const AFTER_BEEP_MS = 400;

type Tone = Extract<AnswerEvent, { type: 'tone' }>;

/** A tone right after a greeting. The speech gate may have taken the tone itself for speech. */
export function isBeep(state: AnswerState, tone: Tone): boolean {
  if (tone.goesOn === true || tone.ms > LONGEST_BEEP_MS) return false;
  const began = tone.at - tone.ms;
  const underWay = state.speakingSince === null ? 0 : Math.max(0, began - state.speakingSince);
  const quietMs = state.speakingSince === null ? began - state.quietSince : 0;
  return state.monologueMs + underWay >= GREETING_MS && quietMs <= BEEP_GAP_MS;
}

/** A mailbox answered: hangs up, or waits for its tone to leave the message. */
export function mailbox(
  state: AnswerState,
  at: number,
  why: { readonly reasons: readonly AnswerReason[]; readonly isFull: boolean },
): Step {
  const { message } = state.settings;
  const found = decide(state, 'voicemail', why.reasons.includes('beep') ? 0.97 : 0.95, why.reasons, at);
  if (message === null || why.isFull) {
    return {
      state: { ...found, phase: 'settled' },
      effects: [
        { type: 'hush', before: 'machine' },
        { type: 'end', reason: 'VOICEMAIL_DETECTED' },
      ],
    };
  }
  return {
    state: { ...found, phase: 'recording', until: at + RECORD_BY_MS },
    effects: [{ type: 'hush', before: 'machine' }],
  };
}

/** Waits for the tone of a mailbox, then leaves the message. */
export function recording(state: AnswerState, event: AnswerEvent): Step {
  const { at } = event;
  if (event.type === 'words' && machineKind(event.text) === 'full') {
    return mailbox(state, at, { reasons: ['words'], isFull: true });
  }
  if (event.type === 'tone' && event.goesOn !== true && event.ms <= LONGEST_BEEP_MS) {
    return stay({ ...state, leaveAt: at + AFTER_BEEP_MS });
  }
  const isQuiet = state.speakingSince === null && at - state.quietSince >= GREETING_END_MS;
  const isTime = state.leaveAt !== null && at >= state.leaveAt;
  if (!isTime && !isQuiet && at < state.until) return stay(state);
  return {
    state: { ...state, phase: 'settled' },
    effects: [{ type: 'leave', say: state.settings.message ?? '' }],
  };
}
