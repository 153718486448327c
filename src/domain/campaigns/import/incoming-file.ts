import { createHash } from 'node:crypto';
import type { Clock } from '../../../shared/clock.ts';
import { freeBytes } from '../../../shared/free-bytes.ts';
import {
  beatUpload,
  closeUpload,
  deleteUpload,
  insertPiece,
  insertUpload,
  type UploadFlow,
  type UploadRef,
} from '../../../store/campaign-uploads.ts';
import type { Db, Tx } from '../../../store/database.ts';
import type { ImportPlan } from './import-plan.ts';
import { packPiece } from './piece.ts';

export interface ReceiveDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Writes a piece at once. */
  readonly copyPiece: (ref: UploadRef, seq: number, content: Buffer) => Promise<void>;
}

const PIECE_BYTES = 524_288;
const BEAT_MS = 10_000;

/**
 * A contact list that comes in: its bytes go to the database in packed pieces, so that memory does not grow with it
 * and any process can read it. A list that fits one piece is not written before it is known to be wanted.
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

  constructor(deps: ReceiveDeps, ref: UploadRef, flow: UploadFlow) {
    this.#deps = deps;
    this.ref = ref;
    this.#flow = flow;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The beginning of the file: its first piece. */
  get head(): Buffer {
    return this.#seq === 0 ? Buffer.concat(this.#parts) : this.#head;
  }

  /** SHA-256 of what came. */
  digest(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Takes the bytes over: they are freed when they are written. */
  async write(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    this.#parts.push(bytes);
    this.#partBytes += bytes.length;
    if (this.#partBytes < PIECE_BYTES) return;
    await this.#open(this.#deps.db);
    await this.#keep();
    const now = this.#deps.clock.now();
    if (now - this.#beatAt < BEAT_MS) return;
    this.#beatAt = now;
    await beatUpload(this.#deps.db, this.ref, { readBytes: 0, rows: 0 }, new Date(now));
  }

  /** The file is whole: from this transaction on it can be read. */
  async close(tx: Tx, plan: ImportPlan): Promise<void> {
    const at = new Date(this.#deps.clock.now());
    await this.#open(tx);
    if (this.#partBytes > 0) await this.#keep(tx);
    if (!(await closeUpload(tx, this.ref, { plan, bytes: this.#bytes }, at))) {
      throw new Error('the upload was given up while it came in');
    }
  }

  /** It waits to be read from now on, whatever becomes of the request that brought it. */
  keep(): void {
    this.#isKept = true;
  }

  /** Forgets what was written of it, unless it is kept or has become a campaign. */
  async discard(): Promise<void> {
    if (this.#isOpen && !this.#isKept) await deleteUpload(this.#deps.db, this.ref);
  }

  async #open(db: Db): Promise<void> {
    if (this.#isOpen) return;
    const now = this.#deps.clock.now();
    await insertUpload(db, this.ref, this.#flow, new Date(now));
    this.#isOpen = true;
    this.#beatAt = now;
  }

  /** Writes what has come, in `tx` or at once. */
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
