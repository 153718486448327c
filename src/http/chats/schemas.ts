import { FlowStep } from '../common/flow-step.ts';
import { Type } from 'typebox';
import { Evaluations } from '../analysis/schemas.ts';
import {
  IsoTime,
  LookupId,
  mapOf,
  Moment,
  NextCursor,
  nullable,
  Offset,
  oneOf,
  PageCursor,
  Uuid,
} from '../common/schemas.ts';
import { ToolCall } from '../calls/conversation-schemas.ts';
import { OnModelFailure, SpokenBy, VendorFault } from '../calls/vendor-usage-schemas.ts';
import { RequestWarnings } from '../common/calling-window-schemas.ts';

const MessageText = Type.String({ minLength: 1, maxLength: 4096 });
const Variables = mapOf(Type.String({ maxLength: 1000 }), { maxProperties: 200 });
const Anything = mapOf(Type.Unknown());

export const TestAgentBody = Type.Object({
  message: Type.Optional(MessageText),
  messages: Type.Optional(
    Type.Array(MessageText, {
      maxItems: 20,
      description: 'Several messages of the customer in order, each answered before the next.',
    }),
  ),
  session_id: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'A test run to continue. Absent: a new one, which begins with the first message of the agent.',
    }),
  ),
  version_id: Type.Optional(LookupId),
  custom_args_values: Type.Optional(Variables),
  run_tools: Type.Optional(
    Type.Boolean({
      description:
        'True: API tools and MCP servers are called. Default false: they answer that they did not run; knowledge is looked up in any case.',
    }),
  ),
  on_model_failure: OnModelFailure,
});

export const ToolUse = Type.Object({
  name: Type.String(),
  args: Anything,
  result: Type.Unknown(),
  ok: Type.Boolean(),
  ms: Type.Integer(),
});
export const Usage = Type.Object({
  vendor: Type.String(),
  model: nullable(Type.String()),
  input_tokens: nullable(Type.Integer()),
  cached_tokens: nullable(Type.Integer()),
  output_tokens: nullable(Type.Integer()),
  audio_seconds: Type.Number({ description: 'Audio of voice messages that a recogniser received.' }),
});

export const TestAgentAnswer = Type.Object({
  session_id: Uuid,
  agent_id: Uuid,
  version_id: Uuid,
  reply: Type.String({ description: 'The last reply.' }),
  state: oneOf(['open', 'closed', 'error'], {
    description: 'closed: the agent ended the conversation. error: no language model answered, so it ended.',
  }),
  error: nullable(
    Type.Object(
      {
        message: Type.String(),
        vendor: nullable(Type.String({ example: 'anthropic' })),
        reason: nullable(Type.String({ description: 'As in vendor_faults.', example: 'lost' })),
        status: nullable(Type.Integer({ description: 'HTTP status of the vendor.', example: 500 })),
      },
      { description: 'Why the state is error.' },
    ),
  ),
  turns: Type.Array(
    Type.Object({
      message: nullable(Type.String({ description: 'Null: the agent speaks first.' })),
      reply: Type.String(),
      replies: Type.Array(Type.String()),
      tool_calls: Type.Array(ToolUse),
      usage: Type.Array(Usage),
      flow_steps: Type.Array(FlowStep, { description: 'How the flow moved in this turn.' }),
      ...SpokenBy,
      opted_out: Type.Boolean(),
      end_reason: nullable(Type.String()),
      ms: Type.Integer(),
    }),
  ),
  variables: mapOf(Type.String()),
  warnings: RequestWarnings,
  memory: Type.Unknown({ description: 'Notes of the brain between two turns; their form may change.' }),
});

export const TestToolBody = Type.Object({
  tool: Type.String({
    minLength: 1,
    maxLength: 100,
    example: 'look_up',
    description: 'Name of an API tool, or of a tool of an MCP server.',
  }),
  arguments: Type.Optional(
    mapOf(Type.Unknown(), { maxProperties: 50, description: 'As the model would send them.' }),
  ),
  custom_args_values: Type.Optional(Variables),
  version_id: Type.Optional(LookupId),
});
export const TestToolAnswer = Type.Object({
  ok: Type.Boolean(),
  result: Type.Unknown({ description: 'Status and body of the answer, or the error.' }),
  variables: mapOf(Type.String(), { description: 'Variables that the answer sets.' }),
  ms: Type.Integer(),
});

const Channels = ['whatsapp', 'web'] as const;
const States = ['open', 'with_person', 'closed'] as const;

