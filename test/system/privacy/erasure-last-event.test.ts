import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eraseCall } from '../../../src/domain/privacy/erase-call.ts';
import { requestErasure, stepErasure } from '../../../src/domain/privacy/erase-numbers.ts';
import { newId } from '../../../src/shared/ids.ts';
import { conversationResult, createSettling, type Settling } from '../../helpers/calls/settling-node.ts';

let settling: Settling;
beforeAll(async () => {
  settling = await createSettling();
});
afterAll(() => settling.ground.close());
beforeEach(() => settling.renew());

it.each(['by call', 'by number'])(
  'a call erased %s before its analysis sends all_processing_completed to its own receiver once',
  async (how) => {
    const { ground, deps } = settling;
    const to = '+14155551234';
    const call = await settling.answered({}, { to });
    const url = 'http://127.0.0.1:1/own';
    await ground.db
      .updateTable('calls')
      .set({ callback: JSON.stringify({ url, headers: {} }) })
      .where('id', '=', call.callId)
      .execute();
    ground.clock.advance(61_000);
    await settling.settle(call, { result: conversationResult() });
    if (how === 'by call') await eraseCall(deps, call.workspaceId, null, call.callId);
    else {
      await requestErasure(deps, call.workspaceId, null, { id: newId(), mobileNumbers: [to] });
      while (await stepErasure(deps));
    }
    await settling.analyse();
    const sent = await ground.db
      .selectFrom('deliveries')
      .select(['event_type', 'url', 'forget_address', 'without_answers'])
      .orderBy('event_seq')
      .execute();
    const forgotten = { url, forget_address: true, without_answers: true };
    expect(sent).toEqual([
      { event_type: 'call_completed', ...forgotten },
      { event_type: 'all_processing_completed', ...forgotten },
    ]);
    const last = (await settling.events()).filter((event) => event.event_type === 'all_processing_completed');
    expect(last).toHaveLength(1);
    expect(last[0].body).toMatchObject({
      erased: true,
      transcript: [],
      tool_call_logs: [],
      recording_url: null,
      platform_analysis: null,
      to_number: '+1**********',
    });
  },
);
