import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createSignalling } from '../../../src/telephony/signalling.ts';
import { SDP } from './placed-call.ts';
import { counting, trunkTo } from './sip-plane.ts';

/**
 * A process with the signalling plane alone: `node answering-process.ts PORT KAMAILIO` answers every call, and tells its parent the
 * Call-ID. The message `drain` ends it as SIGTERM ends the service.
 */
const [port = '0', kamailio = '5060'] = process.argv.slice(2);
const signalling = createSignalling({
  hosts: ['127.0.0.1'],
  udpPort: Number(port),
  tcpPort: null,
  publicAddress: null,
  trunks: [trunkTo(Number(kamailio))],
  clock: systemClock,
  log: silentLog,
  probeIntervalMs: null,
});
signalling.onInbound((leg) => {
  leg.listen(counting({ ends: 0 }));
  leg.answer(SDP);
  process.send?.(leg.sipCallId);
});
process.on('message', () => void leave());
await signalling.start();
process.send?.('ready');

async function leave(): Promise<void> {
  await signalling.drain();
  while (signalling.liveCalls() > 0) await sleep(20);
  await signalling.stop();
  process.exit(0);
}
