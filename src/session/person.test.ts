import { describe, expect, it } from 'vitest';
import type { HistoryItem } from '@callwright/turns';
import { peak } from '@callwright/audio';
import { VirtualTime } from '../../test/rigs/calls/virtual-time.ts';
import { createFakeStt } from '../offline/scripted/stt.ts';
import type { SttProvider } from '../providers/ports/recogniser.ts';
import { ManualClock } from '../shared/clock.ts';
import { answerVirtualCall, voice, type VirtualSession } from '../../test/rigs/calls/virtual-session.ts';

const SAM = 'sam@x.example';
const RATE = 8_000;
/** Loud and unlike the agent's voice: a square wave of this level. */
const LEVEL = 9_000;
const frame = (): Int16Array =>
  Int16Array.from({ length: RATE / 50 }, (_, n) => (n % 20 < 10 ? LEVEL : -LEVEL));
const isSam = (pcm: Int16Array): boolean => pcm.every((sample) => Math.abs(Math.abs(sample) - LEVEL) < 600);

/** Sends so many frames of a microphone, one each 20 ms. */
async function speak({ session, time }: VirtualSession, frames: number, name = SAM): Promise<void> {
  for (let n = 0; n < frames; n += 1) {
    session.person.speak(name, frame());
    await time.advance(20);
  }
}

/** Speaks for so long, as a recogniser hears it, and is silent for a second. */
async function talk({ session, time }: VirtualSession, ms: number): Promise<void> {
  const spoken = voice(ms);
  for (let at = 0; at < spoken.length; at += RATE / 50) {
    session.person.speak(SAM, spoken.slice(at, at + RATE / 50));
    await time.advance(20);
  }
  for (let n = 0; n < 50; n += 1) {
    session.person.speak(SAM, new Int16Array(RATE / 50));
    await time.advance(20);
  }
}

const loudFrames = ({ person }: VirtualSession, from: number): Int16Array[] =>
  person
    .frames()
    .slice(from)
    .filter((pcm) => peak(pcm) > 300);

/** One recogniser hears the caller, the next one the person. */
function recogniserOf(time: VirtualTime, caller: string, person: string): SttProvider {
  const [ofCaller, ofPerson] = [caller, person].map((words) =>
    createFakeStt({ sttMs: 100, finals: [words], scheduler: time }),
  ) as [SttProvider, SttProvider];
  let opened = 0;
  return { ...ofCaller, open: (options) => ((opened += 1) === 1 ? ofCaller : ofPerson).open(options) };
}

function startCall(words = { caller: '', person: '' }): {
  call: VirtualSession;
  asked: (readonly HistoryItem[])[];
} {
  const asked: (readonly HistoryItem[])[] = [];
  const time = new VirtualTime(new ManualClock());
  const call = answerVirtualCall({
    time,
    recogniser: recogniserOf(time, words.caller, words.person),
    llm: {
      replies: ['That is fine with me, thank you very much.'],
      onRequest: ({ history }) => asked.push(history),
    },
    agent: { idleWarningSeconds: 0, idleEndSeconds: 100 },
  });
  return { call, asked };
}

