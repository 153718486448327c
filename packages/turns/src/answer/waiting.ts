import { chosenKey, speakerCue } from '@callwright/language';
import { AFTER_BEEP_MS, isBeep, mailbox } from './recording.ts';
import { personAnswered, screened, soundWithoutWords } from './screening.ts';
import {
  decide,
  LISTEN_MS,
  listenAgain,
  stay,
  type AnswerEvent,
  type AnswerState,
  type Step,
} from './state.ts';

/** A pause of a menu after which a key is pressed: after the wanted option, and without knowing it. */
const OPTION_PAUSE_MS = 300;
const MENU_PAUSE_MS = 900;
/** Without a person this long after the last menu, the call ends. */
const MENU_MS = 60_000;
const MOST_SAID = 400;

/** A queue answered: waits silently for a person, up to the limit of the call. */
export function held(state: AnswerState, confidence: number, reason: 'words' | 'music', at: number): Step {
  const found = decide(state, 'hold', confidence, [reason], at);
  return {
    state: { ...found, phase: 'waiting', until: Infinity, unread: false, unknownSounds: 0 },
    effects: [{ type: 'hush', before: 'screening' }],
  };
}

/** A phone menu answered, and the agent's task names the way through it. */
export function menuAnswered(state: AnswerState, at: number): Step {
  const found = decide(state, 'ivr', 0.95, ['words'], at);
  return {
    state: { ...found, phase: 'menu', until: at + MENU_MS },
    effects: [{ type: 'hush', before: 'screening' }],
  };
}

/** Listens to the menu and presses the key of each step in its next pause. */
export function inMenu(state: AnswerState, event: AnswerEvent): Step {
  const { at } = event;
  const step = state.settings.menu?.[state.menuSteps];
  if (step === undefined) return waiting({ ...state, phase: 'waiting' }, event);
  if (event.type === 'words') {
    const { machine, isPerson } = speakerCue(event.text);
    const read = event.isFinal ? hears(state, event.text) : state;
    if (machine === 'voicemail' || machine === 'full') {
      return mailbox(read, at, { reasons: ['words'], isFull: machine === 'full' });
    }
    return event.isFinal && machine === null && isPerson ? again(personAnswered(read, at), at) : stay(read);
  }
  if (at >= state.until) {
    return { state: { ...state, phase: 'settled' }, effects: [{ type: 'end', reason: 'USER_BECAME_IDLE' }] };
  }
  if (state.speakingSince !== null || state.said === '') return stay(state);
  const quietMs = at - state.quietSince;
  const key = 'keys' in step ? step.keys : chosenKey(state.said, step.option);
  if (key === null || quietMs < ('keys' in step ? MENU_PAUSE_MS : OPTION_PAUSE_MS)) return stay(state);
  return {
    state: { ...state, menuSteps: state.menuSteps + 1, said: '', unread: false, until: at + MENU_MS },
    effects: [{ type: 'press', digits: key }],
  };
}

/** Waits in a queue, or after the keys of a menu, until a person speaks. */
export function waiting(state: AnswerState, event: AnswerEvent): Step {
  const { at } = event;
  if (event.type === 'tone' && isBeep(state, event)) {
    return mailbox({ ...state, leaveAt: at + AFTER_BEEP_MS }, at, { reasons: ['beep'], isFull: false });
  }
  if (event.type === 'words') {
    const { machine } = speakerCue(event.text);
    const read = { ...state, unread: event.isFinal ? false : state.unread };
    if (machine === 'voicemail' || machine === 'full') {
      return mailbox(read, at, { reasons: ['words'], isFull: machine === 'full' });
    }
    if (machine === 'screening') return screened(read, at);
    return machine !== null || !event.isFinal ? stay(read) : again(personAnswered(read, at), at);
  }
  if (at >= state.until) {
    return { state: { ...state, phase: 'settled' }, effects: [{ type: 'end', reason: 'USER_BECAME_IDLE' }] };
  }
  const step = soundWithoutWords(state, at);
  return step.effects.length === 0 ? step : again(step, at);
}

const hears = (state: AnswerState, text: string): AnswerState => ({
  ...state,
  unread: false,
  said: `${state.said} ${text}`.trim().slice(-MOST_SAID),
});

/** The supposed person may be another announcement: the detector keeps listening. */
const again = ({ state, effects }: Step, at: number): Step => ({
  state: { ...listenAgain(state, at), until: at + LISTEN_MS, menuSteps: state.menuSteps },
  effects,
});
