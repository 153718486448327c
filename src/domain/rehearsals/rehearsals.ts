import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { findAgent, findVersion, lockAgent, type AgentRow } from '../../store/agents/agents.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { RehearsalResult, RehearsedCall } from '../../store/json/rehearsal.ts';
import { insertJob } from '../../store/jobs.ts';
import { findConversation } from '../../store/rehearsals/by-sound.ts';
import { lockEventLog } from '../../store/quality/checks.ts';
import {
  cancelRehearsal,
  countOpenRehearsals,
  dropOldRehearsals,
  findPlan,
  findResult,
  insertRehearsal,
  listRehearsals,
  type RehearsalRow,
} from '../../store/rehearsals/rehearsals.ts';
import { versionTag } from '../agents/draft/open-draft.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { checkStorage } from '../workspaces/storage-quotas.ts';
import { recordedLines } from './model-lines.ts';
import { costOfRun, type CostDeps } from './run-cost.ts';
import type { Rehearser } from './rehearser.ts';
import { sourceCall, type CallScenario } from './source-call.ts';

/** The jobs that play the calls of a rehearsal. */
export const REHEARSAL_JOB = 'agent.rehearsal';
export const SOUND_REHEARSAL_JOB = 'agent.sound_rehearsal';

/** Rehearsals of one agent at a time, and ended ones that are kept. */
const MOST_OPEN = 3;
const KEPT = 50;
/** Calls of a rehearsal by sound, each of which takes its real time. */
const MOST_BY_SOUND = 500;
const WAIT_STEP_MS = 250;
const FILE = 'scenario_file';

export type { RehearsalRow };

export interface RehearsalDetails {
  readonly rehearsal: RehearsalRow;
  /** Null until the last call was judged. */
  readonly result: RehearsalResult | null;
}

export interface StartInput {
  readonly agentId: string;
  /** A version or an open draft; null: the active version. */
  readonly versionId: string | null;
  /** The version to compare with. */
  readonly againstId: string | null;
  /** Null: those of the agent's flow or prompt. */
  readonly scenarios: readonly object[] | null;
  /** The same as a file in YAML or JSON. */
  readonly scenarioFile: string | null;
  /** A finished call whose caller is simulated, instead of scenarios. */
  readonly callId: string | null;
  readonly seed: number;
  readonly calls: number;
  readonly timing: string;
  /** By sound; null: by text. */
  readonly sound: { readonly recogniser: string; readonly atOnce: number } | null;
  /** The most that models may cost, in the currency of the price list; null: no limit. */
  readonly maxCost: number | null;
}

interface Deps extends CostDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly rehearser: Rehearser;
  readonly callScenario: CallScenario;
}

/**
 * Starts a rehearsal. Throws 404 for an unknown agent, version or call, and for a call without an event log, 400 for an agent of WhatsApp and for one without scenarios, 409
 * while three rehearsals of the agent are under way and where callers need a model that is not set or has no price for the budget, 422 for a file of scenarios that cannot be read, for too many calls by sound and for callers by a model there, and 429 at the storage quota of tests.
 */
export async function startRehearsal(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  input: StartInput,
): Promise<string> {
  const { db, clock, rehearser, callScenario } = deps;
  const { sound } = input;
  if (sound !== null && input.calls > MOST_BY_SOUND)
    throw errors.invalid('calls', `must be at most ${MOST_BY_SOUND} by sound`);
  const { agent, frozen } = await versionToRehearse(deps, workspaceId, input);
  const against =
    input.againstId === null ? null : await frozenVersion(db, rehearser, agent, workspaceId, input.againstId);
  const source = input.callId === null ? null : await sourceCall(db, callScenario, workspaceId, input);
  const scenarios =
    source?.scenarios ??
    given(rehearser, input) ??
    (await rehearser.scenariosOf(frozen.spec, agent.displayName));
  if (scenarios.length === 0) throw errors.noScenarios();
  if (sound !== null && rehearser.hasModelCaller(scenarios))
    throw errors.invalid('mode', 'must be text where a model words the lines of a caller');
  const plan = {
    scenarios,
    seed: input.seed,
    timing: input.timing,
    mode: sound === null ? ('text' as const) : ('sound' as const),
    recogniser: sound?.recogniser ?? null,
    atOnce: sound?.atOnce ?? null,
    spec: frozen.spec,
    againstSpec: against?.spec ?? null,
  };
  const cost = await costOfRun(deps, workspaceId, plan, input.maxCost);
  const at = new Date(clock.now());
  return commitChange(db, change, async (tx: Tx) => {
    if ((await lockAgent(tx, workspaceId, agent.id)) === undefined) throw errors.agentNotFound();
    if ((await countOpenRehearsals(tx, workspaceId, agent.id)) >= MOST_OPEN)
      throw errors.rehearsalsOpen(MOST_OPEN);
    await checkStorage({ db: tx }, workspaceId, 'tests');
    // An erasure that commits first wins; one that comes later finds the rehearsal.
    if (source !== null && !(await lockEventLog(tx, workspaceId, source.callId)))
      throw errors.eventLogNotFound();
    const id = newId();
    await insertRehearsal(
      tx,
      workspaceId,
      {
        id,
        agentId: agent.id,
        versionId: frozen.id,
        versionTag: frozen.tag,
        againstId: against?.id ?? null,
        againstTag: against?.tag ?? null,
        ...plan,
        ...cost,
        sourceId: source?.callId ?? null,
        // Every scenario is played.
        calls: Math.max(input.calls, scenarios.length),
        atOnce: sound?.atOnce ?? null,
      },
      at,
    );
    await dropOldRehearsals(tx, workspaceId, agent.id, KEPT);
    const payload = { workspaceId, rehearsalId: id };
    const kind = sound === null ? REHEARSAL_JOB : SOUND_REHEARSAL_JOB;
    await insertJob(tx, { workspaceId, kind, dedup: id, payload }, at);
    return id;
  });
}

