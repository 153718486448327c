import { HIDDEN_KEYS, hiddenEntry } from '@callwright/turns';

/** Shorter entries are not searched for in answers: they occur by chance. */
const SHORTEST = 3;
/** Longer ones are also found inside other digits. */
const DISTINCT = 6;
const DIGIT = /^\d$/;

/** The sensitive keys of a call. They leave it only as arguments of tools that are marked to take them. */
export class HiddenKeys {
  readonly #entries = new Map<number, string>();

  set(entry: number, digits: string): void {
    this.#entries.set(entry, digits);
  }

  /** The arguments with the keys in place of their markers, in `sensitive` parameters only. */
  reveal(args: Record<string, unknown>, sensitive: readonly string[]): Record<string, unknown> {
    if (sensitive.length === 0) return args;
    return Object.fromEntries(
      Object.entries(args).map(([name, value]) => [
        name,
        sensitive.includes(name) && typeof value === 'string' ? this.#digitsOf(value) : value,
      ]),
    );
  }

  /** A tool's answer with the keys that it repeats hidden again. */
  redact<T>(value: T): T {
    return this.#entries.size === 0 ? value : (this.#redacted(value) as T);
  }

  #digitsOf(text: string): string {
    const entry = hiddenEntry(text);
    if (entry === null) return text;
    const digits = entry === 0 ? [...this.#entries.values()].at(-1) : this.#entries.get(entry);
    return digits ?? '';
  }

  #redacted(value: unknown): unknown {
    if (typeof value === 'string') return this.#redactedText(value);
    if (typeof value === 'number') {
      const text = String(value);
      const redacted = this.#redactedText(text);
      return redacted === text ? value : redacted;
    }
    if (Array.isArray(value)) return value.map((item) => this.#redacted(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [this.#redactedText(key), this.#redacted(item)]),
    );
  }

  #redactedText(text: string): string {
    let redacted = text;
    for (const digits of this.#entries.values()) {
      if (digits.length >= SHORTEST) redacted = without(redacted, digits);
    }
    return redacted;
  }
}

function without(text: string, digits: string): string {
  let out = '';
  let from = 0;
  for (let at = text.indexOf(digits); at !== -1; at = text.indexOf(digits, at + 1)) {
    if (at < from) continue;
    const end = at + digits.length;
    const isInside = DIGIT.test(text[at - 1] ?? '') || DIGIT.test(text[end] ?? '');
    if (isInside && digits.length < DISTINCT) continue;
    out += text.slice(from, at) + HIDDEN_KEYS;
    from = end;
  }
  return out + text.slice(from);
}
