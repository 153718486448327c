import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerVirtualCall, type VirtualSession } from '../../test/rigs/calls/virtual-session.ts';
import { createScriptLlm } from '../offline/script/brain.ts';
import { type DtmfDigit, parseWav } from '@callwright/audio';
import type { HistoryItem } from '@callwright/turns';
import type { ToolSpec } from '../providers/ports/model.ts';
import { HiddenKeys } from './hidden-keys.ts';
import { Recorder } from './recorder.ts';

const CARD = '4929671130518842';
const PIN = '7351';
const keysOf = (text: string): DtmfDigit[] => text.split('') as DtmfDigit[];

const WAIT: ToolSpec = {
  name: 'read_card_number',
  description: '',
  parameters: { type: 'object', properties: {} },
  kind: 'wait_for_keys',
  keys: { digits: 16, end: null, sensitive: true },
  timeoutMs: 10_000,
};
const CHARGE: ToolSpec = {
  name: 'charge_card',
  description: '',
  parameters: {
    type: 'object',
    properties: { card_number: { type: 'string' }, amount: { type: 'string' } },
  },
  kind: 'remote',
  sensitive: ['card_number'],
  sets: ['receipt'],
};

/** Everything that leaves the session, except requests to tools. */
const outside = (call: VirtualSession, more: readonly unknown[]): string =>
  JSON.stringify([call.live, call.progress, ...more]);

async function enter(call: VirtualSession, digits: string): Promise<void> {
  for (const digit of keysOf(digits)) {
    call.person.press(digit);
    await call.time.advance(200);
  }
}

describe('sensitive keys', () => {
  const histories: (readonly HistoryItem[])[] = [];
  const payByModel = () =>
    answerVirtualCall({
      spec: { tools: [WAIT, CHARGE] },
      llm: {
        replies: ['Please enter your card number.', 'One moment.', 'Thank you, goodbye.'],
        tools: [
          { reply: 0, name: WAIT.name },
          {
            reply: 1,
            name: CHARGE.name,
            args: { card_number: '[keys hidden 1]', amount: '[keys hidden 1]' },
          },
        ],
        endAtReply: 2,
        onRequest: ({ history }) => void histories.push(history),
      },
      finals: ['I would like to pay'],
    });

  it('reach the tool that takes them, and neither model, transcript, log nor watchers', async () => {
    const call = payByModel();
    await call.hasSaid(/Maya/);
    call.talk(600);
    await call.hasSaid(/card number/);
    await enter(call, CARD);
    await call.time.until('the charge', () => call.tools.length === 1);
    expect(call.tools[0]).toMatchObject({
      name: 'charge_card',
      args: { card_number: CARD, amount: '[keys hidden 1]' },
    });
    call.session.toolResult(call.tools[0]!.requestId, {
      ok: true,
      result: { paid: true, card: `No. ${CARD}`, number: Number(CARD) },
      variables: { receipt: `R-${CARD}` },
    });
    const result = await call.result();
    expect(result.reason).toBe('AGENT_ENDED');
    expect(outside(call, [result, histories])).not.toContain(CARD);
    expect(outside(call, [result, histories])).not.toMatch(/4929|8842/);
    expect(call.live.filter(({ type }) => type === 'dtmf')).toEqual([]);
    expect(result.transcript).toContainEqual(
      expect.objectContaining({ role: 'caller', by: 'keypad', text: '[keys hidden]' }),
    );
    const [wait, charge] = result.toolLog;
    expect(wait).toMatchObject({ result: { digits: '[keys hidden 1]', status: 'pressed' } });
    expect(charge).toMatchObject({
      args: { card_number: '***' },
      result: { paid: true, card: 'No. [keys hidden]', number: '[keys hidden]' },
      variables: { receipt: 'R-[keys hidden]' },
    });
  });

  it('are hidden when the caller hangs up in the middle, and keys right after the field too', async () => {
    const half = payByModel();
    await half.hasSaid(/Maya/);
    half.talk(600);
    await half.hasSaid(/card number/);
    await enter(half, CARD.slice(0, 9));
    half.session.remoteHangup(half.time.now());
    expect(outside(half, [await half.session.finish(), histories])).not.toMatch(/492967/);

    const more = payByModel();
    await more.hasSaid(/Maya/);
    more.talk(600);
    await more.hasSaid(/card number/);
    await enter(more, `${CARD}358`);
    more.session.remoteHangup(more.time.now());
    expect(outside(more, [await more.session.finish(), histories])).not.toMatch(/358|4929/);
  });

  it('answer a question of a script whose tool takes them', async () => {
    const tool = {
      ...CHARGE,
      name: 'check_pin',
      sensitive: ['pin'],
      parameters: { type: 'object', properties: { pin: { type: 'string' } } },
    };
    const call = answerVirtualCall({
      agent: {
        prompt: '# Task\n1. Ask "What is your PIN?"\n2. Use tool check_pin.\n3. Thank them and say goodbye.',
      },
      spec: { tools: [tool] },
      llm: createScriptLlm(),
      finals: ['hello'],
    });
    await call.hasSaid(/Maya/);
    call.talk(600);
    await call.hasSaid(/PIN/);
    await enter(call, PIN);
    await call.time.until('the check', () => call.tools.length === 1);
    expect(call.tools[0]).toMatchObject({ name: 'check_pin', args: { pin: PIN } });
    call.session.toolResult(call.tools[0]!.requestId, { ok: true, result: { valid: true } });
    const result = await call.result();
    expect(outside(call, [result])).not.toContain(PIN);
    expect(result.transcript.map(({ text }) => text)).toContain('[keys hidden]');
  });
});

