import { describe, expect, it } from 'vitest';
import { peak } from '@callwright/audio';
import type { HistoryItem } from '@callwright/turns';
import { VirtualTime } from '../../test/rigs/calls/virtual-time.ts';
import { createFakeStt } from '../offline/scripted/stt.ts';
import type { Recorder } from './recorder.ts';
import type { SttProvider } from '../providers/ports/recogniser.ts';
import { ManualClock } from '../shared/clock.ts';
import { answerVirtualCall, voice, type VirtualSession } from '../../test/rigs/calls/virtual-session.ts';
import type { PhoneLine } from '../../test/helpers/sip/phone-line.ts';

const RAO = 'Dr. Rao';

/** The first recogniser hears the caller, all others the guest. */
function recogniserOf(time: VirtualTime, caller: string, guest: string): SttProvider {
  const [ofCaller, ofGuest] = [caller, guest].map((words) =>
    createFakeStt({ sttMs: 100, finals: [words, words], scheduler: time }),
  ) as [SttProvider, SttProvider];
  let opened = 0;
  return { ...ofCaller, open: (options) => ((opened += 1) === 1 ? ofCaller : ofGuest).open(options) };
}

async function callWithGuest(
  words = { caller: '', guest: '' },
  { recorder, announcement = null }: { recorder?: Recorder; announcement?: string | null } = {},
): Promise<{
  call: VirtualSession;
  guest: PhoneLine;
  asked: (readonly HistoryItem[])[];
}> {
  const asked: (readonly HistoryItem[])[] = [];
  const time = new VirtualTime(new ManualClock());
  const call = answerVirtualCall({
    time,
    recogniser: recogniserOf(time, words.caller, words.guest),
    ...(recorder === undefined ? {} : { recorder }),
    llm: {
      replies: ['That is fine with me, thank you very much.'],
      onRequest: ({ history }) => asked.push(history),
    },
    agent: { idleWarningSeconds: 0, idleEndSeconds: 100 },
  });
  await call.hasSaid(/Maya/);
  const guest = call.openTransfer('', { name: RAO, announcement });
  call.session.bridgeAnswered(time.now());
  await time.until('the guest to join', () => call.bridge.some(({ type }) => type === 'connected'));
  return { call, guest, asked };
}

