import { Ajv, type ValidateFunction } from 'ajv';
import ipaddr from 'ipaddr.js';
import { Type, type Static } from 'typebox';
import { isScalar, parseDocument, visit, type Document } from 'yaml';
import { once } from '../../shared/once.ts';
import { schemaProblems } from '../../shared/schema-problems.ts';
import { ProvidersBody } from '../providers/provider-schema.ts';
import { isE164 } from '../numbers/e164.ts';
import { TEST_TRUNK } from './test-trunk.ts';

const strict = { additionalProperties: false };
const Name = Type.String({ minLength: 1, maxLength: 100 });

const TrunkEntry = Type.Object(
  {
    name: Name,
    uri: Type.String({ minLength: 5, maxLength: 300 }),
    username: Type.Optional(Type.String({ maxLength: 200 })),
    password: Type.Optional(Type.String({ maxLength: 200 })),
    register: Type.Optional(Type.Boolean()),
    /** False takes the trunk out of service; deleting the entry changes nothing. */
    enabled: Type.Optional(Type.Boolean()),
    max_calls: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    calls_per_second: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1000 })),
    transport: Type.Optional(Type.Enum(['udp', 'tcp'])),
    allowed_sources: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }),
    ),
    media_ranges: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })),
  },
  strict,
);
const NumberEntry = Type.Object(
  {
    number: Type.String(),
    trunk: Name,
    display_name: Type.Optional(Type.String({ maxLength: 100 })),
    is_test_number: Type.Optional(Type.Boolean()),
    call_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  },
  strict,
);
/** As the body of POST /whatsapp/numbers, with the name of the agent instead of its id. */
const WhatsappEntry = Type.Object(
  {
    agent: Name,
    phone_number_id: Type.String({
      pattern: '^[0-9]{5,32}$',
      'x-rule': 'must be the digits that Meta shows as the phone number id',
    }),
    number: Type.String({ pattern: '^\\+[1-9][0-9]{6,14}$', 'x-rule': 'must be a number in E.164 form' }),
    display_name: Type.Optional(Type.String({ maxLength: 100 })),
    business_account_id: Type.Optional(
      Type.String({
        pattern: '^[0-9]{5,32}$',
        'x-rule': 'must be the digits that Meta shows as the WhatsApp Business account id',
      }),
    ),
    access_token: Type.String({ minLength: 1, maxLength: 1000 }),
    app_secret: Type.String({ minLength: 1, maxLength: 1000 }),
  },
  strict,
);
const DESTINATION = '^(\\+[1-9]\\d{0,11}|[A-Z]{2})$';
const destinationRule = { 'x-rule': 'must be a prefix such as +91 or a country such as IN' };
const Destinations = Type.Array(Type.String({ pattern: DESTINATION, ...destinationRule }), {
  maxItems: 1000,
});
/** Dial limits of a workspace; parsed by domain/workspaces/limits.ts. */
const LimitsEntry = Type.Object(
  {
    allowed_destinations: Type.Optional(Destinations),
    denied_destinations: Type.Optional(Destinations),
    destination_calls: Type.Optional(
      Type.Record(
        Type.String({ pattern: DESTINATION }),
        Type.Integer({ minimum: 0, maximum: 100_000 }),
        strict,
      ),
    ),
    callee_frequency: Type.Optional(
      Type.Object(
        {
          attempts: Type.Integer({ minimum: 1, maximum: 1000 }),
          hours: Type.Number({ exclusiveMinimum: 0, maximum: 8784 }),
        },
        strict,
      ),
    ),
    calls_per_minute: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    credits_per_day: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000_000 })),
    transfer_hosts: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^([A-Za-z0-9][A-Za-z0-9.-]{0,252}|\\[[0-9A-Fa-f:.]{2,45}\\])$',
          'x-rule': 'must be a host name or an address without a port, such as pbx.example.com',
        }),
        { maxItems: 100 },
      ),
    ),
    number_rest: Type.Optional(
      Type.Union(
        [
          Type.Literal(false),
          Type.Object(
            {
              attempts: Type.Optional(Type.Integer({ minimum: 2, maximum: 1000 })),
              share: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
              minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_080 })),
            },
            strict,
          ),
        ],
        { 'x-rule': 'must be false, or attempts 2 to 1000, share above 0 to 1, minutes 1 to 10080' },
      ),
    ),
  },
  strict,
);
const WorkspaceEntry = Type.Object(
  {
    name: Name,
    api_key: Type.Optional(
      Type.String({
        pattern: '^[\\x21-\\x7e]{16,256}$',
        'x-rule': 'must be 16 to 256 visible ASCII characters',
      }),
    ),
    credits: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 1_000_000_000 }), Type.Literal('unlimited')], {
        'x-rule': 'must be a number from 0 to 1000000000, or unlimited',
      }),
    ),
    call_limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    allow_premium_numbers: Type.Optional(Type.Boolean()),
    limits: Type.Optional(LimitsEntry),
    /** As the body of PUT /workspace/providers. */
    providers: Type.Optional(ProvidersBody),
    large_campaigns: Type.Optional(Type.Boolean()),
    /** Refuses calls and chats that lack a variable or name an unknown one. */
    strict_variables: Type.Optional(Type.Boolean()),
    circuit_breaker: Type.Optional(
      Type.Object(
        {
          failed_share: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1 })),
          window_calls: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
          minimum_calls: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
        },
        strict,
      ),
    ),
    owner: Type.Optional(
      Type.Object(
        {
          email: Type.String({
            maxLength: 254,
            pattern: '^[^\\s@]+@[^\\s@]+$',
            'x-rule': 'must be an e-mail address',
          }),
          password: Type.String({ minLength: 8, maxLength: 200 }),
        },
        strict,
      ),
    ),
    numbers: Type.Optional(Type.Array(NumberEntry, { maxItems: 10_000 })),
    whatsapp_numbers: Type.Optional(Type.Array(WhatsappEntry, { maxItems: 1000 })),
  },
  strict,
);
const ProvisionFile = Type.Object(
  {
    trunks: Type.Optional(Type.Array(TrunkEntry, { maxItems: 1000 })),
    workspaces: Type.Optional(Type.Array(WorkspaceEntry, { maxItems: 10_000 })),
  },
  strict,
);

