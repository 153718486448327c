import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { CallLevelConfig } from '../../store/json/call-config.ts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { newId } from '../../shared/ids.ts';
import type { Clock } from '../../shared/clock.ts';
import { readCall, type CallFacts } from '../../store/calls/facts.ts';
import { lockWallet } from '../../store/tenants/money.ts';
import {
  countCallbacks,
  hasDialled,
  holdCampaign,
  noteCallback,
  readCallbackSource,
  type CallbackSource,
} from '../../store/calls/callbacks.ts';
import type { Db, Tx } from '../../store/database.ts';
import { insertOutboundCall } from '../../store/calls/new-call.ts';
import { makesOutboundCalls } from '../agents/agent-version.ts';
import { whyNotDialled } from '../numbers/dialable-number.ts';
import { isE164 } from '../numbers/e164.ts';
import { countryOf, mayDial } from '../workspaces/destinations.ts';
import { workspaceLimits, type WorkspaceLimits } from '../workspaces/limits.ts';
import { callWindow, nextOpening } from '../call-windows/call-window.ts';
import { retryRules } from './attempt/next-step.ts';

/** A callback further off was misunderstood. */
const LATEST_MS = 366 * 86_400_000;
/**
 * Callbacks to one number within 24 h, for inbound calls and for callbacks that ask for another one: whoever calls in
 * chooses the number, so without a cap a caller could make the service dial an expensive number again and again.
 */
const CALLBACKS_PER_NUMBER = 2;
const DAY_MS = 86_400_000;

/** Facts of a callback that may be scheduled. */
interface Allowed {
  readonly source: CallbackSource & { readonly numberId: string };
  readonly parties: Parties;
  readonly callConfig: CallLevelConfig | null;
  /** Epoch ms; the next opening of the window at or after `earliest`. */
  readonly opening: number;
  readonly earliest: number;
}

/**
 * The rules for a callback at `promisedAt`: a string says why the person must not be called, as the agent may tell
 * them. `countries` are the destinations of ALLOWED_COUNTRIES.
 */
async function checkCallback(
  tx: Tx,
  call: CallFacts,
  promisedAt: number,
  now: number,
  countries: readonly string[],
): Promise<Allowed | string> {
  const parties = partiesOf(call);
  if (parties === null) return 'the number of this caller cannot be called back';
  if (!(promisedAt <= now + LATEST_MS)) return 'the time is too far ahead';
  const source = await readCallbackSource(tx, call.workspaceId, call.id, parties.to);
  if (source === null || source.numberId === null) return 'this call has no number to call back from';
  if (source.isScheduled) return 'a callback is scheduled already';
  if (source.isDoNotCall) return 'the number is on the do-not-call list';
  if (source.isAgentArchived || !makesOutboundCalls(source.agentType)) return 'this agent makes no calls';
  const limits = workspaceLimits(source.settings, countries);
  const isInbound = call.callType === 'inbound';
  if (!mayDial(limits, parties.to)) return CLOSED;
  if (isInbound && !(await isKnownRange(tx, call.workspaceId, limits, parties))) return CLOSED;
  const earliest = Math.max(promisedAt, now);
  const callConfig = effectiveConfig(call);
  const agent = (call.versionConfig as Partial<VersionConfig>).callConfig;
  const opening = nextOpening(callWindow(agent?.callTime, callConfig?.callTime, parties.to), earliest);
  if (opening === null) return 'the calling window does not open any more';
  const isCapped = isInbound || source.isCallback;
  const since = new Date(now - DAY_MS);
  if (isCapped && (await countCallbacks(tx, call.workspaceId, parties.to, since)) >= CALLBACKS_PER_NUMBER) {
    return 'this number has no callback left today';
  }
  return { source: { ...source, numberId: source.numberId }, parties, callConfig, opening, earliest };
}

const CLOSED = 'the workspace does not call numbers of this range';

/**
 * Why the live call `ref` cannot promise a callback at `promisedAt`; null: it can. Locks and writes nothing, so the
 * settlement checks again.
 */
