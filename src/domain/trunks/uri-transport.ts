export type Transport = 'udp' | 'tcp' | 'tls';

const TRANSPORTS: Readonly<Record<string, Transport>> = { udp: 'udp', tcp: 'tcp', tls: 'tls' };

/** The transport that a SIP URI names; null: it names none. */
export const uriTransport = (uri: string): Transport | null =>
  /^sips:/i.test(uri)
    ? 'tls'
    : (TRANSPORTS[/;transport=(udp|tcp|tls)$/i.exec(uri)?.[1]?.toLowerCase() ?? ''] ?? null);
