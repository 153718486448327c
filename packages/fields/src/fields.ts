/** A vendor's JSON object, read without trust: a missing or wrong field has its type's empty value. */
export class Fields {
  readonly #value: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.#value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  }

  /** Throws on anything but a JSON object. */
  static parse(text: string): Fields {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) throw new Error('not a JSON object');
    return new Fields(value);
  }

  text(name: string): string {
    const value = this.#value[name];
    return typeof value === 'string' ? value : '';
  }

  number(name: string): number | null {
    const value = this.#value[name];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  }

  /** Seconds as milliseconds. */
  seconds(name: string): number | null {
    const value = this.number(name);
    return value === null ? null : Math.round(value * 1000);
  }

  flag(name: string): boolean {
    return this.#value[name] === true;
  }

  has(name: string): boolean {
    return this.#value[name] != null;
  }

  /** An object as it is; empty: it is none. */
  record(name: string): Record<string, unknown> {
    const value = this.#value[name];
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
  }

  of(name: string): Fields {
    return new Fields(this.#value[name]);
  }

  list(name: string): Fields[] {
    const value = this.#value[name];
    return Array.isArray(value) ? value.map((item) => new Fields(item)) : [];
  }

  numbers(name: string): number[] {
    const value = this.#value[name];
    return Array.isArray(value)
      ? value.filter((item) => typeof item === 'number' && Number.isFinite(item))
      : [];
  }

  texts(name: string): string[] {
    const value = this.#value[name];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }
}
