import { OTHER_ANSWERS, replyTo } from './answers.ts';
import type { Behaviour } from './behaviour.ts';

/** How the one who took a call behaves and answers. Pure: events in, effects out, time in the event. */
export type CalleeEvent =
  | { type: 'answered'; at: number }
  | { type: 'wake'; at: number }
  | { type: 'agent_started'; at: number }
  /** `decoding`: what was said is still being made out. */
  | { type: 'agent_stopped'; decoding: boolean; at: number }
  /** What was made out of the agent's words, empty for none; `decoding` when there is more to come. */
  | { type: 'agent_said'; text: string; decoding: boolean; at: number }
  /** Our own words have been put on the wire. */
  | { type: 'said'; at: number };

export type CalleeEffect =
  | { type: 'say'; text: string }
  | { type: 'beep'; ms: number }
  /** Stop in the middle of what is being said and hang up. */
  | { type: 'hangup' };

interface Talking {
  readonly persona: 'silent' | 'leaves' | 'voicemail' | 'screening' | 'cooperative';
  /** `parting`: goodbye was said, and the other side has a moment to hang up or to go on. */
  readonly phase: 'greeting' | 'listening' | 'speaking' | 'parting' | 'leaving' | 'gone';
  readonly agentSpeaking: boolean;
  readonly decoding: boolean;
  readonly stoppedAt: number;
  /** Words of the agent since our last answer. */
  readonly heard: string;
  readonly answers: number;
  /** The question before: what was heard, the answer it calls for, and how often it came in a row. */
  readonly last: { readonly heard: string; readonly say: string; readonly times: number } | null;
  /** Of a screened call: announced to the person called, and taken by that person. */
  readonly screened: boolean;
  readonly pickedUp: boolean;
  readonly saidGoodbye: boolean;
}
export interface CalleeState extends Talking {
  readonly wakeAt: number | null;
}

/** A person waits this long after the other side falls silent, and at most so long for what was said to sink in. */
const TURN_GAP_MS = 700;
const SLOWEST_MS = 3000;
/** From the announcement of a screened call to the person's hello. */
const PICK_UP_MS = 2500;
/** After our goodbye. */
const PARTING_MS = 4000;
/** An answer is given so often to the same question before others are tried. */
const PATIENCE = 2;
/** Questions with this share of words in common are the same one. */
const ALIKE = 0.6;
const MOST_ANSWERS = 15;
const MOST_HEARD = 2000;
const VOICEMAIL_GREETING =
  'Hello, you have reached the voice mail of Alex. I cannot take your call right now. Please leave a message after the tone.';
const SCREENING_GREETING =
  'Hi, the person you are calling is using a call screening service. Please say your name and why you are calling.';

export function newCallee(behaviour: Behaviour): CalleeState {
  return {
    persona:
      behaviour === 'silent' ||
      behaviour === 'leaves' ||
      behaviour === 'voicemail' ||
      behaviour === 'screening'
        ? behaviour
        : 'cooperative',
    phase: 'greeting',
    agentSpeaking: false,
    decoding: false,
    stoppedAt: 0,
    heard: '',
    answers: 0,
    last: null,
    screened: false,
    pickedUp: false,
    saidGoodbye: false,
    wakeAt: null,
  };
}

interface Step {
  state: CalleeState;
  effects: CalleeEffect[];
}
const stay = (state: CalleeState): Step => ({ state, effects: [] });

export function stepCallee(state: CalleeState, event: CalleeEvent): Step {
  if (state.phase === 'gone') return stay(state);
  switch (event.type) {
    case 'answered':
      return greet(state);
    case 'agent_started':
      return stay({ ...state, agentSpeaking: true, wakeAt: state.phase === 'leaving' ? state.wakeAt : null });
    case 'agent_said': {
      const heard = `${state.heard} ${event.text}`.trim().slice(-MOST_HEARD);
      return stay(settled({ ...state, heard, decoding: event.decoding }));
    }
    case 'agent_stopped':
      return stay(settled({ ...state, agentSpeaking: false, decoding: event.decoding, stoppedAt: event.at }));
    case 'said':
      return afterSpeaking(state, event.at);
    case 'wake':
      if (state.wakeAt === null || event.at < state.wakeAt) return stay(state);
      return onWake({ ...state, wakeAt: null }, event.at);
    default:
      return event satisfies never;
  }
}

