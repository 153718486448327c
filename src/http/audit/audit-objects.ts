const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const IS_ID = new RegExp(`^${ID}$`, 'i');
const NAMES_ID = /^(?:id|[a-z_]+_ids?)$/;
const OPERATION = /^[a-z_]{1,64}$/;
/** Ids in a serialized response. */
const ID_FIELD = new RegExp(`"(id|[a-z_]+_id)":"(${ID})"`, 'gi');
/** Characters of a response that are searched: created ids come first. */
const SEARCHED_CHARS = 4096;
const MAX_OBJECTS = 12;
const MAX_IDS_IN_LIST = 20;

type Objects = Record<string, string | readonly string[]>;

/**
 * The ids in a request's path, body and response, and the operation it names. Nothing else is copied, so the audit
 * log holds no personal data and no secret. `answer` is the serialized response, or the subject of the change
 * (`ChangeEntry`).
 */
export function auditObjects(request: { params: unknown; body: unknown }, answer: unknown): Objects {
  const objects: Objects = {};
  const hasCapacity = (): boolean => Object.keys(objects).length < MAX_OBJECTS;
  for (const source of [request.params, request.body]) {
    for (const [name, value] of entriesOf(source)) {
      if (name === 'operation' && typeof value === 'string' && OPERATION.test(value)) objects[name] = value;
      if (!NAMES_ID.test(name) || !hasCapacity()) continue;
      if (typeof value === 'string' && IS_ID.test(value)) objects[name] = value.toLowerCase();
      if (Array.isArray(value)) {
        const ids = value.filter((id): id is string => typeof id === 'string' && IS_ID.test(id));
        if (ids.length > 0) objects[name] = ids.slice(0, MAX_IDS_IN_LIST).map((id) => id.toLowerCase());
      }
    }
  }
  for (const [name, id] of typeof answer === 'string' ? idsInText(answer) : idsInValue(answer)) {
    if (hasCapacity()) objects[name] ??= id.toLowerCase();
  }
  return objects;
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

function* idsInText(text: string): Generator<[string, string]> {
  for (const [, name = '', id = ''] of text.slice(0, SEARCHED_CHARS).matchAll(ID_FIELD)) yield [name, id];
}

/** Ids of a value and of the objects directly inside it, under their wire names. */
function* idsInValue(value: unknown, isInner = false): Generator<[string, string]> {
  for (const [key, inner] of entriesOf(value)) {
    const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (typeof inner === 'string' && NAMES_ID.test(name) && IS_ID.test(inner)) yield [name, inner];
    else if (!isInner && !Array.isArray(inner)) yield* idsInValue(inner, true);
  }
}
