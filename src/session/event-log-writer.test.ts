import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logOf, logTextOf } from '../../test/helpers/sip/replays.ts';
import { settings as quietSettings } from '../../test/helpers/turns.ts';
import { answerVirtualCall, type VirtualSession } from '../../test/rigs/calls/virtual-session.ts';
import { createScriptLlm } from '../offline/script/brain.ts';
import type { ConversationResult } from '../voice/conversation.ts';
import type { DtmfDigit } from '@callwright/audio';
import type { ToolSpec } from '../providers/ports/model.ts';
import {
  type EventLog,
  type TurnEvent,
  type TurnSettings,
  firstDifference,
  initialState,
  readLog,
  step,
} from '@callwright/turns';
import { EventLogWriter } from './event-log-writer.ts';

/** What a caller or the network does next. */
interface Act {
  readonly afterMs: number;
  readonly does: 'talks' | 'coughs' | 'presses' | 'types' | 'holds' | 'answers_tool';
  readonly forMs: number;
}
const act: fc.Arbitrary<Act> = fc.record({
  afterMs: fc.integer({ min: 20, max: 3_000 }),
  does: fc.constantFrom('talks', 'talks', 'coughs', 'presses', 'types', 'holds', 'answers_tool'),
  forMs: fc.integer({ min: 60, max: 1_500 }),
});
const acts = fc.array(act, { minLength: 3, maxLength: 14 });
const SAID = [
  'hello',
  'yes',
  'okay',
  'no wait, tell me the price',
  'um',
  'I would like to',
  'Tuesday at ten',
  'stop',
  'goodbye',
];
/** The caller says goodbye and stays on the line until the agent hangs up. */
const GOODBYE: readonly Act[] = [
  { afterMs: 8_000, does: 'talks', forMs: 900 },
  { afterMs: 30_000, does: 'coughs', forMs: 100 },
];
const LONG = 'I have a slot on Tuesday at ten and another one on Friday, so which of them suits you better?';

const LOOK_UP: ToolSpec = {
  name: 'look_up',
  description: '',
  parameters: { type: 'object', properties: {} },
  kind: 'remote',
  sensitive: ['card'],
};

async function live(call: VirtualSession, list: readonly Act[]): Promise<ConversationResult> {
  let requests = 0;
  for (const { afterMs, does, forMs } of list) {
    await call.time.advance(afterMs);
    const at = call.time.now();
    if (does === 'talks') call.talk(forMs);
    if (does === 'coughs') call.talk(80);
    if (does === 'presses') call.person.press('1');
    if (does === 'types') call.session.onText('Do you have parking?', at);
    if (does === 'holds') {
      call.session.suspension.holdUs(true, at);
      await call.time.advance(forMs);
      call.session.suspension.holdUs(false, call.time.now());
    }
    const request = call.tools[requests];
    if (does === 'answers_tool' && request !== undefined) {
      requests += 1;
      call.session.toolResult(request.requestId, { ok: true, result: { price: 10 } });
    }
  }
  call.session.remoteHangup(call.time.now());
  return call.result();
}

