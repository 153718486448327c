import { machineKind } from '@callwright/language';
import { AFTER_BEEP_MS, isBeep, mailbox } from './recording.ts';
import { decide, stay, type AnswerEvent, type AnswerState, type Step } from './state.ts';

/** Silence after which the question is over. */
const QUESTION_END_MS = 500;
const LONGEST_QUESTION_MS = 6_000;
const MOST_INTRODUCTIONS = 2;
/** A person answers their screened phone within this. */
const PICK_UP_MS = 35_000;
/** Limit from a sound to its words. */
const WORDS_MS = 1_600;
/** Shorter sound is a person's hello; one longer sound is the service's thanks. */
const HELLO_MS = 1_200;

type Words = Extract<AnswerEvent, { type: 'words' }>;

/** A screening service answered. */
export function screened(state: AnswerState, at: number): Step {
  const introduceAt = at + LONGEST_QUESTION_MS;
  const found = decide(state, 'screening', 0.95, ['words'], at);
  return {
    state: { ...found, phase: 'screening', introduceAt, until: at + PICK_UP_MS },
    effects: [{ type: 'hush', before: 'screening' }],
  };
}

/** Introduces the caller after the service's question, then waits for the person. */
export function screening(state: AnswerState, event: AnswerEvent): Step {
  const { at } = event;
  if (event.type === 'words') return screeningWords(state, event);
  if (event.type === 'tone' && isBeep(state, event)) {
    return mailbox({ ...state, leaveAt: at + AFTER_BEEP_MS }, at, { reasons: ['beep'], isFull: false });
  }
  if (state.introduceAt !== null) {
    const isQuestionOver = state.speakingSince === null && at - state.quietSince >= QUESTION_END_MS;
    if (!isQuestionOver && at < state.introduceAt) return stay(state);
    return {
      state: {
        ...state,
        introduceAt: null,
        introduced: state.introduced + 1,
        spokenAt: null,
        monologueMs: 0,
        unread: false,
        unknownSounds: 0,
        until: at + PICK_UP_MS,
      },
      effects: [{ type: 'introduce', say: state.settings.introduction }],
    };
  }
  if (at >= state.until) {
    return {
      state: { ...state, phase: 'settled' },
      effects: [{ type: 'end', reason: 'CALL_SCREENED' }],
    };
  }
  return state.spokenAt === null ? stay(state) : soundWithoutWords(state, at);
}

function screeningWords(state: AnswerState, event: Words): Step {
  const kind = machineKind(event.text);
  const read: AnswerState = { ...state, unread: event.isFinal ? false : state.unread };
  if (kind === 'voicemail' || kind === 'full') {
    return mailbox(read, event.at, { reasons: ['words'], isFull: kind === 'full' });
  }
  if (state.introduceAt !== null) return stay(read);
  if (kind === 'screening' && state.introduced < MOST_INTRODUCTIONS) {
    return stay({ ...read, introduceAt: event.at + LONGEST_QUESTION_MS });
  }
  if (kind !== null || state.spokenAt === null || !event.isFinal) return stay(read);
  return personAnswered(read, event.at);
}

/** Sound without words by the deadline: a short or second one is the person. */
export function soundWithoutWords(state: AnswerState, at: number): Step {
  const isOver = state.unread && state.speakingSince === null && at - state.quietSince >= WORDS_MS;
  if (!isOver) return stay(state);
  const unknownSounds = state.unknownSounds + 1;
  const heard = { ...state, unread: false, unknownSounds };
  return state.lastSpeechMs <= HELLO_MS || unknownSounds > 1 ? personAnswered(heard, at) : stay(heard);
}

export const personAnswered = (state: AnswerState, at: number): Step => ({
  state: { ...decide(state, 'human', 0.85, ['takes_turns'], at), phase: 'settled' },
  effects: [{ type: 'person' }],
});
