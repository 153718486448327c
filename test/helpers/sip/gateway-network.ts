import { loadRules, removeLeftovers, removeNamespaces, run, up, within } from './namespaces.ts';

/** A carrier with three gateways and a name server in a network of its own, one link away from the test. */
export interface GatewayNetwork {
  /** Prefix of a command that runs in the network. */
  readonly inside: readonly string[];
  readonly addresses: typeof ADDRESSES;
  /** Drops every packet to and from the gateway, or carries them again. */
  silence(gateway: string, isSilent: boolean): void;
  close(): void;
}

const ADDRESSES = {
  service: '10.78.1.1',
  names: '10.78.1.2',
  gateways: ['10.78.1.11', '10.78.1.12', '10.78.1.13'],
} as const;

const RULES = `
table ip carrier {
  set silent { type ipv4_addr; }
  chain input {
    type filter hook input priority filter
    ip daddr @silent drop
  }
  chain output {
    type filter hook output priority filter
    ip saddr @silent drop
  }
}
`;

export function createGatewayNetwork(): GatewayNetwork {
  removeLeftovers(['gw']);
  const name = `cw-gw-${process.pid}`;
  const host = `cwg${process.pid}`;
  const inside = within(name);
  const close = (): void => removeNamespaces([name]);
  try {
    run('ip', 'netns', 'add', name);
    run('ip', '-n', name, 'link', 'set', 'lo', 'up');
    run('ip', 'link', 'add', host, 'type', 'veth', 'peer', 'name', 'wan', 'netns', name);
    run('ip', 'address', 'add', `${ADDRESSES.service}/24`, 'dev', host);
    run('ip', 'link', 'set', host, 'up');
    for (const address of [ADDRESSES.names, ...ADDRESSES.gateways]) up(name, 'wan', `${address}/24`);
    loadRules(name, RULES);
  } catch (error) {
    close();
    throw error;
  }
  const [command = '', ...prefix] = inside;
  return {
    inside,
    addresses: ADDRESSES,
    silence: (gateway, isSilent) =>
      void run(
        command,
        ...prefix,
        'nft',
        isSilent ? 'add' : 'delete',
        'element',
        'ip',
        'carrier',
        'silent',
        `{ ${gateway} }`,
      ),
    close,
  };
}
