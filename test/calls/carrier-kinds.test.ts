import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beep, rms } from '@callwright/audio';
import {
  FAKE_CARRIER_KINDS,
  FakeCarrierApi,
  fakeCarrierAccount,
  fakeTrunkSettings,
  type FakeCarrierAccount,
  type FakeCarrierCall,
  type FakeCarrierKind,
  type FakeCarrierSettings,
  type FakeTwilioStream,
} from '@callwright/stand-ins';
import { callerLines } from '../helpers/audio/caller-lines.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { eventually, freeTcpPort, TEST_KEY, type Service } from '../helpers/service/service.ts';
import { attachNumber, edit, startPhoneService } from '../helpers/sip/phone-service.ts';
import { IS_NIGHTLY } from '../helpers/service/nightly.ts';

const DESK = '+14155550111';
const ONCE = { call_config: { call_retry_config: { retry_count: 0 } } };
const RING_SECONDS = 15;
/** Their streams have no keys. */
const WITHOUT_KEYS: ReadonlySet<FakeCarrierKind> = new Set(['bandwidth']);
/** The protocol cannot drop audio: it has one frame at most to play. */
const WITHOUT_CLEAR: ReadonlySet<FakeCarrierKind> = new Set(['audiosocket']);
/** The flow of the number at the carrier decides where a call goes. */
const WITHOUT_TRANSFER: ReadonlySet<FakeCarrierKind> = new Set(['exotel']);
const SETTINGS: Partial<FakeCarrierSettings> = {
  callee: 'answers',
  losesAnswers: false,
  duplicates: false,
  disorder: false,
  stream: {},
};

/** What people say on the phone, at 8 kHz. */
const LINES = callerLines().map(({ pcm }) => pcm);
const LINE = LINES.find((pcm) => pcm.length > 20_000) ?? new Int16Array();
/** A greeting without a pause, and the tone behind it. */
const GREETING = Int16Array.from([...LINE, ...LINE, ...new Int16Array(2_400), ...beep(1_000, 400, 8_000)]);

/** A carrier with its number and its trunk. */
interface Carrier {
  readonly kind: FakeCarrierKind;
  readonly account: FakeCarrierAccount;
  readonly api: FakeCarrierApi;
  readonly number: string;
  readonly caller: string;
  webhook: string;
}

const carriers = FAKE_CARRIER_KINDS.map((kind, i): Carrier => {
  const account = fakeCarrierAccount(kind);
  const [number, caller] = [`+1415555${String(2_100 + i)}`, `+1415555${String(2_200 + i)}`];
  return { kind, account, api: new FakeCarrierApi(account), number, caller, webhook: '' };
});
let service: Service;
let agentId = '';
/** Its first message takes long enough to be interrupted. */
let talkerId = '';
let close: () => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  const trunks = await Promise.all(
    carriers.map(async ({ kind, account, api }) => ({
      name: kind,
      kind,
      uri: await api.listen(),
      ...fakeTrunkSettings(account),
    })),
  );
  const lines = carriers.map(({ kind, number }) => ({ number, trunk: kind }));
  ({ service, close } = await startPhoneService(trunks, lines, {
    SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
    AUDIOSOCKET_PORT: String(await freeTcpPort()),
    RING_TIMEOUT_SECONDS: String(RING_SECONDS),
  }));
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya.',
    task: ['1. Ask "What is your customer number?"', '2. Ask "What is your postal code?"'].join('\n'),
    call_config: { mute_during_intro: false, idle_timeout_warning: 20, idle_timeout_end: 40 },
  });
  await edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [{ type: 'CALL_TRANSFER_TOOL', name: 'to_desk', transfer_to: DESK }],
  });
  // The end key completes an entry. The pause is one that no busy machine makes between two keys of the same moment.
  await edit(service, agentId, 'edit_dtmf_settings', {
    dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input: { end: '#', timeout: 10 } },
  });
  talkerId = await createAgent(service, {
    intro_message: `Hello, this is Maya. ${'We have opened a new house by the river, with a garden and a view. '.repeat(4)}`,
    call_config: { mute_during_intro: false },
  });
  for (const { number } of carriers) await attachNumber(service, agentId, number);
  const { body } = await service.request('GET', '/api/v0/workspace/trunks');
  for (const carrier of carriers) {
    const { trunk_id: id } = body.trunks.find(({ name }: { name: string }) => name === carrier.kind);
    carrier.webhook = `${service.url}/carriers/${id}/voice`;
    carrier.api.webhookUrl = carrier.webhook;
  }
});
afterAll(async () => {
  await close();
  await Promise.all(carriers.map(({ api }) => api.close()));
});

const isVoice = (frame: Int16Array | null): boolean => frame !== null && rms(frame) > 100;
const streamOf = async (call: FakeCarrierCall) =>
  (await eventually('the stream', async () => call.stream)).stream;
