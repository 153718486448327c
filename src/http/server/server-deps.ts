import type { Language } from '@callwright/language';
import type { EntranceName } from '../../shared/ingress/entrance.ts';
import type { PromptBook } from '../../domain/agents/prompt-book.ts';
import type { ReceiveDeps } from '../../domain/campaigns/import/incoming-file.ts';
import type { Importer } from '../../domain/campaigns/import/run-import.ts';
import type { VendorVoices, VoiceCatalogue } from '../../domain/agents/voice-catalogue.ts';
import type { ChatDesk } from '../../domain/chats/chat-desk.ts';
import type { StructuredModel } from '../../domain/analysis/model-analyst.ts';
import type { ControlCall } from '../../domain/calls/control.ts';
import type { HangUp } from '../../domain/calls/hangup.ts';
import type { ReplayLog } from '../../domain/calls/replay.ts';
import type { Rehearser } from '../../domain/rehearsals/rehearser.ts';
import type { CallScenario } from '../../domain/rehearsals/source-call.ts';
import type { RecordingStore } from '../../domain/calls/recordings.ts';
import type { Watch, WatchAll } from '../../domain/calls/watch.ts';
import type { Rate, UnitPrices } from '../../domain/credits/price.ts';
import type { CapNotices } from '../../domain/workspaces/cap-notices.ts';
import type { SignedLinks } from '../../domain/links/signed-links.ts';
import type { CarrierAccounts } from '../../domain/trunks/carrier-accounts.ts';
import type { StreamTickets } from '../../domain/trunks/stream-tickets.ts';
import type { CarrierStatus, StreamAnswer } from '../../shared/carrier-status.ts';
import type { TrunkProbe } from '../../domain/trunks/read-trunks.ts';
import type { Meaning } from '../../domain/knowledge/search-knowledge.ts';
import type { ModelShelf } from '../../domain/providers/local-models.ts';
import type { TryVendor } from '../../domain/providers/test-vendor.ts';
import type { OperatorProviders } from '../../vendors/accounts.ts';
import type { AddressRules } from '../../shared/address-rules.ts';
import type { Clock } from '../../shared/clock.ts';
import type { EnginesInUse } from '../../shared/engines-in-use.ts';
import type { FreeSpace } from '../../shared/free-space.ts';
import type { Log } from '../../shared/log.ts';
import type { PriceTable } from '../../shared/prices.ts';
import type { SettingInForce } from '../../shared/setting-in-force.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../domain/database.ts';
import type { ReadWorkbook } from '../common/list-text.ts';
import type { RateLimits } from './rate-limits.ts';
import type { WebCallRules } from '../web-calls/rules.ts';
import type { WebFiles } from '../pages/web-files.ts';

export interface ReadyCheck {
  name: string;
  ok: boolean;
  /** The cause, for the operator; never an address or a secret. */
  detail?: string;
}

