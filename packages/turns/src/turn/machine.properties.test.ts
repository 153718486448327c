import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { turnSettings } from '../settings.ts';
import { initialState, step, type TurnState } from './machine.ts';
import { isSilenced } from './state.ts';
import type { EndReason, Heard, TurnEffect, TurnEvent, TurnSettings } from './types.ts';

/**
 * Random events at random times with random ids. Only the session's guarantees hold: time does not run back,
 * `stop_speaking` is answered at once, and replies and utterances exist only after their request.
 */
interface Move {
  kind: number;
  wait: number;
  pick: number;
  flag: boolean;
  text: string;
}

const texts = [
  'okay',
  'yes',
  'I want a table and',
  'Book it.',
  'Is it open today?',
  'no wait',
  'um',
  '',
  'नहीं',
  '四月',
  '12',
  'bye',
];
const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.nat({ max: 38 }),
  wait: fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: 4_000 })),
  pick: fc.nat({ max: 1_000 }),
  flag: fc.boolean(),
  text: fc.constantFrom(...texts),
});

const settings = (flags: { mute: boolean; muteAll: boolean; intro: boolean }): TurnSettings => ({
  ...turnSettings({
    callConfig: { max_call_length: 40, mute_during_intro: flags.mute },
    introMessage: flags.intro ? 'Hello, this is Maya from the clinic.' : '',
    language: 'en-IN',
    direction: 'outbound',
    muteWhileAgentSpeaks: flags.muteAll,
  }),
});

interface Spoken {
  id: number;
  replyId: number;
  text: string;
  state: 'made' | 'playing' | 'over';
  /** Share of it that sounded. */
  share: number;
}

/** Effects that make the agent speak, or ask its model. */
const SOUNDS: ReadonlySet<TurnEffect['type']> = new Set(['generate', 'speak', 'release', 'tool']);

/** Feeds moves under these guarantees and checks the invariants after every event. */
class Checked {
  state: TurnState;
  now = 1_000_000;
  readonly effects: TurnEffect[] = [];
  readonly utterances: Spoken[] = [];
  readonly replies: number[] = [];
  readonly live = new Set<number>();
  readonly released = new Set<number>();
  readonly everReleased = new Set<number>();
  resumed = 0;
  readonly tools: { replyId: number; id: string; name: string; key: string }[] = [];
  /** Lines of the person who talks in the agent's place. */
  readonly said: string[] = [];
  ended = false;

  constructor(config: TurnSettings) {
    this.state = initialState(config);
  }

  feed(event: TurnEvent): void {
    const before = this.state;
    const result = step(before, event);
    assert.deepEqual(step(before, event), result);
    this.state = result.state;
    for (const effect of result.effects) this.take(effect);
    if (isSilenced(before) && isSilenced(this.state))
      for (const { type } of result.effects) assert.ok(!SOUNDS.has(type), `${type} while a person talks`);
    if (result.effects.some(({ type }) => type === 'stop_speaking')) this.answerStop();
    this.check(event);
  }

  take(effect: TurnEffect): void {
    assert.equal(this.ended, false, `${effect.type} after the hangup`);
    this.effects.push(effect);
    if (effect.type === 'generate') {
      assert.deepEqual([...this.live], [], 'a second live reply');
      this.live.add(effect.replyId);
      this.replies.push(effect.replyId);
    }
    if (effect.type === 'cancel_reply') {
      this.live.delete(effect.replyId);
      for (const u of this.utterances) if (u.replyId === effect.replyId) u.state = 'over';
    }
    if (effect.type === 'speak') {
      assert.notEqual(effect.text.trim(), '');
      const { utteranceId: id, replyId, text } = effect;
      this.utterances.push({ id, replyId, text, state: 'made', share: 0 });
    }
    if (effect.type === 'release') {
      if (this.everReleased.has(effect.replyId)) this.resumed++;
      this.everReleased.add(effect.replyId);
      this.released.add(effect.replyId);
    }
    if (effect.type === 'tool') {
      assert.ok(this.everReleased.has(effect.replyId), 'a tool of a reply that is not certain');
      // The same tool with the same arguments runs once in a turn.
      const again = effect.name !== 'opt_out' && this.tools.some(({ key }) => key === effect.key);
      assert.equal(again, false, 'a tool that has run already');
      this.tools.push(effect);
    }
    if (effect.type === 'transcribe') {
      assert.notEqual(effect.line.text, '');
      assert.ok(effect.line.endedAt >= effect.line.startedAt);
    }
    if (effect.type === 'hangup') this.ended = true;
  }

  answerStop(): void {
    const heard: Heard[] = [];
    for (const u of this.utterances) {
      if (u.state === 'over' || !this.released.has(u.replyId)) continue;
      if (u.state === 'playing') {
        u.share = 0.5;
        heard.push({ utteranceId: u.id, playedMs: 500, totalMs: 1_000, complete: true });
      }
      u.state = 'over';
    }
    this.released.clear();
    this.feed({ type: 'speaking_stopped', heard, at: this.now });
  }

