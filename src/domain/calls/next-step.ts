import type { CallFacts } from '../../store/call-facts.ts';
import type { VersionConfig } from '../agents/agent-version.ts';
import type { CallLevelConfig } from '../agents/call-config.ts';
import { callWindow, nextOpening } from './call-window.ts';
import type { Outcome } from './outcome.ts';
import { decideRetry, retryRules } from './retry-rules.ts';
import type { CallStatus } from './transitions.ts';

export interface NextStep {
  readonly status: CallStatus;
  readonly subStatus: string;
  /** When a call is tried again that is; else null. */
  readonly retryAt: Date | null;
}

/** What the step after an attempt is decided by. */
export type SteppingCall = Pick<
  CallFacts,
  | 'laneId'
  | 'callType'
  | 'toNumber'
  | 'callConfig'
  | 'versionConfig'
  | 'campaignState'
  | 'campaignEndAt'
  | 'retriesUsed'
  | 'noRetry'
>;

/**
 * Whether a call is tried again after an attempt that ended so at `now`, and when: its delay, then the next opening
 * of its window. Nothing is scheduled at or after its campaign's end, nor for a campaign that was terminated. Pure.
 */
export function nextStep(
  call: SteppingCall,
  outcome: Outcome,
  end: { readonly optedOut: boolean; readonly now: number },
): NextStep {
  const config = call.versionConfig as Partial<VersionConfig>;
  const callConfig = call.callConfig as CallLevelConfig | null;
  const kind = call.laneId === null ? 'individual' : 'campaign';
  const rules = retryRules(kind, callConfig, config.call_config?.voicemail);
  const isTriedAgain =
    call.callType === 'outbound' && !end.optedOut && !call.noRetry && call.campaignState !== 'terminated';
  const decision = decideRetry(rules, isTriedAgain ? outcome.retry : null, call.retriesUsed);
  if (!decision.retry) return ended(outcome, decision.exhausted ? 'RETRY_LIMIT_REACHED' : null);
  const agentTime = config.call_config?.call_time;
  const window = callWindow(agentTime, callConfig?.call_time, call.toNumber);
  const opening = nextOpening(window, end.now + decision.delayMs);
  if (opening === null) return ended(outcome, null);
  if (call.campaignEndAt !== null && opening >= call.campaignEndAt.getTime()) {
    return ended(outcome, 'CAMPAIGN_TIME_EXCEEDED');
  }
  return { status: 'retry', subStatus: 'RETRY_SCHEDULED', retryAt: new Date(opening) };
}

/** A call that failed says why it is not tried again; one that completed keeps what it came to. */
const ended = (outcome: Outcome, because: string | null): NextStep => ({
  status: outcome.final,
  subStatus: outcome.final === 'failed' ? (because ?? outcome.subStatus) : outcome.subStatus,
  retryAt: null,
});
