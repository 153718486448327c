import type { Tx } from '../../store/database.ts';
import { closeRequestsUntil, deleteRequests, type RequestTexts } from '../../store/requests/requests.ts';
import { numberMentions } from './mentions-number.ts';

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** A number of a call that was erased before is masked. */
const isWhole = (number: string): boolean => /\d{5}/.test(number) && !number.includes('*');

/**
 * Deletes logged API requests that arrived up to `at` and name one of these numbers, calls or chats. Requests that were
 * cut are deleted too: what is missing may have named them.
 */
export async function eraseRequests(
  tx: Tx,
  workspaceId: string,
  who: { readonly numbers: readonly string[]; readonly ids: readonly string[] },
  at: Date,
): Promise<void> {
  const requests = await closeRequestsUntil(tx, workspaceId, at);
  if (requests.length === 0) return;
  const names = requestNames(who);
  const found = requests.filter((request) => request.isCut || names(request)).map(({ id }) => id);
  if (found.length > 0) await deleteRequests(tx, workspaceId, found);
}

/** Returns a predicate for logged requests that name one of these numbers, in any spelling, or of these calls or chats. */
export function requestNames(who: {
  readonly numbers: readonly string[];
  readonly ids: readonly string[];
}): (request: Pick<RequestTexts, 'path' | 'body' | 'response'>) => boolean {
  const hasNumber = numberMentions(
    who.numbers.filter(isWhole).map((number) => `+${number.replaceAll(/\D/g, '')}`),
  );
  const ids = new Set(who.ids);
  return ({ path, body, response }) =>
    [path, decoded(path), body ?? '', response ?? ''].some(
      (text) => hasNumber(text) || (text.match(ID) ?? []).some((id) => ids.has(id.toLowerCase())),
    );
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
