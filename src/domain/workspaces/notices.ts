import { declaredSettings } from '../../store/json/workspace-settings.ts';
import { insertJob } from '../../store/jobs.ts';
import { readSettings } from '../../store/tenants/settings.ts';
import type { Db, Tx } from '../../store/database.ts';

/** Job that mails a notice to the addresses of the workspace. */
export const NOTICE_JOB = 'mail.notice';

export interface Notice {
  readonly subject: string;
  readonly text: string;
  /** The page of the dashboard that shows more. */
  readonly path: string;
}

/** Queues a notice, in the transaction of what it tells of; `key`: once for each. Without addresses there is nothing to send. */
export async function queueNotice(
  tx: Tx,
  workspaceId: string,
  key: string,
  notice: Notice,
  at: Date,
): Promise<void> {
  if ((await noticeAddresses(tx, workspaceId)).length === 0) return;
  await insertJob(tx, { workspaceId, kind: NOTICE_JOB, dedup: key, payload: { ...notice } }, at);
}

/** The addresses that the workspace wants its notices at now. */
export async function noticeAddresses(db: Db, workspaceId: string): Promise<readonly string[]> {
  return declaredSettings(await readSettings(db, workspaceId)).noticeAddresses;
}
