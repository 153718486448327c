import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { BARESIP_PORTS, startBaresip, type Baresip } from '../helpers/sip/baresip.ts';
import { spoken, writeTrack } from '../helpers/audio/line-audio.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import { attachNumber, inboundCalls, newInbound, startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent, place, transcriptOf, whenOver } from '../helpers/service/scenario.ts';
import { freeSipPort, type Service } from '../helpers/service/service.ts';
import { AUTHORITY, CERTIFICATES } from '../helpers/sip/tls-certificates.ts';

const [OURS, THEIRS] = ['+14155550100', '+14155550123'];
let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let directory = '';
let agentId = '';
let saysYes = '';
let phonePort = 0;
let tlsPort = 0;
beforeAll(async () => {
  phonePort = await freePort(BARESIP_PORTS);
  tlsPort = await freeSipPort();
  directory = await mkdtemp(join(tmpdir(), 'tls-baresip-'));
  const write = async (name: string, pem: string): Promise<string> => {
    await writeFile(join(directory, name), pem);
    return join(directory, name);
  };
  saysYes = join(directory, 'yes.wav');
  await writeTrack(saysYes, [{ atMs: 4500, pcm: await spoken('yes please') }], 60_000);
  ({ service, close } = await startPhoneService(
    [{ name: 'phone', uri: `sips:127.0.0.1:${phonePort + 1}`, srtp: 'required' }],
    [{ number: OURS, trunk: 'phone' }],
    {
      SIP_TLS_PORT: String(tlsPort),
      SIP_TLS_CERT_FILE: await write('cert.pem', CERTIFICATES.service.certificate),
      SIP_TLS_KEY_FILE: await write('key.pem', CERTIFICATES.service.key),
      SIP_TLS_CA_FILE: await write('ca.pem', AUTHORITY),
    },
  ));
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya. Can you make it on Tuesday?',
    task: '1. Ask "Can you make it on Tuesday?"\n2. Say "Please bring your insurance card."\n3. Thank them and say goodbye.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  await attachNumber(service, agentId, OURS);
});
afterAll(async () => {
  await close();
  await rm(directory, { recursive: true, force: true });
});

let baresip: Baresip;
afterEach(() => baresip.stop());
const phone = (certificate: { certificate: string; key: string }): Promise<Baresip> =>
  startBaresip({ user: THEIRS, port: phonePort, saysWav: saysYes, encryption: 'srtp-mand', certificate });

const expectWhole = (call: any): void => {
  expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  expect(transcriptOf(call).flatMap(({ user }) => user ?? [])).toEqual(['yes please']);
};
const call = (): Promise<string> =>
  place(service, agentId, THEIRS, { call_config: { call_retry_config: { retry_count: 0 } } });

it('a call to baresip over TLS with SRTP holds a conversation', async () => {
  baresip = await phone(CERTIFICATES.service);
  expectWhole(await whenOver(service, await call()));
  await expect.poll(() => baresip.output()).toMatch(/SRTP is Enabled/);
});

it('a call of baresip over TLS with SRTP holds a conversation', async () => {
  baresip = await phone(CERTIFICATES.service);
  const before = await inboundCalls(service);
  baresip.command('dial', `sip:${OURS}@127.0.0.1:${tlsPort}`);
  expectWhole(await whenOver(service, await newInbound(service, before)));
  await expect.poll(() => baresip.output()).toMatch(/SRTP is Enabled/);
});

it('a phone with a certificate of an unknown authority gets no call', async () => {
  baresip = await phone(CERTIFICATES.stranger);
  expect(await whenOver(service, await call())).toMatchObject({ call_status: 'failed' });
  expect(baresip.events.filter(({ type }) => type === 'CALL_INCOMING')).toEqual([]);
});
