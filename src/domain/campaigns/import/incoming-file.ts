import { createHash } from 'node:crypto';
import { errors } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import { freeBytes } from '../../../shared/free-bytes.ts';
import {
  beatUpload,
  closeUpload,
  deleteUpload,
  holdBytes,
  insertUpload,
  type UploadFlow,
  type UploadRef,
} from '../../../store/campaigns/uploads.ts';
import { insertPiece } from '../../../store/campaigns/upload-pieces.ts';
import type { Db, Tx } from '../../../store/database.ts';
import type { ImportPlan } from './import-plan.ts';
import { packPiece } from './piece.ts';

export interface ReceiveDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Limit of the bytes of all unread lists of a workspace. */
  readonly uploadsHeldBytes: number;
  /** Inserts a piece in a transaction of its own. */
  readonly copyPiece: (ref: UploadRef, seq: number, content: Buffer) => Promise<void>;
}

const PIECE_BYTES = 524_288;
const BEAT_MS = 10_000;
/** The workspace's limit is checked each time this much has arrived. */
const HOLD_BYTES = 16 * 1024 * 1024;

/**
 * Receives an uploaded contact list. Its bytes go to the database in compressed pieces, so memory stays constant and
 * any process can import it. A list that fits into one piece is written only when the upload is accepted.
 */
export class IncomingFile {
  readonly ref: UploadRef;
  readonly #deps: ReceiveDeps;
  readonly #flow: UploadFlow;
  readonly #hash = createHash('sha256');
  #head: Buffer = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #partBytes = 0;
  #bytes = 0;
  #seq = 0;
  #isOpen = false;
  #isKept = false;
  #beatAt = 0;
  #heldBytes = 0;

  constructor(deps: ReceiveDeps, ref: UploadRef, flow: UploadFlow) {
    this.#deps = deps;
    this.ref = ref;
    this.#flow = flow;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The first piece of the file. */
  get head(): Buffer {
    return this.#seq === 0 ? Buffer.concat(this.#parts) : this.#head;
  }

  /** SHA-256 of the received bytes. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  /**
   * Takes ownership of `bytes` and frees them once they are written. `beforeStoring` runs before the first byte reaches
   * the database. Throws 429 while the workspace's unread lists hold too much.
   */
  async write(bytes: Buffer, beforeStoring: () => Promise<void>): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    this.#parts.push(bytes);
    this.#partBytes += bytes.length;
    if (this.#partBytes < PIECE_BYTES) return;
    if (!this.#isOpen) await beforeStoring();
    await this.#open(this.#deps.db);
    if (this.#bytes >= this.#heldBytes) await this.#hold(this.#deps.db);
    await this.#keep();
    const now = this.#deps.clock.now();
    if (now - this.#beatAt < BEAT_MS) return;
    this.#beatAt = now;
    await beatUpload(this.#deps.db, this.ref, { readBytes: 0, rows: 0 }, new Date(now));
  }

  /** Marks the file as complete; after the commit of `tx` it can be imported. */
  async close(tx: Tx, plan: ImportPlan): Promise<void> {
    const at = new Date(this.#deps.clock.now());
    await this.#open(tx);
    await this.#hold(tx);
    if (this.#partBytes > 0) await this.#keep(tx);
    if (!(await closeUpload(tx, this.ref, { plan, bytes: this.#bytes }, at))) {
      throw new Error('the upload was given up while it came in');
    }
  }

  /** Keeps the stored file when the upload request ends or fails: a job will import it. */
  keep(): void {
    this.#isKept = true;
  }

  /** Deletes the stored pieces, unless `keep` was called or the import has created the campaign. */
  async discard(): Promise<void> {
    if (this.#isOpen && !this.#isKept) await deleteUpload(this.#deps.db, this.ref);
  }

  /** Counts the file in its workspace, up to the next check. */
  async #hold(db: Db): Promise<void> {
    this.#heldBytes = this.#bytes + HOLD_BYTES;
    const { uploadsHeldBytes } = this.#deps;
    const others = await holdBytes(db, this.ref, this.#bytes);
    if (others + this.#bytes > uploadsHeldBytes) throw errors.uploadsFull(uploadsHeldBytes, others);
  }

  async #open(db: Db): Promise<void> {
    if (this.#isOpen) return;
    const now = this.#deps.clock.now();
    await insertUpload(db, this.ref, this.#flow, new Date(now));
    this.#isOpen = true;
    this.#beatAt = now;
  }

  /** Writes the buffered bytes as one piece, in `tx` or in a transaction of its own. */
  async #keep(tx?: Tx): Promise<void> {
    const piece = Buffer.concat(this.#parts);
    this.#parts.forEach(freeBytes);
    this.#parts = [];
    this.#partBytes = 0;
    const content = await packPiece(piece);
    if (this.#seq === 0) this.#head = piece;
    else freeBytes(piece);
    if (tx === undefined) await this.#deps.copyPiece(this.ref, this.#seq, content);
    else await insertPiece(tx, this.ref, { kind: 'file', seq: this.#seq, content });
    freeBytes(content);
    this.#seq += 1;
  }
}