describe('the recording', () => {
  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'hidden-keys-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));
  const PAUSE: ToolSpec[] = ['pause_recording', 'resume_recording'].map((name) => ({
    name,
    description: '',
    parameters: { type: 'object', properties: {} },
  }));

  /** Whether each channel has sound in a stretch, ms. */
  async function soundIn(
    path: string,
    from: number,
    to: number,
  ): Promise<{ caller: boolean; agent: boolean }> {
    const wav = parseWav(await readFile(path));
    if (!wav.ok) throw new Error(wav.reason);
    const part = wav.pcm.slice(from * 16, to * 16);
    const has = (channel: number): boolean => part.some((sample, i) => i % 2 === channel && sample !== 0);
    return { caller: has(0), agent: has(1) };
  }

  it('is silent while sensitive keys are expected, marked, and as long as the call', async () => {
    const recorder = new Recorder(join(dir, 'call.wav'), 8000, () => undefined);
    const call = answerVirtualCall({
      recorder,
      spec: { tools: [WAIT] },
      llm: {
        replies: ['Please enter your card number.', 'Thank you, goodbye.'],
        tools: [{ reply: 0, name: WAIT.name }],
        endAtReply: 1,
      },
      finals: ['I would like to pay'],
    });
    await call.hasSaid(/Maya/);
    call.talk(600);
    await call.hasSaid(/card number/);
    call.talk(300);
    await enter(call, CARD);
    const result = await call.result();
    const [pause, ...others] = result.recordingPauses ?? [];
    expect(others).toEqual([]);
    expect(pause!.toMs! - pause!.fromMs).toBeGreaterThan(3000);
    const lengthMs = result.endedAt - result.startedAt;
    expect(Math.abs(result.recording!.durationMs - lengthMs)).toBeLessThan(400);
    const { path } = result.recording!;
    expect(await soundIn(path, pause!.fromMs + 20, pause!.toMs! - 20)).toEqual({
      caller: false,
      agent: false,
    });
    expect(await soundIn(path, 0, pause!.fromMs)).toEqual({ caller: true, agent: true });
    expect((await soundIn(path, pause!.toMs!, lengthMs)).agent).toBe(true);
    // A process that dies now leaves the pause in its journal.
    expect(call.progress.some(({ recordingPauses }) => recordingPauses?.at(-1)?.toMs === null)).toBe(true);
  });

  it('is paused and resumed by the agent', async () => {
    const recorder = new Recorder(join(dir, 'call.wav'), 8000, () => undefined);
    const call = answerVirtualCall({
      recorder,
      spec: { tools: PAUSE },
      llm: {
        replies: ['I pause.', 'Now say it.', 'I resume.', 'Thank you, goodbye.'],
        tools: [
          { reply: 0, name: 'pause_recording' },
          { reply: 2, name: 'resume_recording' },
        ],
        endAtReply: 3,
      },
      finals: ['hello', 'my secret'],
    });
    await call.hasSaid(/Maya/);
    call.talk(600);
    await call.hasSaid(/say it/);
    call.talk(900);
    const result = await call.result();
    expect(result.recordingPauses).toHaveLength(1);
    const [{ fromMs, toMs }] = result.recordingPauses as [{ fromMs: number; toMs: number }];
    expect(await soundIn(recorder.path, fromMs + 20, toMs - 20)).toEqual({ caller: false, agent: false });
    expect((await soundIn(recorder.path, toMs, toMs + 5000)).agent).toBe(true);
    expect(result.toolLog.map(({ name, result: outcome }) => [name, outcome])).toEqual([
      ['pause_recording', { status: 'paused' }],
      ['resume_recording', { status: 'recording' }],
    ]);
  });

  it('tells the agent of a call without recording so', async () => {
    const call = answerVirtualCall({
      spec: { tools: PAUSE },
      llm: {
        replies: ['I pause.', 'Goodbye.'],
        tools: [{ reply: 0, name: 'pause_recording' }],
        endAtReply: 1,
      },
      finals: ['hello'],
    });
    await call.hasSaid(/Maya/);
    call.talk(600);
    const result = await call.result();
    expect(result.toolLog[0]).toMatchObject({ result: { status: 'this call is not recorded' } });
    expect(result.recordingPauses).toEqual([]);
    expect(result.recording).toBeNull();
  });
});

describe('HiddenKeys', () => {
  it('finds repeated keys in answers, short ones only between other characters', () => {
    const keys = new HiddenKeys();
    keys.set(1, '123');
    keys.set(2, CARD);
    keys.set(3, '5');
    expect(
      keys.redact({ cvv: '123', sum: '12345', at: 1123, card: [`x${CARD}9`], five: 5, none: null }),
    ).toEqual({
      cvv: '[keys hidden]',
      sum: '12345',
      at: 1123,
      card: ['x[keys hidden]9'],
      five: 5,
      none: null,
    });
  });

  it('reveals each entry in sensitive parameters alone', () => {
    const keys = new HiddenKeys();
    keys.set(1, CARD);
    keys.set(2, '123');
    const args = {
      card: '[keys hidden 1]',
      cvv: '[keys hidden]',
      note: '[keys hidden 1]',
      other: '[keys hidden 7]',
    };
    expect(keys.reveal(args, ['card', 'cvv', 'other'])).toEqual({
      card: CARD,
      cvv: '123',
      note: '[keys hidden 1]',
      other: '',
    });
  });
});
