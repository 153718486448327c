import type { CaseDefinition } from '../../store/json/test-case.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import { findAgent, lockAgent, type AgentRow } from '../../store/agents/agents.ts';
import {
  countTestCases,
  deleteTestCase,
  findTestCase,
  insertTestCase,
  lastTestResults,
  listTestCases,
  updateTestCase,
  type LastResult,
  type TestCaseRow,
} from '../../store/agents/test-cases.ts';
import { lockCall } from '../../store/calls/facts.ts';
import { lockChat } from '../../store/chats/chats.ts';
import type { Db, Tx } from '../../store/database.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export const MOST_CASES = 100;

interface CaseDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export interface TestCase {
  readonly id: string;
  readonly agentId: string;
  readonly definition: CaseDefinition;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The newest result with each version that it was run with. */
  readonly lastResults: readonly LastResult[];
}

/** The call or chat that a case is saved from; at most one of them. */
export interface CaseSource {
  readonly callId: string | null;
  readonly chatId: string | null;
}

const MOST_RESULT_CHARS = 8_000;

/** The agent, unless it is archived or of another workspace. Throws 404. */
export async function agentToTest(db: Db, workspaceId: string, agentId: string): Promise<AgentRow> {
  const agent = isUuid(agentId) ? await findAgent(db, workspaceId, agentId) : undefined;
  if (agent === undefined) throw errors.agentNotFound();
  return agent;
}

/** The cases of an agent, oldest first. Throws 404. */
export async function readCases(deps: { db: Db }, workspaceId: string, agentId: string): Promise<TestCase[]> {
  const agent = await agentToTest(deps.db, workspaceId, agentId);
  const rows = await listTestCases(deps.db, workspaceId, agent.id);
  const results = await lastTestResults(deps.db, workspaceId, agent.id);
  return rows.map((row) => toCase(row, results));
}

/** Throws 404. */
export async function readCase(
  deps: { db: Db },
  workspaceId: string,
  agentId: string,
  caseId: string,
): Promise<TestCase> {
  const agent = await agentToTest(deps.db, workspaceId, agentId);
  const row = await foundCase(deps.db, workspaceId, agent.id, caseId);
  return toCase(row, await lastTestResults(deps.db, workspaceId, agent.id));
}

/** Saves a case of an agent. Throws 404, 400 for a 101st, and 422. */
export async function createCase(
  deps: CaseDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  input: { readonly agentId: string; readonly definition: CaseDefinition; readonly source: CaseSource },
  onStored: (tx: Tx, made: TestCase) => Promise<void> = async () => undefined,
): Promise<TestCase> {
  const { definition } = input;
  checkDefinition(definition);
  const at = new Date(deps.clock.now());
  return commitChange(deps.db, change, async (tx) => {
    const sourceId = await sourceOf(tx, workspaceId, input.source);
    const agent = isUuid(input.agentId) ? await lockAgent(tx, workspaceId, input.agentId) : undefined;
    if (agent === undefined) throw errors.agentNotFound();
    if ((await countTestCases(tx, workspaceId, agent.id)) >= MOST_CASES)
      throw errors.tooManyTestCases(MOST_CASES);
    const id = newId();
    await insertTestCase(tx, workspaceId, { id, agentId: agent.id, definition, sourceId }, at);
    const made = { id, agentId: agent.id, definition, createdAt: at, updatedAt: at, lastResults: [] };
    await onStored(tx, made);
    return made;
  });
}

/** Saves the cases of an agent that has none, in their order. Throws 400 for a 101st, and 422. */
export async function storeCases(
  tx: Tx,
  workspaceId: string,
  agentId: string,
  definitions: readonly CaseDefinition[],
  at: Date,
): Promise<void> {
  if (definitions.length > MOST_CASES) throw errors.tooManyTestCases(MOST_CASES);
  for (const [place, definition] of definitions.entries()) {
    checkDefinition(definition);
    const madeAt = new Date(at.getTime() + place);
    await insertTestCase(tx, workspaceId, { id: newId(), agentId, definition, sourceId: null }, madeAt);
  }
}

/** Replaces the given parts of a case. Throws 404 and 422. */
export async function changeCase(
  deps: CaseDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  input: { readonly agentId: string; readonly caseId: string; readonly parts: Partial<CaseDefinition> },
): Promise<TestCase> {
  const at = new Date(deps.clock.now());
  await commitChange(deps.db, change, async (tx) => {
    const agent = await agentToTest(tx, workspaceId, input.agentId);
    const row = await foundCase(tx, workspaceId, agent.id, input.caseId, true);
    const definition = { ...definitionOf(row), ...input.parts };
    checkDefinition(definition);
    await updateTestCase(tx, workspaceId, row.id, definition, at);
    return { caseId: row.id };
  });
  return readCase(deps, workspaceId, input.agentId, input.caseId);
}

/** Throws 404. */
export async function removeCase(
  deps: CaseDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  { agentId, caseId }: { readonly agentId: string; readonly caseId: string },
): Promise<{ caseId: string }> {
  return commitChange(deps.db, change, async (tx) => {
    const agent = await agentToTest(tx, workspaceId, agentId);
    const row = await foundCase(tx, workspaceId, agent.id, caseId, true);
    await deleteTestCase(tx, workspaceId, row.id);
    return { caseId: row.id };
  });
}

async function foundCase(
  db: Db,
  workspaceId: string,
  agentId: string,
  caseId: string,
  isLocked = false,
): Promise<TestCaseRow> {
  const row = isUuid(caseId) ? await findTestCase(db, { workspaceId, agentId, caseId }, isLocked) : null;
  if (row === null) throw errors.testCaseNotFound();
  return row;
}

/** Locks the source until commit, so that an erasure finds the case. */
async function sourceOf(tx: Tx, workspaceId: string, source: CaseSource): Promise<string | null> {
  const { callId, chatId } = source;
  if (callId !== null) {
    const call = isUuid(callId) ? await lockCall(tx, workspaceId, callId) : null;
    if (call === null) throw errors.callNotFound();
    return call.id;
  }
  if (chatId === null) return null;
  const chat = isUuid(chatId) ? await lockChat(tx, workspaceId, chatId) : null;
  if (chat === null) throw errors.chatNotFound();
  return chat.id;
}

/** Rules that the schema cannot express. Throws 422. */
function checkDefinition({ lines, expectations, toolResults: results }: CaseDefinition): void {
  for (const [at, expectation] of expectations.entries()) {
    if (!('turn' in expectation) || expectation.turn === undefined || expectation.turn <= lines.length)
      continue;
    throw errors.invalid(`expectations[${at}].turn`, `must be at most ${lines.length}, the number of lines`);
  }
  for (const [at, { result }] of results.entries()) {
    if (JSON.stringify(result).length <= MOST_RESULT_CHARS) continue;
    throw errors.invalid(
      `tool_results[${at}].result`,
      `must be at most ${MOST_RESULT_CHARS} characters of JSON`,
    );
  }
}

/** The definition in the form in which it is stored. */
export const definitionOf = ({ definition }: Pick<TestCaseRow, 'definition'>): CaseDefinition => definition;

const toCase = (row: TestCaseRow, results: readonly LastResult[]): TestCase => ({
  id: row.id,
  agentId: row.agentId,
  definition: definitionOf(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  lastResults: results.filter(({ caseId }) => caseId === row.id),
});
