import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ManualClock } from '../shared/clock.ts';
import { silentLog } from '../shared/log.ts';
import type { ReferOutcome, SignallingEvents } from '@callwright/sip';
import type { NegotiatedMedia } from '@callwright/rtp';
import type { LegTimes } from '../domain/calls/attempt/transfer-charges.ts';
import { WarmTransfer, type TransferDeps, type WarmOrder } from './warm-transfer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ref = { workspaceId: 'w', callId: 'c', attempt: 1, nodeId: 'n' };

/** A transfer whose target answers at once; its credits cover `capMs`. */
function transfer(
  capMs: number | null,
  gateMs: readonly number[] = [],
  name?: string,
  join?: { readonly joinsByRefer: boolean; refer(to: string): Promise<ReferOutcome> },
) {
  let gates = 0;
  const clock = new ManualClock(1_000_000);
  const hungUp: string[] = [];
  const ended: LegTimes[] = [];
  let left = 0;
  let events: SignallingEvents | null = null;
  const deps: TransferDeps = {
    signalling: {
      mediaAddress: () => '127.0.0.1',
      trace: () => [],
      mediaRules: () => ({
        srtp: 'off',
        ranges: [],
        takes: () => true,
        owns: () => false,
        joinsByRefer: join?.joinsByRefer === true,
      }),
      call: (_request, to) => {
        events = to;
        return {
          hangup: (cause: string) => void hungUp.push(cause),
          peerAddress: null,
          replacingUri: 'sip:desk@h?Replaces=1',
        } as never;
      },
    },
    sdp: {
      createOffer: () => 'offer',
      acceptAnswer: () => ({ accepted: true, media: {} as NegotiatedMedia }),
      answerOffer: () => ({ accepted: false, refuse: 488, reason: '' }) as never,
    },
    clock,
    log: silentLog,
    pauses: { note: async () => undefined },
    permit: async () => {
      clock.advance(gateMs[gates] ?? 0);
      gates += 1;
      return { go: true, from: '+1', displayName: null, leg: 2 + gates, capMs };
    },
    permitRefer: async () => ({ go: true, leg: null }),
    permitRedirect: async () => ({ go: true }),
    referFailed: async () => undefined,
    legAnswered: async () => undefined,
    legEnded: async (_ref, times) => void ended.push(times),
  };
  const media = {
    openBridge: async () => 4000,
    setBridgeMedia: () => undefined,
    bridgeAnswered: () => undefined,
    connectGuest: () => void hungUp.push('the agent left'),
    bridgeDtmf: () => undefined,
    bridgeKeysInAudio: () => undefined,
    closeBridge: () => undefined,
  };
  const order: WarmOrder = {
    ref,
    trunkId: 't',
    variables: {},
    tool: { type: 'CALL_TRANSFER_TOOL', name: 'desk', transferTo: '+14155550111', mode: 'warm' } as never,
    media,
    ...(name === undefined ? {} : { guest: { name, announcement: null } }),
    ...(join === undefined ? {} : { caller: () => join }),
    onLeft: () => void (left += 1),
  };
  const warm = new WarmTransfer(deps, order);
  const answer = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(0);
    events?.onAnswered({ sdp: '', at: clock.now() });
  };
  return { warm, clock, hungUp, ended, answer, left: () => left };
}

it('hangs up when the locked credits are used up, and reports when the leg was answered and ended', async () => {
  const { warm, clock, hungUp, ended, answer, left } = transfer(60_000);
  const outcome = warm.run();
  await answer();
  warm.onBridge({ type: 'connected', at: clock.now() });
  expect(await outcome).toMatchObject({ ok: true });
  clock.advance(60_000);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(hungUp).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect([hungUp, left()]).toEqual([['the credits are used up'], 1]);
  expect(ended).toEqual([{ leg: 3, answeredAt: 1_000_000, endedAt: 1_060_000 }]);
  expect(warm.times).toEqual(ended[0]);
  expect(warm.summary(clock.now())).toMatchObject({ result: { talk_ms: 60_000, ended_by: 'system' } });
});

it('has no timer without billing, and none once the caller has left', async () => {
  const free = transfer(null);
  void free.warm.run();
  await free.answer();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(free.hungUp).toEqual([]);
  const over = transfer(60_000);
  void over.warm.run();
  await over.answer();
  over.warm.end('caller');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(over.hungUp).toEqual(['normal']);
});

