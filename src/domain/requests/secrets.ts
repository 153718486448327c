/** Names whose values are secrets: of fields, headers and query parameters. `max_tokens` is a count. */
const SECRET_NAME =
  /auth(?!ors?(?:$|[-_]))|token(?!s$)|secret|passw|passphrase|passcode|cookie|signature|credential|apikey|(?:^|[-_.])key(?:$|[-_.])|accesskey|privatekey|^(?:pin|otp|cvv|cvc|pwd|ssn)$/i;
/** Fields of this API whose names only look like those of secrets. */
const PUBLIC = new Set(['goal_key', 'webcall_public_key']);

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name) && !PUBLIC.has(name);

/** What stands in place of a secret; a request that is copied from the log says so what to fill in. */
export const placeholder = (name: string): string => `<${name.slice(0, 100)}>`;

/** User and password of an address. */
const CREDENTIALS = /:\/\/[^/?#\s"@]+@/g;
const PARAMETER = /([?&])([^=&#?\s]*)=([^&#\s"]*)/g;
const SCHEME = /\b(Bearer|Basic) ([^\s"]{8,})/gi;
/** Words such as "basic information" are no credentials. */
const IS_ENCODED = /[\d=_]/;
/** Keys of this service, of its webhooks and of vendors that mark theirs. */
const MARKED_KEY = /\b(?:cw_live_|whsec_|sk-|sk_|pk_|xox[abp]-|ghp_)[\w+/=-]{8,}/g;

const nameOf = (encoded: string): string => {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
};

/** A text without the secrets that addresses, authentication schemes and marked keys show. */
export function withoutSecrets(text: string): string {
  let left = text;
  if (left.includes('://')) left = left.replace(CREDENTIALS, '://<credentials>@');
  if (left.includes('=')) {
    left = left.replace(PARAMETER, (whole, mark: string, encoded: string) => {
      const name = nameOf(encoded);
      return isSecretName(name) ? `${mark}${encoded}=${placeholder(name)}` : whole;
    });
  }
  return left
    .replace(SCHEME, (whole, scheme: string, value: string) =>
      IS_ENCODED.test(value) ? `${scheme} <credentials>` : whole,
    )
    .replace(MARKED_KEY, '<key>');
}
