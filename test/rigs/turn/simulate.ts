import { Player } from '../../../src/session/player.ts';
import { RunningReplies } from '../../../src/session/running-replies.ts';
import type { DtmfDigit } from '@callwright/audio';
import {
  type EndReason,
  type Expected,
  type HistoryItem,
  type TranscriptLine,
  type TurnEffect,
  type TurnEvent,
  type TurnSettings,
  type TurnState,
  initialState,
  step,
  wordEnds,
} from '@callwright/turns';
import type { LlmEvent, LlmSession } from '../../../src/providers/ports/model.ts';
import type { TtsSession } from '../../../src/providers/ports/voice.ts';

/** One action of the caller or the network; times in ms after the answer. */
export type Act =
  | {
      at: number;
      says: string;
      /** Length of the sound; by default 60 ms a character. */
      forMs?: number;
      /** From the end of the sound to the final; null: the recogniser finds no words. */
      finalMs?: number | null;
      /** Words so far, at ms after the start of the sound. */
      partials?: readonly (readonly [number, string])[];
    }
  | { at: number; presses: DtmfDigit }
  | { at: number; types: string }
  | { at: number; event: 'hangs_up' | 'media_lost' }
  | { at: number; ends: EndReason; say: string | null }
  /** An event as the session sends it, such as words without sound. */
  | { at: number; feeds: Untimed<TurnEvent> };

type Untimed<Event> = Event extends TurnEvent ? Omit<Event, 'at'> : never;

/** The brain's reply to one request. */
export interface Answer {
  text?: string;
  /** From the request to the first text; null: the brain sends no event. */
  afterMs?: number | null;
  tools?: readonly { name: string; args?: Record<string, unknown> }[];
  memory?: unknown;
  expected?: Expected | null;
  onSilence?: true;
  fails?: 'for_good' | 'for_now';
}

export interface World {
  settings: TurnSettings;
  acts?: readonly Act[];
  brain?: (history: readonly HistoryItem[], request: number, memory: unknown) => Answer;
  /** Time to the first audio of a sentence; null: synthesis fails. */
  ttsMs?: number | null;
  msPerChar?: number;
  toolMs?: number;
  /** Virtual time of the answer, epoch ms. */
  startedAt?: number;
  /** Limit of the simulation. */
  untilMs?: number;
}

export interface Simulation {
  state: TurnState;
  /** Every event in order; a replay yields the same call. */
  log: TurnEvent[];
  effects: { at: number; effect: TurnEffect }[];
  lines: TranscriptLine[];
  /** The agent's played sentences: start and end in ms after the answer, and whether they were cut off. */
  sounds: { text: string; from: number; to: number; cut: boolean }[];
  /** When the agent's voice was lowered, ms after the answer. */
  lowered: { from: number; to: number }[];
  hangup: { reason: EndReason; at: number } | null;
}

/** Delay of the speech gate's edges after the sound begins, becomes quiet and ends. */
const GATE_MS = { start: 60, pause: 20, stop: 120 } as const;
/** One sample a millisecond: times can be asserted to the millisecond. */
const SAMPLE_RATE = 1000;

/**
 * Plays a call in virtual time: a scripted caller, brain and voice around `step`, with the session's own player and
 * reply table. A player frame lasts until the next event. Deterministic.
 */
