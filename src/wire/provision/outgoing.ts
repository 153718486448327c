import { Type } from 'typebox';

const strict = { additionalProperties: false };
const numberFormat = (whose: string) =>
  Type.Optional(
    Type.Enum(['e164', 'digits', 'national'], {
      default: 'e164',
      description: `Form of ${whose} number: \`+919812345678\`, \`919812345678\` or \`09812345678\` as its country dials it.`,
    }),
  );
/** `outgoing` of a trunk. */
export const OutgoingEntry = Type.Object(
  {
    from_domain: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9.-]{1,253}$',
        'x-rule': 'must be a host name or an IPv4 address',
        description: 'Domain of From and of the registered account. Default: that of `uri`.',
        example: 'customer.example.com',
      }),
    ),
    route: Type.Optional(
      Type.String({
        pattern:
          '^sips?:([A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(:[0-9]{1,5})?(;transport=(udp|tcp|tls))?;lr$',
        'x-rule': 'must be a SIP URI without a user and with ;lr, such as sip:proxy.example.com;lr',
        description:
          'Route header of every INVITE and REGISTER, for an outbound proxy that wants one. `gateways` has its address.',
        example: 'sip:proxy.example.com;lr',
      }),
    ),
    caller_id: Type.Optional(
      Type.Enum(['from', 'p_asserted_identity'], {
        default: 'from',
        description:
          "Where the caller's number is. With `p_asserted_identity`, From names `username`, which it needs.",
      }),
    ),
    caller_format: numberFormat("the caller's"),
    callee_format: numberFormat('the called'),
    callee_prefix: Type.Optional(
      Type.String({
        pattern: '^[0-9*#]{1,16}$',
        'x-rule': 'must be 1 to 16 digits, * or #',
        description: 'Before every called number, for carriers that route by it.',
        example: '7788#',
      }),
    ),
    calling_code: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,2}$',
        'x-rule': 'must be the digits of a calling code such as 91',
        description:
          'Country of the format `national`, which needs it: other countries get 00, or 011 after 1.',
        example: '91',
      }),
    ),
    add_headers: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.String({
              pattern: "^[A-Za-z0-9.!%*_+`'~-]{2,64}$",
              'x-rule': 'must be 2 to 64 letters, digits or -',
              description: 'Such as X-Account.',
              example: 'X-Account',
            }),
            value: Type.String({
              maxLength: 500,
              pattern: '^[^\\u0000-\\u001f\\u007f]*$',
              'x-rule': 'must be one line of at most 500 characters',
              description: 'Stored in clear. `{{ticket}}` is a variable of the call ([sip.md](sip.md)).',
              example: '42',
            }),
          },
          strict,
        ),
        { maxItems: 20, description: 'Further headers of every INVITE, REFER and BYE.' },
      ),
    ),
    remove_headers: Type.Optional(
      Type.Array(Type.Enum(['accept', 'allow', 'supported', 'user-agent']), {
        maxItems: 4,
        description:
          'Headers that the INVITE leaves out. Without `supported` it offers neither reliable ringing nor a session timer.',
      }),
    ),
    udp_limit: Type.Optional(
      Type.Integer({
        minimum: 500,
        maximum: 65_000,
        description: 'An INVITE of more bytes goes over TCP, where the carrier takes it. Default: 1300.',
      }),
    ),
    dtmf: Type.Optional(
      Type.Enum(['tones', 'info'], {
        default: 'tones',
        description:
          'How keys go to a far side without telephone-event, in calls of both directions: as tones in the audio, or by SIP INFO.',
      }),
    ),
  },
  { ...strict, description: 'How the carrier wants our calls ([sip.md](sip.md)).' },
);
