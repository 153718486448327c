import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GenericExpressionNode,
  IdentifierNode,
  PostgresDialect,
  serializeFromMetadata,
  type ColumnOverrides,
} from 'kysely-codegen';
import { sql } from 'kysely';
import { silentLog } from '../src/shared/log.ts';
import { openDatabase, type Db } from '../src/store/database.ts';
import { EmbeddedPostgres } from '../src/store/embedded/embedded-postgres.ts';
import { migrate } from '../src/store/migrate.ts';

/** Generates src/store/tables.ts from the migrated database: `npm run tables`. */
const FILE = join(import.meta.dirname, '../src/store/tables.ts');

const HEAD = `// Generated from the migrated database: npm run tables.
import type { ColumnType } from 'kysely';
import type { AnsweredBy, TranscriptLine } from '@callwright/turns';
import type { NodeFigures } from '../shared/node-figures.ts';
import type { SpokenBy } from '../shared/spoken-by.ts';
import type { Wire } from '../shared/wire-names.ts';
import type { CallFault, RecordingPause, ToolLogEntry } from '../voice/conversation.ts';
import type { VendorUse } from '../voice/measures.ts';
import type { AgentType, VersionConfig } from './json/agent-version.ts';
import type { CallCallback } from './json/callback.ts';
import type { CallLevelConfig } from './json/call-config.ts';
import type { AgentShare, Evaluation, JsonObject, StoredFeedback, StoredLatency } from './json/call-record.ts';
import type { ChatUse, JournaledTool } from './json/chat.ts';
import type { ImportReport } from './json/contact-import.ts';
import type { ProviderSettings } from './json/provider-settings.ts';
import type { RehearsalResult, RehearsedCall } from './json/rehearsal.ts';
import type { Template } from './json/template.ts';
import type { CaseDefinition, PlayedTurn, Verdict } from './json/test-case.ts';

/** Read as T, written as JSON text. */
type Json<T> = ColumnType<T, string, string>;
type JsonWithDefault<T> = ColumnType<T, string | undefined, string>;

/** A scheduling hint: may be 'infinity' or 'epoch' in SQL; 'infinity' reads as an Invalid Date. */
type HintTime = ColumnType<Date, Date | string | undefined, Date | string>;

`;

/** The types of JSON columns; the others are a JsonObject. */
const SHAPES: Readonly<Record<string, string>> = {
  'agent_versions.base_config': 'Wire<VersionConfig>',
  'agent_versions.config': 'Wire<VersionConfig>',
  'agent_test_cases.definition': 'Wire<CaseDefinition>',
  'agent_test_results.definition': 'Wire<CaseDefinition>',
  'agent_test_results.turns': 'readonly PlayedTurn[]',
  'agent_test_results.verdicts': 'readonly Verdict[]',
  'call_records.agents': 'readonly AgentShare[]',
  'call_records.answered_by': 'AnsweredBy',
  'call_records.evaluations': 'readonly Evaluation[]',
  'call_records.feedback': 'StoredFeedback',
  'call_records.latency': 'readonly StoredLatency[]',
  'call_records.recording_pauses': 'readonly RecordingPause[]',
  'call_records.tool_log': 'readonly ToolLogEntry[]',
  'call_records.transcript': 'readonly TranscriptLine[]',
  'call_records.usage': 'readonly VendorUse[]',
  'call_records.vendor_faults': 'readonly CallFault[]',
  'calls.args': 'Record<string, string>',
  'calls.call_config': 'Wire<CallLevelConfig>',
  'calls.callback': 'CallCallback',
  'campaign_messages.args': 'Record<string, string>',
  'campaign_uploads.report': 'ImportReport',
  'campaigns.call_config': 'Wire<CallLevelConfig>',
  'campaigns.callback': 'CallCallback',
  'campaigns.template': 'Template',
  'campaigns.variables_map': 'Record<string, string>',
  'chat_messages.spoken_by': 'SpokenBy',
  'chats.args': 'Record<string, string>',
  'chats.evaluations': 'readonly Evaluation[]',
  'chats.tool_log': 'readonly ToolLogEntry[]',
  'chats.turn_tools': 'readonly JournaledTool[]',
  'chats.usage': 'readonly ChatUse[]',
  'deliveries.attempts': 'readonly JsonObject[]',
  'deliveries.headers': 'Record<string, string>',
  'ended_attempts.turns': 'readonly (readonly (number | null)[])[]',
  'idempotency_keys.response': 'unknown',
  'nodes.figures': 'NodeFigures',
  'recording_files.adding': 'Record<string, string>',
  'rehearsals.result': 'RehearsalResult',
  'rehearsals.scenarios': 'readonly object[]',
  'rehearsals.spec': 'object',
  'rehearsals.against_spec': 'object',
  'rehearsal_calls.judged': 'readonly object[]',
  'rehearsed_conversations.conversation': 'RehearsedCall',
  'rehearsed_conversations.conversation_before': 'RehearsedCall',
  'rehearsal_lines.line': 'object',
  'web_call_tokens.args': 'Record<string, string>',
  'web_chats.args': 'Record<string, string>',
  'workspace_providers.settings': 'Wire<ProviderSettings>',
};

