/** An address of mail and the name that a reader sees beside it; empty: none. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/i;
const NAMED = /^([^<>"\p{Cc}]{1,100})<([^<>\s]{1,320})>$/u;

/** Whether the text is an address such as ops@example.com: ASCII, without a comment or a line break. */
export const isMailAddress = (text: string): boolean => ADDRESS.test(text);

/** The mailbox in `ops@example.com` or `Name <ops@example.com>`; null: neither. */
export function mailboxOf(text: string): Mailbox | null {
  const [, name = '', address = text] = NAMED.exec(text.trim()) ?? [];
  return isMailAddress(address.trim()) ? { name: name.trim(), address: address.trim() } : null;
}
