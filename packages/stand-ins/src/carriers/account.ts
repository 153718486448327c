import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import type { FakeCarrierKind } from './wires.ts';

/** An account at the stand-in of a carrier. */
export interface FakeCarrierAccount {
  readonly kind: FakeCarrierKind;
  readonly account: string;
  /** The user of the API, where it is not the account. */
  readonly user: string | null;
  /** The auth token, or of Vonage the private key of the application. */
  readonly secret: string;
  /** With what the carrier proves its requests; as the trunk has it. */
  readonly signingKey: string | null;
  readonly application: string | null;
}

/** The settings of a trunk for the account. */
export interface FakeTrunkSettings {
  /** Kind of the trunk; absent: that of the stand-in. */
  readonly kind?: 'asterisk';
  readonly username?: string;
  readonly auth_username?: string;
  readonly password: string;
  readonly signing_key?: string;
  readonly application?: string;
}

/** PKCS #8 of Ed25519 (RFC 8410) before the 32 bytes of the seed. */
const SEED_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key pair of Telnyx of this account, always the same. */
export const telnyxKey = (secret: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([SEED_PREFIX, createHash('sha256').update(secret).digest()]),
    format: 'der',
    type: 'pkcs8',
  });

const BY_TOKEN: ReadonlySet<FakeCarrierKind> = new Set(['twilio', 'plivo', 'vobiz']);
const WITH_USER: ReadonlySet<FakeCarrierKind> = new Set(['exotel', 'bandwidth']);
const WITH_APPLICATION: ReadonlySet<FakeCarrierKind> = new Set([
  'telnyx',
  'vonage',
  'smartflo',
  'acefone',
  'bandwidth',
]);

/** An account of the kind; `secret` is that of Vonage when absent: a private key of this call. */
export function fakeCarrierAccount(
  kind: FakeCarrierKind,
  { account = `account-of-${kind}`, secret = secretOf(kind) } = {},
): FakeCarrierAccount {
  return {
    kind,
    account,
    user: WITH_USER.has(kind) ? `user-of-${kind}` : null,
    secret,
    signingKey: BY_TOKEN.has(kind)
      ? null
      : kind === 'telnyx'
        ? publicKeyOf(secret)
        : `signing-key-of-${kind}`,
    application: WITH_APPLICATION.has(kind) ? `application-of-${kind}` : null,
  };
}

/** What the trunk of the account is set up with. */
export const fakeTrunkSettings = (account: FakeCarrierAccount): FakeTrunkSettings => ({
  ...(account.kind === 'audiosocket' ? { kind: 'asterisk' as const } : {}),
  username: account.account,
  ...(account.user === null ? {} : { auth_username: account.user }),
  password: account.secret,
  ...(account.signingKey === null ? {} : { signing_key: account.signingKey }),
  ...(account.application === null ? {} : { application: account.application }),
});

const publicKeyOf = (secret: string): string =>
  createPublicKey(telnyxKey(secret)).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');

const secretOf = (kind: FakeCarrierKind): string =>
  kind === 'vonage'
    ? generateKeyPairSync('rsa', { modulusLength: 2_048 })
        .privateKey.export({ format: 'pem', type: 'pkcs8' })
        .toString()
    : `token-of-${kind}`;