describe('a person in a live call', () => {
  it('is heard by the caller within 100 ms of their first frame, without a word of the agent', async () => {
    const { call } = startCall();
    await call.time.advance(400);
    expect(loudFrames(call, 0).length).toBeGreaterThan(0);
    call.session.person.control({ operation: 'take_over', by: SAM });
    const from = call.person.frames().length;
    await speak(call, 50);
    const heard = call.person.frames().slice(from);
    // One frame of the agent may be on its way to the phone.
    const first = heard.findIndex(isSam);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThanOrEqual(5);
    expect(
      heard
        .slice(1)
        .filter((pcm) => peak(pcm) > 300)
        .every(isSam),
    ).toBe(true);
    expect(call.live).toContainEqual(
      expect.objectContaining({ type: 'notice', code: 'TAKEN_OVER', message: expect.stringContaining(SAM) }),
    );
  });

  it('is not heard before the take-over, after the way back, or by another name', async () => {
    const { call } = startCall();
    await call.hasSaid(/Maya/);
    await call.time.advance(500);
    const from = call.person.frames().length;
    await speak(call, 10);
    call.session.person.control({ operation: 'take_over', by: SAM });
    await speak(call, 10, 'eve@x.example');
    expect(call.session.person.mayTalk('eve@x.example')).toBe(false);
    call.session.person.control({ operation: 'hand_back', by: SAM });
    await speak(call, 10);
    expect(loudFrames(call, from)).toEqual([]);
  });

  it('has their words in the transcript with their name, and the agent knows them after the way back', async () => {
    const { call, asked } = startCall({ caller: 'so ten is fine', person: 'we close at ten' });
    await call.hasSaid(/Maya/);
    call.session.person.control({ operation: 'take_over', by: SAM });
    await talk(call, 1_200);
    call.session.person.control({ operation: 'hand_back', by: SAM });
    await call.time.advance(500);
    call.talk(900);
    await call.hasSaid(/fine with me/);
    call.session.requestEnd('USER_TERMINATED', null);
    const { transcript } = await call.result();
    expect(transcript.map(({ role, text, author }) => [role, text, author ?? null])).toEqual([
      ['agent', 'Hello, this is Maya.', null],
      ['agent', 'we close at ten', SAM],
      ['caller', 'so ten is fine', null],
      ['agent', 'That is fine with me, thank you very much.', null],
    ]);
    expect(asked.at(-1)).toContainEqual({
      role: 'agent',
      text: 'we close at ten',
      interrupted: false,
      by: 'person',
    });
  });

  it('is heard after the caller has heard an announcement, once for each member', async () => {
    const { call } = startCall();
    await call.hasSaid(/Maya/);
    await call.time.advance(500);
    const announcement = 'A colleague is joining this call.';
    call.session.person.control({ operation: 'take_over', by: SAM, announcement });
    const from = call.person.frames().length;
    await speak(call, 15);
    // Only the announcement sounds while it lasts.
    expect(loudFrames(call, from).length).toBeGreaterThan(0);
    expect(loudFrames(call, from).some(isSam)).toBe(false);
    await call.time.advance(15_000);
    const after = call.person.frames().length;
    await speak(call, 20);
    expect(loudFrames(call, after).every(isSam)).toBe(true);
    expect(loudFrames(call, after).length).toBeGreaterThan(10);
    call.session.person.control({ operation: 'hand_back', by: SAM });
    call.session.person.control({ operation: 'take_over', by: SAM, announcement });
    await call.time.advance(100);
    const again = call.person.frames().length;
    await speak(call, 20);
    expect(loudFrames(call, again).every(isSam)).toBe(true);
    const said = call.live.filter((event) => event.type === 'line' && event.line.text === announcement);
    expect(said).toEqual([expect.objectContaining({ line: expect.objectContaining({ author: SAM }) })]);
  });

  it('who listens is announced by the agent, once', async () => {
    const { call } = startCall();
    await call.hasSaid(/Maya/);
    const order = { operation: 'announce', text: 'A colleague is listening.', by: SAM } as const;
    call.session.person.control(order);
    await call.hasSaid(/is listening/);
    call.session.person.control(order);
    await call.time.advance(5_000);
    const said = call.live.filter((event) => event.type === 'line' && event.line.text === order.text);
    expect(said).toHaveLength(1);
  });

  it('gives the call back when the connection of their microphone ends', async () => {
    const { call } = startCall();
    await call.time.advance(400);
    call.session.person.control({ operation: 'take_over', by: SAM });
    call.session.person.left(SAM);
    // Without a microphone, such as by the API, the take-over lasts.
    expect(call.live.some((event) => event.type === 'notice' && event.code === 'HANDED_BACK')).toBe(false);
    await speak(call, 5);
    call.session.person.left(SAM);
    expect(call.live.some((event) => event.type === 'notice' && event.code === 'HANDED_BACK')).toBe(true);
  });

  it('is not obeyed while the caller talks to a transfer target', async () => {
    const { call } = startCall();
    await call.hasSaid(/Maya/);
    call.openTransfer('');
    call.session.bridgeAnswered(call.time.now());
    await call.time.until('the connection', () => call.bridge.some(({ type }) => type === 'connected'));
    call.session.person.control({ operation: 'take_over', by: SAM });
    expect(call.live.at(-1)).toMatchObject({ type: 'notice', code: 'CONTROL_IGNORED' });
    expect(call.session.person.mayTalk(SAM)).toBe(false);
  });
});
