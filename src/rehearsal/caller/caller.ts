import { spread } from '../draw.ts';
import type { CallerAnswer } from '../scenario/document.ts';
import { answerTo, between, shows, variant, wordsOf } from './answer.ts';
import { habitWords } from './habit-words.ts';
import {
  mannersOf,
  type CallerAct,
  type CallerEvent,
  type CallerState,
  type CallerStep,
  type Manner,
  type Piece,
  type SpeechKind,
} from './state.ts';

/** After a statement a caller waits this long for the agent to go on before it says something. */
const STATEMENT_MS = 4_000;
/** One whose lines a model words answers statements, too, unless the agent goes on. */
const MODEL_STATEMENT_MS = 1_200;
/** Shorter sentences get no word of listening. */
const LISTENED_MS = 1_800;
const LATER_MS = 300;
const HOLD = { least: 2_500, more: 3_500 } as const;
const HAND_OVER = { least: 3_000, more: 3_000 } as const;
const PATIENCE_SECONDS = 15;
const MOST_TURNS = 40;
/** Of one whose lines a model words. */
const MOST_MODEL_TURNS = 20;
/** A caller who gets no answer says so this often before it only waits. */
const MOST_PROMPTS = 2;
const QUESTION = /[?？؟]/u;

/**
 * A caller by rules: reads what the agent says, and answers by its persona and habits. Where a model words its lines, the rules still
 * decide when it speaks and which habits show. Pure.
 */
export function stepCaller(state: CallerState, event: CallerEvent): CallerStep {
  if (state.isOver) return { state, acts: [] };
  switch (event.type) {
    case 'agent_started':
      return agentStarted(state, event.text, event.ms);
    case 'agent_ended':
      return waitToAnswer({ ...state, isAgentSpeaking: false, cutIn: null, quietSince: event.at });
    case 'spoke':
      return waitForAgent({ ...state, isSpeaking: false, quietSince: event.at });
    case 'due':
      return due(state, event.timer, event.at);
    default:
      return event satisfies never;
  }
}

function agentStarted(before: CallerState, text: string, ms: number): CallerStep {
  const { settings, sentences, isSpeaking } = before;
  const state: CallerState = {
    ...before,
    heard: [...before.heard, text],
    isAgentSpeaking: true,
    sentences: sentences + 1,
    // Whoever hears the agent stops waiting; what it was going to say comes after the agent.
    plan: isSpeaking || before.plan?.type === 'say' ? before.plan : null,
    prompts: 0,
  };
  if (isSpeaking || before.plan?.type === 'say') return { state, acts: [] };
  const { seed } = settings;
  const mayAnswer = answerTo(settings, text) !== null || (isByModel(settings) && ms >= LISTENED_MS);
  if (mayAnswer && shows(settings, 'interrupts', sentences))
    return cutIn(state, 'interruption', ms * (0.55 + spreadOf(seed, sentences) * 0.3));
  if (ms >= LISTENED_MS && shows(settings, 'backchannels', sentences))
    return cutIn(state, 'backchannel', ms * (0.3 + spreadOf(seed, sentences) * 0.3));
  return { state, acts: [] };
}

const spreadOf = (seed: number, sentence: number): number => between(PERCENT, seed, 'cut in', sentence) / 100;
const PERCENT = { least: 0, more: 100 } as const;

function cutIn(state: CallerState, kind: 'interruption' | 'backchannel', afterMs: number): CallerStep {
  const timer = state.timer + 1;
  const { settings, sentences } = state;
  const { backchannels } = habitWords(settings.language);
  const text = kind === 'interruption' ? '' : variant(backchannels, settings, -sentences);
  return {
    state: { ...state, timer, cutIn: { timer, kind, text } },
    acts: [{ type: 'wake', timer, afterMs: Math.round(afterMs) }],
  };
}

