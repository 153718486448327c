import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { attachNumber, inboundCalls, newInbound, startPhoneService } from '../helpers/sip/phone-service.ts';
import { createAgent, place, whenOver } from '../helpers/service/scenario.ts';
import { eventually, freeSipPort, type Service } from '../helpers/service/service.ts';
import { answerAndLeave, callService, startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';
import { AUTHORITY, CERTIFICATES } from '../helpers/sip/tls-certificates.ts';

const [TRUSTED, UNTRUSTED, CALLER] = ['+14155550100', '+14155550101', '+14155550188'];
const own = CERTIFICATES.service;
const peers: SipPeer[] = [];
let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let folder = '';
let agentId = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tls-calls-'));
  const write = async (name: string, pem: string): Promise<string> => {
    await writeFile(join(folder, name), pem);
    return join(folder, name);
  };
  const tlsPort = await freeSipPort();
  peers.push(
    await startSipPeer({ own, authorities: AUTHORITY, clientAuthorities: AUTHORITY }),
    await startSipPeer({ own: CERTIFICATES.stranger, authorities: AUTHORITY, clientAuthorities: null }),
  );
  const [trusted, untrusted] = peers as [SipPeer, SipPeer];
  ({ service, close } = await startPhoneService(
    [
      { name: 'trusted', uri: `sips:127.0.0.1:${trusted.port}`, srtp: 'required' },
      { name: 'untrusted', uri: `sip:127.0.0.1:${untrusted.port};transport=tls` },
    ],
    [
      { number: TRUSTED, trunk: 'trusted' },
      { number: UNTRUSTED, trunk: 'untrusted' },
    ],
    {
      SIP_TLS_PORT: String(tlsPort),
      SIP_TLS_CERT_FILE: await write('cert.pem', own.certificate),
      SIP_TLS_KEY_FILE: await write('key.pem', own.key),
      SIP_TLS_CA_FILE: await write('ca.pem', AUTHORITY),
    },
  ));
  trusted.target(tlsPort);
  agentId = await createAgent(service, {
    intro_message: 'Hello, this is Maya.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  await attachNumber(service, agentId, TRUSTED);
});
afterAll(async () => {
  await close();
  await Promise.all(peers.map((peer) => peer.stop()));
  await rm(folder, { recursive: true, force: true });
});

const once = { call_config: { call_retry_config: { retry_count: 0 } } };

it('takes a call over TLS with SRTP, and no trunk is warned of keys in clear', async () => {
  const before = await inboundCalls(service);
  const talk = await callService(peers[0] as SipPeer, CALLER, TRUSTED, 'required');
  const callId = await newInbound(service, before);
  await eventually('the agent to be heard', async () => (talk.line.soundMs() > 400 ? true : null));
  talk.leg.hangup('normal');
  await talk.ended;
  expect(await whenOver(service, callId)).toMatchObject({ call_sub_status: 'USER_LEFT' });
  const { body } = await service.request('GET', '/api/v0/workspace/trunks');
  expect(body.trunks.map(({ transport, srtp }: any) => [transport, srtp])).toEqual([
    ['tls', 'required'],
    ['tls', 'off'],
  ]);
  expect(JSON.stringify(body.warnings)).not.toContain('SRTP_KEYS_IN_CLEAR');
});

it('calls a carrier over TLS and shows it the certificate that it asks for', async () => {
  const had = answerAndLeave(peers[0] as SipPeer, 300, 'required');
  const callId = await place(service, agentId, CALLER, { ...once, from_number: TRUSTED });
  expect(await whenOver(service, callId)).toMatchObject({ call_status: 'completed' });
  expect(had.answered).toBe(1);
});

it('sends nothing to a carrier whose certificate is of an unknown authority', async () => {
  const had = answerAndLeave(peers[1] as SipPeer, 300);
  const callId = await place(service, agentId, CALLER, { ...once, from_number: UNTRUSTED });
  expect(await whenOver(service, callId)).toMatchObject({ call_status: 'failed' });
  expect(had.answered).toBe(0);
  await expect.poll(() => service.output()).toMatch(/SIP TLS connection not made/);
});