describe('a guest in a call', () => {
  it('hears caller and agent, and is heard by the caller, while no music plays', async () => {
    const { call, guest } = await callWithGuest({ caller: 'so ten is fine', guest: 'good morning' });
    await call.time.advance(3_000);
    const [before, quiet] = [guest.soundMs(), call.person.soundMs()];
    call.talk(1_000);
    await call.time.advance(900);
    // The caller alone has spoken.
    expect(guest.soundMs() - before).toBeGreaterThan(500);
    expect(call.person.soundMs()).toBe(quiet);
    const between = guest.soundMs();
    await call.hasSaid(/fine with me/);
    await call.time.advance(300);
    expect(guest.soundMs() - between).toBeGreaterThan(500);
    const silent = call.person.soundMs();
    const from = call.person.frames().length;
    guest.say(voice(1_000));
    await call.time.advance(1_500);
    expect(call.person.soundMs() - silent).toBeGreaterThan(500);
    expect(
      call.person
        .frames()
        .slice(from)
        .some((pcm) => peak(pcm) > 300),
    ).toBe(true);
    call.session.remoteHangup(call.time.now());
    expect((await call.result()).reason).toBe('USER_LEFT');
  });

  it('is alone with the caller once the agent leaves, whom neither hears any more', async () => {
    const { call, guest } = await callWithGuest({ caller: 'so ten is fine', guest: 'good morning' });
    await call.time.advance(1_000);
    call.session.transfer.connectGuest(call.time.now());
    const [before, silent] = [guest.soundMs(), call.person.soundMs()];
    call.talk(1_000);
    await call.time.advance(4_000);
    expect(guest.soundMs() - before).toBeGreaterThan(500);
    expect(call.person.soundMs()).toBe(silent);
    guest.say(voice(1_000));
    await call.time.advance(1_500);
    expect(call.person.soundMs() - silent).toBeGreaterThan(500);
    call.session.remoteHangup(call.time.now());
    expect((await call.result()).reason).toBe('USER_LEFT');
  });

  it('is in the recording, on the side of the agent', async () => {
    const recorded: Int16Array[] = [];
    const recorder = {
      start: () => undefined,
      caller: () => undefined,
      agent: (pcm: Int16Array | null) => void recorded.push(pcm?.slice() ?? new Int16Array()),
      close: () => Promise.resolve(null),
    } as unknown as Recorder;
    const { call, guest } = await callWithGuest(undefined, { recorder });
    await call.time.advance(3_000);
    const from = recorded.length;
    guest.say(voice(1_000));
    await call.time.advance(1_500);
    expect(recorded.slice(from).filter((pcm) => peak(pcm) > 300).length).toBeGreaterThan(20);
    call.session.remoteHangup(call.time.now());
    await call.result();
  });

  it('has their words in the transcript under their name, and the agent knows them and who spoke', async () => {
    const { call, guest, asked } = await callWithGuest({
      caller: 'so ten is fine',
      guest: 'we close at ten',
    });
    guest.say(voice(1_200));
    await call.time.until('the words of the guest', () =>
      call.live.some((event) => event.type === 'line' && event.line.author === RAO),
    );
    // The agent answers the caller, not the guest.
    await call.time.advance(2_000);
    expect(asked).toEqual([]);
    call.talk(900);
    await call.hasSaid(/fine with me/);
    call.session.closeBridge();
    call.session.requestEnd('USER_TERMINATED', null);
    const { transcript } = await call.result();
    expect(transcript.map(({ role, text, author }) => [role, text, author ?? null])).toEqual([
      ['agent', 'Hello, this is Maya.', null],
      ['agent', 'we close at ten', RAO],
      ['caller', 'so ten is fine', null],
      ['agent', 'That is fine with me, thank you very much.', null],
    ]);
    expect(asked.at(-1)).toEqual(
      expect.arrayContaining([
        { role: 'note', text: expect.stringContaining(`${RAO} has joined`) },
        { role: 'agent', text: 'we close at ten', interrupted: false, by: 'person', author: RAO },
      ]),
    );
  });

  it('is heard only after the caller has heard that they join, in the voice of the agent', async () => {
    const text = 'A colleague is joining this call.';
    const { call, guest } = await callWithGuest(undefined, { announcement: text });
    const [from, heard] = [call.person.frames().length, guest.soundMs()];
    guest.say(voice(400));
    await call.time.advance(1_000);
    const sounding = call.person
      .frames()
      .slice(from)
      .filter((pcm) => peak(pcm) > 300);
    // Caller and guest hear the same announcement, and nothing of the guest.
    expect(sounding.length).toBeGreaterThan(10);
    expect(guest.soundMs() - heard).toBeGreaterThan(200);
    expect(call.live).toContainEqual(
      expect.objectContaining({ type: 'line', line: expect.objectContaining({ text, author: RAO }) }),
    );
    await call.time.advance(15_000);
    const quiet = call.person.soundMs();
    guest.say(voice(1_000));
    await call.time.advance(1_500);
    expect(call.person.soundMs() - quiet).toBeGreaterThan(500);
    call.session.remoteHangup(call.time.now());
    await call.result();
  });

  it('leaves the caller with the agent, who knows of it', async () => {
    const { call, guest, asked } = await callWithGuest({ caller: 'so ten is fine', guest: '' });
    call.session.closeBridge();
    const heard = guest.soundMs();
    call.talk(900);
    await call.hasSaid(/fine with me/);
    expect(guest.soundMs()).toBe(heard);
    expect(asked.at(-1)).toContainEqual({ role: 'note', text: `${RAO} has left the call.` });
    call.session.remoteHangup(call.time.now());
    expect((await call.result()).transfers).toHaveLength(1);
  });
});
