import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/** Encrypts secrets that must be read back, such as trunk passwords: AES-256-GCM under SECRET_KEY. */
export interface Seal {
  seal(secret: string): string;
  /** Decrypts; null for text that was not encrypted with this key. */
  open(sealed: string): string | null;
  /** Shows whether two processes have the same key, without revealing it. */
  readonly check: string;
}

/** Begins every sealed text. */
export const SEALED_PREFIX = 'sealed:v1:';
const SEALED = /sealed:v1:[\w-]+/g;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `key` is any high-entropy text; its SHA-256 is the cipher key. */
export function createSeal(key: string): Seal {
  const cipherKey = createHash('sha256').update(key).digest();
  return {
    check: createHmac('sha256', cipherKey).update('callwright secret key check').digest('base64url'),
    seal(secret) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce);
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return SEALED_PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed) {
      if (!sealed.startsWith(SEALED_PREFIX)) return null;
      const bytes = Buffer.from(sealed.slice(SEALED_PREFIX.length), 'base64url');
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      try {
        const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

/** Seals every secret inside `text`, such as a document in JSON, with another key; counts those that `from` cannot open. */
export function resealAll(from: Seal, to: Seal, text: string): { text: string; unreadable: number } {
  let unreadable = 0;
  const changed = text.replaceAll(SEALED, (sealed) => {
    const secret = from.open(sealed);
    if (secret !== null) return to.seal(secret);
    if (to.open(sealed) === null) unreadable += 1;
    return sealed;
  });
  return { text: changed, unreadable };
}

/** The paths of the sealed texts in a document of JSON that the key cannot open, such as `llm.api_key`. */
export function lostPaths(seal: Seal, json: string): readonly string[] {
  const paths: string[] = [];
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') {
      const isLost = value.match(SEALED)?.some((sealed) => seal.open(sealed) === null) ?? false;
      // How a secret is stored says nothing to who enters it again.
      if (isLost) paths.push(path.filter((name) => name !== 'sealed').join('.'));
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) visit(part, [...path, name]);
    }
  };
  visit(JSON.parse(json), []);
  return paths;
}

/** Replaces every sealed text that the key cannot open by what `make` returns, sealed; returns how many there were. */
export function replaceLost(key: Seal, text: string, make: () => string): { text: string; lost: number } {
  let lost = 0;
  const changed = text.replaceAll(SEALED, (sealed) => {
    if (key.open(sealed) !== null) return sealed;
    lost += 1;
    return key.seal(make());
  });
  return { text: changed, lost };
}