  check(event: TurnEvent): void {
    const { wakeAt, call, reply } = this.state;
    if (call.phase !== 'talking') assert.equal(wakeAt, null);
    else {
      assert.notEqual(wakeAt, null);
      assert.ok((wakeAt ?? 0) > event.at, `wake in the past after ${event.type}`);
      assert.ok((wakeAt ?? 0) <= Math.max(call.answeredAt + this.state.settings.maxCallMs, event.at + 50));
    }
    if (reply?.kind === 'brain' && reply.stream.phase === 'generating') assert.ok(this.live.has(reply.id));
    if (call.phase === 'ended') this.ended = true;
  }

  move({ kind, wait, pick, flag, text }: Move): void {
    this.now += wait;
    // Timers may fire late but are never lost.
    if (flag && this.state.wakeAt !== null && this.state.wakeAt <= this.now)
      this.feed({ type: 'wake', at: this.now });
    if (this.ended) return;
    const at = this.now;
    const any = <T>(list: readonly T[]): T | undefined => list[pick % Math.max(1, list.length)];
    const replyId = flag ? ([...this.live][0] ?? 0) : (any(this.replies) ?? 99);
    const audio = flag ? { audioMs: at - (pick % 400) } : {};
    const turn = pick % 3 === 0 ? {} : { turn: `${pick % 4}` };
    if (kind <= 2) this.feed({ type: 'speech_started', since: at - 60, at, ...audio });
    else if (kind <= 5) this.feed({ type: 'speech_stopped', since: at - 120, at, ...audio });
    else if (kind <= 7) this.feed({ type: 'partial', text, at, ...audio, ...turn });
    else if (kind <= 10)
      this.feed({ type: 'final', text, at, ...audio, ...turn, certain: 'turn' in turn && pick % 2 === 0 });
    else if (kind >= 35 && kind <= 36)
      this.feed({ type: 'eager', text: pick % 5 === 0 ? '' : text, at, ...audio, ...turn });
    else if (kind === 38) this.feed({ type: 'speech_paused', isPaused: pick % 3 !== 0, at });
    else if (kind === 37 && pick % 3 === 0)
      this.feed({
        type: 'turn_judged',
        probability: (pick % 5) / 4,
        pitch: flag ? (pick % 9) - 4 : null,
        at,
      });
    else if (kind === 37) this.feed({ type: 'endpoint_resumed', at, ...turn });
    else if (kind === 11) this.feed({ type: 'stt_nothing', at });
    else if (kind === 12) this.feed({ type: 'stt_failed', retryable: pick % 8 !== 0, at });
    else if (kind === 13) this.feed({ type: 'dtmf', digit: pick % 3 === 0 ? '#' : '4', at });
    else if (kind <= 15)
      this.feed({
        type: 'reply_text',
        replyId,
        text: `Answer ${pick} to that, sir. And`,
        ...(pick % 7 === 0 ? { isPiece: true } : {}),
        at,
      });
    else if (kind === 16) {
      const name = ['lookup', 'end_call', 'lookup', 'opt_out'][(pick >> 2) % 4] ?? 'lookup';
      if (pick % 4 === 0) this.feed({ type: 'reply_tool', replyId, id: `${at}`, name, args: {}, at });
    } else if (kind === 17) {
      this.live.delete(replyId);
      this.feed({
        type: 'reply_done',
        replyId,
        memory: at,
        expected: { kinds: ['yes_no'], phrases: [] },
        at,
      });
    } else if (kind === 18) {
      this.live.delete(replyId);
      this.feed({ type: 'reply_failed', replyId, retryable: pick % 2 === 0, at });
    } else if (kind <= 22) this.play(pick, at);
    else if (kind === 23) {
      const tool = any(this.tools);
      if (tool)
        this.feed({
          type: 'tool_result',
          replyId: tool.replyId,
          id: tool.id,
          name: tool.name,
          result: 1,
          at,
        });
    } else if (kind >= 29) this.play(pick, at);
    else if (kind >= 25) this.answer(replyId, pick, at);
    else if (pick === 1) this.feed({ type: 'remote_hangup', at });
    else if (pick === 2) this.feed({ type: 'end_requested', reason: 'USER_TERMINATED', say: text, at });
    else if (pick === 3) this.feed({ type: 'media_timeout', at });
    else if (pick % 8 === 4) this.feed({ type: 'held', at });
    else if (pick % 8 === 5 || pick % 8 === 6) this.feed({ type: 'resumed', at });
    else if (pick % 8 === 7) this.control(pick >> 3, text, at);
    else this.feed({ type: 'wake', at });
  }

