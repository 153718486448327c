import type { MessagePort } from 'node:worker_threads';
import type { FaultyPart } from '../providers/choose/faults.ts';
import type { EarModel } from '../offline/words/ear-api.ts';
import type { EntranceName } from '../shared/ingress/entrance.ts';
import type { Moved } from '../shared/threads/moved.ts';
import type { VendorFault, VendorPart } from '../shared/vendor-fault.ts';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { ConversationProgress, ConversationResult } from '../voice/conversation.ts';
import type { RecogniserFault } from '../providers/ports/recogniser.ts';
import type { Allocation, LegKind } from './call-media.ts';
import type { LiveEvent } from '../session/protocol.ts';

/** A call worker, as the main thread reaches it; `HostedCallApi` is that of its calls. */
export interface CallWorkerApi {
  /** Takes a call in. A leg without ports is that of a browser call, or of a carrier's WebSocket. */
  allocate(callId: string, kind: LegKind): Promise<Allocation>;
  /**
   * A connection of a browser call: the first one, or one after a cut. `proof` is the token of the next; of a carrier's
   * connection it is the carrier's id of the call.
   */
  connectWeb(callId: string, socket: WebSocketHandover, proof: string): void;
  /** The connection of a member who listens to the call; `name`: theirs. */
  listen(callId: string, listenerId: string, name: string, socket: WebSocketHandover): void;
  /** Another worker found a vendor broken. `name` is the vendor's in the health of its part. */
  passVendorOver(part: VendorPart, name: string, fault: VendorFault): void;
  /** Another worker found the vendor of a chosen account broken. `account`: its id, which reveals no key. */
  passAccountOver(account: string, fault: VendorFault): void;
  stop(): void;
}

export interface WorkerEngines {
  readonly vad: string;
  readonly stt: string;
  readonly tts: string;
  readonly llm: string;
}

export interface WorkerLoad {
  readonly calls: number;
  readonly rtpPortsInUse: number;
  readonly lateTickP99Ms: number;
}

/** Events of a call worker; those of its calls that the worker pool itself needs are here, the others `HostedCallEvents`. */
export interface CallWorkerEvents {
  ready(engines: WorkerEngines, freePairs: number): void;
  /** The worker's end of this port has requests for the speech thread. */
  speech(port: Moved<MessagePort>): void;
  /** A call's end of this port has audio for a recogniser thread. */
  ear(port: Moved<MessagePort>, model: EarModel): void;
  live(callId: string, event: LiveEvent): void;
  /** The part of the conversation since the last such message, for the journal. */
  progress(callId: string, progress: ConversationProgress): void;
  finished(callId: string, result: ConversationResult): void;
  /** A vendor failed a call; `broken`: the name under which all calls pass it over, null: they do not. */
  vendorFault(part: FaultyPart, fault: VendorFault, broken: string | null): void;
  accountBroken(account: string, fault: VendorFault): void;
  /** Whether the recogniser of the machine works; sent when it changes. */
  recogniser(fault: RecogniserFault | null): void;
  load(load: WorkerLoad, freePairs: number): void;
  /** A connection sent more than its budget. */
  refused(entrance: EntranceName): void;
}
