import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { findAgent, findVersion, type AgentRow } from '../../store/agents.ts';
import type { Db, Tx } from '../../store/database.ts';
import { hintDue, insertOutboundCall, readBalance } from '../../store/new-call.ts';
import { findCallerNumber, type CallerNumber } from '../../store/numbers.ts';
import { makesOutboundCalls, type VersionConfig } from '../agents/agent-version.ts';
import type { CallLevelConfig } from '../agents/call-config.ts';
import { checkZone } from '../agents/create-agent.ts';
import { pulsePrice, type Rate } from '../credits/price.ts';
import { dialableNumber } from '../numbers/dialable-number.ts';
import type { Caller } from '../workspaces/authenticate-key.ts';
import { callWindow, nextOpening } from './call-window.ts';

export interface PlaceCallInput {
  name: string;
  mobileNumber: string;
  agentId: string;
  fromNumberId: string | null;
  fromNumber: string | null;
  customArgsValues: Record<string, string>;
  callConfig: CallLevelConfig | null;
}
export interface PlaceCallDeps {
  db: Db;
  clock: Clock;
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
 * Queues one outbound call (interface, POST /calling/outbound/individual). `onStored` runs in the transaction
 * that creates the call. Throws 422, 404, 400 and 402, looked for in this order.
 */
export async function placeCall(
  deps: PlaceCallDeps,
  caller: Caller,
  input: PlaceCallInput,
  onStored: (tx: Tx, placed: PlacedCall) => Promise<void> = async () => undefined,
): Promise<PlacedCall> {
  if ((input.fromNumberId === null) === (input.fromNumber === null)) throw errors.bothCallerSources();
  const to = dialableNumber('mobile_number', input.mobileNumber, caller);
  if (input.callConfig !== null) checkZone(input.callConfig);
  const { agent, config } = await outboundAgent(deps.db, caller.workspaceId, input.agentId);
  const from = await callerNumber(deps.db, caller.workspaceId, input);
  // The test carrier reaches nobody, so numbers that are nobody's may be dialled through it.
  if (!to.inNumberingPlan && from.trunk_settings?.['kind'] !== 'test') {
    throw errors.invalid('mobile_number', 'is not a valid phone number: no numbering plan has it');
  }
  const now = deps.clock.now();
  const window = callWindow(config.call_config.call_time, input.callConfig?.call_time);
  const opening = nextOpening(window, now);
  const at = new Date(now);
  const placed: PlacedCall = {
    callId: newId(),
    status: 'registered',
    isWindowOpen: opening === now,
    initiatedAt: at,
    agentId: agent.id,
    customArgsValues: { ...input.customArgsValues, mobile_number: to.e164 },
  };
  await deps.db.transaction().execute(async (tx) => {
    await checkBalance(tx, caller.workspaceId, deps.rate);
    await insertOutboundCall(
      tx,
      caller.workspaceId,
      {
        id: placed.callId,
        agentId: agent.id,
        versionId: agent.active_version_id,
        numberId: from.id,
        fromNumber: from.number,
        toNumber: to.e164,
        calleeName: input.name,
        args: { callee_name: input.name, ...placed.customArgsValues },
        callConfig: input.callConfig,
        subStatus: placed.isWindowOpen ? 'QUEUED' : 'WINDOW_CLOSED',
        nextAttemptAt: new Date(opening),
      },
      at,
    );
    await onStored(tx, placed);
    await hintDue(tx, caller.workspaceId, new Date(opening));
  });
  deps.notify();
  return placed;
}

async function outboundAgent(
  db: Db,
  workspaceId: string,
  agentId: string,
): Promise<{ agent: AgentRow; config: VersionConfig }> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  if (!makesOutboundCalls(agent.agent_type)) throw errors.agentNotOutbound();
  const version = await findVersion(db, workspaceId, agent.id, agent.active_version_id);
  if (version === undefined) throw errors.versionNotFound();
  return { agent, config: version.config as unknown as VersionConfig };
}

async function callerNumber(
  db: Db,
  workspaceId: string,
  input: Pick<PlaceCallInput, 'fromNumberId' | 'fromNumber'>,
): Promise<CallerNumber> {
  const { fromNumberId, fromNumber } = input;
  let found: CallerNumber | undefined;
  if (fromNumber !== null) found = await findCallerNumber(db, workspaceId, { number: fromNumber });
  else if (fromNumberId !== null && isUuid(fromNumberId)) {
    found = await findCallerNumber(db, workspaceId, { id: fromNumberId });
  }
  if (found === undefined) {
    throw errors.numberNotInWorkspace(fromNumber === null ? 'from_number_id' : 'from_number');
  }
  if (found.is_test_number) throw errors.testNumber();
  if (found.trunk_id === null) throw errors.numberWithoutTrunk();
  return found;
}

/** A call is taken when what is not locked covers one pulse (open-points, Money). */
async function checkBalance(tx: Tx, workspaceId: string, rate: Rate): Promise<void> {
  const balance = await readBalance(tx, workspaceId);
  if (balance === undefined) throw errors.invalidCredentials();
  const isCovered = balance.unlimited || balance.credits - balance.locked_credits >= pulsePrice(rate);
  if (!isCovered) throw errors.insufficientBalance();
}
