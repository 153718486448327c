import { isSecretName, placeholder, withoutSecrets } from './secrets.ts';

/** Characters of one text in a body that are kept. */
const MAX_TEXT = 2_000;
/** Deeper than any valid request. */
const MAX_DEPTH = 64;
const CUT = '…';

/** Valid JSON text; with `isCut`, of the beginning only. */
export interface RedactedJson {
  readonly text: string;
  readonly isCut: boolean;
}

/** Where a value is: below `headers` every text is a secret. */
interface Place {
  readonly name: string;
  readonly depth: number;
  readonly isSecret: boolean;
}

/**
 * The JSON text of a value, with a placeholder in place of each secret, up to about `limit` characters. A cut text ends
 * between values or words, so that no part of a number or secret is left at its end.
 */
export function redactedJson(value: unknown, limit: number): RedactedJson {
  const writer = new Writer(limit);
  writer.write(value, { name: '', depth: 0, isSecret: false });
  return { text: writer.text, isCut: writer.isCut };
}

class Writer {
  readonly #limit: number;
  text = '';
  isCut = false;
  /** A value did not fit: only brackets follow. */
  #isFull = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  write(value: unknown, place: Place): void {
    if (typeof value === 'string') this.#put(JSON.stringify(this.#textOf(value, place)));
    else if (typeof value !== 'object' || value === null) this.#put(scalar(value, place));
    else if (place.depth >= MAX_DEPTH) this.#cutAt(JSON.stringify(CUT));
    else if (Array.isArray(value)) this.#list(value, place);
    else this.#record(value, place);
  }

  #list(items: readonly unknown[], place: Place): void {
    if (!this.#put('[')) return;
    const inner = { ...place, depth: place.depth + 1 };
    for (const [index, item] of items.entries()) {
      if (this.#isFull) break;
      this.#attempt(index > 0, '', item, inner);
    }
    this.text += ']';
  }

  #record(value: object, place: Place): void {
    if (!this.#put('{')) return;
    const named = nameAndValue(value);
    let isFirst = true;
    // Keys alone: a body of 1 MB has tens of thousands, of which the first are kept.
    for (const key of Object.keys(value)) {
      if (this.#isFull) break;
      const inner: unknown = value[key as keyof typeof value];
      const isSecret =
        place.isSecret || isSecretName(key) || key === 'headers' || (key === 'value' && named !== null);
      const name = key === 'value' && named !== null ? named : key;
      const shownKey = withoutSecrets(key.length > MAX_TEXT ? beginning(key) : key);
      const next = { name, depth: place.depth + 1, isSecret };
      this.#attempt(!isFirst, `${JSON.stringify(shownKey)}:`, inner, next);
      isFirst = false;
    }
    this.text += '}';
  }

  /** Writes an item, or nothing of it where its beginning does not fit. */
  #attempt(hasBefore: boolean, key: string, value: unknown, place: Place): void {
    const before = this.text;
    this.text += `${hasBefore ? ',' : ''}${key}`;
    const begun = this.text.length;
    this.write(value, place);
    if (this.text.length === begun) this.text = before;
  }

  /** False where the text does not fit. */
  #put(text: string): boolean {
    const fits = this.text.length + text.length <= this.#limit;
    if (fits) {
      this.text += text;
      return true;
    }
    this.#isFull = true;
    this.isCut = true;
    return false;
  }

  #cutAt(text: string): void {
    this.isCut = true;
    this.#put(text);
  }

  #textOf(value: string, place: Place): string {
    if (place.isSecret) return value === '' ? '' : placeholder(place.name);
    if (value.length > MAX_TEXT) {
      this.isCut = true;
      return withoutSecrets(beginning(value));
    }
    const nested = place.depth < MAX_DEPTH ? parsedObject(value) : null;
    if (nested === null) return withoutSecrets(value);
    const { text, isCut } = redactedJson(nested, MAX_TEXT * 2);
    this.isCut ||= isCut;
    // Unchanged, it keeps its own spaces.
    return text === JSON.stringify(nested) ? value : text;
  }
}

/** A number may be a secret too, such as a PIN, but none of a plural name such as `max_tokens`. */
const scalar = (value: unknown, { name, isSecret }: Place): string =>
  isSecret && typeof value === 'number'
    ? JSON.stringify(placeholder(name))
    : (JSON.stringify(value) ?? 'null');

/** The secret's name of a pair such as {name: "Authorization", value: "…"}; null for other objects. */
function nameAndValue(value: object): string | null {
  const { name, key, header } = value as Readonly<Record<string, unknown>>;
  const given = [name, key, header].find((each) => typeof each === 'string');
  return typeof given === 'string' && isSecretName(given) ? given : null;
}

/** Parses a text that is a JSON object or list, because its fields may be secret; null for other texts. */
function parsedObject(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

const IS_SPACE = /\s/;
/** Characters of numbers and of what separates their digits. */
const IS_NUMERIC = /[\p{N}\p{P}\p{S}\s]/u;

/** The beginning of a long text, up to a whole word that is no part of a number. */
function beginning(text: string): string {
  let end = MAX_TEXT;
  while (end > 0 && !IS_SPACE.test(text[end] ?? ' ')) end -= 1;
  while (end > 0 && IS_NUMERIC.test(text[end - 1] ?? '')) end -= 1;
  return `${text.slice(0, end)}${CUT}`;
}
