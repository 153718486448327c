import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { newId } from '../../shared/ids.ts';
import type { CallFacts } from '../../store/call-facts.ts';
import { holdCampaign, noteCallback, readCallbackSource } from '../../store/callbacks.ts';
import type { Tx } from '../../store/database.ts';
import { insertOutboundCall } from '../../store/new-call.ts';
import { makesOutboundCalls, type VersionConfig } from '../agents/agent-version.ts';
import type { CallLevelConfig } from '../agents/call-config.ts';
import { isE164, whyNotDialled } from '../numbers/dialable-number.ts';
import { callWindow, nextOpening } from './call-window.ts';
import { retryRules } from './retry-rules.ts';

/** Further off than people mean it: a time that was understood wrongly. */
const LATEST_MS = 366 * 86_400_000;

/**
 * The person asked to be called again at `wishedAt`: queues one individual call like this one, due then or at the
 * next opening of its window. One of a campaign ends and waits with it. The call's row is locked. Once per call; returns the new call's id, or null when nobody
 * may be rung: on a do-not-call list, campaign terminated, agent archived or without outbound calls.
 */
export async function scheduleCallback(
  tx: Tx,
  call: CallFacts,
  wishedAt: number,
  now: number,
): Promise<string | null> {
  const line = lineBack(call);
  if (line === null || !(wishedAt <= now + LATEST_MS)) return null;
  const source = await readCallbackSource(tx, call.workspaceId, call.id, line.to);
  if (source === null || source.numberId === null || source.isScheduled || source.isDoNotCall) return null;
  if (source.isAgentArchived || !makesOutboundCalls(source.agentType)) return null;
  const wished = Math.max(wishedAt, now);
  const callConfig = effectiveConfig(call);
  const agent = (call.versionConfig as Partial<VersionConfig>).call_config;
  const opening = nextOpening(callWindow(agent?.call_time, callConfig?.call_time, line.to), wished);
  if (opening === null) return null;
  const due = new Date(opening);
  const originLaneId = call.laneId ?? call.originLaneId;
  if (!(await holdCampaign(tx, call.workspaceId, originLaneId, due))) return null;
  const id = newId();
  await insertOutboundCall(
    tx,
    call.workspaceId,
    {
      id,
      agentId: call.agentId,
      versionId: call.versionId,
      numberId: source.numberId,
      fromNumber: line.from,
      toNumber: line.to,
      calleeName: source.calleeName,
      args: call.args,
      callConfig,
      callback: source.callback,
      voiceId: source.voiceId,
      category: source.category,
      parentCallId: call.id,
      originLaneId,
      subStatus: opening > wished ? 'WINDOW_CLOSED' : 'QUEUED',
      nextAttemptAt: due,
    },
    new Date(now),
  );
  await noteCallback(tx, call.workspaceId, call.id, id);
  return id;
}

/** Whom to ring from which number: back along an inbound call, where its caller shows one that may be dialled. */
function lineBack(call: CallFacts): { from: string; to: string } | null {
  if (call.callType === 'outbound') return { from: call.fromNumber, to: call.toNumber };
  if (call.callType !== 'inbound' || !isE164(call.fromNumber)) return null;
  const caller = parsePhoneNumberFromString(call.fromNumber);
  const mayDial = caller?.isValid() === true && whyNotDialled(caller, { allowPremium: false }) === null;
  return mayDial ? { from: call.toNumber, to: call.fromNumber } : null;
}

/** A campaign's call leaves it with the campaign's settings, its number of retries among them. */
function effectiveConfig(call: CallFacts): CallLevelConfig | null {
  const own = call.callConfig as CallLevelConfig | null;
  if (call.laneId === null) return own;
  const { retries } = retryRules('campaign', own, null);
  return { ...own, call_retry_config: { ...own?.call_retry_config, retry_count: retries } };
}
