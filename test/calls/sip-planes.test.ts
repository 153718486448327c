import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../helpers/sip/peer-process.ts';
import {
  callRequest,
  closeLater,
  closePlanes,
  counting,
  portOf,
  startPlane,
  trunkTo,
} from '../helpers/sip/sip-plane.ts';
import { startUdpImpair } from '../helpers/sip/udp-impair.ts';

afterEach(closePlanes);

describe('two signalling planes', () => {
  test('adds and removes trunks at run time', async () => {
    const callee = await startPlane([]);
    const caller = await startPlane([]);
    caller.setTrunks([trunkTo(portOf(callee, 'udp'))]);
    callee.setTrunks([trunkTo(portOf(caller, 'udp'))]);
    const count = { ends: 0 };
    callee.onInbound((leg) => {
      leg.listen(counting(count));
      leg.reject(486);
    });
    const request = callRequest('x');
    caller.call(request, counting(count));
    await until(() => count.ends === 2, 'both sides have ended');
    callee.setTrunks([]);
    const refused: (number | null)[] = [];
    caller.call(
      { ...request, attemptId: 'y' },
      counting(count, { onFailed: ({ sipCode }) => refused.push(sipCode) }),
    );
    await until(() => refused.length === 1, 'the call is refused');
    expect(refused).toEqual([403]);
    caller.setTrunks([]);
    expect(() => caller.call(request, counting(count))).toThrow('unknown trunk');
  });

  test('stop ends live calls with BYE', async () => {
    const callee = await startPlane([trunkTo(5060)]);
    const caller = await startPlane([trunkTo(portOf(callee, 'udp'))]);
    const ends: string[] = [];
    callee.onInbound((leg) => {
      leg.listen(counting({ ends: 0 }, { onEnded: ({ by }) => ends.push(`callee by ${by}`) }));
      leg.answer('v=0\r\n');
    });
    const answered: string[] = [];
    caller.call(
      callRequest('x'),
      counting(
        { ends: 0 },
        { onAnswered: ({ sdp }) => answered.push(sdp), onEnded: ({ by }) => ends.push(`caller by ${by}`) },
      ),
    );
    await until(() => answered.length === 1, 'the call is answered');
    await caller.stop();
    expect(ends).toEqual(['caller by system', 'callee by caller']);
  });

  test('200 calls with loss, duplication and jitter: each leg ends once, none is left', async () => {
    const callee = await startPlane([trunkTo(5060)]);
    const impair = await startUdpImpair(
      { port: portOf(callee, 'udp') },
      { loss: 0.1, duplication: 0.1, delayMs: 2, jitterMs: 30, seed: 11 },
    );
    closeLater(() => impair.close());
    const caller = await startPlane([trunkTo(impair.port)]);
    const near = { ends: 0 };
    const far = { ends: 0 };
    let legs = 0;
    let answered = 0;
    callee.onInbound((leg) => {
      legs++;
      leg.listen(counting(far));
      leg.ringing();
      leg.answer('v=0\r\n');
    });
    for (let i = 0; i < 200; i++) {
      const leg = caller.call(
        callRequest(`a${i}`, 20_000),
        counting(near, {
          onAnswered: () => {
            answered++;
            setTimeout(() => leg.hangup('agent'), 50);
          },
        }),
      );
      if (i % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await until(() => near.ends === 200 && far.ends === legs, 'every leg has ended', 45_000);
    expect(answered).toBe(200);
    expect(legs).toBe(200);
    expect(caller.liveCalls() + callee.liveCalls()).toBe(0);
  });
});
