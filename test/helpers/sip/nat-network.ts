import { loadRules, removeLeftovers, removeNamespaces, run, up, within } from './namespaces.ts';

/**
 * A home or office network: `inside` is behind a masquerading router that lets nothing in unasked, `outside` is the carrier's
 * side. Three network namespaces, and a second link from `inside` to the test for HTTP.
 */
export interface NatNetwork {
  /** Prefix of a command that runs behind the router. */
  readonly inside: readonly string[];
  readonly outside: readonly string[];
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
} as const;

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
    iifname "wan" ct state != { established, related } drop
  }
}
`;

export function createNatNetwork(): NatNetwork {
  removeLeftovers(['in', 'nat', 'out']);
  const names = {
    inside: `cw-in-${process.pid}`,
    router: `cw-nat-${process.pid}`,
    outside: `cw-out-${process.pid}`,
  };
  const inNs = (name: string, ...args: readonly string[]): string => run('ip', '-n', name, ...args);
  const close = (): void => removeNamespaces(Object.values(names));
  const { service, http, public: router, carrier } = ADDRESSES;
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
    run('ip', 'link', 'add', host, 'type', 'veth', 'peer', 'name', 'http', 'netns', names.inside);
    run('ip', 'address', 'add', '10.77.9.1/30', 'dev', host);
    run('ip', 'link', 'set', host, 'up');
    up(names.inside, 'http', `${http}/30`);
    const [ip = '', ...args] = within(names.router);
    run(ip, ...args, 'sysctl', '-qw', 'net.ipv4.ip_forward=1');
    loadRules(names.router, RULES);
  } catch (error) {
    close();
    throw error;
  }
  return { inside: within(names.inside), outside: within(names.outside), addresses: ADDRESSES, close };
}
