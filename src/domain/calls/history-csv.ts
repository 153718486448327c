import { isE164 } from '../numbers/dialable-number.ts';
import type { toCallRecord } from './call-record.ts';

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

/** What a spreadsheet takes for the beginning of a formula, also in its wide forms and after blanks. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/;
/** The same after what is a delimiter, or ends a line, where a spreadsheet reads the file by another country's ways. */
const LATER_FORMULA = /([;\t\r\n][\s"]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

/**
 * One field (RFC 4180). Text a spreadsheet would calculate gets an apostrophe before it; a phone number in E.164 form
 * stays as it is, so that other programs can dial it.
 */
export function csvField(value: string): string {
  const begun = FORMULA.test(value) && !isE164(value) ? `'${value}` : value;
  const safe = begun.replaceAll(LATER_FORMULA, "$1'");
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

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
