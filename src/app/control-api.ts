import type { MessagePort } from 'node:worker_threads';
import type { ListenOpened } from '../dialer/live-calls.ts';
import type { CarrierConnect, WebConnect, WebConnected } from '../dialer/web.ts';
import type { CallOrder } from '../shared/call-order.ts';
import type { Moved } from '../shared/threads/moved.ts';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { CarrierStatus } from '../shared/carrier-status.ts';
import type { CallReport } from './call-link.ts';
import type { ControlPart, ControlSetup } from './control-plane.ts';

/** An event for watchers of a live call; the API passes it on as JSON. */
export interface WatchedEvent {
  readonly type: string;
}

/** The API's port (null: this process has no API), or why the control plane cannot start. */
export type Started =
  | { readonly port: number | null }
  /** `isSetting`: the operator can fix it, and the message names the setting. */
  | { readonly fault: string; readonly isSetting: boolean };

/** The control thread, as the thread of the calls reaches it. Arguments and results are structured-cloneable. */
export interface ControlApi {
  start(setup: ControlSetup, isLogPretty: boolean): Promise<Started>;
  stopPart(part: ControlPart): Promise<void>;
  /** A call was settled: its events are due. */
  callSettled(): void;
  /** Of a watched call. Past events come before the answer to `watch`. */
  watched(watchId: number, event: WatchedEvent): void;
}

/** The calls of a process, as its control thread reaches them. */
export interface CallsApi {
  /** A call may be due. */
  wake(): void;
  /** False: this process has no such live call. */
  hangup(workspaceId: string, callId: string): Promise<boolean>;
  /** False: this process has no such answered call. */
  control(workspaceId: string, callId: string, order: CallOrder): Promise<boolean>;
  watch(watchId: number, workspaceId: string, callId: string): Promise<boolean>;
  /** Every live call of the workspace in this process, until `unwatch`. */
  watchAll(watchId: number, workspaceId: string): void;
  unwatch(watchId: number): void;
  openWeb(connect: WebConnect | CarrierConnect): Promise<WebConnected>;
  /** The socket of a call of a browser or carrier that was accepted. */
  connectWeb(callId: string, socket: WebSocketHandover): void;
  openListener(connect: WebConnect): Promise<ListenOpened>;
  /** The socket of a listener that was accepted. */
  listen(listenerId: string, socket: WebSocketHandover): void;
  /** A report of a carrier on a call that it places. */
  carrierStatus(status: CarrierStatus): void;
  report(): Promise<CallReport>;
  /** Probes a trunk now; false: it is not in service here. */
  checkTrunk(name: string): Promise<boolean>;
  /** The other end of the port has voice previews to speak. */
  speech(port: Moved<MessagePort>): void;
}
