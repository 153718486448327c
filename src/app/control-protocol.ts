import type { MessagePort } from 'node:worker_threads';
import type { ListenOpened } from '../dialer/live-calls.ts';
import type { WebConnect, WebConnected } from '../dialer/web.ts';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { CallReport } from './call-link.ts';
import type { ControlPart, ControlSetup } from './control-plane.ts';

/** Messages between the thread of the calls and the control thread. Every type here is structured-cloneable. */

/** An event for watchers of a live call; the API passes it on as JSON. */
export interface WatchedEvent {
  readonly type: string;
}

export type ToControl =
  /** `started` or `failed` answers. */
  | { type: 'start'; setup: ControlSetup; isLogPretty: boolean }
  | { type: 'answer'; requestId: number; answer: Answer }
  /** A watched call's event; past events come before the answer to `watch`. */
  | { type: 'event'; watchId: number; event: WatchedEvent }
  /** A call was settled: its events are due. */
  | { type: 'settled' }
  /** `pong` answers; a control thread that does not answer for long is replaced. */
  | { type: 'ping' }
  /** `stopped` answers. */
  | { type: 'stop'; part: ControlPart };

export type FromControl =
  | { type: 'started'; port: number | null }
  /** `isSetting`: the operator can fix it, and the message names the setting. */
  | { type: 'failed'; message: string; isSetting: boolean }
  /** A call may be due. */
  | { type: 'wake' }
  | { type: 'request'; requestId: number; request: Request }
  | { type: 'unwatch'; watchId: number }
  /** The socket of a browser call that was accepted. */
  | { type: 'web_socket'; callId: string; socket: WebSocketHandover }
  /** The socket of a listener that was accepted. */
  | { type: 'listen_socket'; listenerId: string; socket: WebSocketHandover }
  /** The other end of the port has voice previews to speak; the port is transferred. */
  | { type: 'speech'; port: MessagePort }
  | { type: 'pong' }
  | { type: 'stopped'; part: ControlPart };

/** What the control plane asks of the calls. */
export type Request =
  | { type: 'hangup'; workspaceId: string; callId: string }
  | { type: 'watch'; watchId: number; workspaceId: string; callId: string }
  | { type: 'web_open'; connect: WebConnect }
  | { type: 'listen_open'; connect: WebConnect }
  | { type: 'report' };

/** `done`: whether this process has the live call that is to be hung up or watched. */
export type Answer =
  | { type: 'done'; done: boolean }
  | { type: 'web'; connected: WebConnected }
  | { type: 'listen'; opened: ListenOpened }
  | { type: 'report'; report: CallReport };
