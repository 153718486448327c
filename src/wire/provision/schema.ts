import { type Static, Type } from 'typebox';
import { DEFAULT_BREAKER } from '../../shared/workspace-defaults.ts';
import { CALL_PURPOSES } from '../../shared/call-purposes.ts';
import { CARRIER_KINDS } from '../../shared/carrier-kinds.ts';
import { oneOf } from '../../shared/schema-parts.ts';
import { wireInput } from '../../shared/wire-input.ts';
import { ProvidersBody } from '../provider-schema.ts';
import { LimitsEntry } from './limits.ts';
import { InboundSecretEntry } from './inbound-secret.ts';
import { OutgoingEntry } from './outgoing.ts';

/** The schema of the provision file. docs/provision.md is generated from it (scripts/provision-reference.ts). */

const strict = { additionalProperties: false };
const name = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });
const optionalText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ maxLength, description }));
const flag = (value: boolean, description: string) =>
  Type.Optional(Type.Boolean({ default: value, description }));
const addresses = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, default: [], description }),
  );

const GatewayEntry = Type.Object(
  {
    uri: Type.String({
      minLength: 5,
      maxLength: 300,
      description: 'Its address, such as `sip:192.0.2.10` or `sip:gw1.example.com;transport=tcp`.',
      example: 'sip:192.0.2.10',
    }),
    priority: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        default: 0,
        description: 'The lowest number is used first; the others when none of those answers.',
      }),
    ),
    weight: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        default: 1,
        description: 'Share of the calls among gateways of one priority.',
      }),
    ),
    transport: Type.Optional(
      Type.Enum(['udp', 'tcp', 'tls'], { description: 'Default: that of `uri`, else that of the trunk.' }),
    ),
  },
  { ...strict, description: 'Addresses that take requests of the trunk, in place of that of `uri`.' },
);
/** The settings of a trunk, in the file and in the API. */
const trunkFields = {
  kind: Type.Optional(
    Type.Enum(['sip', ...CARRIER_KINDS], {
      default: 'sip',
      description:
        'Other than `sip`: calls over the WebSockets of this carrier; [carriers.md](carriers.md) has what `username`, `password`, `signing_key` and `application` are for each.',
    }),
  ),
  uri: Type.String({
    minLength: 5,
    maxLength: 300,
    description:
      'Where INVITEs go, such as `sip:sip.example.com;transport=tcp`; of a carrier the address of its API, such as `https://api.twilio.com`.',
    example: 'sip:sip.example.com',
  }),
  gateways: Type.Optional(
    Type.Array(GatewayEntry, {
      maxItems: 16,
      default: [],
      description:
        'Several addresses of the carrier, each with its own health ([sip.md](sip.md)). `uri` stays the SIP domain.',
    }),
  ),
  username: optionalText(200, 'The account, also of digest authentication; required with `register`.'),
  auth_username: optionalText(200, 'Of digest authentication, where it is not `username`.'),
  password: optionalText(4000, 'Stored encrypted.'),
  signing_key: optionalText(
    500,
    'Of a carrier over WebSockets: what proves its requests, where that is not `password`. Stored encrypted.',
  ),
  application: optionalText(
    200,
    'Of a carrier over WebSockets that places calls for an application or connection: its id.',
  ),
  register: flag(false, 'Registers at the carrier, which then sends inbound calls.'),
  enabled: flag(true, 'False takes the trunk out of service. Deleting the entry changes nothing.'),
  max_calls: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Concurrent calls on the trunk. Default: no limit.',
    }),
  ),
  calls_per_second: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1000,
      description: 'New calls a second. Default: no limit.',
    }),
  ),
  max_inbound_calls: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description: 'Concurrent inbound calls on the trunk; others get 486. Default: no limit.',
    }),
  ),
  inbound_calls_per_second: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1000,
      description:
        'New inbound calls a second, in all processes together; others get 486. Default: no limit.',
    }),
  ),
  transport: Type.Optional(
    Type.Enum(['udp', 'tcp', 'tls'], {
      description: 'Default: that of `uri` (`tls` for `sips:`), else udp.',
    }),
  ),
  allowed_sources: addresses(
    'Addresses and CIDR ranges that may send requests, beside those of `uri` ([sip.md](sip.md)).',
  ),
  media_ranges: addresses(
    "Addresses and CIDR ranges of the carrier's media; others are refused. Empty: any ([sip.md](sip.md)).",
  ),
  srtp: Type.Optional(
    Type.Enum(['off', 'optional', 'required'], {
      default: 'off',
      description:
        'Encryption of the audio by SRTP: `required` refuses calls without it, `optional` takes both ([sip.md](sip.md)).',
    }),
  ),
  codecs: Type.Optional(
    Type.Array(Type.Enum(['pcmu', 'pcma', 'g722', 'opus']), {
      minItems: 1,
      maxItems: 4,
      description:
        'In the order of our offers; others are refused. With `g722` or `opus` the audio of the calls has 16 kHz. Default: `pcmu`, `pcma`.',
    }),
  ),
  header_variables: Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^[Xx]-[A-Za-z0-9-]{1,40}$',
        'x-rule': 'must be X- and 1 to 40 letters, digits or -',
        example: 'X-Account',
      }),
      {
        maxItems: 20,
        uniqueItems: true,
        description:
          'Headers of inbound calls that become variables: `X-Account` is `x_account` ([sip.md](sip.md)).',
      },
    ),
  ),
  accept_refer: flag(
    false,
    'The far side of a call may transfer the agent to another target by REFER ([sip.md](sip.md#transfers-by-the-far-side)).',
  ),
  join_by_refer: flag(
    false,
    'After a warm transfer the far side connects caller and target itself, by REFER with Replaces, and both lines of the service end ([sip.md](sip.md#warm-transfers-that-the-pbx-joins)).',
  ),
  inbound_secret: Type.Optional(InboundSecretEntry),
  outgoing: Type.Optional(OutgoingEntry),
};
export const TrunkFields = Type.Object(trunkFields, strict);
const TrunkEntry = Type.Object(
  {
    name: name('Numbers name the trunk by it. `test` is the built-in test carrier, which needs no entry.'),
    ...trunkFields,
  },
  { ...strict, description: 'SIP trunks.' },
);
const NumberEntry = Type.Object(
  {
    number: Type.String({ description: 'In E.164 form, such as +14155550100.' }),
    trunk: name('The name of a trunk, or `test`.'),
    display_name: optionalText(100, 'Shown to callees whose carrier passes it on.'),
    is_test_number: flag(false, 'Marks it as a number for tests.'),
    call_limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'Concurrent calls from the number. Default: no limit.',
      }),
    ),
    purpose: Type.Optional(
      oneOf(CALL_PURPOSES, {
        description:
          'The commercial calls that may come from it: campaigns with another purpose are refused. Default: any ([campaigns.md](campaigns.md#purpose)).',
      }),
    ),
  },
  { ...strict, description: 'Caller numbers of the workspace.' },
);
const metaDigits = (what: string) => ({
  pattern: '^[0-9]{5,32}$',
  'x-rule': `must be the digits that Meta shows as the ${what}`,
  description: `The digits that Meta shows as the ${what}.`,
});
/** As the body of POST /whatsapp/numbers, with the name of the agent instead of its id. */
const WhatsappEntry = Type.Object(
  {
    agent: name('The name of a WhatsApp agent; the number waits for a later start until it exists.'),
    phone_number_id: Type.String(metaDigits('phone number id')),
    number: Type.String({
      pattern: '^\\+[1-9][0-9]{6,14}$',
      'x-rule': 'must be a number in E.164 form',
      description: 'In E.164 form.',
    }),
    display_name: optionalText(100, 'The name of the business. Default: empty.'),
    business_account_id: Type.Optional(Type.String(metaDigits('WhatsApp Business account id'))),
    access_token: Type.String({ minLength: 1, maxLength: 1000, description: 'Stored encrypted.' }),
    app_secret: Type.String({ minLength: 1, maxLength: 1000, description: 'Stored encrypted.' }),
  },
  { ...strict, description: 'WhatsApp numbers of the workspace ([chats.md](chats.md)).' },
);
const CircuitBreaker = Type.Object(
  {
    failed_share: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1,
        default: DEFAULT_BREAKER.failedShare,
        description: 'The share of failed attempts that pauses a campaign.',
      }),
    ),
    window_calls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: DEFAULT_BREAKER.window,
        description: 'The last ended attempts that count.',
      }),
    ),
    minimum_calls: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        default: DEFAULT_BREAKER.minimum,
        description: 'How many must have ended before it judges.',
      }),
    ),
  },
  {
    ...strict,
    description: 'When a campaign is paused because its calls fail ([campaigns.md](campaigns.md)).',
  },
);
const Owner = Type.Object(
  {
    email: Type.String({
      maxLength: 254,
      pattern: '^[^\\s@]+@[^\\s@]+$',
      'x-rule': 'must be an e-mail address',
      description: 'The e-mail address to sign in with.',
    }),
    password: Type.String({
      minLength: 8,
      maxLength: 200,
      description:
        "Applied once, and again when the file's value changes: it then sets the password and ends the owner's sessions. A password that was changed in the dashboard, or an owner who was removed there, stays so.",
    }),
    operator: flag(
      false,
      'Makes the owner an operator of the installation, who sees its settings, processes and hosts. With a file, exactly those who have it are operators.',
    ),
  },
  { ...strict, description: 'An owner, who can sign in to the dashboard.' },
);

