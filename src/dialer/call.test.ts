import { expect, it } from 'vitest';
import type { CallTools } from '../domain/tools/call-tools.ts';
import { ManualClock } from '../shared/clock.ts';
import { silentLog } from '../shared/log.ts';
import type { CallMedia } from '../workers/call-media.ts';
import type { ToolAnswer } from '../workers/protocol.ts';
import type { AttemptWrites } from './journal.ts';
import { LiveCall } from './call.ts';
import { LiveCalls } from './live-calls.ts';

it('a tool that cannot be run is answered as failed', async () => {
  const ref = { workspaceId: 'workspace', callId: 'call', attempt: 1 } as ConstructorParameters<
    typeof LiveCall
  >[0];
  const deps = {
    live: new LiveCalls(),
    clock: new ManualClock(),
    log: silentLog,
    onSettled: () => undefined,
  };
  const call = new LiveCall(ref, { ...deps, writes: {} as AttemptWrites }, () => undefined);
  const answered = new Promise<[number, ToolAnswer]>((resolve) => {
    const toolResult: CallMedia['toolResult'] = (requestId, answer) => resolve([requestId, answer]);
    call.attach({ toolResult } as CallMedia);
  });
  call.tools.setTools({
    transfer: () => null,
    run: () => Promise.reject(new Error('the database is away')),
  } as unknown as CallTools);
  call.onTool({ requestId: 7, name: 'lookup_knowledge', args: {}, key: '1' });
  expect(await answered).toEqual([7, { ok: false, result: { error: 'the tool failed' } }]);
});
