import type { PromptBook } from '../domain/agents/prompt-book.ts';
import type { ReceiveDeps } from '../domain/campaigns/import/incoming-file.ts';
import type { Importer } from '../domain/campaigns/import/importer.ts';
import type { VoiceCatalogue } from '../domain/agents/voice-catalogue.ts';
import type { RecordingLink } from '../domain/calls/call-record.ts';
import type { HangUp } from '../domain/calls/hangup.ts';
import type { RecordingStore } from '../domain/calls/recordings.ts';
import type { Watch } from '../domain/calls/watch.ts';
import type { Rate } from '../domain/credits/price.ts';
import type { Meaning } from '../domain/knowledge/search-knowledge.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import type { Db } from '../domain/database.ts';
import type { RateLimits } from './rate-limits.ts';

export interface ReadyCheck {
  name: string;
  ok: boolean;
  /** What is wrong, for the operator; never an address or a secret. */
  detail?: string;
}

/** Everything the HTTP side needs from the rest of the program. */
export interface ServerDeps {
  db: Db;
  clock: Clock;
  log: Log;
  voices: VoiceCatalogue;
  prompts: PromptBook;
  rate: Rate;
  /** Wakes the dialer after a call was queued. */
  notify: () => void;
  /** Wakes the delivery of webhooks in this process. */
  kickWebhooks?: () => void;
  /** Wakes the runner of background jobs in this process. */
  kickJobs?: () => void;
  /** Wakes the worker that erases, in this process. */
  kickPrivacy?: () => void;
  hangUp: HangUp;
  /** Follows a call that is live in this process. */
  watch: Watch;
  recordings: RecordingStore;
  /** Public address and signing secret; `publicUrl` may be a getter where the port is known only after listening. */
  link: RecordingLink;
  /** A WAV of the voice speaking a sentence in the language. */
  renderPreview: (voiceId: string, language: string) => Promise<Buffer>;
  /** What readiness depends on; asked at every GET /readyz. */
  ready: () => Promise<readonly ReadyCheck[]>;
  /** A prom-client registry, or something like it. */
  metrics: { contentType: string; metrics(): Promise<string> };
  /** Reads contact lists beside the thread that serves requests. */
  importer: Importer;
  /** Writes a piece of a contact list that comes in. */
  copyPiece: ReceiveDeps['copyPiece'];
  /** Of a contact list. */
  uploadLimits: { maxRows: number; maxBytes: number };
  rateLimits: RateLimits;
  /** Finds knowledge by its meaning; null or absent: by its words alone. */
  meaning?: Meaning | null;
  /** Encrypts what is kept secret. */
  seal: Seal;
  /** Addresses of reverse proxies whose X-Forwarded-For is believed. */
  trustProxy: readonly string[];
}
