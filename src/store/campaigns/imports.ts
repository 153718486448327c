import { once } from 'node:events';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client } from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';
import { insertAudit, type AuditRow } from '../audit.ts';
import type { HeldClaim } from '../idempotency.ts';
import { deletePieces } from './upload-pieces.ts';
import { insertCampaign, type NewCampaign, type UploadRef } from './uploads.ts';
import type { Db } from '../database.ts';
import type { Schema } from '../schema.ts';

/** A contact, to be inserted as a queued call or a waiting message. */
export interface ContactCall {
  readonly id: string;
  readonly row: number;
  readonly number: string;
  readonly name: string;
  readonly args: Readonly<Record<string, string>>;
}

export interface ImportCounts {
  readonly totalRows: number;
  readonly successfulRows: number;
  readonly failedRows: number;
}

/** Another process imports the list, or its upload was abandoned: this process must not write. */
export class ImportNotOurs extends Error {
  override readonly name = 'ImportNotOurs';
}

/** What a contact becomes. */
export interface ImportTarget {
  readonly agentId: string;
  readonly versionId: string;
  /** True: a message that waits; false: a queued call. */
  readonly sendsMessages: boolean;
  readonly at: Date;
}

const STATE_COLUMNS = 'status, sub_status, next_attempt_at, created_at, updated_at';
const CALL_COLUMNS = `calls (workspace_id, campaign_id, agent_id, version_id, call_type, ${STATE_COLUMNS}`;
const MESSAGE_COLUMNS = `campaign_messages (workspace_id, campaign_id, ${STATE_COLUMNS}`;
const CONTACT_COLUMNS = 'id, contact_row, to_number, callee_name, args';
const FLUSH_CHARS = 65_536;
const SPECIAL = /[\\\t\n\r]/;
const escaped = (text: string): string =>
  SPECIAL.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text;

/**
 * The import of one contact list on its own connection. Contacts, campaign and the end of the upload are one
 * transaction, so a process that dies, or one that is fenced and continues, leaves no partial import.
 */
export class ContactImport {
  readonly #client: Client;
  readonly #db: Db;
  readonly #ref: UploadRef;
  readonly #head: string;
  readonly #columns: string;
  #copy: CopyStreamQuery | null = null;
  #copied: Promise<unknown> = Promise.resolve();
  #failure: unknown = null;
  #lines = '';

  private constructor(client: Client, ref: UploadRef, call: ImportTarget) {
    this.#client = client;
    this.#ref = ref;
    this.#db = kyselyOn(client);
    const at = call.at.toISOString();
    const state = `registered\tIN_DB\t${at}\t${at}\t${at}\t`;
    this.#head = call.sendsMessages
      ? `${ref.workspaceId}\t${ref.uploadId}\t${state}`
      : `${ref.workspaceId}\t${ref.uploadId}\t${call.agentId}\t${call.versionId}\toutbound\t${state}`;
    this.#columns = `${call.sendsMessages ? MESSAGE_COLUMNS : CALL_COLUMNS}, ${CONTACT_COLUMNS}`;
  }

