import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { ProvisionFile } from '../src/wire/provision/schema.ts';

/** Writes docs/provision.md from the schema of the provision file; test/structure/provision.test.ts checks that it is up to date. */

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const INTRODUCTION = `# The provision file

\`PROVISION_FILE\` names a YAML or JSON file with trunks, workspaces and child workspaces. The service applies it at every start,
and again at \`SIGHUP\` (\`systemctl reload\`), in one transaction: a file with a fault changes nothing, and every fault is listed
with its path. Applying a file twice changes nothing the second time. What the file does not mention stays, and the file
deletes nothing: \`enabled: false\` takes a trunk out of service, and an absent key keeps its value.

\`\`\`yaml
trunks:
  - { name: carrier, uri: 'sip:sip.example.com', username: u, password: p, register: true }
workspaces:
  - name: Agency
    credits: unlimited
    call_limit: 50
    numbers: [{ number: '+14155550100', trunk: carrier }]
    children:
      - name: Client A # unlimited, and shares the 50 concurrent calls
        numbers: [{ number: '+14155550101', trunk: carrier }]
      - name: Client B
        call_limit: 5 # of the 50
        limits: { allowed_destinations: ['+1'] } # its own; without the key those of Agency
        owner: { email: b@example.com, password: a long passphrase }
\`\`\`

- The name finds a workspace, so a renamed entry makes another one. A new workspace of the top level must not have the name of a
  child: the entry belongs under \`children\` of its parent. A child without one of the keys that it can inherit follows its parent.
- A new key is printed once, to the terminal or into \`DATA_DIR\` ([operations.md](operations.md)).
- Trunks and numbers of the file have \`from_file\` in the API and "From file" on the pages Trunks and Numbers. Operators may change
  them there, until the file sets them back when it is applied again. Trunks and numbers that were added there stay.
- A number that the API moved to a child stays there, although the file declares it for the parent. A number that a child
  declares moves from its parent to the child, unless an agent, a pool, a campaign or a call uses it.
- A child's \`credits\` come from its parent's balance; those of a child of an unlimited parent are its own.
- An archived child ([children.md](children.md)) is left alone, and the start says so.
- Changes are in the audit log of every workspace that they touch (\`provision\`).
`;

const literal = (value: unknown): string => `\`${JSON.stringify(value)}\``;

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(', ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.patternProperties !== undefined) {
    const [value = {}] = Object.values(schema.patternProperties);
    return `map to ${typeOf(value)}`;
  }
  return schema.type ?? 'any';
}

const BOUNDS = [
  { min: 'minimum', max: 'maximum', unit: '' },
  { min: 'minLength', max: 'maxLength', unit: ' characters' },
  { min: 'minItems', max: 'maxItems', unit: ' entries' },
] as const;
function boundsOf(schema: Schema): string {
  const found = (schema.anyOf ?? [schema]).flatMap((one) =>
    BOUNDS.flatMap(({ min, max, unit }) => {
      const [low, high, above] = [one[min], one[max], one.exclusiveMinimum];
      if (high === undefined) return [];
      const most = `${high}${unit}`;
      if (low !== undefined) return [`${low} to ${most}`];
      return [unit === '' && above !== undefined ? `above ${above} to ${most}` : `at most ${most}`];
    }),
  );
  return found.join(', ');
}

/** The fields of an object; several that differ in their names only are one. */
function fieldsOf({ properties = {} }: Schema): [string, Schema][] {
  const [first, ...others] = Object.entries(properties);
  if (first === undefined || others.length < 3) return Object.entries(properties);
  const [, field] = first;
  if (!others.every(([, other]) => isDeepStrictEqual(other, field))) return Object.entries(properties);
  return [['<name>', { ...field, description: `One of ${Object.keys(properties).join(', ')}.` }]];
}

/** A table for the object at `path`, then those of the objects in it. */
function tablesOf(path: string, schema: Schema): string[] {
  const inner: string[] = [];
  const rows = fieldsOf(schema).map(([key, field]) => {
    const at = path === '' ? key : `${path}.${key}`;
    const object = innerOf(field);
    // A child has the keys of a workspace: its row says so.
    if (object !== null && at !== 'workspaces[].children')
      inner.push(...tablesOf(field.type === 'array' ? `${at}[]` : at, object));
    const texts = [field, object, ...(field.anyOf ?? [])].flatMap((one) => one?.description ?? []);
    const bounds = boundsOf(field);
    const isRequired = schema.required?.includes(key) === true;
    const start = field.default === undefined ? '' : literal(field.default);
    const about = [...new Set(texts), ...(bounds === '' ? [] : [`(${bounds})`])].join(' ');
    const cells = [`\`${key}\``, typeOf(field), isRequired ? 'required' : start, about];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const head = ['| Key | Type | Default | What it does |', '| --- | --- | --- | --- |'];
  const title = path === '' ? 'The file' : `\`${path}\``;
  return [`### ${title}\n\n${[...head, ...rows].join('\n')}`, ...inner];
}

/** The object inside a field: itself, the entry of a list, or the branch of a union that is one. */
function innerOf(field: Schema): Schema | null {
  if (field.type === 'array') return field.items === undefined ? null : innerOf(field.items);
  const branches = (field.anyOf ?? []).map(innerOf).filter((one) => one !== null);
  return field.properties === undefined ? (branches[0] ?? null) : field;
}

/** The text of docs/provision.md. */
export const provisionReference = (): string =>
  `${INTRODUCTION}\n## Every key\n\n${tablesOf('', ProvisionFile as unknown as Schema).join('\n\n')}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../docs/provision.md', import.meta.url), provisionReference());
}