/** The agent has fallen silent: the caller answers when it has thought. */
function waitToAnswer(state: CallerState): CallerStep {
  if (state.isSpeaking || state.plan?.type === 'say' || state.heard.length === 0) return { state, acts: [] };
  const { settings, turns } = state;
  const thinkMs = spread(mannersOf(settings).think, settings.seed, 'think', turns, state.sentences);
  return plan(state, { type: 'think' }, thinkMs);
}

/** The caller has spoken: it waits for the agent as long as its patience lasts. */
function waitForAgent(state: CallerState): CallerStep {
  if (state.isAgentSpeaking || state.plan?.type === 'say') return { state, acts: [] };
  return plan(state, { type: 'give_up_waiting' }, patienceOf(state));
}

const patienceOf = ({ settings }: CallerState): number =>
  (settings.persona.patience_seconds ?? PATIENCE_SECONDS) * 1_000;

function plan(before: CallerState, what: NonNullable<CallerState['plan']>, afterMs: number): CallerStep {
  const timer = before.timer + 1;
  return {
    state: { ...before, timer, plan: what },
    acts: [{ type: 'wake', timer, afterMs: Math.max(0, Math.round(afterMs)) }],
  };
}

function due(state: CallerState, timer: number, at: number): CallerStep {
  const { cutIn: into, plan: planned } = state;
  if (into?.timer === timer && state.isAgentSpeaking && !state.isSpeaking) return speakInto(state, into);
  if (timer !== state.timer || planned === null) return { state, acts: [] };
  // What the caller comes back with waits for the agent's sentence.
  if (planned.type === 'say' && (state.isSpeaking || state.isAgentSpeaking))
    return plan(state, planned, LATER_MS);
  if (state.isSpeaking) return { state, acts: [] };
  switch (planned.type) {
    case 'think':
      return state.isAgentSpeaking ? { state, acts: [] } : think(state, at);
    case 'give_up_waiting':
      return { state: { ...state, isOver: true, plan: null }, acts: [{ type: 'hang_up' }] };
    case 'say':
      return say({ ...state, plan: null }, planned.kind, planned.pieces, planned.isTurn, planned.manners);
    case 'hang_up':
      return { state: { ...state, isOver: true, plan: null }, acts: [{ type: 'hang_up' }] };
    default:
      return planned satisfies never;
  }
}

function speakInto(state: CallerState, { kind, text }: NonNullable<CallerState['cutIn']>): CallerStep {
  const { settings, heard } = state;
  if (kind === 'backchannel') return say({ ...state, cutIn: null }, kind, [{ text, pauseMs: 0 }], false);
  const answer = answerTo(settings, heard.at(-1) ?? '');
  if (answer === null && !isByModel(settings)) return { state, acts: [] };
  const manners = mannersNow(state);
  return say({ ...given(state, answer), cutIn: null }, kind, answerWords(state, answer), true, manners);
}

const given = (state: CallerState, answer: CallerAnswer | null): CallerState =>
  answer === null ? state : { ...state, answered: [...state.answered, answer] };

const isByModel = ({ persona }: CallerState['settings']): boolean => persona.lines === 'model';

/** How the model words the next line; undefined: the rules word it. */
function mannersNow({ settings, turns }: CallerState): readonly Manner[] | undefined {
  if (!isByModel(settings)) return undefined;
  return (['changes_mind', 'spells'] as const).filter((manner) => shows(settings, manner, turns));
}

/** What the rules have the caller say to a question. */
function answerWords(state: CallerState, answer: CallerAnswer | null): readonly Piece[] {
  if (answer !== null) return wordsOf(state, answer);
  const { settings, turns } = state;
  const { unsure } = habitWords(settings.language);
  return [{ text: variant(settings.persona.otherwise ?? unsure, settings, turns), pauseMs: 0 }];
}

