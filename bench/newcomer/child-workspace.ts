import { obstacle, waitFor, type Step } from './hour.ts';
import { asOwner } from './owner.ts';
import type { Program } from './program.ts';

/** Calls at any hour. */
export const DAY = { call_time: { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' } };
export const CALL_ENDED = new Set(['completed', 'failed', 'cancelled', 'busy', 'no-answer']);

/** Lends a child the number and takes it back. */
export const childStep = (program: Program, numberId: () => string): Step => ({
  name: 'a child workspace whose own key completes a call',
  reviewMinutes: 16,
  run: async () => {
    const made = await program.api('POST', '/workspace/sub', { name: 'Client A' });
    const childId: string = made.body.sub_workspace.id;
    const moved = await program.api('POST', `/workspace/sub/${childId}/numbers`, {
      from_number_ids: [numberId()],
    });
    if (moved.status !== 200) throw new Error(`a child has no way to a number (${moved.status})`);
    const key = await childKey(program, childId);
    const { voices } = (await program.api('GET', '/agent/voices')).body;
    const agent = await program.api(
      'POST',
      '/public/agent',
      {
        agent_name: 'Child',
        introduction_and_objective: 'You are Maya.',
        response_guidelines: 'Be brief.',
        task: 'Say goodbye.',
        primary_language: 'en-US',
        voice_id: voices[0].id,
        intro_message: 'Hello.',
        call_config: DAY,
      },
      key,
    );
    const [number] = (await program.api('GET', '/workspace/numbers', undefined, key)).body.workspace_numbers;
    const placed = await program.api(
      'POST',
      '/calling/outbound/individual',
      {
        name: 'Sam',
        mobile_number: '+14155550123',
        agent_id: agent.body.data.id,
        from_number_id: number.id,
      },
      key,
    );
    const id: string = placed.body.data.call_id;
    const call = await waitFor('end of the call', async () => {
      const { data } = (await program.api('GET', `/calling/call-details?id=${id}`, undefined, key)).body;
      return CALL_ENDED.has(data?.call_status) ? data : null;
    });
    await program.api(
      'POST',
      `/workspace/sub/${(await program.api('GET', '/workspace')).body.workspace_info.id}/numbers`,
      { from_number_ids: [numberId()] },
    );
    return obstacle(call.call_status === 'completed', `the call ends ${call.call_status}`);
  },
});

/** The key of a child workspace, which only a session of the dashboard can create. */
const childKey = async (program: Program, workspaceId: string): Promise<string> =>
  (await asOwner(program, workspaceId, 'POST', '/dashboard-api/api-key')).api_key;
