import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { Balance, NewCall } from '../../store/new-call.ts';
import { findPlacing, insertPlacedCalls, type Placing, type PlacingNumber } from '../../store/placing.ts';
import { knownCalls } from '../../store/queued-calls.ts';
import { makesOutboundCalls, type VersionConfig } from '../agents/agent-version.ts';
import type { CallLevelConfig } from '../agents/call-config.ts';
import { checkZone } from '../agents/create-agent.ts';
import { versionForCall } from '../agents/version-choice.ts';
import { checkVoices, type VoiceCatalogue } from '../agents/voice-catalogue.ts';
import type { ChangeEntry } from '../audit/change-entry.ts';
import { pulsePrice, type Rate } from '../credits/price.ts';
import { dialableNumber } from '../numbers/dialable-number.ts';
import type { CallCallback } from '../webhooks/subscriptions.ts';
import type { Caller } from '../workspaces/authenticate-key.ts';
import type { CallIntake } from './call-intake.ts';
import { checkNumber, checkSource, pooledNumber, soughtNumber, type CallerSource } from './caller-source.ts';
import { callWindow, nextOpening } from './call-window.ts';

export interface PlaceCallInput {
  name: string;
  mobileNumber: string;
  agentId: string;
  /** A pool may be named by the newer variant of the request only. */
  source: CallerSource;
  customArgsValues: Record<string, string>;
  callConfig: CallLevelConfig | null;
  /** What only the newer variant has; null for the older one. */
  v2: CallChoices | null;
}

/** What POST /calling/v2/outbound/individual lets one call choose; null: as its agent has it. */
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
  /** Wakes the dialer; only a hint, the queue is in the database. */
  notify: () => void;
}
export interface PlacedCall {
  callId: string;
  status: 'registered';
  isWindowOpen: boolean;
  initiatedAt: Date;
  agentId: string;
  /** The sent values and `mobile_number`. */
  customArgsValues: Record<string, string>;
}

/** What is kept with a call, in the transaction that creates it. */
export interface Keep {
  /** The entry of the request in the audit log. */
  readonly change: ChangeEntry | null;
  /** Keeps the answer; null: under no key. */
  readonly answer: ((tx: Tx, placed: PlacedCall) => Promise<void>) | null;
}

/**
 * Queues one outbound call (interface, POST /calling/outbound/individual and its newer variant). Throws 422, 404, 400
 * and 402, looked for in this order.
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
  const to = dialableNumber('mobile_number', input.mobileNumber, caller);
  if (input.callConfig !== null) checkZone(input.callConfig);
  const choices = input.v2 ?? NO_CHOICES;
  const callId = newId();
  const agentId = isUuid(input.agentId) ? input.agentId : null;
  const found = await findPlacing(deps.db, workspaceId, agentId, soughtNumber(source));
  if (found === null) throw errors.invalidCredentials();
  const agent = outboundAgent(found);
  const version = await chosenVersion(deps.db, workspaceId, found, agent, callId, choices.versionId);
  const voiceId = chosenVoice(deps.voices, version.config, choices.voiceId);
  await checkParent(deps.db, workspaceId, choices.parentCallId);
  const now = deps.clock.now();
  const window = callWindow(version.config.call_config.call_time, input.callConfig?.call_time, to.e164);
  const opening = nextOpening(window, now);
  if (opening === null) throw errors.invalid('call_config.call_time', NEVER_OPEN);
  const at = new Date(now);
  const placed: PlacedCall = {
    callId,
    status: 'registered',
    isWindowOpen: opening === now,
    initiatedAt: at,
    agentId: agent.id,
    customArgsValues: { ...input.customArgsValues, mobile_number: to.e164 },
  };
  /** The row, from a number that may call this one with the money there is. */
  const from = (number: PlacingNumber): NewCall & { at: Date } => {
    // The test carrier reaches nobody, so numbers that are nobody's may be dialled through it.
    if (!to.inNumberingPlan && number.trunk_settings?.['kind'] !== 'test') {
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
      args: { callee_name: input.name, ...placed.customArgsValues },
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
  keep.change?.tell(placed);
  const { answer } = keep;
  const beside = answer === null ? null : (tx: Tx): Promise<void> => answer(tx, placed);
  const { numberPoolId } = source;
  if (numberPoolId === null) {
    await deps.intake.add(workspaceId, from(checkNumber(source, found.number)), keep.change, beside);
  } else {
    await deps.db.transaction().execute(async (tx) => {
      const call = from(await pooledNumber(tx, workspaceId, numberPoolId, at));
      await beside?.(tx);
      await insertPlacedCalls(tx, workspaceId, [call], []);
    });
  }
  deps.notify();
  return placed;
}

type PlacingAgent = NonNullable<Placing['agent']>;

function outboundAgent({ agent }: Placing): PlacingAgent {
  if (agent === null) throw errors.agentNotFound();
  if (!makesOutboundCalls(agent.agent_type)) throw errors.agentNotOutbound();
  return agent;
}

/** The active version was found beside its agent; another is looked up. Throws 404. */
async function chosenVersion(
  db: Db,
  workspaceId: string,
  found: Placing,
  agent: PlacingAgent,
  callId: string,
  wanted: string | null,
): Promise<{ id: string; config: VersionConfig }> {
  const isActive = wanted === null && agent.ab_started_at === null && found.config !== null;
  const { id, config } = isActive
    ? { id: agent.active_version_id, config: found.config }
    : await versionForCall(db, workspaceId, agent, callId, wanted);
  return { id, config: config as unknown as VersionConfig };
}

/** A voice of the call's own speaks what the version speaks. Throws 422 and VOICE_LANGUAGE_MISMATCH. */
function chosenVoice(voices: VoiceCatalogue, config: VersionConfig, voiceId: string | null): string | null {
  if (voiceId === null) return null;
  const choice = {
    voiceId,
    language: config.language,
    secondaryLanguage: config.secondary_language,
    secondaryVoiceId: config.secondary_voice_id,
  };
  return checkVoices(voices, choice).voiceId;
}

async function checkParent(db: Db, workspaceId: string, callId: string | null): Promise<void> {
  if (callId === null) return;
  const known = isUuid(callId) ? await knownCalls(db, workspaceId, [callId]) : new Set();
  if (known.size === 0) throw errors.callNotFound();
}

/** A call is taken when what is not locked covers one pulse (open-points, Money). */
function checkBalance(balance: Balance, rate: Rate): void {
  const isCovered = balance.unlimited || balance.credits - balance.locked_credits >= pulsePrice(rate);
  if (!isCovered) throw errors.insufficientBalance();
}
