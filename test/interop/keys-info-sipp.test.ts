import { decodeUlawTo } from '@callwright/audio';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDtmfDetector, stepDtmf } from '../../packages/rtp/src/dtmf-detector.ts';
import { startCapture, type Capture } from '../helpers/sip/capture.ts';
import { freePort } from '../helpers/sip/peer-process.ts';
import {
  attachNumber,
  edit,
  inboundCalls,
  newInbound,
  startPhoneService,
} from '../helpers/sip/phone-service.ts';
import { startSipp, type Sipp } from '../helpers/sip/sipp.ts';
import { answering, calling } from '../helpers/sip/sipp-calls.ts';
import { startFakeOpenAiServer, type FakeOpenAiServer } from '../helpers/openai-server.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';
import { createAgent, place, whenOver } from '../helpers/service/scenario.ts';
import type { Service } from '../helpers/service/service.ts';

const OURS = '+14155550100';
const THEIRS = '+14155550123';
const KEYS = ['1', '1', '2', '#'];

let service: Service;
let close: () => Promise<void> = () => Promise.resolve();
let model: FakeOpenAiServer;
let agentId = '';
let trunkPort = 0;
beforeAll(async () => {
  trunkPort = await freePort();
  ({ service, close } = await startPhoneService(
    [{ name: 'carrier', uri: `sip:127.0.0.1:${trunkPort}`, transport: 'udp', outgoing: { dtmf: 'info' } }],
    [{ number: OURS, trunk: 'carrier' }],
    { SAFE_FETCH_ALLOW: LOOPBACK_OPEN },
  ));
  model = await startFakeOpenAiServer([
    { tools: [{ name: 'press_menu', args: {} }] },
    {
      after: 'press_menu',
      text: 'I have pressed the keys of your menu. Goodbye.',
      tools: [{ name: 'end_call', args: {} }],
    },
  ]);
  agentId = await createAgent(service, {
    intro_message: 'Which number, please?',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 30 },
  });
  await edit(service, agentId, 'edit_llm', {
    llm: { provider: 'openai_compatible', base_url: model.baseUrl, model: 'own-model' },
  });
  await edit(service, agentId, 'edit_on_call_tools', {
    on_call_tools: [
      { type: 'DTMF_TOOL', name: 'press_menu', description: 'Presses the menu.', digits: KEYS.join('') },
      { type: 'END_CALL_TOOL' },
    ],
  });
  await attachNumber(service, agentId, OURS);
});
afterAll(async () => {
  await close();
  await model?.close();
});

let peer: Sipp | null = null;
let capture: Capture | null = null;
afterEach(async () => {
  await peer?.stop();
  await capture?.close();
  peer = null;
  capture = null;
});

async function startPeer(
  scenario: string,
  more: { args?: readonly string[]; target?: string } = {},
): Promise<Sipp> {
  peer = await startSipp({
    scenario,
    port: trunkPort,
    trace: true,
    ...more,
    args: ['-aa', ...(more.args ?? [])],
  });
  return peer;
}
const dial = (): Promise<string> =>
  place(service, agentId, THEIRS, { call_config: { call_retry_config: { retry_count: 0 } } });
/** The keys of the INFOs that SIPp received; a repetition has the CSeq of the first. */
function received(sipp: Sipp): string[] {
  const infos = sipp
    .messages()
    .matchAll(/message received[^\n]*\n\s*INFO [\s\S]*?CSeq: (\d+) INFO[\s\S]*?Signal=(\S)/g);
  return [...new Map([...infos].map(([, sequence, key]) => [sequence, key ?? ''])).values()];
}

describe('a far side without telephone-event on a trunk with dtmf: info', () => {
  it.each(['outbound', 'inbound'] as const)(
    'of an %s call gets the keys of the agent by INFO, in their order and each once',
    async (direction) => {
      const isCaller = direction === 'inbound';
      const before = await inboundCalls(service);
      const sipp = isCaller
        ? await startPeer(calling.takesInfo(3_000, '5', KEYS), {
            args: ['-m', '1', '-s', OURS],
            target: `127.0.0.1:${service.sipPort}`,
          })
        : await startPeer(answering.takesInfo(3_000, '5', KEYS));
      const callId = isCaller ? await newInbound(service, before) : await dial();
      const over = await whenOver(service, callId);
      expect([received(sipp), over.call_sub_status]).toEqual([KEYS, 'AGENT_ENDED']);
    },
  );

  // dumpcap captures loopback, which needs root.
  it.skipIf(process.getuid?.() !== 0)('that refuses INFO gets them as tones', async () => {
    const wire = await startCapture(`udp portrange 1024-65535 and not port ${service.sipPort}`);
    capture = wire;
    const sipp = await startPeer(answering.refusesInfo(3_000, '5', KEYS[0] ?? ''));
    const over = await whenOver(service, await dial());
    expect(over.call_sub_status).toBe('AGENT_ENDED');
    expect(received(sipp)).toEqual([KEYS[0]]);
    await wire.bytes();
    const theirs = Number(/m=audio (\d+) RTP\/AVP 0\s/.exec(sipp.messages())?.[1]);
    const ours = Number(/m=audio (\d+) RTP\/AVP 0 8 101/.exec(sipp.messages())?.[1]);
    const packets = (await wire.rtp([theirs])).filter(({ port }) => port === ours);
    const detector = createDtmfDetector(8000);
    const pcm = new Int16Array(160);
    const heard = packets.flatMap(({ payload }) => {
      decodeUlawTo(pcm, payload);
      return stepDtmf(detector, pcm) ?? [];
    });
    expect(heard).toEqual(KEYS);
  });
});
