import type { Log } from '../../shared/log.ts';
import type { CallDialog } from './call-dialog.ts';
import type { Endpoint } from './endpoint.ts';
import type { Resolve } from './resolver.ts';
import type { Scheduler } from './scheduler.ts';
import type { Timing } from './transaction/types.ts';

/** What every call of the user agent shares. */
export interface UserAgentContext {
  readonly endpoint: Endpoint;
  readonly scheduler: Scheduler;
  readonly timing: Timing;
  readonly resolve: Resolve;
  readonly log: Log;
  /** Dialogs by `dialogKey`, early and ended ones included. */
  readonly dialogs: Map<string, CallDialog>;
  /** Dialogs whose BYE has not been answered or given up. */
  readonly closing: Set<CallDialog>;
}