export function simulate(world: World): Simulation {
  const start = world.startedAt ?? Date.UTC(2026, 0, 5, 10, 0, 0);
  const queue: { at: number; order: number; run: () => void }[] = [];
  const out: Simulation = {
    state: initialState(world.settings),
    log: [],
    effects: [],
    lines: [],
    sounds: [],
    lowered: [],
    hangup: null,
  };
  let now = start;
  let order = 0;
  let requests = 0;
  const later = (at: number, run: () => void): void => {
    queue.push({ at: Math.max(at, now), order: order++, run });
  };

  const llm: LlmSession = {
    reply({ history, memory, signal }, onEvent) {
      const request = ++requests;
      const reply = world.brain?.(history, request, memory) ?? { text: 'All right.' };
      if (reply.afterMs === null) return;
      const emit = (event: LlmEvent): void => {
        later(now + (reply.afterMs ?? 100), () => {
          if (!signal.aborted) onEvent(event);
        });
      };
      for (const text of (reply.text ?? '').match(/\S+\s*/gu) ?? []) emit({ type: 'delta', text });
      if (reply.fails !== undefined) {
        return emit({ type: 'failed', message: 'scripted', retryable: reply.fails === 'for_now' });
      }
      for (const [i, { name, args }] of (reply.tools ?? []).entries()) {
        emit({ type: 'tool', id: `${request}.${i}`, name, args: args ?? {} });
      }
      return emit({
        type: 'done',
        memory: reply.memory ?? null,
        expected: reply.expected ?? null,
        ...(reply.onSilence === true ? { onSilence: true } : {}),
      });
    },
    close: () => undefined,
  };
  const lengthOf = (text: string): number => text.length * (world.msPerChar ?? 60);
  const tts: TtsSession = {
    begin() {
      let isCancelled = false;
      return {
        say(text, onEvent) {
          const { ttsMs = 50 } = world;
          later(now + (ttsMs ?? 0), () => {
            if (isCancelled) return;
            if (ttsMs === null) return onEvent({ type: 'failed', message: 'scripted', retryable: false });
            const marks = [...wordEnds(text)].map((textEnd) => ({
              textEnd,
              audioMs: lengthOf(text.slice(0, textEnd)),
            }));
            onEvent({ type: 'marks', marks });
            onEvent({ type: 'audio', pcm: new Int16Array(lengthOf(text)) });
            onEvent({ type: 'done' });
          });
        },
        end: () => undefined,
        cancel() {
          isCancelled = true;
        },
      };
    },
    close: () => undefined,
  };

  const texts = new Map<number, string>();
  let sounding: { id: number; from: number; to: number } | null = null;
  let ended: number | null = null;
  const player = new Player(SAMPLE_RATE, {
    onStarted(id, at) {
      sounding = { id, from: at, to: at + lengthOf(texts.get(id) ?? '') };
      feed({ type: 'utterance_started', utteranceId: id, at });
    },
    onEnded(id) {
      ended = id;
    },
  });
  const replies = new RunningReplies(
    llm,
    tts,
    player,
    () => now,
    (event) => feed(event),
  );
  let lowSince: number | null = null;
  const noteLow = (): void => {
    if (lowSince !== null) out.lowered.push({ from: lowSince, to: now - start });
    lowSince = null;
  };
  const note = (cut: boolean): void => {
    if (sounding === null) return;
    out.sounds.push({
      text: texts.get(sounding.id) ?? '',
      from: sounding.from - start,
      to: now - start,
      cut,
    });
    sounding = null;
  };
  /** Plays until the next event or the end of the sentence; false when nothing can be played now. */
  const play = (until: number): boolean => {
    if (until <= now) return false;
    const end = sounding === null ? now + 1 : Math.min(until, sounding.to);
    // oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- a player, not an array
    if (!player.fill(new Int16Array(end - now), now)) return false;
    now = end;
    if (ended === null) return true;
    const utteranceId = ended;
    ended = null;
    note(false);
    feed({ type: 'utterance_ended', utteranceId, at: now });
    return true;
  };

  const feed = (event: TurnEvent): void => {
    out.log.push(event);
    const result = step(out.state, event);
    out.state = result.state;
    out.effects.push(...result.effects.map((effect) => ({ at: now - start, effect })));
    for (const effect of result.effects) perform(effect);
    if (result.effects.some(({ type }) => type === 'stop_speaking')) {
      const heard = replies.stopSpeaking();
      note(true);
      noteLow();
      feed({ type: 'speaking_stopped', heard, at: now });
    }
    if (out.state.wakeAt !== null) later(out.state.wakeAt, wake);
  };
  const wake = (): void => {
    if (out.state.wakeAt !== null && out.state.wakeAt <= now) feed({ type: 'wake', at: now });
  };
  const perform = (effect: TurnEffect): void => {
    if (effect.type === 'generate') replies.generate(effect.replyId, effect.history, effect.memory);
    else if (effect.type === 'speak') {
      texts.set(effect.utteranceId, effect.text);
      replies.speak(effect.replyId, effect.utteranceId, effect.text);
    } else if (effect.type === 'lower_voice') {
      player.lower(effect.isLow);
      if (effect.isLow) lowSince = now - start;
      else noteLow();
    } else if (effect.type === 'end_speech') replies.endSpeech(effect.replyId);
    else if (effect.type === 'release') player.release(effect.replyId);
    else if (effect.type === 'cancel_reply') replies.cancel(effect.replyId);
    else if (effect.type === 'transcribe') out.lines.push(effect.line);
    else if (effect.type === 'tool') {
      const { replyId, id, name } = effect;
      later(now + (world.toolMs ?? 100), () =>
        feed({ type: 'tool_result', replyId, id, name, result: { ok: true }, at: now }),
      );
    } else if (effect.type === 'hangup') {
      out.hangup = { reason: effect.reason, at: now - start };
      replies.stop();
    }
  };

  const enact = (act: Act): void => {
    const at = start + act.at;
    if ('presses' in act) later(at, () => feed({ type: 'dtmf', digit: act.presses, at: now }));
    else if ('types' in act) later(at, () => feed({ type: 'typed', text: act.types, at: now }));
    else if ('ends' in act) {
      later(at, () => feed({ type: 'end_requested', reason: act.ends, say: act.say, at: now }));
    } else if ('feeds' in act) {
      later(at, () => feed({ ...act.feeds, at: now }));
    } else if ('event' in act) {
      const type = act.event === 'hangs_up' ? 'remote_hangup' : 'media_timeout';
      later(at, () => feed({ type, at: now }));
    } else {
      const end = at + (act.forMs ?? act.says.length * 60);
      const { finalMs = 100 } = act;
      later(at + GATE_MS.start, () => feed({ type: 'speech_started', since: at, at: now }));
      for (const [after, text] of act.partials ?? []) {
        later(at + after, () => feed({ type: 'partial', text, at: now }));
      }
      later(end + GATE_MS.pause, () => feed({ type: 'speech_paused', isPaused: true, at: now }));
      later(end + GATE_MS.stop, () => feed({ type: 'speech_stopped', since: end, at: now }));
      later(end + Math.max(GATE_MS.stop, finalMs ?? 100), () =>
        feed(
          finalMs === null ? { type: 'stt_nothing', at: now } : { type: 'final', text: act.says, at: now },
        ),
      );
    }
  };

  later(start, () => feed({ type: 'answered', at: now }));
  for (const act of world.acts ?? []) enact(act);
  const until = start + (world.untilMs ?? world.settings.maxCallMs + 10_000);
  for (;;) {
    queue.sort((a, b) => a.at - b.at || a.order - b.order);
    const next = queue[0];
    const at = next?.at ?? Number.POSITIVE_INFINITY;
    if (out.hangup === null && play(Math.min(at, until))) continue;
    if (next === undefined || at > until) return out;
    queue.shift();
    now = at;
    next.run();
  }
}
