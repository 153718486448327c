import { OTHER_ANSWERS, replyTo } from '../../offline/callee/answers.ts';

/** How a dialled number behaves. */
export type Behaviour =
  | 'busy'
  | 'rings_out'
  | 'voicemail'
  | 'not_found'
  | 'silent'
  | 'leaves'
  | 'screening'
  | 'unavailable_once'
  | 'cooperative';

const BY_SUFFIX: Readonly<Record<string, Behaviour>> = {
  '0002': 'busy',
  '0003': 'rings_out',
  '0004': 'voicemail',
  '0005': 'not_found',
  '0006': 'silent',
  '0007': 'leaves',
  '0008': 'screening',
  '0009': 'unavailable_once',
};

/** Behaviour by the last four digits of the number. */
export const behaviourOf = (number: string): Behaviour => BY_SUFFIX[number.slice(-4)] ?? 'cooperative';

/** State machine of an answering callee. Pure: events in, effects out, time in the event. */
export type CalleeEvent =
  | { type: 'answered'; at: number }
  | { type: 'wake'; at: number }
  | { type: 'agent_started'; at: number }
  /** `decoding`: the recogniser has not finished the agent's speech. */
  | { type: 'agent_stopped'; decoding: boolean; at: number }
  /** Recognised words of the agent, empty for none; `decoding`: more will follow. */
  | { type: 'agent_said'; text: string; decoding: boolean; at: number }
  /** Playback of our own speech ended. */
  | { type: 'said'; at: number };

export type CalleeEffect =
  | { type: 'say'; text: string }
  | { type: 'beep'; ms: number }
  /** Stops playback and hangs up. */
  | { type: 'hangup' };

interface Talking {
  readonly persona: 'silent' | 'leaves' | 'voicemail' | 'screening' | 'cooperative';
  /** `parting`: the callee said goodbye and waits for the agent to hang up or continue. */
  readonly phase: 'greeting' | 'listening' | 'speaking' | 'parting' | 'leaving' | 'gone';
  readonly agentSpeaking: boolean;
  readonly decoding: boolean;
  readonly stoppedAt: number;
  /** The agent's words since our last answer. */
  readonly heard: string;
  readonly answers: number;
  /** The previous question: recognised words, answer, and number of repetitions in a row. */
  readonly last: { readonly heard: string; readonly say: string; readonly times: number } | null;
  /** Screened call: the screening service announced it; the person picked up. */
  readonly screened: boolean;
  readonly pickedUp: boolean;
  readonly saidGoodbye: boolean;
}
export interface CalleeState extends Talking {
  readonly wakeAt: number | null;
}

/** Pause before an answer, when recognition has ended and when it has not. */
const TURN_GAP_MS = 700;
const SLOWEST_MS = 3000;
/** Time from the announcement of a screened call until the person picks up. */
const PICK_UP_MS = 2500;
/** Wait after our goodbye. */
const PARTING_MS = 4000;
/** Times that the same question gets the same answer before alternatives are tried. */
const PATIENCE = 2;
/** Share of common words that makes two questions the same. */
const ALIKE = 0.6;
const MAX_ANSWERS = 15;
const MAX_HEARD_CHARS = 2000;
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
      const heard = `${state.heard} ${event.text}`.trim().slice(-MAX_HEARD_CHARS);
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

/** Schedules the answer once the agent is silent: sooner when recognition has ended. */
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
    // Greeting, tone, then 30 s of recording.
    return {
      state: { ...state, phase: 'leaving', answers: 1, wakeAt: at + 30_000 },
      effects: [{ type: 'beep', ms: 700 }],
    };
  }
  if (state.saidGoodbye) return stay({ ...state, phase: 'parting', heard: '', wakeAt: at + PARTING_MS });
  if (state.screened && !state.pickedUp) {
    return stay({ ...state, phase: 'listening', wakeAt: at + PICK_UP_MS });
  }
  // Words that overlapped our speech are answered after a pause.
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
      // Hangs up in the middle of the sentence.
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
  // "I did not catch that" alone repeats the previous question.
  const fitting = reply.notCaught && !reply.understood && before !== null ? before.say : reply.say;
  const again =
    before !== null && before.say === fitting && (reply.notCaught || alike(before.heard, state.heard));
  const times = again ? before.times + 1 : 1;
  const others = OTHER_ANSWERS.filter((other) => other !== fitting);
  const other = times > PATIENCE ? others[(times - PATIENCE - 1) % others.length] : undefined;
  // Bounds the call: the callee says goodbye after this many answers.
  const goodbye = reply.goodbye || state.answers + 1 >= MAX_ANSWERS;
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

/** True when two turns have most words in common; false for an empty one. */
function alike(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const common = [...a].filter((word) => b.has(word)).length;
  return a.size > 0 && common >= ALIKE * Math.max(a.size, b.size);
}
const wordsOf = (text: string): Set<string> => new Set(text.split(' ').filter((word) => word !== ''));
