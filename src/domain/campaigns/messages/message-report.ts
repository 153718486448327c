import type { MessageRow } from '../../../store/campaigns/message-rows.ts';
import { csvRow } from '../../calls/csv-field.ts';

/** Columns of the report of a campaign of messages, in order; the contact's variables follow. */
const COLUMNS = [
  'row',
  'mobile_number',
  'callee_name',
  'message_id',
  'message_status',
  'message_sub_status',
  'delivery_status',
  'error_code',
  'attempts',
  'retry_count',
  'from_number',
  'sent_at',
  'delivered_at',
  'read_at',
  'answered_at',
  'ended_at',
  'next_attempt_at',
  'chat_id',
] as const;

/** Prefix for a variable whose name collides with a fixed column. */
const VARIABLE = 'variable_';
const isOurs = (name: string): boolean => (COLUMNS as readonly string[]).includes(name);

export const messageHeader = (variables: readonly string[]): string =>
  csvRow([...COLUMNS, ...variables.map((name) => (isOurs(name) ? `${VARIABLE}${name}` : name))]);

/** One contact as a CSV line; unknown values are empty. Times in ISO 8601. */
export function messageLine(message: MessageRow, variables: readonly string[]): string {
  const iso = (at: Date | null): string => at?.toISOString() ?? '';
  const waits = message.status === 'registered' || message.status === 'retry';
  const own: Record<(typeof COLUMNS)[number], string> = {
    row: String(message.row),
    mobile_number: message.toNumber,
    callee_name: message.calleeName,
    message_id: message.id,
    message_status: message.status,
    message_sub_status: message.subStatus,
    delivery_status: message.state ?? '',
    error_code: message.errorCode === null ? '' : String(message.errorCode),
    attempts: String(message.attempt),
    retry_count: String(message.retriesUsed),
    from_number: message.fromNumber ?? '',
    sent_at: iso(message.sentAt),
    delivered_at: iso(message.deliveredAt),
    read_at: iso(message.readAt),
    answered_at: iso(message.answeredAt),
    ended_at: iso(message.endedAt),
    next_attempt_at: waits ? iso(message.nextAttemptAt) : '',
    chat_id: message.chatId ?? '',
  };
  return csvRow([
    ...COLUMNS.map((column) => own[column]),
    ...variables.map((name) => message.args[name] ?? ''),
  ]);
}
