/**
 * How a dialled number behaves (design: the last four digits decide) and how the person behind it answers.
 * Pure: events in, effects out, time in the event.
 */
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

export const behaviourOf = (number: string): Behaviour => BY_SUFFIX[number.slice(-4)] ?? 'cooperative';

export type CalleeEvent =
  | { type: 'answered'; at: number }
  | { type: 'wake'; at: number }
  | { type: 'agent_started'; at: number }
  | { type: 'agent_stopped'; at: number }
  /** What was recognised of the agent's last words; empty when nothing was. */
  | { type: 'agent_said'; text: string; at: number }
  /** Our own words have been put on the wire. */
  | { type: 'said'; at: number };

export type CalleeEffect =
  | { type: 'say'; text: string }
  | { type: 'beep'; ms: number }
  /** Stop in the middle of what is being said and hang up. */
  | { type: 'hangup' };

interface Talking {
  readonly persona: 'silent' | 'leaves' | 'voicemail' | 'screening' | 'cooperative';
  readonly phase: 'greeting' | 'listening' | 'speaking' | 'leaving' | 'gone';
  readonly agentSpeaking: boolean;
  /** Words of the agent since our last answer. */
  readonly heard: string;
  readonly answers: number;
  /** Answers in a row that the agent did not catch. */
  readonly missed: number;
  readonly screened: boolean;
  readonly saidGoodbye: boolean;
}
export interface CalleeState extends Talking {
  readonly wakeAt: number | null;
}

/** A person waits this long after the other side falls silent before answering. */
const TURN_GAP_MS = 900;
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
    heard: '',
    answers: 0,
    missed: 0,
    screened: false,
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
    case 'agent_said':
      return stay({ ...state, heard: `${state.heard} ${event.text}`.trim() });
    case 'agent_stopped':
      return stay({
        ...state,
        agentSpeaking: false,
        wakeAt: state.phase === 'listening' ? event.at + TURN_GAP_MS : state.wakeAt,
      });
    case 'said':
      return afterSpeaking(state, event.at);
    case 'wake':
      if (state.wakeAt === null || event.at < state.wakeAt) return stay(state);
      return onWake({ ...state, wakeAt: null }, event.at);
    default:
      return event satisfies never;
  }
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
  if (state.saidGoodbye) return stay({ ...state, phase: 'leaving', wakeAt: at + 4000 });
  return stay({ ...state, phase: 'listening', heard: '', wakeAt: null });
}

function onWake(state: CalleeState, at: number): Step {
  if (state.phase === 'leaving') {
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
          state: { ...state, phase: 'speaking', screened: true },
          effects: [{ type: 'say', text: 'Thank you. Please stay on the line. Hello?' }],
        };
      }
      return answer(state);
    case 'cooperative':
      return answer(state);
    default:
      return state.persona satisfies never;
  }
}

const ANSWERS: readonly { when: RegExp; say: string; goodbye?: true }[] = [
  { when: /\b(good ?bye|bye|have a (great|nice|good|lovely)|take care)\b/, say: 'Goodbye.', goodbye: true },
  { when: /\b(is that (right|correct)|right|correct|you said|did you say|confirm)\b/, say: 'Yes.' },
  { when: /\b(what|which|preferred|best|another) (day|date)\b|\bday (suits|works|would)\b/, say: 'Tuesday.' },
  { when: /\b(what|which|preferred|best) time\b|\bwhat hour\b/, say: 'Ten o clock.' },
  { when: /\bhow many\b|\bhow much\b|\bnumber of\b|\bscale\b|\brate\b|\bone to (five|ten)\b/, say: 'Three.' },
  { when: /\banything else\b|\bany (other )?questions?\b|\bsomething else\b/, say: 'No.' },
];

/** Tried one after the other by a person who is not understood and did not understand the question. */
const OTHER_ANSWERS = ['Tuesday.', 'Ten o clock.', 'Three.', 'No.', 'Yes.'] as const;
const NOT_CAUGHT = /\b(did ?n.?t|did not) catch\b/;

/** What a friendly person says to the agent's last words, as far as they were understood. */
export function replyTo(heard: string, missed = 0): { say: string; goodbye: boolean; missed: number } {
  const text = heard.toLowerCase().replaceAll(/[^a-z' ]+/g, ' ');
  // The last question counts: earlier sentences are explanation.
  let best: { at: number; say: string; goodbye: boolean; missed: number } | null = null;
  for (const { when, say, goodbye = false } of ANSWERS) {
    for (const match of text.matchAll(new RegExp(when.source, 'g'))) {
      if (best === null || match.index >= best.at) best = { at: match.index, say, goodbye, missed: 0 };
    }
  }
  if (best !== null) return best;
  if (!NOT_CAUGHT.test(text)) return { say: 'Yes.', goodbye: false, missed: 0 };
  const say = OTHER_ANSWERS[missed % OTHER_ANSWERS.length] ?? 'Yes.';
  return { say, goodbye: false, missed: missed + 1 };
}

function answer(state: CalleeState): Step {
  // A person does not talk forever: after many answers they take their leave.
  const reply =
    state.answers >= 14 ? { say: 'Goodbye.', goodbye: true, missed: 0 } : replyTo(state.heard, state.missed);
  return {
    state: {
      ...state,
      phase: 'speaking',
      answers: state.answers + 1,
      missed: reply.missed,
      saidGoodbye: reply.goodbye,
      heard: '',
    },
    effects: [{ type: 'say', text: reply.say }],
  };
}
