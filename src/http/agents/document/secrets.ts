import { MASKED } from '../../../domain/tools/tool-secrets.ts';
import { isObject, objectOf, textOf, type Json, type JsonObject, type Settings } from './document.ts';
import { TOOL_KEYS } from './settings.ts';

/** Where secrets may stand, as `on_call_tools[find_slots].headers.authorization`, to what stands there. */
export type Places = ReadonlyMap<string, string>;

type Visit = (place: string, value: Json) => Json;

/** The settings with each value that may be a secret replaced by what `visit` answers. */
function atSecretPlaces(settings: Settings, visit: Visit): Settings {
  const changed: Settings = { ...settings };
  for (const key of TOOL_KEYS) {
    if (Array.isArray(settings[key])) changed[key] = items(key, settings[key], toolName, visit);
  }
  const subscriptions = settings['event_subscriptions'];
  if (Array.isArray(subscriptions))
    changed['event_subscriptions'] = items('event_subscriptions', subscriptions, eventNames, visit);
  const { llm } = settings;
  if (isObject(llm) && llm['api_key'] != null)
    changed['llm'] = { ...llm, api_key: visit('llm.api_key', llm['api_key']) };
  return changed;
}

const toolName = (tool: JsonObject): string => textOf(tool['name']) || textOf(tool['type']);
function eventNames({ event_type: events }: JsonObject): string {
  return Array.isArray(events) ? events.map(textOf).join('+') : textOf(events);
}

function items(key: string, list: Json[], nameOf: (item: JsonObject) => string, visit: Visit): Json[] {
  const seen = new Map<string, number>();
  return list.map((own) => {
    const item = objectOf(own);
    const name = nameOf(item);
    const again = (seen.get(name) ?? 0) + 1;
    seen.set(name, again);
    const at = `${key}[${again === 1 ? name : `${name} ${again}`}]`;
    const places = ['headers', 'query', 'body'].flatMap((place) => {
      const values = item[place];
      if (!isObject(values)) return [];
      const entries = Object.entries(values).map(([field, value]) => [
        field,
        visit(`${at}.${place}.${field}`, value),
      ]);
      return [[place, Object.fromEntries(entries) as JsonObject] as const];
    });
    return isObject(own) ? { ...item, ...Object.fromEntries(places) } : own;
  });
}

/** The name in `{secret: NAME}`; null for another value. */
const nameIn = (value: Json): string | null =>
  isObject(value) && Object.keys(value).length === 1 && typeof value['secret'] === 'string'
    ? value['secret']
    : null;

/** The names of secrets in the settings of files, by place. */
export function secretNames(settings: Settings): Places {
  const names = new Map<string, string>();
  atSecretPlaces(settings, (place, value) => {
    const name = nameIn(value);
    if (name !== null) names.set(place, name);
    return value;
  });
  return names;
}

/** The masks in the settings of the service, by place. */
export function masksOf(settings: Settings): Places {
  const masks = new Map<string, string>();
  atSecretPlaces(settings, (place, value) => {
    if (typeof value === 'string' && MASKED.test(value)) masks.set(place, value);
    return value;
  });
  return masks;
}

/** Replaces masks by the names that the files have for their places, or by new names from folder and place. */
export const masksToNames = (folder: string, settings: Settings, known: Places): Settings =>
  atSecretPlaces(settings, (place, value) =>
    typeof value === 'string' && MASKED.test(value)
      ? { secret: known.get(place) ?? newName(folder, place) }
      : value,
  );

const newName = (folder: string, place: string): string =>
  `${folder}_${place}`
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/gu, '_')
    .replaceAll(/^_|_$/gu, '');

/** The value of a secret by its name; undefined: this machine does not have it. */
export type ReadSecret = (name: string) => string | undefined;

/**
 * Replaces names by the masks of the service, which keep the stored values. A place without a mask, and with `isResent` every
 * place, takes the value that `read` finds. Adds a sentence to `problems` for a secret without either.
 */
export const namesToValues = (
  settings: Settings,
  masks: Places,
  read: ReadSecret,
  problems: string[],
  isResent = false,
): Settings =>
  atSecretPlaces(settings, (place, value) => {
    const name = nameIn(value);
    if (name === null) return value;
    const mask = masks.get(place);
    const found = mask === undefined || isResent ? read(name) : undefined;
    if (found === undefined && mask === undefined)
      problems.push(`${place}: the service has no value yet: set the environment variable ${name}`);
    return found ?? mask ?? '';
  });
