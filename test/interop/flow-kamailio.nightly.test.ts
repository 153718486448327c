import { afterEach, expect, test } from 'vitest';
import { startKamailio } from '../helpers/sip/kamailio.ts';
import { freePort, until } from '../helpers/sip/peer-process.ts';
import { hangUpSoon, place, SDP } from '../helpers/sip/placed-call.ts';
import { closeLater, closePlanes, counting, startPlane, trunkTo } from '../helpers/sip/sip-plane.ts';
import { startTcpProxy } from '../helpers/sip/tcp-proxy.ts';

afterEach(closePlanes);

const USER = 'agent';

test('Kamailio reaches the account over the flow of its REGISTER, and again after the flow is cut', async () => {
  const trustedPort = await freePort();
  const kamailio = await startKamailio({ calleePort: 9, trustedPort, hasFlows: true });
  closeLater(() => kamailio.stop());
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: kamailio.port });
  closeLater(() => proxy.close());
  const account = { username: USER, password: 's3cret', register: true, transport: 'tcp' } as const;
  const signalling = await startPlane([trunkTo(proxy.port, account)]);
  signalling.onInbound((leg) => {
    leg.listen(counting({ ends: 0 }));
    leg.answer(SDP);
  });
  await until(() => signalling.health().trunks[0]?.registered === true, 'the account is registered');
  const caller = await startPlane([trunkTo(kamailio.port)], { udpPort: trustedPort, tcpPort: null });
  const isReached = async (): Promise<boolean> => {
    const call = place(caller, { to: USER, onAnswer: hangUpSoon });
    await call.over();
    return call.log.includes('answered');
  };
  expect(await isReached()).toBe(true);
  proxy.cut();
  const cutAt = performance.now();
  await until(isReached, 'a call reaches the account over a new flow');
  console.log(
    `a call reaches the account ${Math.round(performance.now() - cutAt)} ms after its flow was cut`,
  );
});
