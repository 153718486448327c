import { sql } from 'kysely';
import { topUp, type RunState } from './run-state.ts';

/** Credits added to a workspace whenever its balance runs out. */
const TOP_UP = 60;

const nameOf = ({ started }: RunState, id: string): string =>
  started.find((one) => one.id === id)?.campaign.name ?? id;

interface Backlog {
  readonly waiting: number;
  readonly due: number;
  readonly live: number;
  readonly running: number;
  readonly unreported: number;
  readonly queued: number;
  /** Also those whose process was killed: they are due again when its lease has ended. */
  readonly jobs: number;
  /** Campaigns that are paused or out of credits, for the log. */
  readonly stuck: string;
}

/** Acts as an operator: resumes campaigns that a circuit breaker paused, tops balances up. Returns the backlog. */
export async function operate(run: RunState): Promise<Backlog> {
  const { db, client, plan, workspaceIds } = run;
  const now = new Date(run.clock?.now() ?? Date.now());
  const { rows } = await sql<Omit<Backlog, 'stuck'>>`
    select (select count(*)::int from calls where status in ('registered', 'retry')) as waiting,
           (select count(*)::int from calls c join campaigns l on l.workspace_id = c.workspace_id and l.id = c.campaign_id
            where c.status in ('registered', 'retry') and c.next_attempt_at <= ${now}
              and l.next_due_at <= ${new Date(now.getTime() + 2000)} and l.state in ('scheduled', 'ongoing')) as due,
           (select count(*)::int from calls where status = 'ongoing') as live,
           (select count(*)::int from campaigns where state not in ('completed', 'terminated', 'failed')) as running,
           (select count(*)::int from campaigns where state in ('completed', 'terminated') and reported_at is null)
             as unreported,
           (select count(*)::int from delivery_queue) as queued,
           (select count(*)::int from jobs where state = 'due') as jobs`.execute(db);
  const stuck = await db
    .selectFrom('campaigns')
    .select(['id', 'workspace_id', 'state'])
    .where('state', 'in', ['paused', 'insufficient_balance'])
    .execute();
  for (const { id, workspace_id: workspaceId, state } of stuck) {
    const workspace = workspaceIds.indexOf(workspaceId);
    if (state === 'insufficient_balance') await topUp(run, workspace, TOP_UP);
    else {
      const { key } = plan.workspaces[workspace]!;
      const { status } = await client.ask(key, 'PATCH', '/api/v0/campaign/resume', { campaign_id: id });
      if (status === 200) run.resumed += 1;
    }
  }
  const stuckNames = stuck.map(({ id, state }) => `, ${nameOf(run, id)} is ${state}`);
  return { ...rows[0]!, stuck: stuckNames.join('') };
}