/** With the agent quiet, the moment to answer: sooner when all of its words are known. */
function settled(state: CalleeState): CalleeState {
  if (state.agentSpeaking) return state;
  if (state.phase === 'listening') {
    return { ...state, wakeAt: state.stoppedAt + (state.decoding ? SLOWEST_MS : TURN_GAP_MS) };
  }
  return state.phase === 'parting' ? { ...state, wakeAt: state.stoppedAt + PARTING_MS } : state;
}

function greet(state: CalleeState): Step {
  switch (state.persona) {
    case 'voicemail':
      return { state: { ...state, phase: 'speaking' }, effects: [{ type: 'say', text: VOICEMAIL_GREETING }] };
    case 'screening':
      return { state: { ...state, phase: 'speaking' }, effects: [{ type: 'say', text: SCREENING_GREETING }] };
    case 'leaves':
    case 'silent':
    case 'cooperative':
      return stay({ ...state, phase: 'listening' });
    default:
      return state.persona satisfies never;
  }
}

function afterSpeaking(state: CalleeState, at: number): Step {
  if (state.phase === 'leaving') return stay(state);
  if (state.persona === 'voicemail' && state.answers === 0) {
    // Greeting, tone, then a recording time that nobody answers.
    return {
      state: { ...state, phase: 'leaving', answers: 1, wakeAt: at + 30_000 },
      effects: [{ type: 'beep', ms: 700 }],
    };
  }
  if (state.saidGoodbye) return stay({ ...state, phase: 'parting', heard: '', wakeAt: at + PARTING_MS });
  if (state.screened && !state.pickedUp) {
    return stay({ ...state, phase: 'listening', wakeAt: at + PICK_UP_MS });
  }
  // Words that came while we spoke are answered when no more follow.
  const overlapped = state.heard !== '' && !state.agentSpeaking;
  return stay({ ...state, phase: 'listening', wakeAt: overlapped ? at + SLOWEST_MS : null });
}

function onWake(state: CalleeState, at: number): Step {
  if (state.phase === 'leaving') {
    return { state: { ...state, phase: 'gone' }, effects: [{ type: 'hangup' }] };
  }
  if (state.phase === 'parting') {
    const { understood, goodbye } = replyTo(state.heard);
    if (understood && !goodbye) return answer(state);
    return { state: { ...state, phase: 'gone' }, effects: [{ type: 'hangup' }] };
  }
  if (state.phase !== 'listening' || state.agentSpeaking) return stay(state);
  switch (state.persona) {
    case 'silent':
    case 'voicemail':
      return stay(state);
    case 'leaves':
      // Speaks, and the line drops before the sentence is over.
      return {
        state: { ...state, phase: 'leaving', wakeAt: at + 1300 },
        effects: [
          { type: 'say', text: 'Well, actually I wanted to ask you whether it would be possible to' },
        ],
      };
    case 'screening':
      if (!state.screened) {
        return {
          state: { ...state, phase: 'speaking', screened: true, heard: '' },
          effects: [{ type: 'say', text: 'Thank you. Please stay on the line.' }],
        };
      }
      if (!state.pickedUp) {
        return {
          state: { ...state, phase: 'speaking', pickedUp: true, heard: '' },
          effects: [{ type: 'say', text: 'Hello?' }],
        };
      }
      return answer(state);
    case 'cooperative':
      return answer(state);
    default:
      return state.persona satisfies never;
  }
}

function answer(state: CalleeState): Step {
  const reply = replyTo(state.heard);
  const before = state.last;
  // "I did not catch that" alone asks again what was asked before.
  const fitting = reply.notCaught && !reply.understood && before !== null ? before.say : reply.say;
  const again =
    before !== null && before.say === fitting && (reply.notCaught || alike(before.heard, state.heard));
  const times = again ? before.times + 1 : 1;
  const others = OTHER_ANSWERS.filter((other) => other !== fitting);
  const other = times > PATIENCE ? others[(times - PATIENCE - 1) % others.length] : undefined;
  // A person does not talk forever: after many answers they take their leave.
  const goodbye = reply.goodbye || state.answers + 1 >= MOST_ANSWERS;
  return {
    state: {
      ...state,
      phase: 'speaking',
      answers: state.answers + 1,
      last: { heard: state.heard, say: fitting, times },
      saidGoodbye: goodbye,
      heard: '',
    },
    effects: [{ type: 'say', text: goodbye ? 'Goodbye.' : (other ?? fitting) }],
  };
}

/** Whether two turns have most of their words in common. Nothing heard is like nothing else. */
function alike(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const common = [...a].filter((word) => b.has(word)).length;
  return a.size > 0 && common >= ALIKE * Math.max(a.size, b.size);
}
const wordsOf = (text: string): Set<string> => new Set(text.split(' ').filter((word) => word !== ''));