describe('the event log of a session', () => {
  it('replays to the same decisions, whatever the caller does', async () => {
    const decisions = new Set<string>();
    await fc.assert(
      fc.asyncProperty(acts, fc.nat({ max: 8 }), fc.boolean(), async (list, from, isScripted) => {
        const call = answerVirtualCall({
          llm: isScripted
            ? createScriptLlm()
            : {
                replies: [LONG, 'All right.', LONG, 'One moment.', LONG],
                tools: [1, 3].map((reply) => ({ reply, name: LOOK_UP.name, args: { card: `${reply}` } })),
              },
          finals: [...SAID.slice(from), ...SAID],
          spec: { tools: [LOOK_UP], fillers: { phrases: ['Let me see.', 'One second.'], probability: 0.5 } },
        });
        const log = logOf(await live(call, list));
        expect(log.cutMs).toBe(null);
        expect(log.entries.length).toBeGreaterThan(3);
        expect(firstDifference(log)).toBe(null);
        for (const { decision } of log.entries) for (const type of decision.split(' ')) decisions.add(type);
      }),
      { numRuns: 40, examples: [[GOODBYE, SAID.indexOf('goodbye'), true]] },
    );
    // The generated calls must reach these decisions.
    for (const type of [
      'stop_speaking',
      'interrupted',
      'generate',
      'cancel_reply',
      'tool',
      'lower_voice',
      'hangup',
    ])
      expect([...decisions]).toContain(type);
  }, 240_000);

  it('restores every event with its times', async () => {
    const call = answerVirtualCall({ finals: ['hello'] });
    await call.hasSaid(/Maya/);
    call.talk(600);
    await call.time.advance(3_000);
    call.session.remoteHangup(call.time.now());
    const result = await call.result();
    const { entries } = logOf(result);
    const started = entries.find(({ event }) => event.type === 'speech_started')?.event;
    expect(entries[0]?.event).toEqual({ type: 'answered', at: result.startedAt });
    expect(started).toMatchObject({ since: expect.any(Number) });
    const [line] = result.transcript.filter(({ role }) => role === 'caller');
    expect(started).toHaveProperty('since', line?.startedAt);
  });

  it('keeps no key of a sensitive entry and no sensitive argument, and still replays the same', async () => {
    const wait: ToolSpec = {
      name: 'read_card_number',
      description: '',
      parameters: { type: 'object', properties: {} },
      kind: 'wait_for_keys',
      keys: { digits: 16, end: null, sensitive: true },
      timeoutMs: 10_000,
    };
    const call = answerVirtualCall({
      spec: { tools: [wait, LOOK_UP] },
      llm: {
        replies: ['Please enter your card number.', 'One moment.', 'Thank you, goodbye.'],
        tools: [
          { reply: 0, name: wait.name },
          { reply: 1, name: LOOK_UP.name, args: { card: 'spoken 4929', other: 'kept' } },
        ],
      },
      finals: ['hello'],
    });
    await call.hasSaid(/Maya/);
    call.talk(400);
    await call.hasSaid(/card number/);
    const digits = '4929671130518842';
    for (const digit of digits) {
      call.person.press(digit as DtmfDigit);
      await call.time.advance(200);
    }
    await call.time.advance(4_000);
    call.session.remoteHangup(call.time.now());
    const result = await call.result();
    const pressed = logOf(result).entries.flatMap(({ event }) => (event.type === 'dtmf' ? [event] : []));
    expect(pressed.map(({ digit, masked }) => [digit, masked])).toEqual(
      Array.from(digits).map(() => ['1', true]),
    );
    const text = logTextOf(result);
    expect(text).not.toContain('spoken 4929');
    expect(text).toContain('kept');
    expect(firstDifference(logOf(result))).toBe(null);
  });

  it('hides the keys of an entry that turns out to be sensitive after the first one', async () => {
    const settings = {
      ...quietSettings,
      tools: { read_pin: { keys: { digits: 4, end: null, sensitive: true } } },
    };
    const log = await written(settings, [
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 50 },
      { type: 'utterance_ended', utteranceId: 0, at: 900 },
      { type: 'typed', text: 'I want to pay.', at: 1_000 },
      { type: 'reply_text', replyId: 1, text: 'Let me see. ', at: 1_100 },
      { type: 'utterance_started', utteranceId: 1, at: 1_150 },
      { type: 'dtmf', digit: '7', at: 1_300 },
      { type: 'reply_tool', replyId: 1, id: 'a', name: 'read_pin', args: {}, at: 1_400 },
      { type: 'reply_done', replyId: 1, memory: null, expected: null, at: 1_400 },
      ...(['3', '5', '1'] as const).map(
        (digit, n) => ({ type: 'dtmf', digit, at: 1_600 + n * 200 }) as const,
      ),
    ]);
    const pressed = log.entries.flatMap(({ event }) => (event.type === 'dtmf' ? [event] : []));
    expect(pressed.map(({ digit, masked }) => [digit, masked])).toEqual(
      Array.from({ length: 4 }, () => ['1', true]),
    );
    expect(log.entries.some(({ decision }) => decision.includes('hidden_keys'))).toBe(true);
    expect(firstDifference(log)).toBe(null);
  });

  it('takes less than 20 kB for a call of four minutes with partials', async () => {
    const call = answerVirtualCall({
      llm: { replies: Array.from({ length: 60 }, (_, n) => `${LONG} That is number ${n}.`), perWordMs: 30 },
      stt: { partialMs: 200 },
      finals: Array.from({ length: 60 }, (_, n) => `and what would you say about number ${n}`),
      spec: { maxCallMs: 300_000 },
    });
    await call.hasSaid(/Maya/);
    for (let ms = 0; ms < 240_000; ms += 6_000) {
      call.talk(1_800);
      await call.time.advance(6_000);
    }
    call.session.remoteHangup(call.time.now());
    const result = await call.result();
    expect(logOf(result).entries.length).toBeGreaterThan(1_500);
    expect(logOf(result)).toMatchObject({ cutMs: null });
    expect(Buffer.from(result.eventLog ?? '', 'base64').length).toBeLessThan(20_000);
  });

  it('is cut at its limit, says when, and replays up to there', async () => {
    const log = await written(
      { ...quietSettings, maxCallMs: 100_000_000, idleEndMs: 100_000_000, idleWarningMs: 0 },
      Array.from({ length: 21_000 }, (_, n) =>
        n === 0
          ? { type: 'answered', at: 5_000.5 }
          : { type: 'partial', text: `words number ${n}`, at: 5_000.5 + n },
      ),
    );
    expect(log.entries.length).toBe(20_000);
    expect(log.cutMs).toBe(20_000.5);
    expect(firstDifference(log)).toBe(null);
  });
});

/** The log of these events. */
async function written(settings: TurnSettings, events: readonly TurnEvent[]): Promise<EventLog> {
  const writer = new EventLogWriter(settings, []);
  let before = initialState(settings);
  for (const event of events) {
    const { state, effects } = step(before, event);
    writer.add(event, { before, state, effects });
    before = state;
  }
  return readLog(gunzipSync((await writer.close()) ?? '').toString());
}
