import { type Dialog, dialogKey } from './dialog.ts';
import { splitOutside } from './grammar.ts';
import { headerLines, type SipRequest } from './message.ts';

/** The dialog that an INVITE wants to take over (RFC 3891). */
export interface Replaces {
  /** As `dialogKey` writes it, seen from our side. */
  readonly key: string;
  /** Only a dialog that is not answered yet. */
  readonly isEarlyOnly: boolean;
}

/**
 * The URI for the Refer-To of an attended transfer (RFC 5589 section 7.3): whoever calls it takes this dialog's place at our
 * peer. Null: the dialog is early.
 */
export function replacingUri({
  confirmed,
  remoteTarget,
  callId,
  localTag,
  remoteTag,
}: Dialog): string | null {
  if (!confirmed) return null;
  const value = `${callId};to-tag=${remoteTag};from-tag=${localTag}`;
  return `${remoteTarget}${remoteTarget.includes('?') ? '&' : '?'}Replaces=${encodeURIComponent(value)}`;
}

/** Null: the INVITE has no Replaces; `bad`: more than one, or one that names no dialog. */
export function replacesOf(invite: SipRequest): Replaces | 'bad' | null {
  const lines = headerLines(invite, 'replaces');
  const [line] = lines;
  if (line === undefined) return null;
  const [callId = '', ...params] = (splitOutside(line, ';') ?? []).map((part) => part.trim());
  const read = (name: string): string | undefined =>
    params.find((param) => param.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
  const [toTag, fromTag] = [read('to-tag'), read('from-tag')];
  if (lines.length > 1 || callId === '' || toTag === undefined || fromTag === undefined) return 'bad';
  const isEarlyOnly = params.some((param) => param.toLowerCase() === 'early-only');
  return { key: dialogKey(callId, toTag, fromTag), isEarlyOnly };
}
