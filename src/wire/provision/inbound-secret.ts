import { Type } from 'typebox';

/** What INVITEs of a carrier have that shares its addresses with its other customers. */
export const InboundSecretEntry = Type.Object(
  {
    header: Type.String({
      pattern: '^[Xx]-[A-Za-z0-9-]{1,40}$',
      'x-rule': 'must be X- and 1 to 40 letters, digits or -',
      description: 'Such as X-Telnyx-Token.',
      example: 'X-Telnyx-Token',
    }),
    value: Type.String({
      pattern: '^([!-~]{8,200})?$',
      'x-rule': 'must be 8 to 200 printable characters, or empty',
      description: 'Stored as a hash, and never shown. Empty: the stored one is removed.',
      example: 'b1946ac92492d234',
    }),
  },
  {
    additionalProperties: false,
    description: 'A header that every INVITE of the carrier has; others get 403 ([sip.md](sip.md)).',
  },
);
