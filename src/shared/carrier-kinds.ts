/** Kinds of trunks whose calls go by HTTP and WebSockets instead of SIP. */
export const CARRIER_KINDS = [
  'twilio',
  'signalwire',
  'telnyx',
  'plivo',
  'vobiz',
  'exotel',
  'vonage',
  'smartflo',
  'acefone',
  'bandwidth',
  'jambonz',
  'asterisk',
] as const;
export type CarrierKind = (typeof CARRIER_KINDS)[number];

export const isCarrierKind = (kind: unknown): kind is CarrierKind =>
  CARRIER_KINDS.some((one) => one === kind);

/** Kinds whose requests are proven by the auth token; those of the others need the signing key. */
const BY_TOKEN: ReadonlySet<CarrierKind> = new Set(['twilio', 'plivo', 'vobiz']);
export const SIGNING_KINDS: ReadonlySet<CarrierKind> = new Set(
  CARRIER_KINDS.filter((kind) => !BY_TOKEN.has(kind)),
);
