import type { DtmfDigit, Expected, HistoryItem } from '../ports.ts';
import { initialState, step, type TurnState } from './machine.ts';
import type { EndReason, Heard, TranscriptLine, TurnEffect, TurnEvent, TurnSettings } from './types.ts';

/** One thing the caller (or the world) does, at a time in ms after the answer. */
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
  | { at: number; event: 'hangs_up' | 'media_lost' }
  | { at: number; ends: EndReason; say: string | null };

/** What the brain answers: to the n-th request (from 1), with its history. */
export interface Answer {
  text?: string;
  /** From the request to the first text; null: never anything. */
  afterMs?: number | null;
  tools?: readonly { name: string; args?: Record<string, unknown> }[];
  memory?: unknown;
  expected?: Expected | null;
  fails?: 'for_good' | 'for_now';
}

export interface World {
  settings: TurnSettings;
  acts?: readonly Act[];
  brain?: (history: readonly HistoryItem[], request: number, memory: unknown) => Answer;
  /** Synthesis: time to first audio (null: it fails) and length of the sound. */
  ttsMs?: number | null;
  msPerChar?: number;
  toolMs?: number;
  /** Virtual time of the answer, epoch ms. */
  startedAt?: number;
  /** Stop looking after so long. */
  untilMs?: number;
}

export interface Simulation {
  state: TurnState;
  /** Every event as it was fed: the same log gives the same call. */
  log: TurnEvent[];
  effects: { at: number; effect: TurnEffect }[];
  lines: TranscriptLine[];
  /** Sound of the agent: text, begin and end in ms after the answer, and whether it was cut. */
  sounds: { text: string; from: number; to: number; cut: boolean }[];
  hangup: { reason: EndReason; at: number } | null;
}

interface Clip {
  utteranceId: number;
  replyId: number;
  text: string;
  readyAt: number | null;
  startedAt: number | null;
}

/** Edges of the speech gate come this long after the sound begins and ends. */
const GATE_MS = { start: 60, stop: 120 } as const;

/**
 * Plays a call in virtual time: a scripted caller, a brain, a voice and a player around `step`, with their
 * delays. Deterministic, so that timelines can be asserted to the millisecond.
 */
