import { systemClock } from '../src/shared/clock.ts';
import { silentLog } from '../src/shared/log.ts';
import { createSignalling, type SipSignalling } from '../src/telephony/signalling.ts';

/** SIP over UDP with the service as its only trunk, which it does not probe; port 0: any free one. */
export const oneTrunk = (host = '127.0.0.1', udpPort = 0): SipSignalling =>
  createSignalling({
    hosts: [host],
    udpPort,
    tcpPort: null,
    publicAddress: null,
    trunks: [
      {
        id: 'service',
        name: 'service',
        uri: 'sip:127.0.0.1',
        username: null,
        password: null,
        register: false,
        transport: 'udp',
        allowedSources: [],
      },
    ],
    clock: systemClock,
    log: silentLog,
    probeIntervalMs: null,
  });
