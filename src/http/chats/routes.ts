import {
  readChat,
  readChatAnalytics,
  readChatHistory,
  type ChatFilter,
} from '../../domain/chats/read-chats.ts';
import { pageRequest } from '../../domain/cursor.ts';
import { zoneOfDays } from '../common/zone-of-days.ts';
import { readMoment } from '../common/moment.ts';
import {
  ChatAnalytics,
  ChatAnalyticsQuery,
  ChatDetails,
  ChatDetailsQuery,
  ChatHistory,
  ChatHistoryQuery,
} from './schemas.ts';
import { answers } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { NoteTranscriptRead } from '../calls/transcript-reads.ts';
import type { Server } from '../server/type-provider.ts';
import { toChatAnalytics, toChatDetails, toChatPage } from './wire.ts';

type ChatsRouteDeps = Pick<ServerDeps, 'db'>;

interface SentFilter {
  readonly agent_id?: string;
  readonly channel?: 'whatsapp' | 'web';
  readonly state?: 'open' | 'with_person' | 'closed';
  readonly customer_number?: string;
  readonly start_date?: string;
  readonly end_date?: string;
  readonly bulk_list_id?: string;
}

/** Dates are days in `zone`. Throws 422 for an invalid date. */
const filterOf = (sent: SentFilter, zone: string): ChatFilter => ({
  agentId: sent.agent_id ?? null,
  channel: sent.channel ?? null,
  state: sent.state ?? null,
  campaignId: sent.bulk_list_id ?? null,
  customerNumber: sent.customer_number ?? null,
  since: sent.start_date === undefined ? null : readMoment('start_date', sent.start_date, zone).from,
  before: sent.end_date === undefined ? null : readMoment('end_date', sent.end_date, zone).until,
});

/** GET /chat/history, GET /chat/details, GET /analytics/chat-analytics. */
export function chatRoutes(app: Server, deps: ChatsRouteDeps, noteTranscriptRead: NoteTranscriptRead): void {
  const tags = ['Chats'];

  app.get(
    '/chat/history',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listChats',
        summary: 'Chats, newest first',
        description:
          'Filters are combined with AND. With cursor the pages neither repeat nor skip chats while others begin.',
        tags,
        querystring: ChatHistoryQuery,
        response: answers(ChatHistory, 400, 422),
      },
    },
    async ({ caller, query }) => {
      const page = pageRequest(query, 10);
      const filter = filterOf(query, await zoneOfDays(deps, caller.workspaceId, query));
      return toChatPage(await readChatHistory(deps, caller.workspaceId, filter, page));
    },
  );

  app.get(
    '/chat/details',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'getChat',
        summary: 'One chat: transcript, tools, analysis',
        description:
          'While the chat is open the answer has what was written so far; the analysis comes after its end.',
        tags,
        querystring: ChatDetailsQuery,
        response: answers(ChatDetails, 404, 422),
      },
    },
    async (request) => {
      const details = await readChat(deps, request.caller.workspaceId, request.query.id);
      noteTranscriptRead(request, details.chat.id);
      return { status: 'success', data: toChatDetails(details) };
    },
  );

  app.get(
    '/analytics/chat-analytics',
    {
      config: { rateClass: 'read', isHeavy: true },
      schema: {
        operationId: 'getChatAnalytics',
        summary: 'Totals of chats; calls are counted apart',
        description: 'By end, channel and classification, with the messages of each side.',
        tags: ['Analytics'],
        querystring: ChatAnalyticsQuery,
        response: answers(ChatAnalytics, 422),
      },
    },
    async ({ caller, query }) => {
      const filter = filterOf(query, await zoneOfDays(deps, caller.workspaceId, query));
      const totals = await readChatAnalytics(deps, caller.workspaceId, filter);
      return { status: 'success', data: toChatAnalytics(totals) };
    },
  );
}
