import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { findAgent, type AgentRow } from '../../store/agents.ts';
import type { Db, Tx } from '../../store/database.ts';
import { hintDue, insertOutboundCall, readBalance } from '../../store/new-call.ts';
import { knownCalls } from '../../store/queued-calls.ts';
import { makesOutboundCalls, type VersionConfig } from '../agents/agent-version.ts';
import type { CallLevelConfig } from '../agents/call-config.ts';
import { checkZone } from '../agents/create-agent.ts';
import { versionForCall } from '../agents/version-choice.ts';
import { checkVoices, type VoiceCatalogue } from '../agents/voice-catalogue.ts';
import { pulsePrice, type Rate } from '../credits/price.ts';
import { dialableNumber } from '../numbers/dialable-number.ts';
import type { CallCallback } from '../webhooks/subscriptions.ts';
import type { Caller } from '../workspaces/authenticate-key.ts';
import { callerNumber, checkSource, type CallerSource } from './caller-source.ts';
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

/**
 * Queues one outbound call (interface, POST /calling/outbound/individual and its newer variant). `onStored` runs in
 * the transaction that creates the call. Throws 422, 404, 400 and 402, looked for in this order.
 */
export async function placeCall(
  deps: PlaceCallDeps,
  caller: Caller,
  input: PlaceCallInput,
  onStored: (tx: Tx, placed: PlacedCall) => Promise<void> = async () => undefined,
): Promise<PlacedCall> {
  const { workspaceId } = caller;
  checkSource(input.source, input.v2 !== null);
  const to = dialableNumber('mobile_number', input.mobileNumber, caller);
  if (input.callConfig !== null) checkZone(input.callConfig);
  const choices = input.v2 ?? NO_CHOICES;
  const callId = newId();
  const agent = await outboundAgent(deps.db, workspaceId, input.agentId);
  const version = await versionForCall(deps.db, workspaceId, agent, callId, choices.versionId);
  const config = version.config as unknown as VersionConfig;
  const voiceId = chosenVoice(deps.voices, config, choices.voiceId);
  await checkParent(deps.db, workspaceId, choices.parentCallId);
  const now = deps.clock.now();
  const window = callWindow(config.call_config.call_time, input.callConfig?.call_time, to.e164);
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
  await deps.db.transaction().execute(async (tx) => {
    const from = await callerNumber(tx, workspaceId, input.source, at);
    // The test carrier reaches nobody, so numbers that are nobody's may be dialled through it.
    if (!to.inNumberingPlan && from.trunk_settings?.['kind'] !== 'test') {
      throw errors.invalid('mobile_number', 'is not a valid phone number: no numbering plan has it');
    }
    await checkBalance(tx, workspaceId, deps.rate);
    await insertOutboundCall(
      tx,
      workspaceId,
      {
        id: callId,
        agentId: agent.id,
        versionId: version.id,
        numberId: from.id,
        fromNumber: from.number,
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
      },
      at,
    );
    await onStored(tx, placed);
    await hintDue(tx, workspaceId, new Date(opening));
  });
  deps.notify();
  return placed;
}

async function outboundAgent(db: Db, workspaceId: string, agentId: string): Promise<AgentRow> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  if (!makesOutboundCalls(agent.agent_type)) throw errors.agentNotOutbound();
  return agent;
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
async function checkBalance(tx: Tx, workspaceId: string, rate: Rate): Promise<void> {
  const balance = await readBalance(tx, workspaceId);
  if (balance === undefined) throw errors.invalidCredentials();
  const isCovered = balance.unlimited || balance.credits - balance.locked_credits >= pulsePrice(rate);
  if (!isCovered) throw errors.insufficientBalance();
}