/** An agent of the phone, and what calls freeze of a version; `versionId` null: the active one. Throws 400 and 404. */
export async function versionToRehearse(
  { db, rehearser }: Pick<Deps, 'db' | 'rehearser'>,
  workspaceId: string,
  input: Pick<StartInput, 'agentId' | 'versionId'>,
): Promise<{ readonly agent: AgentRow; readonly frozen: FrozenVersion }> {
  const agent = await agentToRehearse(db, workspaceId, input.agentId);
  if (agent.agentType === 'whatsapp') throw errors.noRehearsal();
  const versionId = input.versionId ?? agent.activeVersionId;
  return { agent, frozen: await frozenVersion(db, rehearser, agent, workspaceId, versionId) };
}

interface FrozenVersion {
  readonly id: string;
  readonly tag: string;
  readonly spec: object;
}

/** Null: none were given. Throws 422 for a file that cannot be read, and for both forms at once. */
function given(
  rehearser: Rehearser,
  { scenarios, scenarioFile }: Pick<StartInput, 'scenarios' | 'scenarioFile'>,
): readonly object[] | null {
  if (scenarioFile === null) return scenarios;
  if (scenarios !== null) throw errors.invalid(FILE, 'cannot be sent beside scenarios');
  const read = rehearser.read(scenarioFile);
  if ('scenarios' in read) return read.scenarios;
  throw errors.validationFailed(
    read.problems.map(({ field, message }) => ({ field: `${FILE}: ${field}`, message })),
  );
}

async function agentToRehearse(db: Db, workspaceId: string, agentId: string): Promise<AgentRow> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  return agent;
}

async function frozenVersion(
  db: Db,
  rehearser: Rehearser,
  agent: AgentRow,
  workspaceId: string,
  versionId: string,
): Promise<FrozenVersion> {
  const version = isUuid(versionId) ? await findVersion(db, workspaceId, agent.id, versionId) : undefined;
  if (version === undefined) throw errors.versionNotFound();
  const whose = { name: agent.displayName, isInbound: agent.agentType === 'inbound' };
  return {
    id: version.id,
    tag: versionTag(version.id, version.config),
    spec: rehearser.freeze(whose, version.config),
  };
}

/** The rehearsals of an agent, newest first. Throws 404. */
export async function readRehearsals(
  { db }: { readonly db: Db },
  workspaceId: string,
  agentId: string,
): Promise<RehearsalRow[]> {
  const agent = await agentToRehearse(db, workspaceId, agentId);
  return listRehearsals(db, { workspaceId, agentId: agent.id });
}

interface Named {
  readonly agentId: string;
  readonly rehearsalId: string;
}

/** A rehearsal, once it has ended or `waitMs` have passed. Throws 404. */
export async function readRehearsal(
  { db }: { readonly db: Db },
  workspaceId: string,
  input: Named & { readonly waitMs: number },
): Promise<RehearsalDetails> {
  const agent = await agentToRehearse(db, workspaceId, input.agentId);
  if (!isUuid(input.rehearsalId)) throw errors.rehearsalNotFound();
  const at = { workspaceId, agentId: agent.id, rehearsalId: input.rehearsalId };
  for (let waited = 0; ; waited += WAIT_STEP_MS) {
    const [rehearsal] = await listRehearsals(db, at);
    if (rehearsal === undefined) throw errors.rehearsalNotFound();
    // The result may be stored between the two statements: a rehearsal that was still running then has none.
    if (rehearsal.endedAt !== null) return { rehearsal, result: await findResult(db, at) };
    if (waited >= input.waitMs) return { rehearsal, result: null };
    await sleep(WAIT_STEP_MS);
  }
}

/** Ends a rehearsal; the calls that were judged stay in its result. Throws 404, and 409 for one that has ended. */
export async function stopRehearsal(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  workspaceId: string,
  change: ChangeEntry | null,
  input: Named,
): Promise<RehearsalDetails> {
  const known = await readRehearsal({ db }, workspaceId, { ...input, waitMs: 0 });
  const ref = { workspaceId, rehearsalId: known.rehearsal.id };
  await commitChange(db, change, async (tx) => {
    if (!(await cancelRehearsal(tx, ref, new Date(clock.now())))) throw errors.rehearsalEnded();
  });
  return readRehearsal({ db }, workspaceId, { ...input, waitMs: 0 });
}

/** Plays one call of a rehearsal by text again: it is the same. One by sound is read as it was played. Throws 404. */
export async function showRehearsed(
  { db, rehearser }: Pick<Deps, 'db' | 'rehearser'>,
  workspaceId: string,
  input: Named & { readonly call: number; readonly before: boolean },
): Promise<RehearsedCall> {
  const { rehearsal } = await readRehearsal({ db }, workspaceId, { ...input, waitMs: 0 });
  const plan = await findPlan(db, { workspaceId, rehearsalId: rehearsal.id });
  if (plan === undefined) throw errors.rehearsalNotFound();
  if (input.call >= plan.calls || (input.before && plan.againstSpec === null))
    throw errors.rehearsedCallNotFound();
  const ref = { workspaceId, rehearsalId: rehearsal.id };
  if (plan.mode === 'text')
    return rehearser.show(plan, input.call, input.before, (call) => recordedLines(db, ref, call));
  const conversation = await findConversation(db, ref, input.call, input.before);
  if (conversation === null) throw errors.rehearsedCallNotFound();
  return conversation;
}
