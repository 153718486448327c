import type { ContactRow } from '../../store/campaigns/report.ts';
import { reportHead, timeCell } from './header.ts';

/** Columns of the report of a campaign of calls, in order; the contact's variables follow. */
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

/** Variables that have a fixed column. */
const SHOWN = new Set(['mobile_number', 'callee_name']);

/** The variables that get a column, sorted; every contact of a list has the same ones. */
export const variablesOf = (args: Readonly<Record<string, string>>): string[] =>
  Object.keys(args)
    .filter((name) => !SHOWN.has(name))
    .sort();

export const callsHead = (variables: readonly string[]): string[] => reportHead(COLUMNS, variables);

/** A contact of a campaign of calls, as its report tells of it. */
export interface ReportedContact extends Omit<ContactRow, 'cost' | 'retriesUsed' | 'recordingState'> {
  /** Retries that have started. */
  readonly retries: number;
  readonly credits: number;
  readonly recordingUrl: string | null;
}

/** The cells of one contact; unknown values are empty. Durations in seconds, cost in credits, times in ISO 8601. */
export function callCells(contact: ReportedContact, variables: readonly string[]): string[] {
  const own: Record<(typeof COLUMNS)[number], string> = {
    row: String(contact.contactRow),
    mobile_number: contact.toNumber,
    callee_name: contact.calleeName,
    result: contact.result ?? '',
    call_id: contact.id,
    call_status: contact.status,
    call_sub_status: contact.subStatus,
    attempts: String(contact.attempt),
    retry_count: String(contact.retries),
    from_number: contact.fromNumber,
    last_dialed_at: timeCell(contact.dialedAt),
    answered_at: timeCell(contact.answeredAt),
    ended_at: timeCell(contact.endedAt),
    next_attempt_at: timeCell(contact.nextAttemptAt),
    call_duration: contact.durationMs === null ? '' : String(contact.durationMs / 1000),
    call_cost: String(contact.credits),
    hangup_by: contact.hangupBy ?? '',
    recording_url: contact.recordingUrl ?? '',
  };
  return [...COLUMNS.map((column) => own[column]), ...variables.map((name) => contact.args[name] ?? '')];
}
