import { csvRow } from '../../domain/calls/csv-field.ts';
import type { ExportedCall } from '../../domain/calls/history.ts';
import { toCall } from './wire.ts';

/** Columns of an export, in order: fields of the history. */
const COLUMNS = [
  'call_id',
  'call_type',
  'call_status',
  'call_sub_status',
  'result',
  'from_number',
  'to_number',
  'callee_name',
  'agent_id',
  'agent_name',
  'version_id',
  'bulk_list_id',
  'call_category',
  'parent_call_id',
  'call_duration',
  'call_cost',
  'retry_count',
  'initiation_time',
  'last_dialed_at',
  'answered_at',
  'ended_at',
  'hangup_by',
  'recording_url',
  'custom_args_values',
  'purpose',
  'dlt_template_id',
] as const satisfies readonly (keyof ReturnType<typeof toCall>)[];

/** Keys of the platform analysis with their own column. */
const ANALYSIS_COLUMNS = [
  'status',
  'summary',
  'classification',
  'sentiment',
  'key_points',
  'action_items',
  'callback_requested',
  'callback_requested_time',
  'call_disconnect_reason',
] as const;

/** The CSV text of an export, one piece per page. */
export async function* historyCsv(
  pages: AsyncIterable<readonly ExportedCall[]>,
  withAnalysis = false,
): AsyncGenerator<string, void, undefined> {
  yield csvRow([
    ...COLUMNS,
    ...(withAnalysis ? [...ANALYSIS_COLUMNS.map((key) => `analysis_${key}`), 'client_analysis'] : []),
  ]);
  for await (const page of pages) yield page.map(toRow).join('');
}

/** Unknown values are empty. */
function toRow({ call, analyses }: ExportedCall): string {
  const fields = toCall(call);
  return csvRow([
    ...COLUMNS.map((column) => cell(fields[column])),
    ...(analyses === null
      ? []
      : [...ANALYSIS_COLUMNS.map((key) => cell(analyses.platform?.[key])), cell(analyses.client)]),
  ]);
}

/** Joins a list of strings into one cell. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('; ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
