import type { DialOrder } from '../../shared/carrier-documents.ts';
import type { Seal } from '../../shared/seal.ts';

/** A transfer as part of an address, which only this installation can read or make. */
export const sealOrder = (seal: Seal, { target, callerId, ringSeconds }: DialOrder): string =>
  Buffer.from(seal.seal(JSON.stringify([PURPOSE, target, callerId, ringSeconds])), 'utf8').toString(
    'base64url',
  );

/** Other sealed values are no transfers. */
const PURPOSE = 'transfer';

/** Null: this installation did not seal it, or not as a transfer. */
export function openOrder(seal: Seal, sealed: string): DialOrder | null {
  const text = seal.open(Buffer.from(sealed, 'base64url').toString('utf8'));
  if (text === null || !text.startsWith(`["${PURPOSE}",`)) return null;
  const [, target, callerId, ringSeconds] = JSON.parse(text) as [string, string, string, number];
  return { target, callerId, ringSeconds };
}
