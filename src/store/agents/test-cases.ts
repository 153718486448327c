import { caseDocument, type CaseDefinition } from '../json/test-case.ts';
import type { Stored } from '../../shared/wire-names.ts';
import { sql } from 'kysely';
import { storableJson } from '../../shared/storable.ts';
import type { Db, Tx } from '../database.ts';
import type { TestState } from '../schema.ts';

export interface TestCaseRow {
  readonly id: string;
  readonly agentId: string;
  readonly definition: CaseDefinition;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The newest result of a case with one version. */
export interface LastResult {
  readonly caseId: string;
  readonly versionId: string;
  readonly runId: string;
  readonly state: TestState;
  readonly endedAt: Date;
  /** The version has not changed since. */
  readonly isCurrent: boolean;
}

const CASE = sql`id, agent_id as "agentId", definition, created_at as "createdAt", updated_at as "updatedAt"`;

export async function insertTestCase(
  tx: Tx,
  workspaceId: string,
  made: {
    readonly id: string;
    readonly agentId: string;
    readonly definition: CaseDefinition;
    readonly sourceId: string | null;
  },
  at: Date,
): Promise<void> {
  await tx
    .insertInto('agent_test_cases')
    .values({
      workspace_id: workspaceId,
      id: made.id,
      agent_id: made.agentId,
      name: made.definition.name,
      definition: storableJson(caseDocument.write(made.definition)),
      source_id: made.sourceId,
      created_at: at,
      updated_at: at,
    })
    .execute();
}

/** The cases of an agent, oldest first. */
export async function listTestCases(db: Db, workspaceId: string, agentId: string): Promise<TestCaseRow[]> {
  const { rows } = await sql<Stored<TestCaseRow, 'definition'>>`
    select ${CASE} from agent_test_cases where workspace_id = ${workspaceId} and agent_id = ${agentId}
    order by created_at, id`.execute(db);
  return caseDocument.readIn(rows, 'definition');
}

/** One case of the agent; `isLocked` holds it until commit. */
export async function findTestCase(
  db: Db,
  at: { readonly workspaceId: string; readonly agentId: string; readonly caseId: string },
  isLocked = false,
): Promise<TestCaseRow | null> {
  const { rows } = await sql<Stored<TestCaseRow, 'definition'>>`
    select ${CASE} from agent_test_cases
    where workspace_id = ${at.workspaceId} and agent_id = ${at.agentId} and id = ${at.caseId}
    ${isLocked ? sql`for update` : sql``}`.execute(db);
  return caseDocument.readIn(rows, 'definition')[0] ?? null;
}

export async function countTestCases(db: Db, workspaceId: string, agentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from agent_test_cases
    where workspace_id = ${workspaceId} and agent_id = ${agentId}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function updateTestCase(
  tx: Tx,
  workspaceId: string,
  caseId: string,
  definition: CaseDefinition,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('agent_test_cases')
    .set({ name: definition.name, definition: storableJson(caseDocument.write(definition)), updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', caseId)
    .execute();
}

/** Deletes a case; the results of its runs stay. */
export async function deleteTestCase(tx: Tx, workspaceId: string, caseId: string): Promise<void> {
  await tx
    .deleteFrom('agent_test_cases')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', caseId)
    .execute();
}

/** For each case of the agent and each version, the newest ended result. */
export async function lastTestResults(db: Db, workspaceId: string, agentId: string): Promise<LastResult[]> {
  const { rows } = await sql<LastResult>`
    select distinct on (r.case_id, r.version_id)
      r.case_id as "caseId", r.version_id as "versionId", r.run_id as "runId", r.state, r.ended_at as "endedAt",
      coalesce(r.version_changed_at = v.updated_at and r.started_at >= c.updated_at, false) as "isCurrent"
    from agent_test_cases c
    join agent_test_results r on r.workspace_id = c.workspace_id and r.case_id = c.id and r.ended_at is not null
    join agent_versions v on v.workspace_id = c.workspace_id and v.agent_id = c.agent_id and v.id = r.version_id
    where c.workspace_id = ${workspaceId} and c.agent_id = ${agentId}
    order by r.case_id, r.version_id, r.ended_at desc, r.run_id desc`.execute(db);
  return rows;
}