const agentSpoke = async (call: FakeCarrierCall, frames = 30): Promise<number> => {
  const stream = await streamOf(call);
  return eventually('the agent to have spoken and to wait', async () => {
    const voiced = stream.heard.filter(isVoice).length;
    return voiced >= frames && !stream.heard.slice(-30).some(isVoice) ? voiced : null;
  });
};

/** A caller of the carrier, and the call in the service. */
async function comeIn({ api, webhook, caller, number }: Carrier): Promise<[FakeCarrierCall, string]> {
  const known = async (): Promise<string[]> => {
    const { body } = await service.request('GET', '/api/v0/calling/history?call_type=inbound&limit=100');
    return body.calls
      .filter((one: { to_number: string }) => one.to_number === number)
      .map((one: { id: string }) => one.id);
  };
  const before = await known();
  const call = await api.dialIn(webhook, caller, number);
  const callId = await eventually(
    'the call to be on record',
    async () => (await known()).find((id) => !before.includes(id)) ?? null,
  );
  return [call, callId];
}

/** A call that the service places over the carrier. */
async function goOut(
  { api, caller, number }: Carrier,
  settings: Partial<FakeCarrierSettings>,
  agent = agentId,
): Promise<[FakeCarrierCall, string]> {
  Object.assign(api.settings, SETTINGS, settings);
  const before = api.calls.length;
  const callId = await place(service, agent, caller, { ...ONCE, from_number: number });
  return [await eventually('the place request', async () => api.calls[before] ?? null), callId];
}

/** Frames within which the recogniser has written what the callee said. */
const LINE_FRAMES = Math.ceil(LINE.length / 160) + 150;

/** Waits until the call has an interruption: the words of the callee confirm it. While the agent goes on, the callee repeats them. */
async function confirmInterruption(callId: string, stream: FakeTwilioStream): Promise<void> {
  const end = new AbortController();
  const address = `${service.url}/api/v0/calling/${callId}/live`;
  // Begins with what has happened so far.
  const { body } = await fetch(address, { headers: { 'x-api-key': TEST_KEY }, signal: end.signal });
  if (body === null) throw new Error('the call is not live');
  let isConfirmed = false;
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of body) {
      text += Buffer.from(chunk).toString('utf8');
      isConfirmed = text.includes('"type":"interrupted"');
      if (isConfirmed) return;
    }
  };
  const reading = read().catch(() => undefined);
  let saidAt = stream.heard.length;
  await eventually('the words that confirm the interruption', async () => {
    if (!isConfirmed && stream.heard.length - saidAt > LINE_FRAMES && stream.heard.slice(-10).some(isVoice)) {
      saidAt = stream.heard.length;
      stream.say(LINE);
    }
    return isConfirmed ? true : null;
  });
  end.abort();
  await reading;
}

