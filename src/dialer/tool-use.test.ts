import { expect, it } from 'vitest';
import type { CallTools } from '../domain/tools/call-tools.ts';
import type { ToolAnswer } from '../session/protocol.ts';
import type { CallTransferTool } from '../store/json/tools.ts';
import type { CallMedia } from '../workers/call-media.ts';
import { ToolUse, type Transfers } from './tool-use.ts';
import type { ColdTransfer } from './transfer.ts';

const BRIDGED: ToolAnswer = { ok: true, result: { status: 'transferred', sip_code: 200 } };
const REFUSED: ToolAnswer = {
  ok: false,
  result: { status: 'failed', sip_code: 405, reason: 'REFER refused' },
};

/** The answer of a transfer in `mode` whose REFER ends like `cold`, and whether the service called the target. */
async function transfer(mode: CallTransferTool['mode'], cold: ColdTransfer) {
  const tool: CallTransferTool = {
    type: 'CALL_TRANSFER_TOOL',
    transferTo: '+14155550111',
    ...(mode && { mode }),
  };
  const use = new ToolUse({ callback: () => undefined });
  let bridges = 0;
  use.setTools({ transfer: () => tool, log: [], callback: null } as unknown as CallTools);
  use.setTransfers({
    cold: async () => cold,
    warm: () => {
      bridges += 1;
      return { run: async () => BRIDGED, times: null } as never;
    },
  });
  const answer = await use.use({ name: 'transfer_call', args: {}, key: 'k' }, {} as CallMedia);
  return [answer, bridges];
}

it('bridges in mode auto when the far side refuses REFER', async () => {
  expect(await transfer('auto', { answer: REFUSED, mayBridge: true })).toEqual([BRIDGED, 1]);
});

it('does not call the target a second time when the far side may have called it', async () => {
  const busy: ToolAnswer = { ok: false, result: { status: 'failed', sip_code: 486, reason: 'Busy Here' } };
  expect(await transfer('auto', { answer: busy, mayBridge: false })).toEqual([busy, 0]);
});

it.each(['cold', undefined] as const)(
  'stays with the agent in mode %s when the far side refuses REFER',
  async (mode) => {
    expect(await transfer(mode, { answer: REFUSED, mayBridge: true })).toEqual([REFUSED, 0]);
  },
);

it('sends no REFER in mode warm', async () => {
  const sent: ColdTransfer = { answer: REFUSED, mayBridge: false };
  expect(await transfer('warm', sent)).toEqual([BRIDGED, 1]);
});

it('calls a person who joins in mode join, and leaves the caller with them at the second use', async () => {
  const tool: CallTransferTool = { type: 'CALL_TRANSFER_TOOL', transferTo: '+14155550111', mode: 'join' };
  const joined: ToolAnswer = { ok: true, result: { status: 'joined', sip_code: 200 } };
  const use = new ToolUse({ callback: () => undefined });
  const orders: Parameters<Transfers['warm']>[0][] = [];
  use.setTools({ transfer: () => tool, log: [], callback: null } as unknown as CallTools);
  use.setTransfers({
    cold: () => Promise.reject(new Error('no REFER here')),
    warm: (order) => {
      orders.push(order);
      return { run: async () => joined, leaveAlone: () => BRIDGED, times: null } as never;
    },
  });
  const ends: string[] = [];
  const media = { end: (reason: string) => void ends.push(reason) } as unknown as CallMedia;
  const run = (): Promise<ToolAnswer> => use.use({ name: 'ask_desk', args: {}, key: 'k' }, media);
  expect(await run()).toEqual(joined);
  expect(orders[0]?.guest).toEqual({ name: '+14155550111', announcement: null, isAwaited: true });
  // A person who hangs up while the agent is there leaves the call as it was, and may be called again.
  orders[0]?.onLeft();
  expect(ends).toEqual([]);
  expect(await run()).toEqual(joined);
  expect(await run()).toEqual(BRIDGED);
  expect(orders).toHaveLength(2);
  orders[1]?.onLeft();
  expect(ends).toEqual(['CALL_TRANSFERRED']);
});