/** Columns that no constraint of the database describes as closely as the code needs. */
const TYPES: Readonly<Record<string, string>> = {
  'agent_test_runs.on_model_failure': "'error' | 'script'",
  'agents.agent_type': 'AgentType',
  'agents.classification_labels': 'readonly string[]',
  'call_beginnings.call_type': "Calls['call_type']",
  'call_begun.call_type': "Calls['call_type']",
  'call_days.call_type': "Calls['call_type']",
  'call_days.status': "Calls['status']",
  'call_endings.call_type': "Calls['call_type']",
  'call_endings.status': "Calls['status']",
  'call_totals.call_type': "Calls['call_type']",
  'call_totals.status': "Calls['status']",
  'calls.result_source': "'goal' | 'label' | 'ending'",
};

const HINTS: readonly string[] = [
  'campaigns.considered_at',
  'campaigns.next_due_at',
  'campaigns.served_at',
  'chats.leased_until',
  'delivery_queue.leased_until',
  'whatsapp_numbers.paused_until',
  'workspaces.next_due_at',
  'workspaces.own_served_at',
  'workspaces.served_at',
];

/** The values that `check (column in (…))` allows, by `table.column`. */
async function allowedValues(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ column: string; check: string }>`
    select c.conrelid::regclass || '.' || a.attname as column, pg_get_constraintdef(c.oid) as check
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'c' and cardinality(c.conkey) = 1`.execute(db);
  return new Map(
    rows.flatMap(({ column, check }) => {
      const values = [...check.matchAll(/'([^']+)'::text/g)].map(([, value = '']) => `'${value}'`);
      return values.length === 0 ? [] : [[column, values.join(' | ')] as const];
    }),
  );
}

/** The text of src/store/tables.ts for a migrated database. */
export async function tableTypes(db: Db): Promise<string> {
  const dialect = new PostgresDialect();
  Object.assign(dialect.adapter.scalars, {
    int8: new IdentifierNode('number'),
    timestamptz: new IdentifierNode('Date'),
    date: new IdentifierNode('string'),
  });
  const untyped = db as unknown as Parameters<typeof dialect.introspector.introspect>[0]['db'];
  const metadata = await dialect.introspector.introspect({ db: untyped });
  const values = await allowedValues(db);
  const columns: ColumnOverrides = {};
  for (const table of metadata.tables) {
    for (const column of table.columns) {
      const name = `${table.name}.${column.name}`;
      if (column.dataType === 'jsonb' || column.dataType === 'json') {
        const json = column.hasDefaultValue ? 'JsonWithDefault' : 'Json';
        columns[name] = new IdentifierNode(`${json}<${SHAPES[name] ?? 'JsonObject'}>`);
      } else if (HINTS.includes(name)) {
        columns[name] = new IdentifierNode('HintTime');
      } else {
        const type = TYPES[name] ?? values.get(name);
        if (type === undefined) continue;
        const node = new IdentifierNode(type);
        columns[name] = column.hasDefaultValue ? new GenericExpressionNode('Generated', [node]) : node;
      }
    }
  }
  const text = serializeFromMetadata({
    dialect,
    metadata,
    overrides: { columns },
    skipAutogeneratedFileComment: true,
  });
  return HEAD + text.replace(/^import .*\n+/gm, '').trimStart();
}

/** Migrates a database of its own and writes the file. */
async function write(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'callwright-tables-'));
  const server = new EmbeddedPostgres({ dataDir, durable: false, log: silentLog });
  try {
    const url = await server.start();
    await migrate(url);
    const database = openDatabase(url);
    await writeFile(FILE, await tableTypes(database.kysely));
    await database.close();
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) await write();
