import { queueAnalyses } from '../../../src/domain/calls/queue-analyses.ts';
import {
  versionDocument,
  type ClientAnalysis,
  type EvaluationCriterion,
  type VersionConfig,
} from '../../../src/store/json/agent-version.ts';
import type { LlmSettings } from '../../../src/store/json/tools.ts';
import { sql } from 'kysely';
import type { Clock } from '../../../src/shared/clock.ts';
import type { Db } from '../../../src/store/database.ts';
import { createWorkspace, MONDAY, queueCalls } from '../database/workspace.ts';

/** Default client analysis keys. */
export const CLIENT: ClientAnalysis = {
  context: 'A dental practice.',
  goalKey: 'confirmed',
  keys: {
    confirmed: { type: 'boolean', description: 'The appointment is confirmed.', default: false },
    people: { type: 'number', description: 'How many people come along.' },
    visit_day: { type: 'date', description: 'The day that suits.' },
    time_of_day: { type: 'enum', values: ['morning', 'afternoon'], default: 'morning' },
    parking: { type: 'string', description: 'Where they park.', default: 'unknown' },
  },
};
/** Default transcript. */
export const TALK: readonly (readonly ['agent' | 'caller', string])[] = [
  ['agent', 'Hello, this is Maya of Riverside Dental. Can I confirm your appointment?'],
  ['caller', 'Yes, please.'],
  ['agent', 'Which day suits you for the visit?'],
  ['caller', 'On Tuesday.'],
  ['agent', 'How many people will come along?'],
  ['caller', 'Three.'],
  ['agent', 'Would you like a morning or an afternoon call?'],
  ['caller', 'Afternoon, thank you.'],
  ['agent', 'Thank you. Goodbye.'],
];

export interface EndedCall {
  readonly workspaceId: string;
  readonly callId: string;
}

export interface EndedCallOptions {
  talk?: readonly (readonly ['agent' | 'caller', string])[];
  tools?: readonly object[];
  client?: ClientAnalysis | null;
  labels?: readonly string[];
  language?: string;
  subStatus?: string;
  receiver?: string;
  /** The agent's own model. */
  llm?: LlmSettings;
  evaluations?: readonly EvaluationCriterion[];
}

/** Inserts an ended call with its record and a queued analysis. */
export async function insertEndedCall(db: Db, clock: Clock, options: EndedCallOptions): Promise<EndedCall> {
  const types = ['platform_analysis_completed', 'client_analysis_completed', 'all_processing_completed'];
  const world = await createWorkspace(db, {});
  const [callId = ''] = await queueCalls(db, world, 1);
  const ended = new Date(MONDAY + 60_000);
  await db
    .updateTable('agent_versions')
    .set({
      config: versionDocument.text({
        language: options.language ?? 'en-US',
        voiceId: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e01',
        secondaryVoiceId: null,
        agentConfig: { agentPrompt: 'You are Maya.', llm: options.llm ?? null },
        callConfig: { callTime: { timezone: 'America/New_York' } },
        eventSubscriptions: [{ eventType: types, callbackUrl: 'http://127.0.0.1:1/', headers: {} }],
        clientAnalysis: options.client === undefined ? CLIENT : options.client,
        ...(options.evaluations === undefined ? {} : { evaluations: options.evaluations }),
      } as unknown as VersionConfig),
    })
    .where('workspace_id', '=', world.id)
    .execute();
  await sql`update agents set classification_labels = ${options.labels ?? []} where workspace_id = ${world.id}`.execute(
    db,
  );
  await sql`update calls set status = 'completed', sub_status = ${options.subStatus ?? 'AGENT_ENDED'},
    dialed_at = ${new Date(MONDAY)}, ended_at = ${ended}, duration_ms = 60000, hangup_by = 'agent',
    next_attempt_at = null where id = ${callId}`.execute(db);
  const transcript = (options.talk ?? TALK).map(([role, text]) => ({ role, text, startedAt: 0, endedAt: 0 }));
  await db
    .insertInto('call_records')
    .values({
      workspace_id: world.id,
      call_id: callId,
      transcript: JSON.stringify(transcript),
      latency: '[]',
      tool_log: JSON.stringify(options.tools ?? []),
      recording_ms: 60_000,
      recording_path: 'a.wav',
      recording_state: 'stored',
      updated_at: ended,
    })
    .execute();
  await db.transaction().execute((tx) => queueAnalyses(tx, world.id, [callId], new Date(clock.now())));
  return { workspaceId: world.id, callId };
}
