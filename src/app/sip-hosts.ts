import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import type { Config } from '../config.ts';
import { listenFailure } from './start-failure.ts';

/** The settings with the addresses that the names in SIP_HOST lead to. */
export async function withSipAddresses(config: Config): Promise<Config> {
  const { sip } = config;
  const hosts = await Promise.all(
    sip.hosts.map(async (host) => {
      if (isIP(host) !== 0) return host;
      return lookup(host, { order: 'ipv4first' })
        .then(({ address }) => address)
        .catch((error: unknown) => {
          throw sipFailure({ ...sip, hosts: [host] }, error);
        });
    }),
  );
  return { ...config, sip: { ...sip, hosts: [...new Set(hosts)] } };
}

/** The address that RTP of calls without an address of their trunk binds: that of SIP, or with several all interfaces of their families. Pure. */
export function rtpHost(hosts: readonly string[]): string {
  const [first, ...more] = hosts;
  if (first !== undefined && more.length === 0) return first;
  return hosts.some((host) => isIPv6(host)) ? '::' : '0.0.0.0';
}

/** Why SIP cannot listen, as a sentence that names the setting. */
export const sipFailure = ({ port, hosts }: Pick<Config['sip'], 'port' | 'hosts'>, error: unknown): unknown =>
  listenFailure({ port: 'SIP_PORT', host: 'SIP_HOST' }, { port, host: hosts.join(', ') }, error);