it('asks the gate again when a permit comes too late, and frees the leg of the late one', async () => {
  const slow = transfer(null, [801, 900, 800]);
  const outcome = slow.warm.run();
  await slow.answer();
  slow.warm.onBridge({ type: 'connected', at: slow.clock.now() });
  expect(await outcome).toMatchObject({ ok: true });
  expect(slow.ended.map(({ leg, answeredAt }) => [leg, answeredAt])).toEqual([
    [3, null],
    [4, null],
  ]);
  expect(slow.warm.times).toMatchObject({ leg: 5 });
});

it('returns the caller to the agent when every permit comes too late', async () => {
  const stuck = transfer(null, [900, 900, 900, 900, 900]);
  expect(await stuck.warm.run()).toMatchObject({ ok: false, result: { reason: 'the gate took too long' } });
  expect(stuck.ended.map(({ leg }) => leg)).toEqual([3, 4, 5, 6, 7]);
  expect(stuck.warm.times).toBeNull();
});

it('removes a guest who is in the call, whose talk time ends there, and one who is still rung', async () => {
  const { warm, clock, hungUp, ended, answer, left } = transfer(null, [], 'Dr. Rao');
  const outcome = warm.run();
  await answer();
  warm.onBridge({ type: 'connected', at: clock.now() });
  expect(await outcome).toMatchObject({ ok: true, result: { status: 'joined' } });
  clock.advance(7_000);
  warm.remove();
  expect([left(), hungUp, ended.length]).toEqual([1, ['normal'], 1]);
  clock.advance(60_000);
  expect(warm.summary(clock.now())?.result).toMatchObject({ talk_ms: 7_000, ended_by: 'system' });

  const rung = transfer(null, [], 'Dr. Rao');
  const missed = rung.warm.run();
  await vi.advanceTimersByTimeAsync(0);
  rung.warm.remove();
  expect(await missed).toMatchObject({ ok: false, result: { reason: 'the invitation was taken back' } });
  expect([rung.left(), rung.hungUp]).toEqual([0, ['normal']]);
  rung.warm.remove();
  expect(rung.ended).toHaveLength(1);
});

it('is a transfer once the agent has left caller and guest alone', async () => {
  const { warm, clock, hungUp, answer } = transfer(null, [], 'Rao');
  const outcome = warm.run();
  await answer();
  warm.onBridge({ type: 'connected', at: clock.now() });
  expect(await outcome).toMatchObject({ ok: true, result: { status: 'joined' } });
  clock.advance(5_000);
  expect(warm.leaveAlone()).toMatchObject({ ok: true, result: { status: 'transferred', connect_ms: 0 } });
  warm.onBridge({ type: 'connected', at: clock.now() });
  expect(hungUp).toEqual(['the agent left']);
  warm.end('caller');
  expect(warm.summary(clock.now() + 1_000)).toMatchObject({
    result: { status: 'transferred', talk_ms: 6_000, ended_by: 'caller' },
  });
});

it('has the far side join caller and target where the trunk says so, and leaves them bridged when it refuses', async () => {
  const asked: string[] = [];
  const connected = async (joinsByRefer: boolean, transferred: boolean, guest?: string) => {
    const refer = async (to: string): Promise<ReferOutcome> => {
      asked.push(to);
      return { transferred, accepted: transferred, sipCode: transferred ? 200 : 603, reason: '' };
    };
    const { warm, clock, hungUp, answer, left } = transfer(null, [], guest, { joinsByRefer, refer });
    const outcome = warm.run();
    await answer();
    warm.onBridge({ type: 'connected', at: clock.now() });
    expect(await outcome).toMatchObject({ ok: true });
    await vi.advanceTimersByTimeAsync(0);
    return [hungUp, left()];
  };
  expect(await connected(true, true)).toEqual([['normal'], 1]);
  expect(asked).toEqual(['sip:desk@h?Replaces=1']);
  expect(await connected(true, false)).toEqual([[], 0]);
  expect(asked).toHaveLength(2);
  // A trunk that does not join, and a guest, who stays beside the agent.
  expect(await connected(false, true)).toEqual([[], 0]);
  expect(await connected(true, true, 'Dr. Rao')).toEqual([[], 0]);
  expect(asked).toHaveLength(2);
});
