import { afterAll, beforeAll } from 'vitest';
import { startFakeOpenAiServer, type FakeOpenAiServer } from '../openai-server.ts';
import { LOOPBACK_OPEN } from '../service/open-addresses.ts';
import { createAgent } from '../service/scenario.ts';
import { attachNumber, edit } from './phone-service.ts';
import { OURS, type SippTrunk } from './sipp-trunk.ts';

/** What a service needs whose agent's model runs beside the test. */
export const MODEL_BESIDE = { SAFE_FETCH_ALLOW: LOOPBACK_OPEN };

/** The id of an agent that presses `digits` once it has heard something, says `farewell`, and ends the call. */
export function useMenuAgent(trunk: SippTrunk, digits: string, farewell: string): () => string {
  let model: FakeOpenAiServer | null = null;
  let agentId = '';
  beforeAll(async () => {
    const { service } = trunk;
    model = await startFakeOpenAiServer([
      { tools: [{ name: 'press_menu', args: {} }] },
      { after: 'press_menu', text: farewell, tools: [{ name: 'end_call', args: {} }] },
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
        { type: 'DTMF_TOOL', name: 'press_menu', description: 'Presses the menu.', digits },
        { type: 'END_CALL_TOOL' },
      ],
    });
    await attachNumber(service, agentId, OURS);
  });
  afterAll(() => model?.close());
  return () => agentId;
}
