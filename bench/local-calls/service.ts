import { createAgent } from '../../test/helpers/service/scenario.ts';
import { startService, TEST_KEY, type Service } from '../../test/helpers/service/service.ts';
import { attachNumber } from '../../test/helpers/sip/phone-service.ts';
import type { SipPeer } from '../../test/helpers/sip/sip-peer.ts';
import { AGENT } from './script.ts';

/** The number that callers dial. */
export const OURS = '+14155550100';

/** The program with the agent of the script behind a number, reached from the peer. */
export async function startBenchService(peer: SipPeer, env: Record<string, string>): Promise<Service> {
  const service = await startService({
    ownDatabase: true,
    env: { LOG_LEVEL: 'warn', ...env },
    provision: {
      trunks: [{ name: 'peer', uri: `sip:127.0.0.1:${peer.port}` }],
      workspaces: [
        {
          name: 'Bench',
          api_key: TEST_KEY,
          credits: 'unlimited',
          call_limit: 100,
          numbers: [{ number: OURS, trunk: 'peer' }],
        },
      ],
    },
  });
  peer.target(service.sipPort);
  const { body } = await service.request('GET', '/api/v0/agent/voices?language=en-US');
  const claire = body.voices.find((voice: { name: string }) => voice.name === 'Claire');
  const agentId = await createAgent(service, {
    ...AGENT,
    agent_type: 'inbound',
    voice_id: claire.id,
    call_config: { mute_during_intro: false, idle_timeout_warning: 8, idle_timeout_end: 20 },
  });
  await attachNumber(service, agentId, OURS);
  return service;
}
