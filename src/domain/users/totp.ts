import { createHmac, timingSafeEqual } from 'node:crypto';

const STEP_MS = 30_000;
/** Codes of the steps before and after the current one are accepted: clocks of phones differ. */
const DRIFT = [0, -1, 1];
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The 6-digit code of a time step (RFC 6238 with SHA-1, which every authenticator app supports). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

/** The time step whose code was entered; null: the code is wrong. */
export function matchingStep(secret: string, code: string, now: number): number | null {
  const entered = Buffer.from(code);
  const step = Math.floor(now / STEP_MS);
  for (const drift of DRIFT) {
    const expected = Buffer.from(totpCode(secret, step + drift));
    if (entered.length === expected.length && timingSafeEqual(entered, expected)) return step + drift;
  }
  return null;
}

export function toBase32(bytes: Uint8Array): string {
  let bits = 0;
  let held = 0;
  let out = '';
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) out += BASE32[(held >>> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? out : out + BASE32[(held << (5 - bits)) & 31];
}

function fromBase32(text: string): Buffer {
  let bits = 0;
  let held = 0;
  const bytes: number[] = [];
  for (const letter of text) {
    held = (held << 5) | BASE32.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >>> bits) & 0xff);
    held &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}

/** What an authenticator app reads from a QR code or a link. */
export const otpauthUrl = (email: string, secret: string): string =>
  `otpauth://totp/Callwright:${encodeURIComponent(email)}?secret=${secret}&issuer=Callwright`;
