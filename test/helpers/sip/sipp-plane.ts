import type { SipSignalling } from '../../../src/telephony/signalling.ts';
import type { Trunk } from '../../../src/telephony/trunks/trunk.ts';
import { closeLater, portOf, startPlane, trunkTo } from './sip-plane.ts';
import { startSipp, type Sipp, type SippOptions } from './sipp.ts';
import { AUTHORITY, CERTIFICATES } from './tls-certificates.ts';
import { relayFromTls, relayToTls } from './tls-relay.ts';

/** SIPp of Debian speaks no TLS: a relay does it for SIPp over TCP. */
export const TRANSPORTS = ['udp', 'tcp', 'tls'] as const;
type Transport = (typeof TRANSPORTS)[number];

/** SIPp with one call. */
export async function sipp(transport: Transport, options: Omit<SippOptions, 'transport'>): Promise<Sipp> {
  const peer = await startSipp({
    args: ['-m', '1'],
    ...options,
    transport: transport === 'udp' ? 'udp' : 'tcp',
    trace: true,
  });
  closeLater(() => peer.stop());
  return peer;
}

/** A plane whose trunk is at a port of SIPp. */
export async function planeTo(
  transport: Transport,
  port: number,
  probeIntervalMs: number | null = null,
  patch: Partial<Trunk> = {},
): Promise<SipSignalling> {
  if (transport !== 'tls') return startPlane([trunkTo(port, { ...patch, transport })], { probeIntervalMs });
  const relay = await relayFromTls(port);
  closeLater(() => relay.close());
  const material = { own: CERTIFICATES.service, authorities: AUTHORITY, clientAuthorities: null };
  return startPlane([trunkTo(port, { ...patch, uri: 'sips:carrier.test', transport })], {
    probeIntervalMs,
    tls: { port: 0, material: () => material },
    resolve: () =>
      Promise.resolve([{ transport, address: '127.0.0.1', port: relay.port, domain: 'carrier.test' }]),
  });
}

/** SIPp as the callee of the plane's trunk. */
export async function calleeOf(
  transport: Transport,
  scenario: string,
  more: { readonly calls?: number; readonly trunk?: Partial<Trunk> } = {},
): Promise<{ peer: Sipp; signalling: SipSignalling }> {
  const peer = await sipp(transport, { scenario, args: ['-m', String(more.calls ?? 1)] });
  return { peer, signalling: await planeTo(transport, peer.port, null, more.trunk) };
}

/** SIPp as a caller of the plane. */
export async function callerOf(
  transport: Transport,
  signalling: SipSignalling,
  scenario: string,
  keys: Readonly<Record<string, string>> = {},
): Promise<Sipp> {
  const ours = portOf(signalling, transport);
  const relay = transport === 'tls' ? await relayToTls(ours) : null;
  if (relay !== null) closeLater(() => relay.close());
  const args = ['-m', '1', '-s', '+15550100'];
  return sipp(transport, { scenario, keys, args, target: `127.0.0.1:${relay?.port ?? ours}` });
}