/** What a workspace and a child workspace have in common. */
const common = {
  api_key: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{16,256}$',
      'x-rule': 'must be 16 to 256 visible ASCII characters',
      description:
        "The key of the workspace. Applied once, and again when the file's value changes: a key that was replaced in the dashboard stays replaced. Default: one that is made and printed once, unless it has one.",
    }),
  ),
  credits: Type.Optional(
    Type.Union([Type.Number({ minimum: 0, maximum: 1_000_000_000 }), Type.Literal('unlimited')], {
      'x-rule': 'must be a number from 0 to 1000000000, or unlimited',
      description:
        'A later start adds the difference to the last figure of the file: spent credits stay spent. Default: 0 for a new workspace. A child takes them from its parent; without this key it is unlimited while its parent is, and never otherwise.',
    }),
  ),
  call_limit: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100_000,
      description:
        'Concurrent calls. Default: 10 for a new workspace; a child shares what its parent has left, or takes these from it.',
    }),
  ),
  allow_premium_numbers: Type.Optional(
    Type.Boolean({
      description:
        'Opens premium, shared-cost, personal and satellite numbers. Default: false; a child has it only if its parent has it.',
    }),
  ),
  limits: Type.Optional(LimitsEntry),
  providers: Type.Optional({
    ...ProvidersBody,
    description: 'As the body of `PUT /workspace/providers` ([providers.md](providers.md)).',
  } as typeof ProvidersBody),
  large_campaigns: Type.Optional(
    Type.Boolean({
      description: 'The flow for large lists. Default: true; a child has the value of its parent.',
    }),
  ),
  strict_variables: Type.Optional(
    Type.Boolean({
      description: 'Refuses calls and chats that lack a variable or name an unknown one. Default: false.',
    }),
  ),
  circuit_breaker: Type.Optional(CircuitBreaker),
  owner: Type.Optional(Owner),
  numbers: Type.Optional(Type.Array(NumberEntry, { maxItems: 10_000 })),
  whatsapp_numbers: Type.Optional(Type.Array(WhatsappEntry, { maxItems: 1000 })),
};
const ChildEntry = Type.Object(
  {
    name: name('Finds the child among those of its parent, in any case.'),
    ...common,
  },
  {
    ...strict,
    description:
      'Child workspaces ([children.md](children.md)), with the keys of a workspace except `children`. A child has the `limits`, `allow_premium_numbers`, `large_campaigns` and `circuit_breaker` of its parent; its own narrow them and open nothing.',
  },
);
const WorkspaceEntry = Type.Object(
  {
    name: name('Finds the workspace; a new name makes a new one.'),
    ...common,
    children: Type.Optional(Type.Array(ChildEntry, { maxItems: 1000 })),
  },
  { ...strict, description: 'Workspaces.' },
);
export const ProvisionFile = Type.Object(
  {
    trunks: Type.Optional(Type.Array(TrunkEntry, { maxItems: 1000 })),
    workspaces: Type.Optional(Type.Array(WorkspaceEntry, { maxItems: 10_000 })),
  },
  strict,
);

/** The file as the code names its keys. */
export const toPlan = wireInput(ProvisionFile);
/** The same for one trunk. */
export const toTrunkBody = wireInput(TrunkFields);
type Plan = ReturnType<typeof toPlan>;

export type TrunkEntry = NonNullable<Plan['trunks']>[number];
/** The settings of a trunk under their wire names, without its secrets. */
export type TrunkSettings = Omit<Static<typeof TrunkFields>, 'password' | 'signing_key' | 'inbound_secret'>;
export type TrunkBody = ReturnType<typeof toTrunkBody>;
export type WorkspaceEntry = NonNullable<Plan['workspaces']>[number];
export type ChildEntry = NonNullable<WorkspaceEntry['children']>[number];
export interface ProvisionPlan {
  trunks: TrunkEntry[];
  workspaces: WorkspaceEntry[];
}
