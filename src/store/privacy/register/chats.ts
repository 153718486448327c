import {
  changed,
  leftOut,
  stays,
  toEmptyList,
  toEmptyObject,
  toNothing,
  toNull,
  withRow,
} from './columns.ts';
import type { PersonalTable } from './register.ts';

const A_MEMBER = 'it names a member, not the person';

export const CHAT_TABLES = {
  chats: {
    holds: 'chats of web pages and WhatsApp',
    chat: 'id',
    number: 'customer_number',
    exporting: 'rows',
    facts: ['channel', 'state', 'end_reason', 'created_at', 'customer_at', 'ended_at', 'taken_at'],
    columns: {
      customer: changed(
        'key of the person in the channel',
        { set: 'id::text', says: 'replaced by the id of the chat' },
        'contact_days',
      ),
      customer_number: toNull('number', 'contact_days'),
      customer_name: toNothing('name', 'contact_days'),
      args: toEmptyObject('values', 'contact_days'),
      talk: toEmptyObject('history and memory of the agent', 'transcript_days'),
      tool_log: toEmptyList('tool log', 'transcript_days'),
      turn_tools: toEmptyList('tools of the turn under way', 'transcript_days'),
      platform_analysis: toNull('platform analysis', 'transcript_days'),
      client_analysis: toNull('client analysis', 'transcript_days'),
      evaluations: toNull('criteria and their reasons', 'transcript_days'),
      taken_by: leftOut(
        A_MEMBER,
        stays('member of the workspace who answers', 'it names no person of the other side'),
      ),
    },
  },
  chat_messages: {
    holds: 'messages of chats',
    chat: 'chat_id',
    exporting: 'rows',
    facts: ['role', 'kind', 'sent_at', 'state'],
    order: 'seq',
    columns: {
      text: withRow('words', 'transcript_days'),
      content: withRow('buttons, template or choice', 'transcript_days'),
      external_id: withRow('id of the message in the channel', 'transcript_days'),
      author: leftOut(A_MEMBER, withRow('member of the workspace who wrote', 'transcript_days')),
      spoken_by: withRow("engine of the reply, and the words of vendors' faults", 'transcript_days'),
    },
  },
  web_chats: {
    holds:
      'chats that a page may hold. Values are deleted when the chat begins or, if it never does, within two days',
    chat: 'chat_id',
    exporting: 'rows',
    facts: ['created_at', 'connected_at'],
    columns: {
      args: withRow('values'),
      origin: withRow('address of the page'),
    },
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