/** Runs a scenario with every carrier, some at once: each waits most of its time. */
async function withEach(run: (carrier: Carrier) => Promise<void>, atOnce = 4): Promise<void> {
  const left = [...carriers];
  const failures: string[] = [];
  const next = async (): Promise<void> => {
    for (let carrier = left.shift(); carrier !== undefined; carrier = left.shift())
      await run(carrier).catch((error: unknown) => {
        failures.push(`${carrier?.kind}: ${error instanceof Error ? error.message : String(error)}`);
      });
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  expect(failures).toEqual([]);
}

describe('calls over each carrier', () => {
  it('come in, with keys, disorder and chunks of 100 ms, until the caller hangs up', async () => {
    await withEach(async (carrier) => {
      const { api, kind, caller, number } = carrier;
      Object.assign(api.settings, SETTINGS, {
        stream: { chunkMs: 100, jitterMs: 40, swapEvery: 7, duplicates: true },
      });
      const [call, callId] = await comeIn(carrier);
      const voiced = await agentSpoke(call);
      const stream = await streamOf(call);
      if (!WITHOUT_KEYS.has(kind)) {
        for (const digit of ['4', '2', '#']) stream.press(digit);
        await agentSpoke(call, voiced + 20);
      }
      await api.hangUp(call);
      const over = await whenOver(service, callId);
      expect(over).toMatchObject({
        call_direction: 'inbound',
        call_sub_status: 'USER_LEFT',
        hangup_by: 'caller',
        from_number: caller,
        to_number: number,
      });
      const keys = transcriptOf(over).flatMap((line: any) => (line.by === 'keypad' ? [line.user] : []));
      expect([keys, stream.errors]).toEqual([WITHOUT_KEYS.has(kind) ? [] : ['42'], []]);
    });
  });

  it('are refused when another secret proves the webhook', async () => {
    await withEach(async ({ account, webhook, caller, number }) => {
      const stranger = new FakeCarrierApi({ ...account, ...otherSecret(account) });
      await expect(stranger.dialIn(webhook, caller, number)).rejects.toThrow('answered 403');
    });
  });

  it('are placed and answered, with answers lost and reports twice and late, and ended by a user', async () => {
    await withEach(async (carrier) => {
      const [call, callId] = await goOut(carrier, { losesAnswers: true, duplicates: true, disorder: true });
      expect([call.from, call.to]).toEqual([carrier.number, carrier.caller]);
      await agentSpoke(call);
      await service.request('POST', `/api/v0/calling/${callId}/hangup`, {});
      const over = await whenOver(service, callId);
      expect(over).toMatchObject({ call_status: 'completed', call_sub_status: 'USER_TERMINATED' });
      expect(transcriptOf(over)[0]).toMatchObject({ bot: 'Hello, this is Maya.' });
      expect(over.attempts).toHaveLength(1);
      await eventually('the end at the carrier', async () => (call.state === 'completed' ? true : null));
    });
  });

  it('are talked over by the callee: the agent stops, and the carrier drops what it has not played', async () => {
    await withEach(async (carrier) => {
      const [call, callId] = await goOut(carrier, {}, talkerId);
      const stream = await streamOf(call);
      const voiced = (): number => stream.heard.filter(isVoice).length;
      await eventually('the agent to speak', async () => (voiced() >= 20 ? true : null));
      stream.say(LINE);
      await eventually('the carrier to drop audio, and the agent to be silent', async () =>
        (stream.clearedMs > 0 || WITHOUT_CLEAR.has(carrier.kind)) && !stream.heard.slice(-20).some(isVoice)
          ? true
          : null,
      );
      await confirmInterruption(callId, stream);
      await carrier.api.hangUp(call);
      const over = await whenOver(service, callId);
      expect(over).toMatchObject({ call_status: 'completed', hangup_by: 'caller' });
      expect(over.interruptions).toBeGreaterThanOrEqual(1);
    });
  });

  it.runIf(IS_NIGHTLY)('that a voicemail answers are ended by the agent as VOICEMAIL_DETECTED', async () => {
    await withEach(async (carrier) => {
      const [call, callId] = await goOut(carrier, {});
      (await streamOf(call)).say(GREETING);
      expect(await whenOver(service, callId)).toMatchObject({
        call_sub_status: 'VOICEMAIL_DETECTED',
        hangup_by: 'agent',
      });
    });
  });

  it('that are busy, or fail, are settled by their report', async () => {
    await withEach(async (carrier) => {
      const [, busy] = await goOut(carrier, { callee: 'busy' });
      expect(await whenOver(service, busy)).toMatchObject({ call_sub_status: 'BUSY', call_cost: 0 });
      const [, failed] = await goOut(carrier, { callee: 'fails' });
      expect(await whenOver(service, failed)).toMatchObject({ call_sub_status: 'FAILED', call_cost: 0 });
    });
  });

  it.runIf(IS_NIGHTLY)('that nobody answers end with the time of ringing, at the carrier too', async () => {
    await withEach(async (carrier) => {
      const [call, callId] = await goOut(carrier, { callee: 'rings' });
      expect(call.order?.ringMs).toBe(RING_SECONDS * 1_000);
      expect(await whenOver(service, callId)).toMatchObject({ call_sub_status: 'NO_ANSWER', call_cost: 0 });
      await eventually('the end at the carrier', async () => (call.state === 'ringing' ? null : true));
    }, carriers.length);
  });

  it('end at the carrier when a user hangs up while they ring', async () => {
    await withEach(async (carrier) => {
      const [call, callId] = await goOut(carrier, { callee: 'rings' });
      await eventually('the phone to ring', async () => (call.state === 'ringing' ? true : null));
      await service.request('POST', `/api/v0/calling/${callId}/hangup`, {});
      expect(await whenOver(service, callId)).toMatchObject({
        call_sub_status: 'USER_TERMINATED',
        call_cost: 0,
      });
      await eventually('the end at the carrier', async () => (call.state === 'cancelled' ? true : null));
    });
  });

  it('go to another party by a key, in and out, where the carrier has a request for it', async () => {
    await withEach(async (carrier) => {
      const { kind, api } = carrier;
      if (WITHOUT_KEYS.has(kind) || WITHOUT_TRANSFER.has(kind)) return;
      Object.assign(api.settings, SETTINGS);
      for (const start of [() => comeIn(carrier), () => goOut(carrier, {})]) {
        const [call, callId] = await start();
        await agentSpoke(call);
        const stream = await streamOf(call);
        for (const digit of ['0', '#']) stream.press(digit);
        expect(await whenOver(service, callId)).toMatchObject({ call_sub_status: 'CALL_TRANSFERRED' });
        expect(call.redirect).toContain(DESK.slice(1));
      }
    });
  });
});

/** What signs: of Telnyx the private key, of others the auth token or the signing key. */
const otherSecret = ({ kind }: FakeCarrierAccount): Partial<FakeCarrierAccount> =>
  ['twilio', 'plivo', 'vobiz', 'telnyx'].includes(kind) ? { secret: 'another' } : { signingKey: 'another' };
