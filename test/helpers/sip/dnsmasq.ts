import { Resolver } from 'node:dns/promises';
import { tmpdir } from 'node:os';
import { createResolve, type Resolve, systemNames } from '@callwright/sip';
import { startProcess, until, type PeerProcess } from './peer-process.ts';

/** A target of SRV records. */
export interface ServiceTarget {
  readonly address: string;
  readonly port: number;
  readonly priority: number;
  readonly weight: number;
}

const TTL_SECONDS = 1;

/** dnsmasq at port 53 of `address` with NAPTR records of `domain` for UDP, and these SRV records. */
export async function startDnsmasq(options: {
  readonly domain: string;
  readonly targets: readonly ServiceTarget[];
  readonly address: string;
  /** Prefix of its command line, for another network namespace. */
  readonly within: readonly string[];
}): Promise<PeerProcess> {
  const { domain, targets, address } = options;
  const service = `_sip._udp.${domain}`;
  const [command, ...args] = [...options.within, 'dnsmasq'];
  const peer = startProcess(
    command,
    [
      ...args,
      '--keep-in-foreground',
      '--conf-file=/dev/null',
      '--user=root',
      '--pid-file=',
      '--no-resolv',
      '--no-hosts',
      '--bind-interfaces',
      `--listen-address=${address}`,
      // Names of the domain without records do not exist; all others are refused.
      `--local=/${domain}/`,
      `--local-ttl=${TTL_SECONDS}`,
      `--naptr-record=${domain},10,10,S,SIP+D2U,,${service}`,
      ...targets.flatMap((target, n) => [
        `--srv-host=${service},gw${n}.${domain},${target.port},${target.priority},${target.weight}`,
        `--host-record=gw${n}.${domain},${target.address}`,
      ]),
    ],
    tmpdir(),
  );
  const resolver = resolverAt(address);
  await until(
    () =>
      resolver.resolveSrv(service).then(
        () => true,
        () => false,
      ),
    'dnsmasq answers',
  );
  return peer;
}

function resolverAt(address: string): Resolver {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  resolver.setServers([`${address}:53`]);
  return resolver;
}

/** The product's look-up, which asks this name server for addresses, too. */
export function resolveAt(address: string): Resolve {
  const resolver = resolverAt(address);
  return createResolve({
    ...systemNames([`${address}:53`]),
    addresses: (host) => resolver.resolve4(host).catch(() => []),
  });
}
