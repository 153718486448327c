import { closureWait } from '../turn/policies/endpointing.ts';
import type { TurnState } from '../turn/machine.ts';
import type { TurnEffect, TurnEvent } from '../turn/types.ts';
import type { ReplayedEvent } from './replay.ts';

/** Who a line of the time line is about. */
export type TimeLineSource = 'caller' | 'agent' | 'model' | 'tool' | 'call';

export interface TimeLineEntry {
  /** Since the first event. */
  readonly ms: number;
  readonly source: TimeLineSource;
  readonly text: string;
}

type Line = readonly [TimeLineSource, string];

/** Longer texts are cut. */
const LONGEST = 300;
const quoted = (text: string): string => `"${text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`}"`;
const inSeconds = (ms: number): string => `${(Math.max(0, ms) / 1000).toFixed(2)} s`;

/** Makes readable lines of replayed events: words, speech, decisions, tools and waits. Holds the texts of one call. */
export class TimeLine {
  readonly #startedAt: number;
  readonly #texts = new Map<number, string>();
  /** Replies whose first text is shown. */
  readonly #begun = new Set<number>();

  /** `startedAt`: the time of the first event. */
  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  linesOf({ event, state, effects }: ReplayedEvent): TimeLineEntry[] {
    for (const effect of effects)
      if (effect.type === 'speak') this.#texts.set(effect.utteranceId, effect.text);
    const ms = event.at - this.#startedAt;
    const lines = [this.#ofEvent(event), ...effects.map((effect) => ofEffect(effect)), waitOf(event, state)];
    return lines.filter((line) => line !== null).map(([source, text]) => ({ ms, source, text }));
  }

  #ofEvent(event: TurnEvent): Line | null {
    switch (event.type) {
      case 'answered':
        return ['call', 'the call is answered'];
      case 'wake':
      case 'partial':
      case 'stt_nothing':
      case 'speaking_stopped':
      case 'speech_paused':
        return null;
      case 'talker_far':
        return event.isFar ? ['caller', 'is softer than before: somebody else, or a television'] : null;
      case 'speech_started':
        return ['caller', 'starts to make a sound'];
      case 'speech_stopped':
        return ['caller', `has been quiet for ${inSeconds(event.at - event.since)}`];
      case 'final':
        return [
          'caller',
          `${event.certain === true ? 'ends a turn' : 'is understood'}: ${quoted(event.text)}`,
        ];
      case 'eager':
        return ['caller', `may have ended a turn: ${quoted(event.text)}`];
      case 'turn_judged':
        return ['caller', `sounds like the end of a turn with ${Math.round(event.probability * 100)} %`];
      case 'endpoint_resumed':
        return ['caller', 'goes on'];
      case 'stt_failed':
        return ['call', 'the recogniser fails'];
      case 'ears_changed':
        return ['call', `from here on the recogniser understands ${event.hears ?? 'free speech'}`];
      case 'languages_changed':
        return [
          'call',
          `from here on the call is in ${[event.language, ...(event.secondary === null ? [] : [event.secondary])].join(' and ')}`,
        ];
      case 'interruption_changed':
        return [
          'call',
          event.rule === 'none'
            ? 'from here on the caller cannot interrupt the agent'
            : `from here on the caller interrupts the agent by the rule ${event.rule}`,
        ];
      case 'tools_changed':
        return [
          'call',
          `another agent has the call, with the tools ${Object.keys(event.tools).join(', ') || 'of every agent'}`,
        ];
      case 'dtmf':
        return ['caller', event.masked === true ? 'presses a hidden key' : `presses ${event.digit}`];
      case 'typed':
        return ['caller', `types: ${quoted(event.text)}`];
      case 'utterance_started':
        return ['agent', `says: ${quoted(this.#texts.get(event.utteranceId) ?? '')}`];
      case 'utterance_ended':
        return ['agent', 'has said the sentence'];
      case 'utterance_failed':
        return ['agent', 'has no voice for the sentence'];
      case 'tool_result':
        return ['tool', `${event.name} answers: ${String(event.result).slice(0, LONGEST)}`];
      case 'machine_answered':
        return ['call', event.before === 'machine' ? 'a mailbox answers' : 'a screening service answers'];
      case 'introduce':
        return ['call', 'the screening service asks who calls'];
      case 'person_answered':
        return ['call', 'a person takes the call'];
      case 'held':
        return ['call', 'the call is put on hold'];
      case 'resumed':
        return ['call', 'the call is resumed'];
      case 'note':
        return ['agent', `gets a note of a person: ${quoted(event.text)}`];
      case 'say':
        return ['agent', `gets a sentence of a person to say: ${quoted(event.text)}`];
      case 'taken_over':
        return ['call', 'a person talks in place of the agent'];
      case 'person_said':
        return ['agent', `the person says: ${quoted(event.text)}`];
      case 'handed_back':
        return ['call', 'the person hands the call back to the agent'];
      case 'media_timeout':
        return ['call', 'no audio arrives any more'];
      case 'remote_hangup':
        return ['caller', 'hangs up'];
      case 'end_requested':
        return ['call', `the end is requested: ${event.reason}`];
      case 'reply_text':
      case 'reply_tool':
      case 'reply_done':
      case 'reply_failed':
        return this.#ofModel(event);
      default:
        return event satisfies never;
    }
  }