  /** Begins the transaction and takes the list's advisory lock. Throws ImportNotOurs if another process holds it. */
  static async begin(url: string, ref: UploadRef, call: ImportTarget): Promise<ContactImport> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      application_name: 'callwright import',
    });
    // A broken connection also rejects the statement in flight.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ locked: boolean }>(
        'select pg_try_advisory_xact_lock(hashtextextended($1, 7203)) as locked',
        [`${ref.workspaceId}:${ref.uploadId}`],
      );
      if (rows[0]?.locked !== true) throw new ImportNotOurs();
      const { rowCount } = await client.query(
        `select from campaign_uploads where workspace_id = $1 and id = $2 and state = 'received'`,
        [ref.workspaceId, ref.uploadId],
      );
      if (rowCount !== 1) throw new ImportNotOurs();
      return new ContactImport(client, ref, call);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Writes a contact; resolves when the COPY stream can take more (backpressure). */
  async write(contact: ContactCall): Promise<void> {
    const { id, row, number, name, args } = contact;
    this.#lines += `${this.#head}${id}\t${row}\t${number}\t${escaped(name)}\t${escaped(JSON.stringify(args))}\n`;
    if (this.#lines.length >= FLUSH_CHARS) await this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#lines;
    this.#lines = '';
    if (this.#failure !== null) throw this.#failure;
    this.#copy ??= this.#open();
    if (!this.#copy.write(text)) await Promise.race([once(this.#copy, 'drain'), this.#copied]);
    if (this.#failure !== null) throw this.#failure;
  }

  #open(): CopyStreamQuery {
    const copy = this.#client.query(copyFrom(`copy ${this.#columns}) from stdin`));
    this.#copied = new Promise<void>((resolve) => {
      copy.once('finish', () => resolve());
      copy.once('error', (error) => {
        this.#failure = error;
        resolve();
      });
    });
    return copy;
  }

  /** Commits the import. Throws ImportNotOurs if the campaign or the upload has changed state since `begin`. */
  async commit(end: {
    counts: ImportCounts;
    report: object;
    hasRejects: boolean;
    /** The campaign to create; null: it exists in state `verifying`. */
    campaign: NewCampaign | null;
    /** The answer to store under the request's idempotency key. */
    answer: { claim: HeldClaim; response: object } | null;
    /** The audit entry of the change. */
    entry: AuditRow | null;
    at: Date;
  }): Promise<void> {
    if (this.#lines !== '') await this.#flush();
    if (this.#copy !== null) {
      this.#copy.end();
      await this.#copied;
      if (this.#failure !== null) throw this.#failure;
      this.#copy = null;
    }
    const { counts, at } = end;
    if (end.campaign !== null) await insertCampaign(this.#db, this.#ref, end.campaign, 'draft', at);
    await this.#finish('completed', end.report, end.hasRejects);
    await this.#count(counts, end.campaign === null ? ['verifying'] : ['draft'], 'draft', null, at);
    if (end.answer !== null) await this.#keepAnswer(end.answer.claim, end.answer.response);
    if (end.entry !== null) await insertAudit(this.#db, [end.entry]);
    await this.#client.query('commit');
  }

  /** Rolls the contacts back and stores why. Without a campaign only the refused rows are kept. */
  async refuse(end: {
    counts: ImportCounts;
    report: object;
    hasRejects: boolean;
    message: string;
    hasCampaign: boolean;
    at: Date;
  }): Promise<void> {
    await this.#undo();
    await this.#client.query('begin');
    if (end.hasCampaign) {
      await this.#finish('failed', end.report, end.hasRejects);
      await this.#count(end.counts, ['verifying'], 'failed', end.message, end.at);
    } else if (end.hasRejects) await this.#finish('failed', end.report, true);
    else {
      await sql`delete from campaign_uploads
        where workspace_id = ${this.#ref.workspaceId} and id = ${this.#ref.uploadId}`.execute(this.#db);
    }
    await this.#client.query('commit');
  }

  /** Aborts the COPY and rolls the transaction back. */
  async #undo(): Promise<void> {
    if (this.#copy !== null) {
      this.#copy.destroy(new Error('refused'));
      await this.#copied;
      this.#copy = null;
      this.#failure = null;
    }
    this.#lines = '';
    await this.#client.query('rollback');
  }

  async #finish(state: 'completed' | 'failed', report: object, hasRejects: boolean): Promise<void> {
    const { workspaceId, uploadId } = this.#ref;
    const { numAffectedRows } = await sql`
      update campaign_uploads set state = ${state}, report = ${JSON.stringify(report)},
        has_rejects = ${hasRejects}, read_bytes = file_bytes
      where workspace_id = ${workspaceId} and id = ${uploadId} and state = 'received'`.execute(this.#db);
    if (numAffectedRows !== 1n) throw new ImportNotOurs();
    await deletePieces(this.#db, this.#ref, 'file');
  }

  async #count(
    counts: ImportCounts,
    from: readonly ('verifying' | 'draft')[],
    state: 'draft' | 'failed',
    message: string | null,
    at: Date,
  ): Promise<void> {
    const { numUpdatedRows } = await this.#db
      .updateTable('campaigns')
      .set({
        state,
        message,
        total_rows: counts.totalRows,
        processed_rows: counts.totalRows,
        successful_rows: counts.successfulRows,
        failed_rows: counts.failedRows,
        updated_at: at,
        ...(state === 'failed' ? { ended_at: at } : {}),
      })
      .where('workspace_id', '=', this.#ref.workspaceId)
      .where('id', '=', this.#ref.uploadId)
      .where('state', 'in', [...from])
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw new ImportNotOurs();
  }

  /** Stores the answer. An expired key may have a second request in progress: the first answer wins. */
  async #keepAnswer(claim: HeldClaim, response: object): Promise<void> {
    const { numUpdatedRows } = await this.#db
      .updateTable('idempotency_keys')
      .set({ status: 200, response: JSON.stringify(response) })
      .where('workspace_id', '=', claim.workspaceId)
      .where('route', '=', claim.route)
      .where('key', '=', claim.key)
      .where('body_hash', '=', claim.bodyHash)
      .where('created_at', '=', claim.claimedAt)
      .where('status', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) throw new ImportNotOurs();
  }

  /** Closes the connection; the server rolls an uncommitted transaction back. */
  async close(): Promise<void> {
    if (this.#copy !== null) this.#copy.destroy(new Error('closed'));
    await this.#client.end().catch(() => undefined);
  }
}

/** A query builder on a connection that is also used directly. */
function kyselyOn(client: Client): Db {
  const connection = { query: client.query.bind(client), release: () => undefined };
  return new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: { connect: () => Promise.resolve(connection as never), end: () => Promise.resolve() } as never,
    }),
  });
}

/** The numbers among these on the workspace's do-not-call list. */
export async function listedAmong(
  db: Db,
  workspaceId: string,
  numbers: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{
    number: string;
  }>`select number from unnest(${[...numbers]}::text[]) as n (number)
    where exists (select from do_not_call d where d.workspace_id = ${workspaceId} and d.number = n.number)
      or is_opted_out(${workspaceId}, n.number)`.execute(db);
  return rows.map((row) => row.number);
}
