import { ADDRESS_PURPOSES, type AddressPurpose } from './address-rules.ts';

/** One entry of SAFE_FETCH_ALLOW, in lower case. */
export interface AllowEntry {
  readonly purpose: AddressPurpose;
  /** The only workspace that may use the entry; null: all may. */
  readonly workspaceId: string | null;
  /** Host, address or range, with a port if it has one. */
  readonly entry: string;
}

const BEFORE = new RegExp(`^(${ADDRESS_PURPOSES.join('|')})(?:@([^=]*))?=`);

/** `tools@<id of a workspace>=host:port` in its parts. Without a purpose an entry is open to models and speech alone. */
export function splitEntry(text: string): AllowEntry {
  const whole = text.trim().toLowerCase();
  const [before = '', purpose, workspaceId] = BEFORE.exec(whole) ?? [];
  return {
    purpose: ADDRESS_PURPOSES.find((one) => one === purpose) ?? 'llm',
    workspaceId: workspaceId ?? null,
    entry: whole.slice(before.length),
  };
}
