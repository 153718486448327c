import { createHash, randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** A new UUID v7: unique and ordered by creation time. */
export const newId = (): string => v7();

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `length` characters of base 62 from the system's secure random source, without modulo bias. */
export function randomToken(length: number): string {
  let out = '';
  while (out.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && out.length < length) out += BASE62[byte % 62];
    }
  }
  return out;
}

/** A number from 0 in base 62, with leading zeros up to `length` characters. */
export function base62(value: number, length: number): string {
  let out = '';
  for (let left = value; left > 0; left = Math.floor(left / 62)) out = `${BASE62[left % 62]}${out}`;
  return out.padStart(length, '0');
}

/** SHA-256 in hex: how API keys and tokens are stored. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
