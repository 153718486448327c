import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eraseCall } from '../../src/domain/privacy/erase-call.ts';
import { conversationResult, createSettling, type Settling } from '../helpers/settling.ts';

// What no column keeps: a tool may answer it, a model may say it.
const NUL = { name: 'look_up', args: { 'k\u0000': 'v' }, result: { text: 'a\u0000b\ud83d' }, at: 5 };
const KEPT = { name: 'look_up', args: { 'k\ufffd': 'v' }, result: { text: 'a\ufffdb\ufffd' }, at: 5 };

let settling: Settling;
beforeAll(async () => {
  settling = await createSettling();
});
afterAll(() => settling.ground.close());
beforeEach(() => settling.renew());

const toolLogs = () => settling.ground.db.selectFrom('call_records').select('tool_log').execute();

it('a NUL in what a tool answered keeps no call from being settled, told and erased', async () => {
  const call = await settling.answered();
  const result = conversationResult({ toolLog: [NUL] });
  expect(await settling.settle(call, { result })).toMatchObject({ settled: true });
  expect(await toolLogs()).toEqual([{ tool_log: [KEPT] }]);
  const completed = (await settling.events()).find((event) => event.event_type === 'call_completed');
  expect(completed.body.tool_call_logs).toEqual([KEPT]);
  await eraseCall(settling.deps, call.workspaceId, call.callId);
  expect(await toolLogs()).toEqual([{ tool_log: null }]);
});

it('nor in the answer of one that was used before nobody took the call', async () => {
  const call = await settling.answered();
  const end = { kind: 'not_answered', failure: 'failed' } as const;
  expect(await settling.settle(call, { end, toolLog: [NUL] })).toMatchObject({ settled: true });
  expect(await toolLogs()).toEqual([{ tool_log: [KEPT] }]);
});