export type TrunkEntry = Static<typeof TrunkEntry>;
export type WorkspaceEntry = Static<typeof WorkspaceEntry>;
export interface ProvisionPlan {
  trunks: TrunkEntry[];
  workspaces: WorkspaceEntry[];
}
export type ParsedProvision = { ok: true; plan: ProvisionPlan } | { ok: false; problems: string[] };

const MAX_FILE_CHARS = 4_000_000;

/** Compiled at first use, so that a start without a provision file does not wait for it. */
const validator = once((): ValidateFunction<Static<typeof ProvisionFile>> => {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictTypes: false });
  ajv.addKeyword('x-rule');
  ajv.addKeyword('example');
  return ajv.compile(ProvisionFile);
});

/** Parses a provision file, YAML or JSON, to a plan or to every problem as `path rule`. Never throws. */
export function parseProvision(text: string): ParsedProvision {
  if (text.length > MAX_FILE_CHARS) return { ok: false, problems: ['file is too large'] };
  let data: unknown;
  try {
    // Warnings would go to the process and quote the file, which holds secrets.
    const document = parseDocument(text, { prettyErrors: false, logLevel: 'error' });
    const [error] = document.errors;
    if (error !== undefined) throw error;
    if (hasOtherKeys(document)) return { ok: false, problems: ['file has a key that is no text'] };
    data = document.toJS({ maxAliasCount: 50 }) ?? {};
  } catch (error) {
    const where = (error as { pos?: [number, number] }).pos?.[0];
    const line = where === undefined ? '' : ` (line ${text.slice(0, where).split('\n').length})`;
    return { ok: false, problems: [`file is not valid YAML or JSON${line}`] };
  }
  const validate = validator();
  if (!validate(data)) {
    return {
      ok: false,
      problems: schemaProblems(validate.errors ?? [], 'file').map((p) => `${p.field} ${p.message}`),
    };
  }
  const plan = { trunks: data.trunks ?? [], workspaces: data.workspaces ?? [] };
  const problems = crossProblems(plan);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, plan };
}

/** Whether a key is a list, a map or an alias: nested ones take exponential time to convert. */
function hasOtherKeys(document: Document.Parsed): boolean {
  let found = false;
  visit(document, {
    Pair: (_key, { key }) => {
      found = key !== null && !isScalar(key);
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

function crossProblems(plan: ProvisionPlan): string[] {
  const problems: string[] = [];
  const unique = (what: string): ((value: string, path: string) => void) => {
    const seen = new Map<string, string>();
    return (value, path) => {
      const first = seen.get(value);
      if (first !== undefined) problems.push(`${path} repeats the ${what} of ${first}`);
      else seen.set(value, path);
    };
  };
  const trunkName = unique('name');
  plan.trunks.forEach((trunk, i) => {
    const path = `trunks[${i}]`;
    trunkName(trunk.name, `${path}.name`);
    if (trunk.name === TEST_TRUNK) problems.push(`${path}.name test is the built-in test carrier`);
    problems.push(...uriProblems(`${path}.uri`, trunk.uri));
    problems.push(...rangeProblems(`${path}.media_ranges`, trunk.media_ranges ?? []));
    if (trunk.register === true && trunk.username === undefined) {
      problems.push(`${path}.username is required when register is true`);
    }
  });
  const [workspaceName, apiKey, line] = [unique('name'), unique('key'), unique('number and trunk')];
  plan.workspaces.forEach((workspace, i) => {
    const path = `workspaces[${i}]`;
    workspaceName(workspace.name, `${path}.name`);
    if (workspace.api_key !== undefined) apiKey(workspace.api_key, `${path}.api_key`);
    const own = unique('number');
    workspace.numbers?.forEach((number, j) => {
      const at = `${path}.numbers[${j}]`;
      if (!isE164(number.number)) problems.push(`${at}.number must be in E.164 form, such as +14155550100`);
      own(number.number, at);
      line(`${number.number} ${number.trunk}`, at);
    });
  });
  return problems;
}

/** An entry that matches nothing would refuse the media of every call. */
const rangeProblems = (path: string, ranges: readonly string[]): string[] =>
  ranges.flatMap((range, i) =>
    ipaddr.isValid(range) || ipaddr.isValidCIDR(range)
      ? []
      : [`${path}[${i}] must be an IP address or a CIDR range such as 203.0.113.0/24`],
  );

function uriProblems(path: string, uri: string): string[] {
  if (/^sips:/i.test(uri) || /;transport=tls/i.test(uri))
    return [`${path} requires TLS, which this version does not support`];
  const isSip = /^sip:([^@\s;?]+@)?(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?(;transport=(udp|tcp))?$/i.test(
    uri,
  );
  return isSip ? [] : [`${path} must be a SIP URI such as sip:sip.example.com;transport=udp`];
}
