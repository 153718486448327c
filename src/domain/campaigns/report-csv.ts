import { retriesStarted } from '../calls/retries-started.ts';
import type { ContactRow } from '../../store/campaigns/report.ts';
import { hasRecording } from '../calls/call-record.ts';
import { csvRow } from '../calls/csv-field.ts';
import { recordingUrl } from '../calls/recording-link.ts';
import { toCredits } from '../credits/price.ts';
import type { SignedLinks } from '../links/signed-links.ts';

/** Columns of every report, in order; the contact's variables follow. */
const COLUMNS = [
  'row',
  'mobile_number',
  'callee_name',
  'result',
  'call_id',
  'call_status',
  'call_sub_status',
  'attempts',
  'retry_count',
  'from_number',
  'last_dialed_at',
  'answered_at',
  'ended_at',
  'next_attempt_at',
  'call_duration',
  'call_cost',
  'hangup_by',
  'recording_url',
] as const;

/** Prefix for a variable whose name collides with a fixed column. */
const VARIABLE = 'variable_';
const isOurs = (name: string): boolean => (COLUMNS as readonly string[]).includes(name);
/** Variables that have a fixed column. */
const SHOWN = new Set(['mobile_number', 'callee_name']);

/** The variables that get a column, sorted; every contact of a list has the same ones. */
export const variablesOf = (args: Readonly<Record<string, string>>): string[] =>
  Object.keys(args)
    .filter((name) => !SHOWN.has(name))
    .sort();

export const reportHeader = (variables: readonly string[]): string =>
  csvRow([...COLUMNS, ...variables.map((name) => (isOurs(name) ? `${VARIABLE}${name}` : name))]);

/** One contact as a CSV line; unknown values are empty. Durations in seconds, cost in credits, times in ISO 8601. */
export function reportLine(
  contact: ContactRow,
  variables: readonly string[],
  workspaceId: string,
  link: SignedLinks,
): string {
  const iso = (at: Date | null): string => at?.toISOString() ?? '';
  const own: Record<(typeof COLUMNS)[number], string> = {
    row: String(contact.contact_row),
    mobile_number: contact.to_number,
    callee_name: contact.callee_name,
    result: contact.result ?? '',
    call_id: contact.id,
    call_status: contact.status,
    call_sub_status: contact.sub_status,
    attempts: String(contact.attempt),
    retry_count: String(retriesStarted(contact)),
    from_number: contact.from_number,
    last_dialed_at: iso(contact.dialed_at),
    answered_at: iso(contact.answered_at),
    ended_at: iso(contact.ended_at),
    next_attempt_at: iso(contact.next_attempt_at),
    call_duration: contact.duration_ms === null ? '' : String(contact.duration_ms / 1000),
    call_cost: String(toCredits(contact.cost)),
    hangup_by: contact.hangup_by ?? '',
    recording_url: hasRecording(contact.recording_state) ? recordingUrl(link, workspaceId, contact.id) : '',
  };
  return csvRow([
    ...COLUMNS.map((column) => own[column]),
    ...variables.map((name) => contact.args[name] ?? ''),
  ]);
}
