import type { VersionConfig } from '../../../store/json/agent-version.ts';
import type { MessageFacts } from '../../../store/campaigns/messages.ts';
import { retryRules } from '../../calls/attempt/next-step.ts';
import { callWindow, nextOpening, type CallWindow } from '../../call-windows/call-window.ts';
import { afterError } from '../../whatsapp/send-errors.ts';

/** What follows a message that WhatsApp refused or did not deliver. */
export type MessageStep =
  /** Sent again at `at`; `isBudget`: as a retry of the campaign's budget, else within the vendor's own back-off. */
  | { readonly do: 'retry'; readonly at: number; readonly isBudget: boolean }
  /** The number sends nothing for `pauseMs`; the message waits for another one. */
  | { readonly do: 'pause_number'; readonly pauseMs: number }
  /** The template itself was refused: the campaign pauses. */
  | { readonly do: 'pause_campaign' }
  | { readonly do: 'end'; readonly subStatus: string };

/** The template as a whole: parameters, name, policy, paused, disabled. Other codes from 132000 on concern one contact's values. */
const TEMPLATE: ReadonlySet<number> = new Set([132000, 132001, 132007, 132015, 132016, 132068, 132069]);
const SUB_STATUSES: ReadonlyMap<number, string> = new Map([
  [131021, 'NOT_ABLE_TO_CALL'],
  [131026, 'NOT_ABLE_TO_CALL'],
  [131030, 'NOT_ABLE_TO_CALL'],
  // The person stopped marketing messages.
  [131050, 'OPTED_OUT'],
]);

type SteppingMessage = Pick<
  MessageFacts,
  'toNumber' | 'tries' | 'retriesUsed' | 'campaignState' | 'campaignEndAt' | 'callConfig' | 'agentConfig'
>;

/** The hours in which a contact may get a message: those of calls. */
export const messageWindow = (
  message: Pick<MessageFacts, 'toNumber' | 'callConfig' | 'agentConfig'>,
): CallWindow =>
  callWindow(
    (message.agentConfig as Partial<VersionConfig>).callConfig?.callTime,
    message.callConfig?.callTime,
    message.toNumber,
  );

/**
 * Decides by the vendor's code. Its back-off comes first; when that is used up, a temporary error is retried within the
 * campaign's budget, after `retry_failed` minutes, in the window and before the campaign's end. Pure.
 */
export function afterRefusal(message: SteppingMessage, code: number, now: number): MessageStep {
  if (TEMPLATE.has(code)) return { do: 'pause_campaign' };
  const next = afterError(code, message.tries);
  if (next.do === 'pause') return { do: 'pause_number', pauseMs: next.pauseMs };
  const isTemporary = next.do === 'retry' || afterError(code, 1).do === 'retry';
  if (!isTemporary) return { do: 'end', subStatus: SUB_STATUSES.get(code) ?? 'FAILED' };
  if (message.campaignState === 'terminated') return { do: 'end', subStatus: 'USER_TERMINATED' };
  const rules = retryRules('campaign', message.callConfig, null);
  const isBudget = next.do === 'fail';
  if (isBudget && message.retriesUsed >= rules.retries)
    return { do: 'end', subStatus: rules.retries > 0 ? 'RETRY_LIMIT_REACHED' : 'FAILED' };
  const waitMs = next.do === 'retry' ? next.waitMs : rules.delayMs.failed;
  const at = nextOpening(messageWindow(message), now + waitMs);
  if (at === null) return { do: 'end', subStatus: 'FAILED' };
  if (message.campaignEndAt !== null && at >= message.campaignEndAt.getTime())
    return { do: 'end', subStatus: 'CAMPAIGN_TIME_EXCEEDED' };
  return { do: 'retry', at, isBudget };
}