  #ofModel(event: Extract<TurnEvent, { type: `reply_${string}` }>): Line | null {
    switch (event.type) {
      case 'reply_text': {
        if (this.#begun.has(event.replyId)) return null;
        this.#begun.add(event.replyId);
        return ['model', `begins reply ${event.replyId}`];
      }
      case 'reply_tool':
        return ['model', `wants ${event.name} ${JSON.stringify(event.args).slice(0, LONGEST)}`];
      case 'reply_done':
        return ['model', `has ended reply ${event.replyId}${stepsOf(event)}`];
      case 'reply_failed':
        return ['model', `fails in reply ${event.replyId}`];
      default:
        return event satisfies never;
    }
  }
}

/** The steps of a flow that led to a reply. */
const stepsOf = ({ steps = [] }: Extract<TurnEvent, { type: 'reply_done' }>): string =>
  steps.length === 0 ? '' : `: ${steps.join(', ').slice(0, LONGEST)}`;

function ofEffect(effect: TurnEffect): Line | null {
  switch (effect.type) {
    case 'generate': {
      const how = effect.speculative ? 'prepares' : 'requests';
      return ['model', `${how} reply ${effect.replyId}`];
    }
    case 'cancel_reply':
      return ['model', `drops reply ${effect.replyId}`];
    case 'stop_speaking':
      return ['agent', 'stops speaking'];
    case 'lower_voice':
      return ['agent', effect.isLow ? 'lowers its voice' : 'raises its voice again'];
    case 'tool':
      return ['tool', `${effect.name} runs`];
    case 'tool_over':
      return ['tool', 'is over without an answer of its own'];
    case 'transcribe': {
      const { role, text, interrupted } = effect.line;
      const line = `line of the transcript${interrupted ? ', interrupted' : ''}: ${quoted(text)}`;
      return [role === 'caller' ? 'caller' : 'agent', line];
    }
    case 'interrupted':
      return ['agent', `is interrupted, and silent ${inSeconds(effect.stoppedAt - effect.at)} later`];
    case 'turn_latency':
      return ['agent', `answers turn ${effect.latency.turn} after ${inSeconds(effect.latency.totalMs)}`];
    case 'hangup':
      return ['call', `the agent hangs up: ${effect.reason}`];
    case 'release':
      return ['agent', `may say reply ${effect.replyId}`];
    case 'speak':
    case 'end_speech':
    case 'expect':
    case 'hidden_keys':
      return null;
    default:
      return effect satisfies never;
  }
}

/** How long the caller's words are waited for before they become a turn. */
function waitOf(event: TurnEvent, state: TurnState): Line | null {
  const isPause = event.type === 'speech_stopped' || event.type === 'final';
  if (!isPause || state.caller.text === '' || state.caller.end.certain || state.call.phase !== 'talking')
    return null;
  return ['call', `takes the words as a turn after ${inSeconds(closureWait(state))} of quiet`];
}