export function simulate(world: World): Simulation {
  const start = world.startedAt ?? Date.UTC(2026, 0, 5, 10, 0, 0);
  const queue: { at: number; order: number; run: () => void }[] = [];
  const clips: Clip[] = [];
  const released = new Set<number>();
  const cancelled = new Set<number>();
  const out: Simulation = {
    state: initialState(world.settings),
    log: [],
    effects: [],
    lines: [],
    sounds: [],
    hangup: null,
  };
  let now = start;
  let order = 0;
  let requests = 0;
  const later = (at: number, run: () => void): void => {
    queue.push({ at: Math.max(at, now), order: order++, run });
  };

  const feed = (event: TurnEvent): void => {
    out.log.push(event);
    const result = step(out.state, event);
    out.state = result.state;
    out.effects.push(...result.effects.map((effect) => ({ at: now - start, effect })));
    for (const effect of result.effects) carryOut(effect);
    if (result.effects.some(({ type }) => type === 'stop_speaking')) {
      feed({ type: 'speaking_stopped', heard: silence(), at: now });
    }
    if (out.state.wakeAt !== null) later(out.state.wakeAt, wake);
  };
  const wake = (): void => {
    if (out.state.wakeAt !== null && out.state.wakeAt <= now) feed({ type: 'wake', at: now });
  };

  const carryOut = (effect: TurnEffect): void => {
    if (effect.type === 'generate') answer(effect.replyId, effect.history, effect.memory);
    else if (effect.type === 'speak') synthesise(effect.replyId, effect.utteranceId, effect.text);
    else if (effect.type === 'release') {
      released.add(effect.replyId);
      later(now, play);
    } else if (effect.type === 'cancel_reply') {
      cancelled.add(effect.replyId);
      const dropped = clips.filter((clip) => clip.replyId === effect.replyId && clip.startedAt === null);
      for (const clip of dropped) clips.splice(clips.indexOf(clip), 1);
    } else if (effect.type === 'transcribe') out.lines.push(effect.line);
    else if (effect.type === 'tool') {
      const { replyId, id, name } = effect;
      later(now + (world.toolMs ?? 100), () =>
        feed({ type: 'tool_result', replyId, id, name, result: { ok: true }, at: now }),
      );
    } else if (effect.type === 'hangup') out.hangup = { reason: effect.reason, at: now - start };
  };

  const answer = (replyId: number, history: readonly HistoryItem[], memory: unknown): void => {
    const reply = world.brain?.(history, ++requests, memory) ?? { text: 'All right.' };
    if (reply.afterMs === null) return;
    const when = (event: TurnEvent): void => {
      later(now + (reply.afterMs ?? 100), () => {
        if (!cancelled.has(replyId)) feed({ ...event, at: now });
      });
    };
    const at = 0;
    for (const word of (reply.text ?? '').match(/\S+\s*/gu) ?? []) {
      when({ type: 'reply_text', replyId, text: word, at });
    }
    if (reply.fails !== undefined) {
      return when({ type: 'reply_failed', replyId, retryable: reply.fails === 'for_now', at });
    }
    (reply.tools ?? []).forEach(({ name, args }, i) => {
      when({ type: 'reply_tool', replyId, id: `${replyId}.${i}`, name, args: args ?? {}, at });
    });
    const { memory: kept = null, expected = null } = reply;
    when({ type: 'reply_done', replyId, memory: kept, expected, at });
  };

  const synthesise = (replyId: number, utteranceId: number, text: string): void => {
    const clip: Clip = { utteranceId, replyId, text, readyAt: null, startedAt: null };
    const { ttsMs = 50 } = world;
    if (ttsMs === null) return later(now, () => feed({ type: 'utterance_failed', utteranceId, at: now }));
    clips.push(clip);
    clip.readyAt = now + ttsMs;
    later(clip.readyAt, play);
  };

  const lengthOf = (clip: Clip): number => clip.text.length * (world.msPerChar ?? 60);
  const play = (): void => {
    const clip = clips.find((c) => released.has(c.replyId));
    if (clip === undefined || clip.startedAt !== null || clip.readyAt === null || clip.readyAt > now) return;
    clip.startedAt = now;
    later(now + lengthOf(clip), () => {
      if (!clips.includes(clip)) return;
      clips.splice(clips.indexOf(clip), 1);
      out.sounds.push(sound(clip, false));
      feed({ type: 'utterance_ended', utteranceId: clip.utteranceId, at: now });
      play();
    });
    feed({ type: 'utterance_started', utteranceId: clip.utteranceId, at: now });
  };
  const sound = (clip: Clip, cut: boolean) => ({
    text: clip.text,
    from: (clip.startedAt ?? now) - start,
    to: now - start,
    cut,
  });

  const silence = (): Heard[] => {
    const stopped = clips.filter((clip) => released.has(clip.replyId));
    for (const clip of stopped) {
      clips.splice(clips.indexOf(clip), 1);
      if (clip.startedAt !== null) out.sounds.push(sound(clip, true));
    }
    released.clear();
    return stopped.map((clip) => ({
      utteranceId: clip.utteranceId,
      playedMs: clip.startedAt === null ? 0 : now - clip.startedAt,
      totalMs: lengthOf(clip),
      complete: true,
    }));
  };

  const perform = (act: Act): void => {
    const at = start + act.at;
    if ('presses' in act) later(at, () => feed({ type: 'dtmf', digit: act.presses, at: now }));
    else if ('ends' in act) {
      later(at, () => feed({ type: 'end_requested', reason: act.ends, say: act.say, at: now }));
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
      later(end + GATE_MS.stop, () => feed({ type: 'speech_stopped', since: end, at: now }));
      later(end + Math.max(GATE_MS.stop, finalMs ?? 100), () =>
        feed(
          finalMs === null ? { type: 'stt_nothing', at: now } : { type: 'final', text: act.says, at: now },
        ),
      );
    }
  };

  later(start, () => feed({ type: 'answered', at: now }));
  for (const act of world.acts ?? []) perform(act);
  const until = start + (world.untilMs ?? world.settings.maxCallMs + 10_000);
  for (;;) {
    queue.sort((a, b) => a.at - b.at || a.order - b.order);
    const next = queue.shift();
    if (next === undefined || next.at > until) return out;
    now = next.at;
    next.run();
  }
}
