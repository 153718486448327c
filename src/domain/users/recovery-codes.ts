import { randomBytes } from 'node:crypto';
import { hashRecoveryCode } from './passwords.ts';
import { toBase32 } from './totp.ts';

const CODES = 10;
/** 80 bits: nobody finds a code by trying, so the hash may be cheaper than that of a password. */
const CODE_BYTES = 10;
const SALT_BYTES = 16;
const COST = { memoryCost: 4096, timeCost: 3 } as const;

/** Codes as they are shown once, and as they are stored. The codes of one user share a salt, so that one hash finds a code. */
export async function newRecoveryCodes(): Promise<{ codes: string[]; stored: string[] }> {
  const salt = randomBytes(SALT_BYTES);
  const codes = Array.from({ length: CODES }, () => toBase32(randomBytes(CODE_BYTES)).toLowerCase());
  const stored: string[] = [];
  for (const code of codes) stored.push(await storedForm(code, salt));
  return { codes, stored };
}

/** The stored form of an entered code; null: the user has none left. */
export async function recoveryHash(stored: readonly string[], entered: string): Promise<string | null> {
  const [salt] = stored[0]?.split('.', 1) ?? [];
  if (salt === undefined) return null;
  return storedForm(entered.replaceAll(/[\s-]/g, '').toLowerCase(), Buffer.from(salt, 'base64url'));
}

const storedForm = async (code: string, salt: Buffer): Promise<string> =>
  `${salt.toString('base64url')}.${await hashRecoveryCode(code, salt, COST)}`;
