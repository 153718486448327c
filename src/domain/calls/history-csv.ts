import type { toCallRecord } from './call-record.ts';
import { guarded } from './formula-guard.ts';

type CallRecord = ReturnType<typeof toCallRecord>;

/** Columns of an export, in order; each is the field of the same name in the history. */
const COLUMNS = [
  'call_id',
  'call_type',
  'call_status',
  'call_sub_status',
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
  'answered_at',
  'ended_at',
  'hangup_by',
  'recording_url',
  'custom_args_values',
] as const satisfies readonly (keyof CallRecord)[];

const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/** One field (RFC 4180) as it is. */
export const quotedField = (value: string): string =>
  NEEDS_QUOTES.test(value) ? `"${value.replaceAll('"', '""')}"` : value;

/** One field that no spreadsheet calculates. */
export const csvField = (value: string): string => quotedField(guarded(value));

const line = (values: readonly string[]): string => `${values.map(csvField).join(',')}\r\n`;

/** Keys of the platform analysis that have a column of their own, and what follows them. */
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

export interface ExportedAnalyses {
  readonly platform: Readonly<Record<string, unknown>> | null;
  readonly client: Readonly<Record<string, unknown>> | null;
}

export const csvHeader = (withAnalysis = false): string =>
  line([
    ...COLUMNS,
    ...(withAnalysis ? [...ANALYSIS_COLUMNS.map((key) => `analysis_${key}`), 'client_analysis'] : []),
  ]);

/** A list of texts is one text in a cell. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join('; ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** One call as a line of the export; what is not known is empty. `analyses` null: without their columns. */
export function csvLine(call: CallRecord, analyses: ExportedAnalyses | null = null): string {
  return line([
    ...COLUMNS.map((column) => cell(call[column])),
    ...(analyses === null
      ? []
      : [...ANALYSIS_COLUMNS.map((key) => cell(analyses.platform?.[key])), cell(analyses.client)]),
  ]);
}
