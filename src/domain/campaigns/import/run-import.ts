import { callLevelDocument } from '../../../store/json/call-config.ts';
import { freeBytes } from '../../../shared/free-bytes.ts';
import { newId } from '../../../shared/ids.ts';
import type { AuditRow } from '../../../store/audit.ts';
import { ContactImport, ImportNotOurs, listedAmong } from '../../../store/campaigns/imports.ts';
import { deletePieces, findPiece, insertPiece } from '../../../store/campaigns/upload-pieces.ts';
import { findUpload, type NewCampaign, type UploadRef } from '../../../store/campaigns/uploads.ts';
import type { Db } from '../../../store/database.ts';
import type { HeldClaim } from '../../../store/idempotency.ts';
import type { Contact } from './contact-row.ts';
import { ListRefused, type ImportOutcome, type ImportPlan } from './import-plan.ts';
import { packPiece, unpackPiece } from './piece.ts';
import { readContacts } from './read-contacts.ts';
import { savedAnswer } from '../../../wire/campaigns/list-answers.ts';
import type { FieldProblem } from '../../../errors.ts';

const PIECE_CHARS = 262_144;

export interface ImportTask extends UploadRef {
  /** Epoch ms: `created_at` and due time of the imported calls. */
  readonly at: number;
  /** The request waiting for the result (POST /campaign/save); null when a job imports a list whose campaign exists. */
  readonly request: {
    readonly claim: HeldClaim | null;
    readonly rejectsUrl: string;
    /** Audit entry, written in the import's transaction. */
    readonly entry: AuditRow | null;
  } | null;
}

/** Streams the decompressed pieces of an uploaded file or of its refused rows. */
export async function* piecesOf(
  db: Db,
  ref: UploadRef,
  kind: 'file' | 'rejects',
): AsyncGenerator<Buffer, void, undefined> {
  for (let seq = 0; ; seq += 1) {
    const content = await findPiece(db, ref, kind, seq);
    if (content === undefined) return;
    const piece = await unpackPiece(content);
    freeBytes(content);
    yield piece;
  }
}

/** Frees each piece before it yields the next one. */
async function* freedAfterUse(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces) {
    yield piece;
    freeBytes(piece);
  }
}

/**
 * Imports an uploaded list: contacts, the campaign's state and the kept answer commit in one transaction, so a crash
 * leaves nothing of it. Throws ListRefused after storing only the reason, and ImportNotOurs.
 */
export async function runImport(
  deps: { db: Db; url: string },
  task: ImportTask,
  progress: (readBytes: number, rows: number) => void,
): Promise<ImportOutcome> {
  const { db } = deps;
  const upload = await findUpload(db, task);
  if (upload?.state !== 'received' || upload.plan === null) throw new ImportNotOurs();
  const plan = upload.plan as unknown as ImportPlan;
  const at = new Date(task.at);
  const target = await ContactImport.begin(deps.url, task, {
    agentId: plan.agentId,
    versionId: plan.versionId,
    sendsMessages: plan.template != null,
    at,
  });
  try {
    // Left over from a run that crashed.
    await deletePieces(db, task, 'rejects');
    const rejects = new RejectsFile(db, task);
    const outcome = await readContacts(plan, {
      pieces: () => freedAfterUse(piecesOf(db, task, 'file')),
      listed: (numbers) => listedAmong(db, task.workspaceId, numbers),
      contact: (contact: Contact) => target.write({ id: newId(), ...contact }),
      reject: (text) => rejects.write(text),
      progress,
    }).catch(async (error: unknown) => {
      if (error instanceof ListRefused) await target.refuse(unreadable(error, task, at));
      throw error;
    });
    await rejects.end();
    const end = { counts: outcome, report: outcome.report, hasRejects: outcome.hasRejects, at };
    if (outcome.failure !== null) {
      await target.refuse({ ...end, message: outcome.failure, hasCampaign: task.request === null });
    } else {
      await target.commit({
        ...end,
        campaign: task.request === null ? null : newCampaign(plan),
        entry: task.request?.entry ?? null,
        answer:
          task.request === null || task.request.claim === null
            ? null
            : {
                claim: task.request.claim,
                response: savedAnswer(task.uploadId, plan, outcome, task.request.rejectsUrl),
              },
      });
    }
    return outcome;
  } finally {
    await target.close();
  }
}

function unreadable(error: ListRefused, task: ImportTask, at: Date) {
  return {
    counts: { totalRows: 0, successfulRows: 0, failedRows: 0 },
    report: { encoding: null, delimiter: null, invalidRows: [] },
    hasRejects: false,
    message: error.message,
    hasCampaign: task.request === null,
    at,
  };
}

export const newCampaign = (plan: ImportPlan): NewCampaign => ({
  agentId: plan.agentId,
  name: plan.campaign.name,
  callConfig: callLevelDocument.read(plan.campaign.callConfig),
  variablesMap: plan.columns.variablesMap,
  countryCode: plan.campaign.countryCode,
  removeInvalidRows: plan.removeInvalidRows,
  template: plan.template ?? null,
  startAt: plan.campaign.startAt === null ? null : new Date(plan.campaign.startAt),
  endAt: plan.campaign.endAt === null ? null : new Date(plan.campaign.endAt),
});

/** Writes the CSV of refused rows piece by piece, outside the import's transaction. */
class RejectsFile {
  readonly #db: Db;
  readonly #ref: UploadRef;
  #text = '';
  #seq = 0;

  constructor(db: Db, ref: UploadRef) {
    this.#db = db;
    this.#ref = ref;
  }

  async write(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= PIECE_CHARS) await this.end();
  }

  async end(): Promise<void> {
    if (this.#text === '') return;
    const content = await packPiece(this.#text);
    this.#text = '';
    await insertPiece(this.#db, this.#ref, { kind: 'rejects', seq: this.#seq, content });
    this.#seq += 1;
  }
}

export type ImportResult =
  | { readonly kind: 'done'; readonly outcome: ImportOutcome }
  /** The file as a whole is no readable contact list. */
  | { readonly kind: 'refused'; readonly problems: readonly FieldProblem[] }
  /** Another process is importing it, or its campaign was terminated. */
  | { readonly kind: 'not_ours' };

/** Imports uploaded lists in a worker thread. Rejects on a transient failure: the caller may retry. */
export interface Importer {
  run(task: ImportTask): Promise<ImportResult>;
}
