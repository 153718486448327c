import { decodeUlawTo } from '@callwright/audio';
import { afterEach, describe, expect, it } from 'vitest';
import { createDtmfDetector, stepDtmf } from '../../packages/rtp/src/dtmf-detector.ts';
import { startCapture, type Capture } from '../helpers/sip/capture.ts';
import { MODEL_BESIDE, useMenuAgent } from '../helpers/sip/menu-agent.ts';
import { inboundCalls, newInbound } from '../helpers/sip/phone-service.ts';
import type { Sipp } from '../helpers/sip/sipp.ts';
import { answering, calling } from '../helpers/sip/sipp-calls.ts';
import { useSippTrunk } from '../helpers/sip/sipp-trunk.ts';
import { whenOver } from '../helpers/service/scenario.ts';

const KEYS = ['1', '1', '2', '#'];

const trunk = useSippTrunk({ trunk: { outgoing: { dtmf: 'info' } }, env: MODEL_BESIDE, args: ['-aa'] });
const agentId = useMenuAgent(trunk, KEYS.join(''), 'I have pressed the keys of your menu. Goodbye.');

let capture: Capture | null = null;
afterEach(async () => {
  await capture?.close();
  capture = null;
});

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
      const before = await inboundCalls(trunk.service);
      const sipp = isCaller
        ? await trunk.callsIn(calling.takesInfo(3_000, '5', KEYS))
        : await trunk.carrier(answering.takesInfo(3_000, '5', KEYS));
      const callId = isCaller ? await newInbound(trunk.service, before) : await trunk.dial(agentId());
      const over = await whenOver(trunk.service, callId);
      expect([received(sipp), over.call_sub_status]).toEqual([KEYS, 'AGENT_ENDED']);
    },
  );

  // dumpcap captures loopback, which needs root.
  it.skipIf(process.getuid?.() !== 0)('that refuses INFO gets them as tones', async () => {
    const wire = await startCapture(`udp portrange 1024-65535 and not port ${trunk.service.sipPort}`);
    capture = wire;
    const sipp = await trunk.carrier(answering.refusesInfo(3_000, '5', KEYS[0] ?? ''));
    const over = await whenOver(trunk.service, await trunk.dial(agentId()));
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