/** The caller has heard the agent out, and decides what to do. */
function think(state: CallerState, at: number): CallerStep {
  const { settings, turns, owed } = state;
  const { persona } = settings;
  const byModel = isByModel(settings);
  if (turns >= (persona.most_turns ?? (byModel ? MOST_MODEL_TURNS : MOST_TURNS)))
    return plan(state, { type: 'hang_up' }, 0);
  const said = state.heard.join(' ');
  const answer = answerTo(settings, said) ?? (owed === null ? null : answerTo(settings, owed));
  const isAsked = answer !== null || QUESTION.test(said);
  if (!isAsked) return afterStatement(state, at);
  const words = habitWords(settings.language);
  if (shows(settings, 'says_no', turns))
    return say(state, 'turn', [{ text: words.refuse, pauseMs: 0 }], true);
  const manners = mannersNow(state);
  if (owed === null && (answer !== null || byModel)) {
    const later: CallerState = { ...state, owed: said };
    if (shows(settings, 'silent', turns))
      return { state: { ...later, heard: [], plan: null, turns: turns + 1 }, acts: [] };
    if (shows(settings, 'asks_twice', turns))
      return say(later, 'turn', [{ text: words.repeat, pauseMs: 0 }], true);
    if (shows(settings, 'holds', turns))
      return askToWait(given(state, answer), answerWords(state, answer), HOLD, manners);
    if (shows(settings, 'hands_over', turns)) {
      const [first, ...rest] = answerWords(state, answer);
      const greeted = { text: `${words.hello} ${first?.text ?? ''}`.trim(), pauseMs: 0 };
      return askToWait(given(state, answer), [greeted, ...rest], HAND_OVER, manners);
    }
  }
  const isOwedPaid = answer !== null || byModel;
  const next: CallerState = isOwedPaid ? { ...given(state, answer), owed: null } : state;
  return say(next, 'turn', answerWords(state, answer), true, manners);
}

/** Nothing was asked: an impatient caller prompts the agent, unless it goes on. */
function afterStatement(state: CallerState, at: number): CallerStep {
  const { settings, turns, prompts } = state;
  const { opens } = settings.persona;
  const byModel = isByModel(settings);
  const manners = mannersNow(state);
  if (turns === 0 && opens !== undefined)
    return say(state, 'turn', [{ text: opens, pauseMs: 0 }], true, manners);
  const quietMs = at - state.quietSince;
  const waitMs = byModel ? MODEL_STATEMENT_MS : STATEMENT_MS;
  if (quietMs < waitMs) return plan(state, { type: 'think' }, waitMs - quietMs);
  if (prompts >= MOST_PROMPTS) return plan(state, { type: 'give_up_waiting' }, patienceOf(state) - waitMs);
  const { hello } = habitWords(settings.language);
  return say({ ...state, prompts: prompts + 1 }, 'turn', [{ text: hello, pauseMs: 0 }], true, manners);
}

/** Says that it needs a moment, is away, and comes back with its answer. */
function askToWait(
  state: CallerState,
  pieces: readonly Piece[],
  away: { readonly least: number; readonly more: number },
  manners: readonly Manner[] | undefined,
): CallerStep {
  const { settings, turns } = state;
  const asked = say(state, 'wait', [{ text: habitWords(settings.language).wait, pauseMs: 0 }], false);
  const awayMs = between(away, settings.seed, 'away', turns);
  const worded = manners === undefined ? {} : { manners };
  const answer = { type: 'say', kind: 'turn', pieces, isTurn: true, ...worded } as const;
  const back = plan({ ...asked.state, heard: [] }, answer, awayMs);
  return { state: back.state, acts: [...asked.acts, ...back.acts] };
}

function say(
  state: CallerState,
  kind: SpeechKind,
  pieces: readonly Piece[],
  isTurn: boolean,
  manners?: readonly Manner[],
): CallerStep {
  const act: CallerAct = { type: 'say', kind, pieces, ...(manners === undefined ? {} : { manners }) };
  const spoken: CallerState = {
    ...state,
    isSpeaking: true,
    plan: state.plan?.type === 'say' ? state.plan : null,
  };
  return {
    state: isTurn ? { ...spoken, turns: state.turns + 1, heard: [], plan: null } : spoken,
    acts: [act],
  };
}
