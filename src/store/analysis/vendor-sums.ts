import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../database.ts';
import { endedCalls, type AnalyticsFilter } from './analytics.ts';

export interface VendorUseSums {
  readonly part: 'stt' | 'llm' | 'tts';
  readonly vendor: string;
  readonly model: string | null;
  readonly calls: number;
  readonly audioMs: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly characters: number;
}
/** Of one model, by one agent. */
export interface AgentUseSums extends VendorUseSums {
  readonly agentId: string;
  readonly agentName: string | null;
}
export interface VendorSums {
  /** Ended calls with a conversation whose vendors are known, and their talk. */
  readonly calls: number;
  readonly talkMs: number;
  readonly vendors: readonly VendorUseSums[];
  /** The same by the agents that had the calls. */
  readonly agents: readonly AgentUseSums[];
}

/** What the conversations of ended calls used of each model. */
export async function sumByVendor(db: Db, workspaceId: string, filter: AnalyticsFilter): Promise<VendorSums> {
  const from = sql`call_records r join calls c on c.workspace_id = r.workspace_id and c.id = r.call_id`;
  const where = sql`r.workspace_id = ${workspaceId} and r.usage is not null and ${endedCalls(workspaceId, filter)}`;
  const sum = (name: string): RawBuilder<unknown> =>
    sql`coalesce(sum((u ->> ${sql.lit(name)})::numeric), 0)::bigint as ${sql.ref(name)}`;
  const parts = ['audioMs', 'inputTokens', 'cachedTokens', 'outputTokens', 'characters'].map(sum);
  const model = sql`u ->> 'part' as part, u ->> 'vendor' as vendor, u ->> 'model' as model,
             count(distinct r.call_id)::bigint as calls, ${sql.join(parts)}`;
  const [totals, vendors, agents] = await Promise.all([
    sql<{ calls: number; talkMs: number }>`
      select count(*)::bigint as calls, coalesce(sum(c.duration_ms), 0)::bigint as "talkMs"
      from ${from} where ${where}`.execute(db),
    sql<VendorUseSums>`
      select ${model} from ${from}, jsonb_array_elements(r.usage) u where ${where}
      group by u ->> 'part', u ->> 'vendor', u ->> 'model' order by 1, 2, 3`.execute(db),
    sql<AgentUseSums>`
      with uses as (
        select coalesce(u -> 'agent' ->> 'id', c.agent_id::text) as "agentId", ${model}
        from ${from}, jsonb_array_elements(r.usage) u where ${where}
        group by 1, u ->> 'part', u ->> 'vendor', u ->> 'model')
      select uses.*, a.display_name as "agentName"
      from uses left join agents a on a.workspace_id = ${workspaceId} and a.id::text = uses."agentId"
      order by "agentId", part, vendor, model`.execute(db),
  ]);
  const { calls = 0, talkMs = 0 } = totals.rows[0] ?? {};
  return { calls, talkMs, vendors: vendors.rows, agents: agents.rows };
}
