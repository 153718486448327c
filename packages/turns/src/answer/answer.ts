import { listening } from './listening.ts';
import { recording } from './recording.ts';
import { screening } from './screening.ts';
import { note, stay, type AnswerEvent, type AnswerState, type Step } from './state.ts';
import { inMenu, waiting } from './waiting.ts';

export {
  initialAnswer,
  listenAgain,
  type AnswerEffect,
  type AnswerEvent,
  type AnswerSettings,
  type AnswerState,
} from './state.ts';

/**
 * Decides who answered by words, tones and timing, and drives the agent past machines. The length of a greeting alone
 * never makes a machine: in doubt the agent talks. Pure; the time is in the event.
 */
export function stepAnswer(state: AnswerState, event: AnswerEvent): Step {
  if (state.phase === 'settled') return stay(state);
  const noted = note(state, event);
  switch (noted.phase) {
    case 'listening':
      return listening(noted, event);
    case 'screening':
      return screening(noted, event);
    case 'menu':
      return inMenu(noted, event);
    case 'waiting':
      return waiting(noted, event);
    case 'recording':
      return recording(noted, event);
    case 'settled':
      return stay(noted);
    default:
      return noted.phase satisfies never;
  }
}

/** End reason for a hangup by the far side now. */
export function leftAs(state: AnswerState): 'USER_LEFT' | 'VOICEMAIL_DETECTED' | 'CALL_SCREENED' {
  if (state.answered?.kind === 'voicemail') return 'VOICEMAIL_DETECTED';
  return state.phase === 'screening' ? 'CALL_SCREENED' : 'USER_LEFT';
}
