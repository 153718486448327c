import { t } from '../words/words.ts';
const BY_CODE: Readonly<Record<string, string>> = {
  ROLE_TOO_LOW: 'Ask an owner of the workspace for this role.',
  NOT_A_MEMBER: 'Ask an owner of the workspace for an invitation.',
  LINK_INVALID: 'Ask the person who sent it for a new one.',
};

/** What a reader can do after a failure, by its HTTP status and code; null: its message says it already. */
export function adviceFor(status: number, code: string): string | null {
  if (BY_CODE[code] !== undefined) return t(BY_CODE[code]);
  if (status === 404)
    return t('It may have been deleted, or belong to another workspace. Go back to the list.');
  if (status === 413) return t('Send less at once, such as a smaller file.');
  if (status === 429) return t('Wait a minute, then try again.');
  if (status >= 500) {
    return t(
      'Try again. If it fails again, give the request id to the operator: the log of the service has the cause.',
    );
  }
  return null;
}
