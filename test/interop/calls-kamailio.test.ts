import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BARESIP_PORTS, startBaresip, type Baresip } from '../helpers/sip/baresip.ts';
import { startKamailio, type Kamailio } from '../helpers/sip/kamailio.ts';
import { likeness, readMono, sidesOf, soundingMs, spoken, writeTrack } from '../helpers/audio/line-audio.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import { attachNumber, inboundCalls, recordingOf, startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { eventually, type Service } from '../helpers/service/service.ts';

/** One account per transport at the same proxy, and one with a wrong password. */
const LINES = {
  udp: { number: '+14155550100', trunk: 'kamailio-udp', user: 'agent-udp', transport: 'udp' },
  tcp: { number: '+14155550101', trunk: 'kamailio-tcp', user: 'agent-tcp', transport: 'tcp' },
  wrong: { number: '+14155550102', trunk: 'kamailio-wrong', user: 'agent-wrong', transport: 'udp' },
} as const;
const THEIRS = '+14155550123';
const intro = 'Hello, this is Maya. Can you make it on Tuesday?';
const from = (number: string): Record<string, unknown> => ({
  from_number: number,
  call_config: { call_retry_config: { retry_count: 0 } },
});

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let kamailio: Kamailio;
let directory = '';
let saysYes = '';
let agentId = '';
let phonePort = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'calls-kamailio-'));
  saysYes = join(directory, 'yes.wav');
  await writeTrack(saysYes, [{ atMs: 4500, pcm: await spoken('yes please') }], 60_000);
  phonePort = await freePort(BARESIP_PORTS);
  const lines = Object.values(LINES);
  kamailio = await startKamailio({
    calleePort: phonePort,
    trustedPort: phonePort,
    accounts: Object.fromEntries(lines.map(({ number, user }) => [number, user])),
  });
  ({ service, close } = await startPhoneService(
    lines.map(({ trunk, user, transport }) => ({
      name: trunk,
      uri: `sip:127.0.0.1:${kamailio.port};transport=${transport}`,
      username: user,
      password: trunk === LINES.wrong.trunk ? 'wrong' : 's3cret',
      register: true,
    })),
    lines.map(({ number, trunk }) => ({ number, trunk })),
  ));
  agentId = await createAgent(service, {
    intro_message: intro,
    task: '1. Ask "Can you make it on Tuesday?"\n2. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  await attachNumber(service, agentId, LINES.udp.number);
  await attachNumber(service, agentId, LINES.tcp.number);
});
afterAll(async () => {
  await close();
  await kamailio?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Runs with a phone behind the proxy. */
async function withPhone(run: (phone: Baresip) => Promise<void>): Promise<void> {
  const phone = await startBaresip({ user: THEIRS, port: phonePort, saysWav: saysYes });
  try {
    await run(phone);
  } finally {
    await phone.stop();
  }
}

async function expectTalk(phone: Baresip, call: { recording_url: string }): Promise<void> {
  expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  const lines = transcriptOf(call);
  expect(lines[0]?.bot).toBe(intro);
  expect(lines.flatMap((line) => line.user ?? [])).toEqual(['yes please']);
  await phone.waitFor('CALL_CLOSED');
  const { agent, caller } = sidesOf(await recordingOf(call));
  const heard = await readMono(phone.recordings('dec')[0] ?? '');
  const said = await readMono(phone.recordings('enc')[0] ?? '');
  expect(soundingMs(heard)).toBeGreaterThan(3000);
  expect(likeness(agent, heard).peak).toBeGreaterThan(0.9);
  expect(likeness(said, caller).peak).toBeGreaterThan(0.9);
}

describe.each([LINES.udp, LINES.tcp])('Kamailio as the carrier over $transport', ({ number }) => {
  it('routes a call to the phone behind it after digest authentication', () =>
    withPhone(async (phone) => {
      const callId = await place(service, agentId, THEIRS, from(number));
      const call = await whenOver(service, callId);
      expect(call).toMatchObject({ call_type: 'outbound', from_number: number, to_number: THEIRS });
      await expectTalk(phone, call);
    }));

  it('reports a busy number as BUSY', async () => {
    const call = await whenOver(service, await place(service, agentId, '+14155550486', from(number)));
    expect(call).toMatchObject({
      call_status: 'failed',
      call_sub_status: 'BUSY',
      attempts: [{ sip_code: 486 }],
    });
  });

  it('delivers an inbound call through the registration of its account', () =>
    withPhone(async (phone) => {
      const before = await inboundCalls(service);
      phone.command('dial', `sip:${number}@127.0.0.1:${kamailio.port}`);
      const callId = await eventually(
        'the call is in the history',
        async () => (await inboundCalls(service)).find((id) => !before.includes(id)) ?? null,
      );
      const call = await whenOver(service, callId);
      expect(call).toMatchObject({ call_type: 'inbound', from_number: THEIRS, to_number: number });
      await expectTalk(phone, call);
    }));
});

it('a call over a trunk with a wrong password fails with 407 as FAILED', async () => {
  const callId = await place(service, agentId, THEIRS, from(LINES.wrong.number));
  expect(await whenOver(service, callId)).toMatchObject({
    call_status: 'failed',
    call_sub_status: 'FAILED',
    call_cost: 0,
    attempts: [{ sub_status: 'FAILED', sip_code: 407 }],
  });
  expect(service.output()).not.toContain('s3cret');
});
