import { loadRules, removeLeftovers, removeNamespaces, run, up, within } from './namespaces.ts';

/**
 * A home or office network: `inside` is behind a masquerading router that lets nothing in unasked, `outside` is the carrier's
 * side. Three network namespaces, and a second link from `inside` to the test for HTTP.
 */
export interface NatNetwork {
  /** Prefix of a command that runs behind the router. */
  readonly inside: readonly string[];
  readonly outside: readonly string[];
  /** In the carrier's own network, whose router forwards SIP alone: its address there is `far`, outside it is `carrier`. */
  readonly behind: readonly string[];
  /** The carrier's router forgets its bindings, and maps media to other ports from now on. */
  rebind(): void;
  readonly addresses: typeof ADDRESSES;
  close(): void;
}

const ADDRESSES = {
  /** Behind the router. */
  service: '10.77.1.2',
  /** Where the test reaches the service's HTTP. */
  http: '10.77.9.2',
  /** The router's public side. */
  public: '203.0.113.10',
  carrier: '203.0.113.20',
  far: '192.168.50.2',
  /** The test's own, in a network of the service. */
  neighbour: '10.77.9.1',
} as const;
/** Of SIP behind the carrier's router. */
const FAR_PORT = 5060;
/** RTP_PORTS of the service, which its router forwards. */
export const FORWARDED = { first: 16_000, last: 23_999 } as const;

const RULES = `
table ip nat {
  chain post {
    type nat hook postrouting priority srcnat
    oifname "wan" masquerade
  }
}
table ip filter {
  chain input {
    type filter hook input priority filter
    iifname "wan" ct state != { established, related } drop
  }
  chain forward {
    type filter hook forward priority filter
    ct status dnat accept
    iifname "wan" ct state != { established, related } drop
  }
}
`;
/** Added by a router that forwards ports unchanged. */
const forwarding = (ports: string, to: string): string => `
table ip nat {
  chain pre {
    type nat hook prerouting priority dstnat
    iifname "wan" udp dport ${ports} dnat to ${to}
  }
}
`;
const REBOUND = `
flush chain ip nat post
add rule ip nat post oifname "wan" udp sport ${FAR_PORT} masquerade
add rule ip nat post oifname "wan" ip protocol udp masquerade to :40000-45000
`;

/** `bothSides`: the carrier is behind a router, too; it forwards SIP, and that of the service forwards media ports. */
export function createNatNetwork({ bothSides = false } = {}): NatNetwork {
  removeLeftovers(['in', 'nat', 'out', 'far']);
  const names = {
    inside: `cw-in-${process.pid}`,
    router: `cw-nat-${process.pid}`,
    outside: `cw-out-${process.pid}`,
    far: `cw-far-${process.pid}`,
  };
  const inNs = (name: string, ...args: readonly string[]): string => run('ip', '-n', name, ...args);
  const inside = (name: string, ...command: readonly string[]): string => {
    const [ip = '', ...args] = within(name);
    return run(ip, ...args, ...command);
  };
  const close = (): void => removeNamespaces(Object.values(names));
  const { service, http, public: router, carrier, far, neighbour } = ADDRESSES;
  const host = `cwm${process.pid}`;
  const link = (a: string, ofA: string, b: string, ofB: string): void => {
    run('ip', 'link', 'add', ofA, 'netns', a, 'type', 'veth', 'peer', 'name', ofB, 'netns', b);
  };
  try {
    for (const name of Object.values(names)) {
      run('ip', 'netns', 'add', name);
      inNs(name, 'link', 'set', 'lo', 'up');
    }
    link(names.inside, 'lan', names.router, 'lan');
    link(names.router, 'wan', names.outside, 'wan');
    up(names.inside, 'lan', `${service}/24`);
    up(names.router, 'lan', '10.77.1.1/24');
    up(names.router, 'wan', `${router}/24`);
    up(names.outside, 'wan', `${carrier}/24`);
    inNs(names.inside, 'route', 'add', 'default', 'via', '10.77.1.1');
    link(names.outside, 'lan', names.far, 'lan');
    up(names.outside, 'lan', '192.168.50.1/24');
    up(names.far, 'lan', `${far}/24`);
    inNs(names.far, 'route', 'add', 'default', 'via', '192.168.50.1');
    run('ip', 'link', 'add', host, 'type', 'veth', 'peer', 'name', 'http', 'netns', names.inside);
    run('ip', 'address', 'add', `${neighbour}/30`, 'dev', host);
    run('ip', 'link', 'set', host, 'up');
    up(names.inside, 'http', `${http}/30`);
    for (const name of [names.router, names.outside]) inside(name, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
    loadRules(names.router, RULES);
    if (bothSides) {
      loadRules(names.router, forwarding(`${FORWARDED.first}-${FORWARDED.last}`, service));
      loadRules(names.outside, RULES + forwarding(String(FAR_PORT), far));
    }
  } catch (error) {
    close();
    throw error;
  }
  return {
    inside: within(names.inside),
    outside: within(names.outside),
    behind: within(names.far),
    addresses: ADDRESSES,
    rebind: () => {
      loadRules(names.outside, REBOUND);
      inside(names.outside, 'conntrack', '-F');
    },
    close,
  };
}
