import { calleeVariables } from '../../shared/callee-variables.ts';
import type { VersionConfig } from '../../store/json/agent-version.ts';
import type { CallLevelConfig } from '../../store/json/call-config.ts';
import type { CallCallback } from '../../store/json/callback.ts';
import { callerNumbersOf } from '../../store/campaigns/uploads.ts';
import { readContactNumber, sharedCallingCode } from './contact-number.ts';
import { toE164 } from '../numbers/phone-text.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { Balance, NewCall } from '../../store/calls/new-call.ts';
import {
  CallIntake,
  findPlacing,
  insertPlacedCalls,
  type Placing,
  type PlacingNumber,
} from '../../store/calls/placing.ts';
import { findVersion } from '../../store/agents/agents.ts';
import { knownCalls } from '../../store/calls/queued-calls.ts';
import { makesOutboundCalls } from '../agents/agent-version.ts';
import { checkZone } from '../agents/create-agent.ts';
import {
  agentVariables,
  asProblems,
  variableWarnings,
  type AgentVariables,
  VariablesCache,
} from '../agents/agent-variables.ts';
import { versionForCall } from '../agents/version-choice.ts';
import { checkVoices, type VoiceCatalogue } from '../agents/voice-catalogue.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { pulsePrice, type Rate } from '../credits/price.ts';
import { dialableNumber } from '../numbers/dialable-number.ts';
import type { Caller } from '../workspaces/authenticate-key.ts';
import { CapNotices } from '../workspaces/cap-notices.ts';
import { checkCaps } from '../admission/check-caps.ts';
import { whyClosed } from '../workspaces/destinations.ts';
import type { Warning } from '../warnings.ts';
import { callWindow, nextOpening } from '../call-windows/call-window.ts';
import { callingWindow, windowWarnings, type CallingWindow } from '../call-windows/calling-window.ts';
import { hasMembers } from '../../store/numbers/numbers.ts';
import { lockPool, takeFromPool } from '../../store/numbers/pools.ts';

export interface PlaceCallInput {
  name: string;
  mobileNumber: string;
  agentId: string;
  /** A number pool is allowed in v2 only. */
  source: CallerSource;
  customArgsValues: Record<string, string>;
  callConfig: CallLevelConfig | null;
  /** Fields of v2; null for v1. */
  v2: CallChoices | null;
  /** From the dashboard: a shared test number may be the caller number. Absent: false. */
  isTestCall?: boolean;
}

/** Choices of POST /calling/v2/outbound/individual for one call; null: the agent's setting. */
export interface CallChoices {
  voiceId: string | null;
  versionId: string | null;
  category: string | null;
  parentCallId: string | null;
  callback: CallCallback | null;
}
const NEVER_OPEN = 'is never open in every time zone that mobile_number may be in';
const NO_CHOICES: CallChoices = {
  voiceId: null,
  versionId: null,
  category: null,
  parentCallId: null,
  callback: null,
};

export interface PlaceCallDeps {
  db: Db;
  clock: Clock;
  voices: VoiceCatalogue;
  rate: Rate;
  intake: CallIntake;
  /** The variables of agents' versions. */
  variables: VariablesCache;
  notices: CapNotices;
  /** Wakes the scheduler. A lost wake costs one poll interval: the queue is in the database. */
  wakeScheduler: () => void;
}

/** What the requests of one route share: the group commit, the variables of agents, the notices of caps. */
export const placingWith = <
  D extends { db: Db; notices?: CapNotices } & ConstructorParameters<typeof CapNotices>[0],
>(
  deps: D,
): D & Pick<PlaceCallDeps, 'intake' | 'variables' | 'notices'> => ({
  ...deps,
  intake: new CallIntake(deps),
  variables: new VariablesCache(),
  notices: deps.notices ?? new CapNotices(deps),
});

export interface PlacedCall {
  callId: string;
  status: 'registered';
  isWindowOpen: boolean;
  /** When the dialer takes the call: at once, or when the window opens. */
  nextAttemptAt: Date;
  window: CallingWindow;
  warnings: readonly Warning[];
  initiatedAt: Date;
  agentId: string;
  /** The request's values and `mobile_number`. */
  customArgsValues: Record<string, string>;
}

/** Writes that commit together with the call. */
export interface Keep {
  /** The request's entry in the audit log. */
  readonly change: ChangeEntry | null;
  /** Stores the answer under the request's Idempotency-Key; null: no key. */
  readonly answer: ((tx: Tx, placed: PlacedCall) => Promise<void>) | null;
}

/**
 * Queues one outbound call (interface, POST /calling/outbound/individual and its v2). Throws 422, 404, 400, 402 and 429,
 * checked in this order.
 */
