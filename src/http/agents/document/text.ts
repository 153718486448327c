import { Type, type TSchema } from 'typebox';
import { stringify } from 'yaml';
import { errors } from '../../../errors.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { createBodyCheck } from '../../server/validation.ts';
import { isShortYaml, MOST_DEPTH, readYaml, YamlLimitError } from '../../../shared/read-yaml.ts';
import { isObject, type Json, type Settings } from './document.ts';
import { SETTING_KEYS } from './settings.ts';

/** The first line of a document: what it is, and in which form. */
const FORMAT = 'callwright-agent/1';
/** Characters of a document. */
export const MOST_CHARS = 256_000;

/** Numbers belong to one agent at a time: a document has none, so that an import takes them from nobody. */
const KEYS = SETTING_KEYS.filter((key) => key !== 'numbers');

const List = Type.Array(Type.Object({}, { additionalProperties: true }));
const Map = Type.Union([Type.Null(), Type.Object({}, { additionalProperties: true })]);
/** The shapes that the operations of the API do not check; they check the rest. */
const SHAPES: Readonly<Record<string, TSchema>> = {
  name: Type.String(),
  voice_id: Type.String(),
  intro_message: Type.String(),
  prompt: Type.Array(
    Type.Object({ title: Type.String(), content: Type.String() }, { additionalProperties: false }),
    { maxItems: 100 },
  ),
  knowledge_bases: Type.Array(Type.String(), { maxItems: 100 }),
  handoffs: List,
  event_subscriptions: List,
  pre_call_tools: List,
  on_call_tools: List,
  post_call_tools: List,
  test_cases: List,
  client_analysis: Map,
  call_config: Map,
  web_sessions: Map,
  chat_settings: Map,
  flow: Map,
};
const checkShapes = createBodyCheck(
  Type.Object(Object.fromEntries(KEYS.map((key) => [key, Type.Optional(SHAPES[key] ?? Type.Unknown())]))),
);

/** The settings as a document, in YAML, or in JSON where they are too many. Settings without a value are left out. */
export function writeDocument(settings: Settings): string {
  const kept = KEYS.flatMap((key) => (settings[key] == null ? [] : [[key, settings[key]] as const]));
  const document = { format: FORMAT, ...Object.fromEntries(kept) };
  const text = stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
  return isShortYaml(text) ? text : JSON.stringify(document, null, 1);
}

/** The settings of a document in YAML or JSON. Throws 422. */
export function readDocument(text: string): Settings {
  const value = parsed(text);
  if (!isObject(value)) throw errors.invalid('document', 'must be a map of settings, in YAML or JSON');
  const { format, ...settings } = value;
  if (format !== FORMAT) throw errors.invalid('document.format', `must be ${FORMAT}`);
  const unknown = Object.keys(settings).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0)
    throw errors.validationFailed(
      unknown.map((key) => ({
        field: `document.${key.slice(0, 100)}`,
        message: `is not a setting; a document has ${KEYS.join(', ')}`,
      })),
    );
  try {
    checkShapes(settings);
  } catch (error) {
    throw renamed(error, (field) => `document.${field}`);
  }
  return settings;
}

/** The error with other names of its fields. */
export const renamed = (error: unknown, name: (field: string) => string): unknown =>
  error instanceof ApiError && error.fields.length > 0
    ? errors.validationFailed(error.fields.map(({ field, message }) => ({ field: name(field), message })))
    : error;

function parsed(text: string): Json {
  if (text.length > MOST_CHARS) throw errors.invalid('document', `must be at most ${MOST_CHARS} characters`);
  let value: unknown;
  try {
    value = text.trimStart().startsWith('{') ? JSON.parse(text) : readYaml(text, { aliases: false });
  } catch (error) {
    if (error instanceof YamlLimitError) throw errors.invalid('document', error.message);
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    throw errors.invalid('document', `must be YAML or JSON: ${why.slice(0, 200)}`);
  }
  if (!isPlain(value, MOST_DEPTH))
    throw errors.invalid(
      'document',
      `must have texts, finite numbers, lists and maps, at most ${MOST_DEPTH} deep`,
    );
  return value;
}

function isPlain(value: unknown, depth: number): value is Json {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null)
    return value === null || typeof value === 'string' || typeof value === 'boolean';
  return depth > 0 && Object.values(value).every((inner) => isPlain(inner, depth - 1));
}
