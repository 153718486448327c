import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { eventually, type Service } from '../helpers/service/service.ts';
import {
  createAgent,
  details,
  place,
  transcriptOf,
  whenCall,
  whenOver,
} from '../helpers/service/scenario.ts';
import { attachNumber, inboundCalls, newInbound, startPhoneService } from '../helpers/sip/phone-service.ts';
import { answerAndLeave, callService, startSipPeer, type SipPeer } from '../helpers/sip/sip-peer.ts';

const MODELS_DIR = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
const OURS = '+14155550100';
const CALLER = '+14155550188';
const BUSY_LINE = 'All our lines are busy, please call again in a few minutes.';
/** Longer than a busy machine takes to answer all of them. */
const HOLD_MS = 40_000;

let peer: SipPeer;
beforeAll(async () => {
  peer = await startSipPeer();
});
afterAll(() => peer?.stop());

/** The program with real weights, and an agent that stays on the line. */
async function program(
  env: Record<string, string>,
): Promise<{ service: Service; agentId: string; close: () => Promise<void> }> {
  const { service, close } = await startPhoneService(
    [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
    [{ number: OURS, trunk: 'peer' }],
    { MODELS_DIR, ...env },
    1_000,
  );
  peer.target(service.sipPort);
  const agentId = await createAgent(service, {
    intro_message: 'Hello.',
    call_config: { idle_timeout_warning: 0, idle_timeout_end: 120, voicemail: { detect: false } },
  });
  return { service, agentId, close };
}

/** Slots of the recogniser by `/metrics`, once the model is loaded and measured. */
const slotsOf = (service: Service): Promise<number> =>
  eventually('the recogniser to be measured', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const [, slots] = /^callwright_recogniser_slots (\d+)$/m.exec(text) ?? [];
    return slots === undefined ? null : Number(slots);
  });

it('as many calls as the machine measured run at once, and one more waits until one has ended', async () => {
  const { service, agentId, close } = await program({});
  try {
    const slots = await slotsOf(service);
    const had = answerAndLeave(peer, HOLD_MS);
    const ids: string[] = [];
    for (let i = 0; i < slots; i++)
      ids.push(await place(service, agentId, `+1415556${String(i).padStart(4, '0')}`));
    await Promise.all(
      ids.map((id) => whenCall(service, id, 'ongoing', ({ call_status: is }) => is === 'ongoing')),
    );
    await eventually('every phone to be answered', async () => (had.answered === slots ? true : null));
    const waiting = await place(service, agentId, '+14155569999');
    expect([had.answered, had.ended]).toEqual([slots, 0]);
    expect(await details(service, waiting)).toMatchObject({ call_status: 'registered' });

    await eventually(
      'the last phone to be answered',
      async () => (had.answered > slots ? true : null),
      90_000,
    );
    expect(had.ended).toBeGreaterThanOrEqual(1);
    expect(await details(service, waiting)).toMatchObject({ call_status: 'ongoing' });
  } finally {
    await close();
  }
}, 300_000);

it('an inbound caller without a free recogniser hears the busy line in the agent’s voice, then the call ends', async () => {
  const { service, agentId, close } = await program({
    RECOGNISER_CALLS: '1',
    RECOGNISER_BUSY_LINE: BUSY_LINE,
  });
  try {
    await attachNumber(service, agentId, OURS);
    await slotsOf(service);
    const first = await callService(peer, CALLER, OURS);
    const before = await inboundCalls(service);
    const second = await callService(peer, CALLER, OURS);
    const callId = await newInbound(service, before);
    await second.ended;
    // The sentence takes more than two seconds.
    expect(second.soundFrames()).toBeGreaterThan(100);
    const call = await whenOver(service, callId);
    expect(call).toMatchObject({
      call_status: 'error',
      call_sub_status: 'FAILED',
      failure: { code: 'RECOGNISERS_IN_USE' },
      recording_url: null,
    });
    expect(transcriptOf(call).map(({ bot, user }) => [bot, user])).toEqual([[BUSY_LINE, undefined]]);
    first.leg.hangup('normal');
    await first.ended;
  } finally {
    await close();
  }
}, 300_000);
