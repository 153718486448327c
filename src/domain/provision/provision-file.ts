import { Ajv, type ValidateFunction } from 'ajv';
import { Type, type Static } from 'typebox';
import { parse } from 'yaml';
import { once } from '../../shared/once.ts';
import { schemaProblems } from '../../shared/schema-problems.ts';
import { isE164 } from '../numbers/dialable-number.ts';

const strict = { additionalProperties: false };
const Name = Type.String({ minLength: 1, maxLength: 100 });

const TrunkEntry = Type.Object(
  {
    name: Name,
    uri: Type.String({ minLength: 5, maxLength: 300 }),
    username: Type.Optional(Type.String({ maxLength: 200 })),
    password: Type.Optional(Type.String({ maxLength: 200 })),
    register: Type.Optional(Type.Boolean()),
    max_calls: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    calls_per_second: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1000 })),
    transport: Type.Optional(Type.Enum(['udp', 'tcp'])),
    allowed_sources: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }),
    ),
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
const DESTINATION = '^(\\+[1-9]\\d{0,11}|[A-Z]{2})$';
const destinationRule = { 'x-rule': 'must be a prefix such as +91 or a country such as IN' };
const Destinations = Type.Array(Type.String({ pattern: DESTINATION, ...destinationRule }), {
  maxItems: 1000,
});
/** What a workspace may dial: domain/workspaces/limits.ts reads it. */
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
    large_campaigns: Type.Optional(Type.Boolean()),
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

/** The trunk every installation has: the carrier inside the product (open-points, The built-in test carrier). */
export const TEST_TRUNK = 'test';
const MAX_FILE_CHARS = 4_000_000;

/** Made when a file is first read: a start without one does not wait for it. */
const validator = once((): ValidateFunction<Static<typeof ProvisionFile>> => {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictTypes: false });
  ajv.addKeyword('x-rule');
  return ajv.compile(ProvisionFile);
});

/** Reads a provision file, YAML or JSON. Either a plan, or every problem as `path rule`; never throws. */
export function parseProvision(text: string): ParsedProvision {
  if (text.length > MAX_FILE_CHARS) return { ok: false, problems: ['file is too large'] };
  let data: unknown;
  try {
    data = parse(text, { maxAliasCount: 50, prettyErrors: false }) ?? {};
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

function uriProblems(path: string, uri: string): string[] {
  if (/^sips:/i.test(uri) || /;transport=tls/i.test(uri))
    return [`${path} asks for TLS, which is not part of this version`];
  const isSip = /^sip:([^@\s;?]+@)?(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?(;transport=(udp|tcp))?$/i.test(
    uri,
  );
  return isSip ? [] : [`${path} must be a SIP URI such as sip:sip.example.com;transport=udp`];
}
