import type { ToolUse } from '../../store/json/chat.ts';
import type { ChatTurn, TestRun } from '../../domain/chats/chat-desk.ts';
import { WIRE_ROLES } from '../../wire/events/chat.ts';
import type {
  ChatDetails,
  ChatMessageRow,
  ChatPage,
  ChatRow,
  ChatTotals,
} from '../../domain/chats/read-chats.ts';
import { NO_ENGINE, type ReplyFault, type SpokenBy } from '../../shared/spoken-by.ts';
import type { ChatChange } from '../../domain/chats/take-over.ts';
import { chatEntry } from '../../shared/transcript-entry.ts';
import { iso, isoOrNull, toToolCalls } from '../common/values.ts';

export const toUsage = (usage: ChatTurn['usage'][number]) => ({
  vendor: usage.vendor,
  model: usage.model,
  input_tokens: usage.inputTokens,
  cached_tokens: usage.cachedTokens,
  output_tokens: usage.outputTokens,
  audio_seconds: Math.round(usage.audioMs ?? 0) / 1000,
});
export const toToolUse = ({ name, args, result, ok, ms }: ToolUse) => ({
  name,
  args: { ...args },
  result,
  ok,
  ms,
});

export const toReplyFault = ({ vendor, kind, status, effect, message, at }: ReplyFault) => ({
  part: 'llm',
  vendor,
  reason: kind,
  status,
  effect,
  message,
  at: iso(new Date(at)),
});

/** Who gave a reply. */
export const toSpokenBy = ({ engine, vendor, isFallback, faults }: SpokenBy = NO_ENGINE) => ({
  engine,
  vendor,
  is_fallback: isFallback,
  vendor_faults: faults.map(toReplyFault),
});

export const toTestRun = (run: TestRun) => ({
  session_id: run.sessionId,
  agent_id: run.agentId,
  version_id: run.versionId,
  reply: run.turns.at(-1)?.said.join('\n') ?? '',
  state: run.state,
  error:
    run.error === null
      ? null
      : {
          message: run.error.message,
          vendor: run.error.fault?.vendor ?? null,
          reason: run.error.fault?.kind ?? null,
          status: run.error.fault?.status ?? null,
        },
  turns: run.turns.map((turn) => ({
    message: turn.message,
    reply: turn.said.join('\n'),
    replies: [...turn.said],
    tool_calls: turn.tools.map(toToolUse),
    usage: turn.usage.map(toUsage),
    flow_steps: turn.steps.map((move) => ({ ...move })),
    ...toSpokenBy(turn.spokenBy),
    opted_out: turn.optedOut,
    end_reason: turn.end,
    ms: turn.ms,
  })),
  variables: { ...run.variables },
  memory: run.memory,
});

const toChat = (chat: ChatRow) => ({
  id: chat.id,
  chat_id: chat.id,
  agent_id: chat.agentId,
  agent_name: chat.agentName,
  version_id: chat.versionId,
  channel: chat.channel,
  state: chat.state,
  end_reason: chat.endReason,
  bulk_list_id: chat.campaignId,
  customer_number: chat.customerNumber,
  customer_name: chat.customerName,
  custom_args_values: { ...chat.args },
  taken_by: chat.takenBy,
  taken_at: isoOrNull(chat.takenAt),
  started_at: iso(chat.createdAt),
  ended_at: isoOrNull(chat.endedAt),
  chat_duration: chat.endedAt === null ? null : (chat.endedAt.getTime() - chat.createdAt.getTime()) / 1000,
});

export const toChatPage = ({ chats, limit, offset, total, nextCursor }: ChatPage) => ({
  chats: chats.map((chat) => ({
    ...toChat(chat),
    message_count: chat.messageCount,
    last_message: chat.lastText,
    last_message_at: isoOrNull(chat.lastAt),
  })),
  limit,
  offset,
  count: chats.length,
  total,
  next_cursor: nextCursor,
});

const toMessage = (message: ChatMessageRow) => ({
  id: message.id,
  ...chatEntry(WIRE_ROLES[message.role], message.text, message.sentAt),
  kind: message.kind,
  timestamp: iso(message.sentAt),
  state: message.state,
  error_code: message.errorCode,
  author: message.author,
  ...toSpokenBy(message.spokenBy ?? undefined),
});

/** A turn of several messages has its faults beside each. */
const faultsOf = (messages: readonly ChatMessageRow[]): readonly ReplyFault[] =>
  messages.flatMap(({ turn, spokenBy }, i) =>
    messages.findIndex((other) => other.turn === turn && other.spokenBy !== null) === i
      ? (spokenBy?.faults ?? [])
      : [],
  );

export const toChatDetails = ({ chat, messages }: ChatDetails) => ({
  ...toChat(chat),
  transcript: messages.map(toMessage),
  tool_call_logs: toToolCalls(chat.toolLog),
  usage: chat.usage.map(toUsage),
  vendor_faults: faultsOf(messages).map(toReplyFault),
  platform_analysis: chat.platformAnalysis,
  client_analysis: chat.clientAnalysis,
  evaluations: [...(chat.evaluations ?? [])],
  erased_at: isoOrNull(chat.erasedAt),
});

export const toTakenChat = ({ chatId, state, takenBy }: ChatChange) => ({
  chat_id: chatId,
  state,
  taken_by: takenBy,
});

export const toChatAnalytics = (totals: ChatTotals) => ({
  total_chats: totals.chats,
  open_chats: totals.openChats,
  with_person: totals.withPerson,
  user_messages: totals.customerMessages,
  agent_messages: totals.agentMessages,
  person_messages: totals.personMessages,
  average_duration: totals.averageSeconds,
  by_end_reason: { ...totals.byEnd },
  by_channel: { ...totals.byChannel },
  by_classification: { ...totals.byClassification },
});
