import { speakerCue } from '@callwright/language';
import { networkTone } from './network-tones.ts';
import { AFTER_BEEP_MS, isBeep, mailbox } from './recording.ts';
import { screened } from './screening.ts';
import { decide, listenAgain, stay, type AnswerEvent, type AnswerState, type Step } from './state.ts';
import { held, menuAnswered } from './waiting.ts';

/** The first decision falls within this; a later one may change it. */
const DECIDE_MS = 2_000;
/** Longest greeting of a person, unless its words decide. */
const HELLO_MS = 1_600;
/** Silence after a short greeting that makes it a person's. */
const WAITS_MS = 600;
/** From this length, a greeting is more than a hello. */
const LONG_MS = 2_000;
/** Longest reply to the agent's words that counts as a person's. */
const ANSWER_MS = 2_500;
/** Two turns taken one after the other are a conversation. */
const CONVERSATION = 2;
/** After a person has answered once, only a whole announcement makes a machine. */
const ANNOUNCEMENT_MS = 2_500;
const MOST_SAID = 300;

type Words = Extract<AnswerEvent, { type: 'words' }>;
type Tone = Extract<AnswerEvent, { type: 'tone' }>;

/** The start of a call: who answered is undecided, or the decision may still change. */
export function listening(state: AnswerState, event: AnswerEvent): Step {
  switch (event.type) {
    case 'words':
      return onWords(state, event);
    case 'tone':
      return onTone(state, event);
    case 'music':
      return mayBeHeld(state) ? held(state, 0.8, 'music', event.at) : stay(state);
    case 'tick':
    case 'speech_started':
    case 'speech_stopped':
    case 'spoken':
      return settledBy(byTiming(state, event.at), event.at);
    default:
      return event satisfies never;
  }
}

/** Music behind a person is not a queue; after the far side transfers the call, it is one again. */
const mayBeHeld = ({ exchanges, answered, since, answeredAt }: AnswerState): boolean =>
  exchanges === 0 && (answered?.kind !== 'human' || since > answeredAt);

function onWords(state: AnswerState, { text, isFinal, at }: Words): Step {
  const said = `${state.said} ${text}`.trim().slice(-MOST_SAID);
  const read = isFinal ? { ...state, said } : state;
  const { machine, isPerson, isExchange, isHello } = speakerCue(said);
  const isPlausible = state.exchanges === 0 || monologue(state, at) >= ANNOUNCEMENT_MS;
  if (machine !== null && isPlausible) {
    if (machine === 'voicemail' || machine === 'full') {
      return mailbox(read, at, { reasons: ['words'], isFull: machine === 'full' });
    }
    if (machine === 'screening') return screened(read, at);
    if (machine === 'hold') return held(read, 0.9, 'words', at);
    if (machine === 'menu') {
      if ((state.settings.menu ?? []).length > 0) return menuAnswered(read, at);
      return stay(decide(read, 'ivr', 0.9, ['words'], at));
    }
  }
  // Ringing follows, and then another voice: neither belongs to this greeting.
  if (machine === 'transfer' || machine === 'waiting') {
    const again = { ...listenAgain(state, at), speakingSince: state.speakingSince === null ? null : at };
    const isAlone = isExchange && isFinal && state.exchanges === 0 && !isKnown(state);
    return isAlone ? held(again, 0.8, 'words', at) : stay(again);
  }
  if (machine !== null || isKnown(state)) return stay(read);
  if (isPerson) return stay(decide(read, 'human', 0.9, ['words'], at));
  const isShort = isFinal && isHello && monologue(state, at) <= HELLO_MS;
  return stay(isShort ? decide(read, 'human', 0.9, ['short_greeting', 'words'], at) : read);
}

function onTone(state: AnswerState, tone: Tone): Step {
  const { at } = tone;
  const tones = tone.goesOn === true ? state.tones : [...state.tones.slice(-3), { hz: tone.hz, at }];
  const heard = { ...state, tones };
  const network = networkTone(tones, tone, monologue(state, at - tone.ms));
  if (network !== null) {
    const reason = network === 'fax' ? 'fax_tone' : 'special_tones';
    return {
      state: { ...decide(heard, network, 0.97, [reason], at), phase: 'settled' },
      effects: [
        { type: 'hush', before: 'machine' },
        { type: 'end', reason: 'NOT_ABLE_TO_CALL' },
      ],
    };
  }
  if (state.answered?.kind === 'ivr' || !isBeep(state, tone)) return stay(heard);
  const reasons = ['beep', 'long_greeting'] as const;
  return mailbox({ ...heard, leaveAt: at + AFTER_BEEP_MS }, at, { reasons, isFull: false });
}

/** Decides by timing alone: a person, or unsure. */
function byTiming(state: AnswerState, at: number): AnswerState {
  if (isKnown(state)) return state;
  const isQuiet = state.speakingSince === null;
  if (state.exchanges > 0 && isQuiet && state.lastSpeechMs <= ANSWER_MS && state.lastSpeechMs > 0) {
    return decide(state, 'human', 0.85, ['takes_turns'], at);
  }
  if (state.answered !== null) return state;
  const speechMs = monologue(state, at);
  if (isQuiet && speechMs > 0 && speechMs <= HELLO_MS && at - state.quietSince >= WAITS_MS) {
    return decide(state, 'human', 0.8, ['short_greeting'], at);
  }
  if (at - state.answeredAt < DECIDE_MS) return state;
  return decide(state, 'unsure', 0.5, [speechMs >= LONG_MS ? 'long_greeting' : 'silence'], at);
}

/** Ends the listening: a conversation has begun, or no mailbox waits this long with its tone. */
function settledBy(state: AnswerState, at: number): Step {
  if (state.exchanges < CONVERSATION && at < state.until) return stay(state);
  const isConversation = state.exchanges >= CONVERSATION && !isMachine(state);
  const decided = isConversation ? decide(state, 'human', 0.95, ['takes_turns'], at) : state;
  return stay({ ...decided, phase: 'settled' });
}

const isMachine = ({ answered }: AnswerState): boolean =>
  answered !== null && answered.kind !== 'human' && answered.kind !== 'unsure';

/** Decided as more than unsure. */
const isKnown = ({ answered }: AnswerState): boolean => answered !== null && answered.kind !== 'unsure';

/** Speech of the far side without a longer pause, up to `at`. */
const monologue = ({ monologueMs, speakingSince }: AnswerState, at: number): number =>
  monologueMs + (speakingSince === null ? 0 : Math.max(0, at - speakingSince));
