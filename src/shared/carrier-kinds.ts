/** Kinds of trunks whose calls go by HTTP and WebSockets instead of SIP. */
export const CARRIER_KINDS = ['twilio', 'plivo', 'vobiz'] as const;
export type CarrierKind = (typeof CARRIER_KINDS)[number];

export const isCarrierKind = (kind: unknown): kind is CarrierKind =>
  CARRIER_KINDS.some((one) => one === kind);