export function whyNoCallback(
  deps: { readonly db: Db; readonly clock: Clock; readonly countries?: readonly string[] },
  ref: { readonly workspaceId: string; readonly callId: string },
  promisedAt: number,
): Promise<string | null> {
  return deps.db.transaction().execute(async (tx) => {
    const call = await readCall(tx, ref.workspaceId, ref.callId);
    if (call === null) return 'the call is over';
    if (call.campaignState === 'terminated') return 'the campaign has ended';
    const checked = await checkCallback(tx, call, promisedAt, deps.clock.now(), deps.countries ?? []);
    return typeof checked === 'string' ? checked : null;
  });
}

/**
 * Schedules the callback that was promised for `promisedAt`: one individual call with this call's settings, due then or
 * at the next opening of its window. A callback from a campaign follows that campaign (`campaign-hold`). At most one per
 * call. Returns its id, or null when the person must not be called (`checkCallback`) or the campaign is terminated.
 * The call's row is locked. Lock order: call, workspace, campaign.
 */
export async function scheduleCallback(
  tx: Tx,
  call: CallFacts,
  promisedAt: number,
  now: number,
  countries: readonly string[] = [],
): Promise<string | null> {
  const originCampaignId = call.campaignId ?? call.originCampaignId;
  // With the workspace's row locked, a concurrent settlement counts this callback.
  await lockWallet(tx, call.workspaceId);
  const allowed = await checkCallback(tx, call, promisedAt, now, countries);
  if (typeof allowed === 'string') return null;
  const { source, parties, callConfig, opening, earliest } = allowed;
  const due = new Date(opening);
  if (!(await holdCampaign(tx, call.workspaceId, originCampaignId, due))) return null;
  const id = newId();
  await insertOutboundCall(
    tx,
    call.workspaceId,
    {
      id,
      agentId: call.agentId,
      versionId: call.versionId,
      numberId: source.numberId,
      fromNumber: parties.from,
      toNumber: parties.to,
      calleeName: source.calleeName,
      args: call.args,
      callConfig,
      callback: source.callback,
      voiceId: source.voiceId,
      category: source.category,
      parentCallId: call.id,
      originCampaignId,
      subStatus: opening > earliest ? 'WINDOW_CLOSED' : 'QUEUED',
      nextAttemptAt: due,
    },
    new Date(now),
  );
  await noteCallback(tx, call.workspaceId, call.id, id);
  return id;
}

interface Parties {
  readonly from: string;
  readonly to: string;
}

/** Caller and callee of the callback. An inbound call is reversed; null when its caller's number cannot be dialled. */
function partiesOf(call: CallFacts): Parties | null {
  if (call.callType === 'outbound') return { from: call.fromNumber, to: call.toNumber };
  if (call.callType !== 'inbound' || !isE164(call.fromNumber)) return null;
  const caller = parsePhoneNumberFromString(call.fromNumber);
  const mayDial = caller?.isValid() === true && whyNotDialled(caller, { allowPremium: false }) === null;
  return mayDial ? { from: call.toNumber, to: call.fromNumber } : null;
}

/**
 * Whether an inbound caller's number, which the network does not verify, is in a range that the operator lists as
 * allowed, in the country of the workspace's own number, or in a range that the workspace has dialled before.
 */
async function isKnownRange(
  tx: Tx,
  workspaceId: string,
  limits: WorkspaceLimits,
  { from, to }: Parties,
): Promise<boolean> {
  if (limits.allowed.length > 0 || limits.installation.length > 0) return true;
  const country = countryOf(to);
  if (country !== null && country === countryOf(from)) return true;
  return hasDialled(tx, workspaceId, rangeOf(to, country));
}

/** The prefix of the number's range: its country code, or in the Caribbean, which shares +1, its area code. */
function rangeOf(number: string, country: string | null): string {
  const code = parsePhoneNumberFromString(number)?.countryCallingCode ?? '';
  return code === '1' && country !== 'US' && country !== 'CA' ? number.slice(0, 5) : `+${code}`;
}

/** The callback keeps the campaign's settings, including its default number of retries. */
function effectiveConfig(call: CallFacts): CallLevelConfig | null {
  const own = call.callConfig;
  if (call.campaignId === null) return own;
  const { retries } = retryRules('campaign', own, null);
  return { ...own, callRetryConfig: { ...own?.callRetryConfig, retryCount: retries } };
}
