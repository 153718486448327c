import { callLevelDocument, type CallLevelConfig } from '../json/call-config.ts';
import type { ImportReport } from '../json/contact-import.ts';
import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';
import type { JsonObject } from '../schema.ts';
import { deletePieces } from './upload-pieces.ts';

export interface UploadRef {
  readonly workspaceId: string;
  readonly uploadId: string;
}

export type UploadFlow = 'save' | 'upload';

/** Creates an upload in state `receiving`. */
export async function insertUpload(db: Db, ref: UploadRef, flow: UploadFlow, at: Date): Promise<void> {
  await db
    .insertInto('campaign_uploads')
    .values({
      workspace_id: ref.workspaceId,
      id: ref.uploadId,
      flow,
      state: 'receiving',
      beat_at: at,
      created_at: at,
    })
    .execute();
}

/** Stores how many bytes of the file have arrived; returns how many the other unread lists of the workspace hold. */
export async function holdBytes(db: Db, ref: UploadRef, bytes: number): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    with own as (
      update campaign_uploads set file_bytes = ${bytes}
      where workspace_id = ${ref.workspaceId} and id = ${ref.uploadId} and state = 'receiving')
    select coalesce(sum(file_bytes), 0)::float8 as others from campaign_uploads
    where workspace_id = ${ref.workspaceId} and id <> ${ref.uploadId} and state in ('receiving', 'received')`.execute(
    db,
  );
  return rows[0]?.others ?? 0;
}

/** Marks the file as received and stores how to read it. False if the upload was abandoned. */
export async function closeUpload(
  db: Db,
  ref: UploadRef,
  file: { plan: object; bytes: number },
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('campaign_uploads')
    .set({ state: 'received', plan: JSON.stringify(file.plan), file_bytes: file.bytes, beat_at: at })
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.uploadId)
    .where('state', '=', 'receiving')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Writes an upload's progress and heartbeat. */
export async function beatUpload(
  db: Db,
  ref: UploadRef,
  progress: { readBytes: number; rows: number },
  at: Date,
): Promise<void> {
  await db
    .updateTable('campaign_uploads')
    .set({ beat_at: at, read_bytes: progress.readBytes })
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.uploadId)
    .where('state', 'in', ['receiving', 'received'])
    .execute();
  if (progress.rows === 0) return;
  await db
    .updateTable('campaigns')
    .set({ processed_rows: progress.rows })
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.uploadId)
    .where('state', '=', 'verifying')
    .execute();
}

/** Deletes an upload unless it belongs to a campaign, whose job will import it. */
export async function deleteUpload(db: Db, ref: UploadRef): Promise<void> {
  await db
    .deleteFrom('campaign_uploads as u')
    .where('u.workspace_id', '=', ref.workspaceId)
    .where('u.id', '=', ref.uploadId)
    .where('u.state', 'in', ['receiving', 'received'])
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('campaigns as c')
            .select('c.id')
            .whereRef('c.workspace_id', '=', 'u.workspace_id')
            .whereRef('c.id', '=', 'u.id'),
        ),
      ),
    )
    .execute();
}

/**
 * Deletes uploads without a heartbeat since `before`: incomplete files, and lists of `save` whose request died before
 * it was answered. Lists of `upload` are already answered and wait for their job.
 */
export async function deleteAbandonedUploads(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('campaign_uploads')
    .where('beat_at', '<', before)
    .where((e) =>
      e.or([e('state', '=', 'receiving'), e.and([e('state', '=', 'received'), e('flow', '=', 'save')])]),
    )
    .execute();
}

/** Deletes the refused rows of lists that never became campaigns. */
export async function deleteRefusedUploads(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('campaign_uploads')
    .where('beat_at', '<', before)
    .where('flow', '=', 'save')
    .where('state', '=', 'failed')
    .execute();
}

export interface NewCampaign {
  readonly agentId: string;
  readonly name: string;
  readonly callConfig: CallLevelConfig | null;
  readonly variablesMap: Readonly<Record<string, string>>;
  readonly countryCode: string | null;
  readonly removeInvalidRows: boolean;
  /** The message of a campaign that sends messages. */
  readonly template: object | null;
  readonly startAt: Date | null;
  readonly endAt: Date | null;
}

/** Creates the campaign of an upload: `verifying` before its list is imported, `draft` after. */
export async function insertCampaign(
  tx: Db,
  ref: UploadRef,
  campaign: NewCampaign,
  state: 'verifying' | 'draft',
  at: Date,
): Promise<void> {
  await tx
    .insertInto('campaigns')
    .values({
      workspace_id: ref.workspaceId,
      id: ref.uploadId,
      agent_id: campaign.agentId,
      name: campaign.name,
      state,
      call_config: campaign.callConfig === null ? null : callLevelDocument.text(campaign.callConfig),
      variables_map: JSON.stringify(campaign.variablesMap),
      country_code: campaign.countryCode,
      remove_invalid_rows: campaign.removeInvalidRows,
      template: campaign.template === null ? null : JSON.stringify(campaign.template),
      start_at: campaign.startAt,
      end_at: campaign.endAt,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

export interface UploadRow {
  flow: UploadFlow;
  state: 'receiving' | 'received' | 'completed' | 'failed';
  plan: JsonObject | null;
  fileBytes: number;
  readBytes: number;
  report: ImportReport | null;
  hasRejects: boolean;
  beatAt: Date;
}

export function findUpload(db: Db, ref: UploadRef): Promise<UploadRow | undefined> {
  return db
    .selectFrom('campaign_uploads')
    .select([
      'flow',
      'state',
      'plan',
      'file_bytes as fileBytes',
      'read_bytes as readBytes',
      'report',
      'has_rejects as hasRejects',
      'beat_at as beatAt',
    ])
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.uploadId)
    .executeTakeFirst();
}

/** An upload with its campaign in one snapshot; undefined if the workspace has no such campaign. */
export function findUploadOfCampaign(db: Db, ref: UploadRef) {
  return db
    .selectFrom('campaigns as c')
    .innerJoin('campaign_uploads as u', (join) =>
      join.onRef('u.workspace_id', '=', 'c.workspace_id').onRef('u.id', '=', 'c.id'),
    )
    .select([
      'c.name',
      'c.message',
      'c.state as campaignState',
      'c.total_rows as totalRows',
      'c.processed_rows as processedRows',
      'c.successful_rows as successfulRows',
      'c.failed_rows as failedRows',
      'u.state',
      'u.file_bytes as fileBytes',
      'u.read_bytes as readBytes',
      'u.report',
      'u.has_rejects as hasRejects',
    ])
    .where('c.workspace_id', '=', ref.workspaceId)
    .where('c.id', '=', ref.uploadId)
    .executeTakeFirst();
}

/** Fails an upload and its campaign because the list cannot be read. No effect on an imported one. */
export async function failUpload(tx: Tx, ref: UploadRef, message: string, at: Date): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('campaign_uploads')
    .set({ state: 'failed' })
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.uploadId)
    .where('state', '=', 'received')
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await deletePieces(tx, ref, 'file');
  await tx
    .updateTable('campaigns')
    .set({ state: 'failed', message, updated_at: at, ended_at: at })
    .where('workspace_id', '=', ref.workspaceId)
    .where('id', '=', ref.uploadId)
    .where('state', '=', 'verifying')
    .execute();
}

/** Whether all caller numbers of a workspace are on the built-in test carrier. */
export async function callsTestCarrierOnly(db: Db, workspaceId: string): Promise<boolean> {
  const { rows } = await sql<{ only: boolean | null }>`
    select bool_and(t.settings ->> 'kind' = 'test') as only
    from numbers n join trunks t on t.id = n.trunk_id
    where n.workspace_id = ${workspaceId} and not n.is_test_number`.execute(db);
  return rows[0]?.only === true;
}

/** The workspace's caller numbers, at most 200 of them. */
export async function callerNumbersOf(db: Db, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select number from numbers where workspace_id = ${workspaceId} and not is_test_number
    order by created_at, id limit 200`.execute(db);
  return rows.map(({ number }) => number);
}