  /** What a person of the workspace does to the call. */
  control(pick: number, text: string, at: number): void {
    const words = text === '' ? 'Tell them ten.' : text;
    if (pick % 5 === 0) this.feed({ type: 'note', text: words, at });
    else if (pick % 5 === 1) this.feed({ type: 'say', text: words, author: 'sam', at });
    else if (pick % 5 === 2) this.feed({ type: 'taken_over', at });
    else if (pick % 5 === 3) this.feed({ type: 'handed_back', at });
    else if (isSilenced(this.state)) {
      this.said.push(words);
      this.feed({ type: 'person_said', text: words, author: 'sam', since: at - 500, at });
    }
  }

  /** Sends a whole reply at once. */
  answer(replyId: number, pick: number, at: number): void {
    if (!this.live.has(replyId)) return;
    this.feed({ type: 'reply_text', replyId, text: `It is ${pick} o'clock. Is that fine?`, at });
    const name = ['end_call', 'lookup', 'opt_out', ''][pick % 12] ?? '';
    if (name !== '') this.feed({ type: 'reply_tool', replyId, id: `w${at}`, name, args: {}, at });
    this.live.delete(replyId);
    this.feed({ type: 'reply_done', replyId, memory: at, expected: null, at });
  }

  /** Starts, ends or fails the next released utterance. */
  play(pick: number, at: number): void {
    const next = this.utterances.find((u) => u.state !== 'over' && this.released.has(u.replyId));
    if (next === undefined) return;
    if (next.state === 'made' && pick % 40 === 0) {
      next.state = 'over';
      this.feed({ type: 'utterance_failed', utteranceId: next.id, at });
    } else if (next.state === 'made') {
      next.state = 'playing';
      this.feed({ type: 'utterance_started', utteranceId: next.id, at });
    } else {
      next.state = 'over';
      next.share = 1;
      this.feed({ type: 'utterance_ended', utteranceId: next.id, at });
    }
  }

  /** Fires timers only, until the call ends. */
  runOut(): EndReason | null {
    for (let i = 0; i < 2_000 && !this.ended; i++) {
      assert.notEqual(this.state.wakeAt, null);
      this.now = Math.max(this.now, this.state.wakeAt ?? this.now);
      this.feed({ type: 'wake', at: this.now });
    }
    return this.state.call.phase === 'ended' ? this.state.call.reason : null;
  }
}

const flags = fc.record({ mute: fc.boolean(), muteAll: fc.boolean(), intro: fc.boolean() });
const moves = fc.array(move, { minLength: 20, maxLength: 150 });

describe('any sequence of events', () => {
  it('keeps every invariant, and ends within max_call_length by timers alone', () => {
    const reasons = new Map<string, number>();
    let interruptions = 0;
    let resumed = 0;
    let tools = 0;
    fc.assert(
      fc.property(flags, moves, (chosen, list) => {
        const call = new Checked(settings(chosen));
        call.feed({ type: 'answered', at: call.now });
        const answeredAt = call.now;
        for (const one of list) if (!call.ended && call.now < answeredAt + 40_000) call.move(one);
        const beforeEnd = call.now;
        const reason = call.runOut();
        expect(reason).not.toBe(null);
        expect(call.now).toBeLessThanOrEqual(Math.max(beforeEnd, answeredAt + 40_000));
        checkRecord(call);
        reasons.set(reason ?? '', (reasons.get(reason ?? '') ?? 0) + 1);
        interruptions += call.effects.filter((e) => e.type === 'interrupted').length;
        resumed += call.resumed;
        tools += call.tools.length;
      }),
      { numRuns: 1_500 },
    );
    // The random walk must reach these end reasons.
    for (const reason of ['AGENT_ENDED', 'USER_BECAME_IDLE', 'MAX_CALL_DURATION', 'OPTED_OUT', 'FAILED']) {
      expect([...reasons.keys()]).toContain(reason);
    }
    expect(Math.min(interruptions, resumed, tools)).toBeGreaterThan(30);
  }, 240_000);
});

/** Every agent line consists of words that were played, and no reply is recorded twice. */
function checkRecord(call: Checked): void {
  const sounded = call.utterances.filter((u) => u.share > 0);
  const budget = sounded.reduce((sum, u) => sum + Math.ceil(u.text.length * u.share) + 1, 0);
  const lines = call.effects.flatMap((e) =>
    e.type === 'transcribe' && e.line.role === 'agent' ? [e.line.text] : [],
  );
  const agent = call.state.history.flatMap((item) => (item.role === 'agent' ? [item.text] : []));
  assert.deepEqual(agent, lines);
  assert.ok(agent.join('').length <= budget + call.said.join('').length);
  const words = new Set([...sounded.map((u) => u.text), ...call.said].flatMap((text) => text.split(/\s+/u)));
  for (const word of agent.join(' ').split(/\s+/u)) {
    const partOf =
      words.has(word) || (/\p{Script=Han}/u.test(word) && sounded.some((u) => u.text.includes(word)));
    assert.ok(word === '' || partOf, word);
  }
  const caller = call.state.history.filter((item) => item.role === 'caller').length;
  const callerLines = call.effects.filter((e) => e.type === 'transcribe' && e.line.role === 'caller').length;
  assert.equal(callerLines, caller);
}
