const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const IS_ID = new RegExp(`^${ID}$`, 'i');
const NAMES_ID = /^(?:id|[a-z_]+_ids?)$/;
const OPERATION = /^[a-z_]{1,64}$/;
/** Ids in an answer, which is text by then. */
const ANSWERED = new RegExp(`"(id|[a-z_]+_id)":"(${ID})"`, 'gi');
/** Only the beginning of an answer is looked at: what was made comes first. */
const LOOKED_AT = 4096;
const MOST = 12;
const MOST_OF_LIST = 20;

type Objects = Record<string, string | readonly string[]>;

/**
 * What a request was about: ids in its path, body and answer, and the operation it names. Nothing else of them is
 * taken, so nothing personal or secret can be. `answer` is the text that was sent, or what is known before: the answer
 * to be, or what the change made.
 */
export function auditObjects(request: { params: unknown; body: unknown }, answer: unknown): Objects {
  const objects: Objects = {};
  const room = (): boolean => Object.keys(objects).length < MOST;
  for (const source of [request.params, request.body]) {
    for (const [name, value] of entriesOf(source)) {
      if (name === 'operation' && typeof value === 'string' && OPERATION.test(value)) objects[name] = value;
      if (!NAMES_ID.test(name) || !room()) continue;
      if (typeof value === 'string' && IS_ID.test(value)) objects[name] = value.toLowerCase();
      if (Array.isArray(value)) {
        const ids = value.filter((id): id is string => typeof id === 'string' && IS_ID.test(id));
        if (ids.length > 0) objects[name] = ids.slice(0, MOST_OF_LIST).map((id) => id.toLowerCase());
      }
    }
  }
  for (const [name, id] of typeof answer === 'string' ? answered(answer) : told(answer)) {
    if (room()) objects[name] ??= id.toLowerCase();
  }
  return objects;
}

const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];

function* answered(text: string): Generator<[string, string]> {
  for (const [, name = '', id = ''] of text.slice(0, LOOKED_AT).matchAll(ANSWERED)) yield [name, id];
}

/** Ids of a value and of what it holds directly, by the names they have on the wire. */
function* told(value: unknown, isInner = false): Generator<[string, string]> {
  for (const [key, inner] of entriesOf(value)) {
    const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (typeof inner === 'string' && NAMES_ID.test(name) && IS_ID.test(inner)) yield [name, inner];
    else if (!isInner && !Array.isArray(inner)) yield* told(inner, true);
  }
}