export async function placeCall(
  deps: PlaceCallDeps,
  caller: Caller,
  input: PlaceCallInput,
  keep: Keep,
): Promise<PlacedCall> {
  const { workspaceId } = caller;
  const { source } = input;
  checkSource(source, input.v2 !== null);
  const to = dialableNumber(
    'mobile_number',
    toE164(input.mobileNumber) ?? (await refusedNumber(deps.db, caller, input.mobileNumber)),
    caller.destinations,
  );
  const closed = whyClosed(caller.destinations, to.e164);
  if (closed !== null) throw errors.invalid('mobile_number', closed);
  if (input.callConfig !== null) checkZone(input.callConfig);
  const choices = input.v2 ?? NO_CHOICES;
  const callId = newId();
  const agentId = isUuid(input.agentId) ? input.agentId : null;
  const found = await findPlacing(deps.db, workspaceId, agentId, to.e164, soughtNumber(source));
  if (found === null) throw errors.invalidCredentials();
  if (found.isDoNotCall) throw errors.doNotCall('mobile_number');
  const agent = outboundAgent(found);
  const version = await chosenVersion(deps, workspaceId, found, agent, callId, choices.versionId);
  const callee = calleeVariables({ name: input.name, number: to.e164 });
  const unfilled = variableWarnings(version.variables, input.customArgsValues, callee);
  if (caller.strictVariables && unfilled.length > 0) throw errors.validationFailed(asProblems(unfilled));
  const voiceId = chosenVoice(deps.voices, version.config, choices.voiceId);
  await checkParent(deps.db, workspaceId, choices.parentCallId);
  const now = deps.clock.now();
  const window = callWindow(version.config.callConfig.callTime, input.callConfig?.callTime, to.e164);
  const opening = nextOpening(window, now);
  if (opening === null) throw errors.invalid('call_config.call_time', NEVER_OPEN);
  const at = new Date(now);
  const own = { by: 'call', callTime: input.callConfig?.callTime } as const;
  const shown = callingWindow(version.config, own, to.e164, now);
  const placed: PlacedCall = {
    callId,
    status: 'registered',
    isWindowOpen: opening === now,
    nextAttemptAt: new Date(opening),
    window: shown,
    warnings: [...unfilled, ...windowWarnings(shown)],
    initiatedAt: at,
    agentId: agent.id,
    customArgsValues: { ...input.customArgsValues, ...calleeVariables({ number: to.e164 }) },
  };
  /** The call's row with this caller number. Throws 422 for an undialable callee and 402 for a low balance. */
  const from = (number: PlacingNumber): NewCall & { at: Date } => {
    // The test carrier reaches no real phone, so it may dial numbers outside every numbering plan.
    if (!to.inNumberingPlan && number.trunkSettings?.['kind'] !== 'test') {
      throw errors.invalid('mobile_number', 'is not a valid phone number: no numbering plan has it');
    }
    checkBalance(found.balance, deps.rate);
    return {
      id: callId,
      agentId: agent.id,
      versionId: version.id,
      numberId: number.id,
      fromNumber: number.number,
      toNumber: to.e164,
      calleeName: input.name,
      args: { ...callee, ...placed.customArgsValues },
      callConfig: input.callConfig,
      callback: choices.callback,
      voiceId,
      category: choices.category,
      parentCallId: choices.parentCallId,
      subStatus: placed.isWindowOpen ? 'QUEUED' : 'WINDOW_CLOSED',
      nextAttemptAt: new Date(opening),
      at,
    };
  };
  keep.change?.setSubject(placed);
  const { answer } = keep;
  const beside = answer === null ? null : (tx: Tx): Promise<void> => answer(tx, placed);
  const { numberPoolId } = source;
  if (numberPoolId === null) {
    const call = from(checkNumber(source, found.number, input.isTestCall === true));
    await checkCaps(deps, caller, found.balance.unlimited);
    await deps.intake.add(workspaceId, call, keep.change?.handOver() ?? null, beside);
    keep.change?.markWritten();
  } else {
    await checkCaps(deps, caller, found.balance.unlimited);
    await commitChange(deps.db, keep.change, async (tx) => {
      const call = from(await pooledNumber(tx, workspaceId, numberPoolId, at));
      await beside?.(tx);
      await insertPlacedCalls(tx, workspaceId, [call], []);
    });
  }
  deps.wakeScheduler();
  return placed;
}

/** Throws 422 with the number that the text probably means, in the country of the workspace's own numbers. */
async function refusedNumber(db: Db, caller: Caller, text: string): Promise<never> {
  const ownCallingCode = sharedCallingCode(await callerNumbersOf(db, caller.workspaceId));
  const { allowPremium } = caller.destinations;
  const read = readContactNumber(text, {
    callingCode: null,
    ownCallingCode,
    allowPremium,
    allowUnassigned: false,
  });
  const meant = read.ok ? read.e164 : read.suggestion;
  throw errors.notE164('mobile_number', meant);
}