/** The dependencies of the HTTP layer. */
export interface ServerDeps {
  db: Db;
  clock: Clock;
  log: Log;
  /** The voices of the installation. */
  voices: VoiceCatalogue;
  /** Those of vendors; absent: no vendor has voices here. */
  vendorVoices?: VendorVoices;
  prompts: PromptBook;
  rate: Rate;
  /** What the workspace is charged for beside talk; absent: nothing. */
  unitPrices?: UnitPrices;
  /** What vendors charge. */
  prices: PriceTable;
  /** Wakes the scheduler after calls became due; losing a wake costs one poll interval. */
  wakeScheduler: () => void;
  /** Wakes the webhook deliverer of this process; losing a wake costs one poll interval. */
  kickWebhooks?: () => void;
  /** Wakes the job runner of this process; losing a wake costs one poll interval. */
  kickJobs?: () => void;
  /** Wakes the erasure worker of this process; losing a wake costs one poll interval. */
  kickPrivacy?: () => void;
  hangUp: HangUp;
  control: ControlCall;
  /** The first language model of a workspace; null or absent: it has none. */
  modelOf?: (workspaceId: string) => Promise<StructuredModel | null>;
  /** Runs a call's event log through the conversation core again. */
  replayLog: ReplayLog;
  rehearser: Rehearser;
  /** Makes a scenario of a call's event log. */
  callScenario: CallScenario;
  /** The chats of this process. */
  chats: ChatDesk;
  /** Streams the events of a call that is live in this process. */
  watch: Watch;
  watchAll: WatchAll;
  /** The operator has a mail server; absent: no notice can be mailed. */
  sendsMail?: boolean;
  recordings: RecordingStore;
  /** Links that need no key, and the public address. */
  link: SignedLinks;
  /** A WAV in which the voice speaks a sentence of the language. */
  renderPreview: (voiceId: string, language: string) => Promise<Buffer>;
  /** Whether another voice speaks for this one, because its model is not installed; absent: none does. */
  isReplaced?: (voiceId: string) => boolean;
  /** Whether a model on this machine judges a flow's `when` in a language by meaning. Absent: in none. */
  judgesMeaning?: (language: Language) => boolean;
  /** The readiness checks, of now or of a moment ago. */
  ready: () => Promise<readonly ReadyCheck[]>;
  /** The state of trunks at the SIP stack of this process; absent or empty: it has none. */
  probeTrunks?: () => Promise<readonly TrunkProbe[]>;
  /** Probes a trunk now; false or absent: it is not in service in this process. */
  checkTrunk?: (name: string) => Promise<boolean>;
  /** The accounts of trunks at their carriers; absent: they cannot be asked. */
  carrierAccounts?: CarrierAccounts;
  /** The settings in force, without secrets; absent: unknown. */
  settings?: readonly SettingInForce[];
  /** The installation has a provision file, which declares its operators; absent: it has none. */
  isProvisioned?: boolean;
  /** The first owner was created; their link may be forgotten. */
  onFirstOwner?: () => Promise<void>;
  /** A workspace has another key. */
  onKeyReplaced?: () => Promise<void>;
  /** Of the disk of DATA_DIR; absent: unlimited. */
  space?: FreeSpace;
  /** Free bytes on the disk of recordings; absent: this process has none. */
  freeBytes?: () => Promise<number>;
  /** Counts every answered request for the metrics. */
  /** A stranger's message, body or connection was refused before it was read. */
  onRefused?: (entrance: EntranceName) => void;
  observe?: (answered: { routeClass: string; status: number; ms: number }) => void;
  /** Requests kept in the log of each workspace, and who counts those that are not; absent: no log. */
  requestLog?: { readonly kept: number; readonly onDropped?: (count: number) => void };
  /** A prom-client registry or a compatible object. */
  metrics: { contentType: string; metrics(): Promise<string> };
  /** Where /metrics is served instead of beside the API; null or absent: beside it. */
  metricsAt?: { readonly host: string; readonly port: number } | null;
  /** Imports contact lists in another thread. */
  importer: Importer;
  /** Stores one piece of an incoming contact list. */
  copyPiece: ReceiveDeps['copyPiece'];
  readWorkbook: ReadWorkbook;
  /** Limits of one contact list. */
  uploadLimits: { maxRows: number; maxBytes: number };
  uploadsHeldBytes: number;
  knowledgeMaxBytes: number;
  rateLimits: RateLimits;
  webCalls: WebCallRules;
  /** Where carriers reach this process alone; null or absent: at the public URL. */
  mediaUrl?: string | null;
  /** The streams of calls that carriers announce; absent: none are taken. */
  announcedStreams?: {
    readonly tickets: StreamTickets;
    /** Under which public address the carrier opens the next one; null: no process carries calls. */
    base(): Promise<string | null>;
    /** Where Asterisk connects with AudioSocket, such as `calls.example.com:9092`; null or absent: nowhere. */
    audioSocket?(): Promise<string | null>;
    /** Takes a call that came in, at carriers where the answer to the webhook does not. */
    answer(answer: StreamAnswer): void;
  };
  /** A report of a carrier on a call that it places; absent: reports are dropped. */
  carrierStatus?: (status: CarrierStatus) => void;
  /** Notes workspaces that reach a cap; absent: not counted in the metrics. */
  notices?: CapNotices;
  /** Destinations of ALLOWED_COUNTRIES; absent: all. */
  countries?: readonly string[];
  /** Semantic search of knowledge; null or absent: full-text search only. */
  meaning?: Meaning | null;
  /** Vendors of the environment. */
  operator: OperatorProviders;
  /** Rules for the addresses that users enter. */
  guard: AddressRules;
  /** Tries the account of a vendor. */
  tryVendor: TryVendor;
  /** Encrypts stored secrets. */
  seal: Seal;
  /** The models of this machine; absent: none. */
  models?: ModelShelf;
  /** What hears and speaks in the calls of this process; absent or null: it carries none. */
  enginesInUse?: () => Promise<EnginesInUse | null>;
  /** The built dashboard; null or absent: it is not built. */
  web?: WebFiles | null;
  /** Addresses of reverse proxies whose X-Forwarded-For is trusted. */
  trustProxy: readonly string[];
}
