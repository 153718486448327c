import type { FastifyRequest } from 'fastify';
import { endForPerson, handBack, takeOver, writeAsPerson } from '../../domain/chats/take-over.ts';
import { idempotent } from '../server/idempotent.ts';
import { ChatParams, PersonMessageBody, SentChatMessage, TakenChat, TakeOverBody } from './schemas.ts';
import { answers, IdempotencyHeader } from '../common/schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';
import { toTakenChat } from './wire.ts';

type ChatsTakeOverRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'kickWebhooks' | 'kickJobs' | 'chats'>;

const tags = ['Chats'];
const config = { rateClass: 'write' } as const;

const actionOf = ({ caller }: FastifyRequest, chatId: string) => ({
  workspaceId: caller.workspaceId,
  chatId,
  by: caller.actor.name,
  taker: {
    sessionId: caller.credential.kind === 'session' ? caller.credential.id : null,
    keyId: caller.credential.kind === 'key' ? caller.credential.id : null,
  },
});

/** POST /chat/{chat_id}/take-over, /messages, /hand-back and /end. */
export function chatTakeOverRoutes(app: Server, deps: ChatsTakeOverRouteDeps): void {
  app.post(
    '/chat/:chat_id/take-over',
    {
      config,
      schema: {
        operationId: 'takeOverChat',
        summary: 'Answer a chat yourself',
        description:
          'The agent waits until the chat is handed back. 409 while another person has it, unless force is true. A person who leaves messages of the customer unanswered for the idle timeout loses the chat to the agent, and so does one whose session, role or key ends.',
        tags,
        params: ChatParams,
        body: TakeOverBody,
        response: answers(TakenChat, 400, 404, 409, 413, 415, 422),
      },
    },
    async (request) => {
      const { params, body, changeEntry } = request;
      const taken = await takeOver(deps, changeEntry, actionOf(request, params.chat_id), body.force ?? false);
      return { status: 'success', data: toTakenChat(taken), message: 'You have the chat' };
    },
  );

  app.post(
    '/chat/:chat_id/messages',
    {
      config,
      schema: {
        operationId: 'sendChatMessage',
        summary: 'Write to the customer of a chat that you have',
        description: 'On WhatsApp within 24 hours of the last message of the customer; later 400.',
        tags,
        headers: IdempotencyHeader,
        params: ChatParams,
        body: PersonMessageBody,
        response: answers(SentChatMessage, 400, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const { params, body, changeEntry } = request;
        const chatId = params.chat_id.toLowerCase();
        const answerOf = (messageId: string) => ({
          status: 'success',
          data: { chat_id: chatId, message_id: messageId },
          message: 'The message is being sent',
        });
        const action = { ...actionOf(request, params.chat_id), text: body.text.trim() };
        const id = await writeAsPerson(deps, changeEntry, action, (tx, messageId) =>
          store(tx, answerOf(messageId)),
        );
        deps.chats.kick();
        return answerOf(id);
      }),
  );

  app.post(
    '/chat/:chat_id/hand-back',
    {
      config,
      schema: {
        operationId: 'handBackChat',
        summary: 'Let the agent answer again',
        description: 'The agent knows what was written meanwhile, and answers messages that still wait.',
        tags,
        params: ChatParams,
        response: answers(TakenChat, 400, 404),
      },
    },
    async (request) => {
      const { params, changeEntry } = request;
      const handed = await handBack(deps, changeEntry, actionOf(request, params.chat_id));
      deps.chats.kick();
      return { status: 'success', data: toTakenChat(handed), message: 'The agent has the chat' };
    },
  );

  app.post(
    '/chat/:chat_id/end',
    {
      config,
      schema: {
        operationId: 'endChat',
        summary: 'End a chat',
        description: 'end_reason is USER_TERMINATED. The next message of the customer begins a new chat.',
        tags,
        params: ChatParams,
        response: answers(TakenChat, 400, 404),
      },
    },
    async (request) => {
      const { params, changeEntry } = request;
      const ended = await endForPerson(deps, changeEntry, actionOf(request, params.chat_id));
      deps.kickWebhooks?.();
      deps.kickJobs?.();
      deps.chats.kick();
      return { status: 'success', data: toTakenChat(ended), message: 'The chat has ended' };
    },
  );
}
