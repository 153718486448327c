import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eraseCall } from '../../../src/domain/privacy/erase-call.ts';
import { conversationResult, createSettling, type Settling } from '../../helpers/calls/settling-node.ts';

// Characters that PostgreSQL cannot store, as a tool or a model may return them.
const NUL = { name: 'look_up', args: { 'k\u0000': 'v' }, result: { text: 'a\u0000b\ud83d' }, at: 5 };
const KEPT = { name: 'look_up', args: { 'k\ufffd': 'v' }, result: { text: 'a\ufffdb\ufffd' }, at: 5 };

let settling: Settling;
beforeAll(async () => {
  settling = await createSettling();
});
afterAll(() => settling.ground.close());
beforeEach(() => settling.renew());

const toolLogs = () => settling.ground.db.selectFrom('call_records').select('tool_log').execute();

it('a call whose tool returned a NUL is settled, reported and erased', async () => {
  const call = await settling.answered();
  const result = conversationResult({ toolLog: [NUL] });
  expect(await settling.settle(call, { result })).toMatchObject({ settled: true });
  expect(await toolLogs()).toEqual([{ tool_log: [KEPT] }]);
  const completed = (await settling.events()).find((event) => event.event_type === 'call_completed');
  expect(completed.body.tool_call_logs).toEqual([KEPT]);
  await eraseCall(settling.deps, call.workspaceId, null, call.callId);
  expect(await toolLogs()).toEqual([{ tool_log: null }]);
});

it('an unanswered call whose pre-call tool returned a NUL is settled', async () => {
  const call = await settling.answered();
  const end = { kind: 'not_answered', failure: 'failed' } as const;
  expect(await settling.settle(call, { end, toolLog: [NUL] })).toMatchObject({ settled: true });
  expect(await toolLogs()).toEqual([{ tool_log: [KEPT] }]);
});
