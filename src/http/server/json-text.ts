/** A place in a text, counted from 1; `byte` counts from 0. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly byte: number;
}
export interface JsonFault {
  readonly reason: string;
  readonly at: number;
}
/** A key that occurs again in its object; parsers keep the last value. */
export interface DuplicateKey {
  readonly key: string;
  readonly at: number;
}
export interface JsonScan {
  readonly fault: JsonFault | null;
  readonly duplicates: readonly DuplicateKey[];
}

/** Deeper than any valid request; bounds the recursion of every function that walks a body. */
export const MAX_JSON_DEPTH = 64;
const MAX_DUPLICATES = 10;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const LITERALS = ['true', 'false', 'null'] as const;
/** The start of JSON that another program meant: JavaScript, Python. */
const WORD = /[A-Za-z_$][\w$]*/y;

/** The keys of each open object; null: an array. */
type Open = Set<string> | null;
type Expect = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma' | 'end';

class Fault extends Error {
  readonly fault: JsonFault;
  constructor(reason: string, at: number) {
    super(reason);
    this.fault = { reason, at };
  }
}

/**
 * Checks JSON text (RFC 8259) in one pass without recursion: the first fault with its place, and duplicate keys. Refuses
 * what the parser of the service refuses too: keys that reach a prototype, and deep nesting.
 */
export function scanJson(text: string): JsonScan {
  const duplicates: DuplicateKey[] = [];
  try {
    scan(text, duplicates);
    return { fault: null, duplicates };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.fault, duplicates };
    throw error;
  }
}

function scan(text: string, duplicates: DuplicateKey[]): void {
  const open: Open[] = [];
  /** The key whose value `open` at the same depth holds; only `constructor` matters. */
  const keys: string[] = [];
  let expect: Expect = 'value';
  let at = 0;
  const close = (): void => {
    open.pop();
    keys.length = open.length;
    expect = open.length === 0 ? 'end' : 'comma';
    at += 1;
  };
  for (;;) {
    at = afterBlanks(text, at);
    const c = text[at];
    if (c === undefined) {
      if (expect === 'end') return;
      throw new Fault(endsInside(open, expect), at);
    }
    const object = open.at(-1);
    if (expect === 'end') throw new Fault('the text goes on after the JSON value', at);
    if (expect === 'colon') {
      if (c !== ':') throw new Fault(`a colon is expected after the key, not ${shown(text, at)}`, at);
      expect = 'value';
      at += 1;
    } else if (expect === 'comma') {
      if (c === ',') {
        expect = object === null ? 'value' : 'key';
        at += 1;
      } else if (c === (object === null ? ']' : '}')) close();
      else
        throw new Fault(`a comma or ${object === null ? ']' : '}'} is expected, not ${shown(text, at)}`, at);
    } else if (expect === 'key' || expect === 'key or }') {
      if (c === '}' && expect === 'key or }') close();
      else if (c !== '"') throw new Fault(keyExpected(c, text, at), at);
      else {
        const end = afterString(text, at);
        const key = keyIn(text, at, end);
        checkKey(key, keys[open.length - 2], at);
        if (object?.has(key) === true && duplicates.length < MAX_DUPLICATES) duplicates.push({ key, at });
        object?.add(key);
        keys[open.length - 1] = key;
        at = end;
        expect = 'colon';
      }
    } else if (c === ']' && expect === 'value or ]') close();
    else if (c === '{' || c === '[') {
      open.push(c === '{' ? new Set() : null);
      keys[open.length - 1] = '';
      if (open.length > MAX_JSON_DEPTH) {
        throw new Fault(`it nests deeper than ${MAX_JSON_DEPTH} levels`, at);
      }
      expect = c === '{' ? 'key or }' : 'value or ]';
      at += 1;
    } else {
      at = afterScalar(text, at, c);
      expect = open.length === 0 ? 'end' : 'comma';
    }
  }
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return at;
    at += 1;
  }
}

function afterScalar(text: string, at: number, c: string): number {
  if (c === '"') return afterString(text, at);
  const whole = afterWhole(text, at);
  if (whole !== at) return whole;
  const literal = LITERALS.find((word) => text.startsWith(word, at));
  if (literal !== undefined) return at + literal.length;
  NUMBER.lastIndex = at;
  if (NUMBER.test(text)) return NUMBER.lastIndex;
  throw new Fault(
    c === "'" ? 'strings stand in double quotes' : `a value is expected, not ${shown(text, at)}`,
    at,
  );
}

/** The end of a whole number without sign and exponent, the most frequent scalar of long bodies; `from`: another one. */
function afterWhole(text: string, from: number): number {
  let at = from;
  let code = text.charCodeAt(at);
  const isZero = code === 0x30;
  while (code >= 0x30 && code <= 0x39) {
    at += 1;
    code = text.charCodeAt(at);
    if (isZero) break;
  }
  return code === 0x2e || code === 0x45 || code === 0x65 ? from : at;
}

function afterString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === 0x22) return at + 1;
    if (Number.isNaN(c)) throw new Fault('a string has no closing quote', from);
    if (c < 0x20) {
      const code = `\\u${c.toString(16).padStart(4, '0')}`;
      throw new Fault(`a control character in a string must be escaped as ${code}`, at);
    }
    if (c === 0x5c) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) throw new Fault('a backslash begins no valid escape', at);
      at = ESCAPE.lastIndex;
    } else at += 1;
  }
}

function keyIn(text: string, from: number, end: number): string {
  const raw = text.slice(from + 1, end - 1);
  return raw.includes('\\') ? (JSON.parse(text.slice(from, end)) as string) : raw;
}

/** `parent` is the key of the object that holds this key. */
function checkKey(key: string, parent: string | undefined, at: number): void {
  if (key === '__proto__') throw new Fault('the key __proto__ is not allowed', at);
  if (key === 'prototype' && parent === 'constructor') {
    throw new Fault('the key constructor.prototype is not allowed', at);
  }
}

function keyExpected(c: string, text: string, at: number): string {
  if (c === "'") return 'keys stand in double quotes';
  if (c === '}') return 'a comma stands before the closing brace';
  return `a key in double quotes is expected, not ${shown(text, at)}`;
}

const endsInside = (open: readonly Open[], expect: Expect): string =>
  open.length === 0
    ? `the text ends where ${expect === 'value' ? 'a value' : expect} is expected`
    : `the text ends inside ${open.at(-1) === null ? 'an array' : 'an object'}`;

function shown(text: string, at: number): string {
  WORD.lastIndex = at;
  const word = WORD.exec(text)?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
  return JSON.stringify(word.slice(0, 20).toWellFormed());
}

/** Line, column and byte of an offset in the text. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return {
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    byte: Buffer.byteLength(before),
  };
}

export const atPlace = ({ line, column, byte }: Place): string =>
  `line ${line}, column ${column} (byte ${byte})`;

/** The offset of the first byte that is not UTF-8; null if all are. */
export function notUtf8At(bytes: Buffer): number | null {
  const text = bytes.toString('utf8');
  let byte = 0;
  let from = 0;
  for (let at = text.indexOf('\uFFFD'); at !== -1; at = text.indexOf('\uFFFD', from)) {
    byte += Buffer.byteLength(text.slice(from, at));
    // The replacement character itself is valid UTF-8: EF BF BD.
    if (bytes.readUIntBE(byte, Math.min(3, bytes.length - byte)) !== 0xefbfbd) return byte;
    byte += 3;
    from = at + 1;
  }
  return null;
}
