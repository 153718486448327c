import { expect } from 'vitest';
import { IMPORT_JOB } from '../../../src/domain/campaigns/import/take-upload.ts';
import { ContactImporter } from '../../../src/jobs/import/contact-importer.ts';
import { importList } from '../../../src/jobs/import/import-list.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { Db } from '../../../src/store/database.ts';
import type { Answer } from '../api/api.ts';
import { uploadList, type ListForm } from './contact-list.ts';
import { createReader, type Reader } from '../api/read-api.ts';

const callsOf = (db: Db, campaignId: unknown) =>
  db
    .selectFrom('calls')
    .selectAll()
    .where('campaign_id', '=', String(campaignId))
    .orderBy('contact_row')
    .execute();
const campaignOf = (db: Db, campaignId: unknown) =>
  db.selectFrom('campaigns').selectAll().where('id', '=', String(campaignId)).executeTakeFirstOrThrow();
const leftovers = async (db: Db) => ({
  campaigns: (await db.selectFrom('campaigns').select('id').execute()).length,
  calls: (await db.selectFrom('calls').select('id').execute()).length,
  // Refused lists leave their invalid rows.
  uploads: (
    await db
      .selectFrom('campaign_uploads')
      .select('id')
      .where((e) => e.or([e('flow', '!=', 'save'), e('state', '!=', 'failed')]))
      .execute()
  ).length,
  pieces: (await db.selectFrom('campaign_upload_pieces').select('seq').where('kind', '=', 'file').execute())
    .length,
});

/** A workspace with an agent, the upload API and a job runner that imports lists. */
export interface ListDesk extends Pick<Reader, 'api' | 'tenant' | 'agentId' | 'versionId'> {
  readonly runner: JobRunner;
  send(flow: 'save' | 'upload-csv', form: ListForm, key?: string | null): Promise<Answer>;
  save(form: ListForm, key?: string): Promise<Answer>;
  callsOf(campaignId: unknown): ReturnType<typeof callsOf>;
  campaignOf(campaignId: unknown): ReturnType<typeof campaignOf>;
  /** Counts what uploads create. */
  leftovers(): ReturnType<typeof leftovers>;
  status(campaignId: unknown, key?: string | null): Promise<Answer>;
  /** Waits for the import and returns its status. */
  over(campaignId: unknown): Promise<Record<string, any>>;
  close(): Promise<void>;
}

/** Starts an API with a workspace and a running importer. */
export async function openListDesk(): Promise<ListDesk> {
  const { api, tenant, agentId, versionId } = await createReader();
  const importer = new ContactImporter({ db: api.db, url: api.url, clock: api.clock, log: silentLog });
  const runner = new JobRunner({
    db: api.db,
    clock: api.clock,
    log: silentLog,
    kind: IMPORT_JOB,
    handler: importList({ db: api.db, clock: api.clock, importer }),
    parts: 1,
    pollMs: 20,
  });
  runner.start();
  const desk: ListDesk = {
    api,
    tenant,
    agentId,
    versionId,
    runner,
    send: (flow, form, key = tenant.key) =>
      uploadList(api, flow, key, { ...form, fields: { agent_id: agentId, ...form.fields } }),
    save: (form, key) => desk.send('save', form, key),
    callsOf: (campaignId) => callsOf(api.db, campaignId),
    campaignOf: (campaignId) => campaignOf(api.db, campaignId),
    leftovers: () => leftovers(api.db),
    status: (campaignId, key = tenant.key) =>
      api.request('GET', `/api/v0/campaign/upload-status/${String(campaignId)}`, { key }),
    async over(campaignId) {
      for (;;) {
        const { body } = await desk.status(campaignId);
        if (body['status'] !== 'verifying') return body;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async close() {
      await runner.stop();
      await importer.close();
      await api.close();
    },
  };
  return desk;
}

/** A list with only the required columns. */
export const csv = (...rows: string[]): string => ['Mobile Number,callee_name', ...rows, ''].join('\n');

/** The body of a response that must be successful. */
export const ok = (answer: Answer): Record<string, any> => {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.body;
};

/** Expects an error with this status whose message contains these words. */
export function refused(answer: Answer, code: number, words: string): void {
  expect([answer.status, answer.text]).toEqual([code, expect.stringContaining(words)]);
}
