import { describe, expect, it } from 'vitest';
import {
  answerVirtualCall,
  type VirtualSession,
  type VirtualSessionOptions,
} from '../../test/rigs/calls/virtual-session.ts';
import { sineTone } from '@callwright/audio';

const outbound = (finals: readonly string[], options: VirtualSessionOptions = {}): VirtualSession =>
  answerVirtualCall({
    llm: { replies: ['I see.', 'Right.'] },
    finals,
    ...options,
    agent: { voicemail: { action: 'end', staticMessage: null }, idleWarningSeconds: 0, idleEndSeconds: 60 },
  });
const answeredBy = (call: VirtualSession): string[] =>
  call.live.flatMap((event) =>
    event.type === 'notice' && event.code === 'ANSWERED_BY' ? [event.message] : [],
  );
const hungUp = async (call: VirtualSession) => {
  call.session.remoteHangup(call.time.now());
  return call.result();
};

const answer = (finals: readonly string[], task = '', options: VirtualSessionOptions = {}) =>
  answerVirtualCall({
    llm: {},
    finals,
    ...options,
    agent: {
      prompt: `# Task\n${task}`,
      voicemail: { action: 'end', staticMessage: null },
      idleWarningSeconds: 0,
      idleEndSeconds: 60,
    },
  });

const kinds = (call: ReturnType<typeof answer>): string[] =>
  call.live.flatMap((event) =>
    event.type === 'notice' && event.code === 'ANSWERED_BY' ? [event.message] : [],
  );

it('presses the key of the option that the task names, and starts over with the person', async () => {
  const menu = 'for sales press one for support press two';
  const call = answer([menu, 'hello this is kim speaking'], 'If a phone menu answers, choose support.');
  await call.hasSaid(/Maya/);
  call.talk(3_000);
  await call.time.until('the key', () => call.person.keys.length > 0);
  expect(call.person.keys).toEqual(['2']);
  await call.time.advance(4_000);
  call.talk(1_500);
  const introductions = (): number =>
    call.live.filter((event) => event.type === 'line' && event.line.text === 'Hello, this is Maya.').length;
  expect(introductions()).toBe(1);
  await call.time.until('the first message again', () => introductions() === 2);
  call.session.remoteHangup(call.time.now());
  const { answeredBy } = await call.result();
  expect(answeredBy).toMatchObject({ kind: 'human' });
  expect(kinds(call).slice(-2)).toEqual(['ivr', 'human']);
});

it('leaves a menu to the model when the task names no way through it', async () => {
  const call = answer(['for sales press one for support press two']);
  call.talk(3_000);
  await call.hasSaid(/You said: for sales/);
  call.session.remoteHangup(call.time.now());
  expect((await call.result()).answeredBy).toMatchObject({ kind: 'ivr', reasons: ['words'] });
  expect(call.person.keys).toEqual([]);
});

it('is silent in a queue, without check-ins, until a person speaks', async () => {
  const call = answer(['all our agents are busy your call is important to us', 'hello how can i help']);
  call.talk(3_000);
  await call.time.until('the queue', () => kinds(call).includes('hold'));
  await call.time.advance(200);
  const before = call.person.soundMs();
  await call.time.advance(30_000);
  expect(call.person.soundMs()).toBe(before);
  call.talk(1_200);
  await call.time.until('the agent to speak', () => call.person.soundMs() > before + 500);
  call.session.remoteHangup(call.time.now());
  expect((await call.result()).answeredBy).toMatchObject({ kind: 'human', revisedMs: expect.any(Number) });
});

it('ends as NOT_ABLE_TO_CALL at the answer tone of a fax', async () => {
  const call = answer([]);
  await call.time.advance(300);
  call.person.say(sineTone(2100, 3_000, 8000));
  const { reason, answeredBy } = await call.result();
  expect([reason, answeredBy?.kind]).toEqual(['NOT_ABLE_TO_CALL', 'fax']);
  expect(answeredBy?.decidedMs).toBeLessThan(1_600);
});

it('judges the far side again when it takes the call off hold', async () => {
  const call = answer(['hello', 'yes', 'go on', 'please leave a message after the tone']);
  for (let turn = 0; turn < 3; turn++) {
    await call.time.advance(4_000);
    call.talk(500);
  }
  await call.time.advance(4_000);
  expect(kinds(call).at(-1)).toBe('human');
  call.session.suspension.holdUs(true, call.time.now());
  await call.time.advance(5_000);
  call.session.suspension.holdUs(false, call.time.now());
  call.talk(3_000);
  const { reason, answeredBy } = await call.result();
  expect([reason, answeredBy?.kind]).toEqual(['VOICEMAIL_DETECTED', 'voicemail']);
});

describe('who answered', () => {
  it.each([
    ['voicemail', 'hi this is bob please leave a message after the tone'],
    ['screening', 'please say your name and why you are calling'],
    ['ivr', 'for sales press one for support press two'],
    ['hold', 'all our agents are busy your call is important to us'],
    ['human', 'hello this is bob who is calling'],
  ])('recognises %s within 4 s', async (kind, words) => {
    const call = outbound([words]);
    call.talk(2_500);
    await call.time.until('a decision', () => answeredBy(call).includes(kind));
    const { answeredBy: decided } = await hungUp(call);
    expect(decided).toMatchObject({ kind });
    expect(decided?.confidence).toBeGreaterThan(0.5);
    expect(decided?.revisedMs ?? decided?.decidedMs).toBeLessThan(4_000);
  });

  it.each([
    'he is not available right now can I help you',
    'would you like to leave a message for her',
    'riverside dental how can I help you please hold on a second',
    'sorry I cannot hear you',
  ])('keeps talking to a person who says: %s', async (words) => {
    const call = outbound([words, 'yes']);
    call.talk(2_000);
    await call.hasSaid(/I see|Right/);
    call.talk(500);
    await call.time.advance(3_000);
    expect((await hungUp(call)).reason).toBe('USER_LEFT');
  });

  it('notices a mailbox after the far side transfers the call', async () => {
    const call = outbound(['hello', 'please leave a message after the tone']);
    call.talk(500);
    await call.time.until('the person', () => answeredBy(call).includes('human'));
    await call.time.advance(3_000);
    call.session.suspension.holdUs(true, call.time.now());
    await call.time.advance(6_000);
    call.session.suspension.holdUs(false, call.time.now());
    call.talk(2_500);
    const { reason, answeredBy: decided } = await call.result();
    expect([reason, decided?.kind]).toEqual(['VOICEMAIL_DETECTED', 'voicemail']);
  });
});