type PlacingAgent = NonNullable<Placing['agent']>;

function outboundAgent({ agent }: Placing): PlacingAgent {
  if (agent === null) throw errors.agentNotFound();
  if (!makesOutboundCalls(agent.agentType)) throw errors.agentNotOutbound();
  return agent;
}

/** The active version was read with its agent; any other takes another query. Throws 404. */
async function chosenVersion(
  { db, variables: cache }: Pick<PlaceCallDeps, 'db' | 'variables'>,
  workspaceId: string,
  found: Placing,
  agent: PlacingAgent,
  callId: string,
  wanted: string | null,
): Promise<{ id: string; config: VersionConfig; variables: AgentVariables }> {
  if (wanted === null && agent.abStartedAt === null && found.config !== null && found.revision !== null) {
    const id = agent.activeVersionId;
    const read = async (): Promise<VersionConfig | null> => {
      const version = await findVersion(db, workspaceId, agent.id, id);
      return version === undefined ? null : version.config;
    };
    const variables = await cache.of(id, found.revision, read);
    if (variables !== null) return { id, config: found.config, variables };
  }
  const version = await versionForCall(db, workspaceId, agent, callId, wanted);
  const config = version.config;
  return { id: version.id, config, variables: agentVariables(config) };
}

/** The call's own voice must speak the version's languages. Throws 422 and VOICE_LANGUAGE_MISMATCH. */
function chosenVoice(voices: VoiceCatalogue, config: VersionConfig, voiceId: string | null): string | null {
  if (voiceId === null) return null;
  const choice = {
    voiceId,
    language: config.language,
    secondaryLanguage: config.secondaryLanguage,
    secondaryVoiceId: config.secondaryVoiceId,
  };
  return checkVoices(voices, choice).voiceId;
}

async function checkParent(db: Db, workspaceId: string, callId: string | null): Promise<void> {
  if (callId === null) return;
  const known = isUuid(callId) ? await knownCalls(db, workspaceId, [callId]) : new Set();
  if (known.size === 0) throw errors.callNotFound();
}

/** A call is accepted when the unlocked balance covers one pulse (open-points, Money). */
function checkBalance(balance: Balance, rate: Rate): void {
  const isCovered = balance.unlimited || balance.credits - balance.lockedCredits >= pulsePrice(rate);
  if (!isCovered) throw errors.insufficientBalance();
}

/** Source of the caller number: exactly one field is set. */
export interface CallerSource {
  fromNumberId: string | null;
  fromNumber: string | null;
  numberPoolId: string | null;
}

/** Throws 422 unless exactly one source is set. */
export function checkSource(source: CallerSource, mayBePool: boolean): void {
  const given = [
    ...(source.fromNumberId === null ? [] : ['from_number_id']),
    ...(source.fromNumber === null ? [] : ['from_number']),
    ...(source.numberPoolId === null ? [] : ['number_pool_id']),
  ];
  if (given.length === 1) return;
  if (!mayBePool || (given.length === 2 && source.numberPoolId === null)) throw errors.bothCallerSources();
  throw errors.oneCallerSource(given);
}

/** The number to read together with the agent; null: it comes from a pool, or the id is invalid. */
export function soughtNumber(source: CallerSource): { id: string } | { number: string } | null {
  const { fromNumber, fromNumberId } = source;
  if (fromNumber !== null) return { number: toE164(fromNumber) ?? fromNumber };
  if (fromNumberId === null) return null;
  if (isUuid(fromNumberId)) return { id: fromNumberId };
  const number = toE164(fromNumberId);
  return number === null ? null : { number };
}

/** Returns a number that calls may be made from. Throws 400. */
export function checkNumber(
  source: CallerSource,
  found: PlacingNumber | null,
  isTestCall = false,
): PlacingNumber {
  if (found === null) {
    throw errors.numberNotInWorkspace(source.fromNumber === null ? 'from_number_id' : 'from_number');
  }
  if (found.isTestNumber && !isTestCall) throw errors.testNumber();
  if (found.trunkId === null) throw errors.numberWithoutTrunk();
  return found;
}

/** Takes the pool's next number in its rotation. Throws 404 and 400. */
export async function pooledNumber(
  tx: Tx,
  workspaceId: string,
  poolId: string,
  at: Date,
): Promise<PlacingNumber> {
  const pool = isUuid(poolId) ? await lockPool(tx, workspaceId, poolId) : undefined;
  if (pool === undefined) throw errors.poolNotFound();
  const taken = await takeFromPool(tx, workspaceId, pool.id, at);
  if (taken === null) throw errors.poolWithoutNumber(await hasMembers(tx, workspaceId, pool.id));
  return taken;
}