const FILTERS = {
  agent_id: Type.Optional(LookupId),
  channel: Type.Optional(oneOf(Channels)),
  state: Type.Optional(oneOf(States)),
  customer_number: Type.Optional(Type.String({ maxLength: 20 })),
  start_date: Type.Optional(Moment),
  end_date: Type.Optional(Moment),
};
export const ChatHistoryQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 10, description: 'More answers 400.' }),
  ),
  offset: Type.Optional(Offset),
  cursor: Type.Optional(PageCursor),
  bulk_list_id: Type.Optional(LookupId),
  ...FILTERS,
});
export const ChatAnalyticsQuery = Type.Object({
  agent_id: FILTERS.agent_id,
  channel: FILTERS.channel,
  start_date: FILTERS.start_date,
  end_date: FILTERS.end_date,
});

const ChatFields = {
  id: Uuid,
  chat_id: Uuid,
  agent_id: Uuid,
  agent_name: Type.String(),
  version_id: Uuid,
  channel: oneOf([...Channels, 'test'], { description: 'test: a test run, which is in no list.' }),
  state: oneOf(States, {
    description: 'with_person: a member of the workspace answers instead of the agent.',
  }),
  end_reason: nullable(
    Type.String({
      description:
        'AGENT_ENDED, USER_LEFT, OPTED_OUT, IDLE_TIMEOUT, MAX_DURATION, USER_TERMINATED, FAILED, PROCESSOR_TIME_EXCEEDED (the chat used more processor time than one may) or ERASED.',
    }),
  ),
  bulk_list_id: nullable(
    Type.String({ format: 'uuid', description: 'The campaign whose message the person answered.' }),
  ),
  customer_number: nullable(Type.String()),
  customer_name: Type.String(),
  custom_args_values: mapOf(Type.String()),
  taken_by: nullable(Type.String({ description: 'Who has the chat while its state is with_person.' })),
  taken_at: nullable(IsoTime),
  started_at: IsoTime,
  ended_at: nullable(IsoTime),
  chat_duration: nullable(Type.Number({ description: 'Seconds.' })),
};

export const ChatHistory = Type.Object({
  chats: Type.Array(
    Type.Object({
      ...ChatFields,
      message_count: Type.Integer(),
      last_message: nullable(Type.String()),
      last_message_at: nullable(IsoTime),
    }),
  ),
  limit: Type.Integer(),
  offset: Type.Integer(),
  count: Type.Integer(),
  total: Type.Integer(),
  next_cursor: NextCursor,
});

export const ChatDetailsQuery = Type.Object({ id: LookupId });
export const ChatDetails = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({
    ...ChatFields,
    transcript: Type.Array(
      Type.Object({
        id: Uuid,
        role: oneOf(['agent', 'user', 'person']),
        text: Type.String(),
        at: IsoTime,
        offset_ms: Type.Null({ description: 'A chat has no recording.' }),
        kind: Type.String(),
        timestamp: { ...IsoTime, description: 'As at.' },
        state: nullable(
          oneOf(['queued', 'sending', 'unsure', 'sent', 'delivered', 'read', 'failed'], {
            description: 'Of our messages; unsure: the answer of the channel was lost.',
          }),
        ),
        error_code: nullable(Type.Integer({ description: 'Of the channel.' })),
        author: nullable(Type.String({ description: 'Who wrote it, of the role person.' })),
        ...SpokenBy,
      }),
    ),
    tool_call_logs: Type.Array(ToolCall),
    usage: Type.Array(Usage),
    vendor_faults: Type.Array(VendorFault, { description: 'Those of all replies, in order.' }),
    platform_analysis: nullable(Anything),
    client_analysis: nullable(Anything),
    evaluations: Evaluations,
    erased_at: nullable(IsoTime),
  }),
});

const Counts = mapOf(Type.Integer());
export const ChatAnalytics = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({
    total_chats: Type.Integer(),
    open_chats: Type.Integer(),
    with_person: Type.Integer(),
    user_messages: Type.Integer(),
    agent_messages: Type.Integer(),
    person_messages: Type.Integer(),
    average_duration: nullable(Type.Number({ description: 'Seconds, of ended chats.' })),
    by_end_reason: Counts,
    by_channel: Counts,
    by_classification: Counts,
  }),
});

export const ChatParams = Type.Object({ chat_id: LookupId });
export const TakeOverBody = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'True: also from another person who has the chat. Default false.' }),
  ),
});
export const PersonMessageBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: 4096, pattern: '\\S', 'x-rule': 'must have words' }),
});
export const TakenChat = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({ chat_id: Uuid, state: oneOf(States), taken_by: nullable(Type.String()) }),
  message: Type.String(),
});
export const SentChatMessage = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({ chat_id: Uuid, message_id: Uuid }),
  message: Type.String(),
});
