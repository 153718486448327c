import { noticeAddresses } from '../domain/workspaces/notices.ts';
import { sendMail } from '../net/send-mail.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Mailbox } from '../shared/mailbox.ts';
import type { Db } from '../store/database.ts';
import type { DueJob, JobHandler } from './job-runner.ts';

export interface NoticeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** The operator's mail server, with its password, and the sender. */
  readonly mail: { readonly url: string; readonly from: Mailbox };
  readonly publicUrl: () => string;
}

/** Waits after a failed attempt to send a notice. */
export const NOTICE_RETRIES_MS = [30_000, 300_000, 1_800_000];

/** Mails a notice to the addresses that the workspace has now. */
export function sendNotice({ db, clock, log, mail, publicUrl }: NoticeDeps): JobHandler {
  return {
    async run(job) {
      const to = await noticeAddresses(db, job.workspaceId);
      if (to.length === 0) return;
      const { subject, text, path } = noticeOf(job);
      const body = `${text}\n\n${publicUrl()}${path}\n`;
      await sendMail(mail.url, {
        from: mail.from,
        to,
        subject,
        text: body,
        id: job.id,
        at: new Date(clock.now()),
      });
    },
    gaveUp({ id: jobId, workspaceId }) {
      log.warn({ jobId, workspaceId }, 'a notice was not mailed and is dropped');
      return Promise.resolve();
    },
  };
}

const noticeOf = ({ payload }: DueJob) => ({
  subject: String(payload['subject']),
  text: String(payload['text']),
  path: String(payload['path']),
});
