import type { MessageRow } from '../../store/campaigns/message-rows.ts';
import { reportHead, timeCell } from './header.ts';

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

export const messagesHead = (variables: readonly string[]): string[] => reportHead(COLUMNS, variables);

/** The cells of one contact; unknown values are empty. Times in ISO 8601. */
export function messageCells(message: MessageRow, variables: readonly string[]): string[] {
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
    sent_at: timeCell(message.sentAt),
    delivered_at: timeCell(message.deliveredAt),
    read_at: timeCell(message.readAt),
    answered_at: timeCell(message.answeredAt),
    ended_at: timeCell(message.endedAt),
    next_attempt_at: waits ? timeCell(message.nextAttemptAt) : '',
    chat_id: message.chatId ?? '',
  };
  return [...COLUMNS.map((column) => own[column]), ...variables.map((name) => message.args[name] ?? '')];
}
