import { Type } from 'typebox';
import {
  addWhatsappNumber,
  changeWhatsappNumber,
  readWhatsappNumbers,
  removeWhatsappNumber,
} from '../../domain/whatsapp/numbers.ts';
import { findAnswered, takeAnswer } from '../../domain/campaigns/messages/answer-message.ts';
import { takeMessageStatus } from '../../domain/campaigns/messages/settle-message.ts';
import { isWebhookOf, receiveWebhook, verifyWebhook } from '../../domain/whatsapp/receive-webhook.ts';
import { templatesOfNumber } from '../../domain/whatsapp/templates.ts';
import { startWhatsappChat, type StartedChat } from '../../domain/whatsapp/start-chat.ts';
import { errors } from '../../errors.ts';
import { idempotent } from '../server/idempotent.ts';
import { answers, IdempotencyHeader } from '../common/schemas.ts';
import {
  AddWhatsappNumberBody,
  ChangeWhatsappNumberBody,
  RemovedWhatsappNumber,
  StartedWhatsappChat,
  StartWhatsappBody,
  TemplatesQuery,
  WhatsappNumber,
  WhatsappNumberParams,
  WhatsappNumbers,
  WhatsappTemplates,
} from './schemas.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { StrangerBodies } from '../server/stranger-bodies.ts';
import type { Server } from '../server/type-provider.ts';
import { toTemplate, toWhatsappNumber } from './wire.ts';

type WhatsappRouteDeps = Pick<ServerDeps, 'db' | 'clock' | 'log' | 'chats' | 'link' | 'seal'>;

const tags = ['WhatsApp'];

/** WhatsApp numbers and their templates, POST /whatsapp/chats. */
export function whatsappRoutes(app: Server, deps: WhatsappRouteDeps): void {
  app.post(
    '/whatsapp/numbers',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'addWhatsappNumber',
        summary: 'Attach a number of the WhatsApp Business Cloud API to an agent',
        description:
          'Enter webhook_url and verify_token as the callback of the app at Meta, subscribed to the field messages.',
        tags,
        body: AddWhatsappNumberBody,
        response: answers(WhatsappNumber, 400, 404, 409, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      const added = await addWhatsappNumber(deps, caller.workspaceId, changeEntry, {
        agentId: body.agent_id,
        phoneNumberId: body.phone_number_id,
        number: body.number,
        displayName: body.display_name ?? '',
        businessAccountId: body.business_account_id ?? null,
        accessToken: body.access_token,
        appSecret: body.app_secret,
      });
      return toWhatsappNumber(added, deps.link.publicUrl, caller);
    },
  );

  app.get(
    '/whatsapp/numbers',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listWhatsappNumbers',
        summary: 'WhatsApp numbers of the workspace',
        description: 'With the agent that answers each, and without access tokens.',
        tags,
        response: answers(WhatsappNumbers),
      },
    },
    async ({ caller }) => {
      const numbers = await readWhatsappNumbers(deps, caller.workspaceId);
      return {
        whatsapp_numbers: numbers.map((number) => toWhatsappNumber(number, deps.link.publicUrl, caller)),
      };
    },
  );

  app.patch(
    '/whatsapp/numbers/:whatsapp_number_id',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'changeWhatsappNumber',
        summary: 'Change the name, account or secrets of a WhatsApp number',
        description: 'A new access token ends a pause of sending. Absent fields keep their values.',
        tags,
        params: WhatsappNumberParams,
        body: ChangeWhatsappNumberBody,
        response: answers(WhatsappNumber, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, body, params, changeEntry }) => {
      const input = {
        displayName: body.display_name ?? null,
        businessAccountId: body.business_account_id ?? null,
        accessToken: body.access_token ?? null,
        appSecret: body.app_secret ?? null,
      };
      const { workspaceId } = caller;
      const id = params.whatsapp_number_id;
      const changed = await changeWhatsappNumber(deps, workspaceId, changeEntry, id, input);
      deps.chats.kick();
      return toWhatsappNumber(changed, deps.link.publicUrl, caller);
    },
  );

  app.get(
    '/whatsapp/templates',
    {
      config: { rateClass: 'read' },
      schema: {
        operationId: 'listWhatsappTemplates',
        summary: 'Templates of the WhatsApp Business account of a number',
        description:
          'As the account has them, with the variables that a campaign fills from its list. 409 while business_account_id of the number is not known, or when WhatsApp refuses.',
        tags,
        querystring: TemplatesQuery,
        response: answers(WhatsappTemplates, 404, 409, 422),
      },
    },
    async ({ caller, query }) => {
      const templates = await templatesOfNumber(
        { ...deps, templates: deps.chats.templates },
        caller.workspaceId,
        query.whatsapp_number_id,
        query.refresh ?? false,
      );
      return { templates: templates.map(toTemplate) };
    },
  );

  app.delete(
    '/whatsapp/numbers/:whatsapp_number_id',
    {
      config: { rateClass: 'write' },
      schema: {
        operationId: 'removeWhatsappNumber',
        summary: 'Detach a WhatsApp number; its chats stay readable',
        description: 'From then on messages to it are not answered.',
        tags,
        params: WhatsappNumberParams,
        response: answers(RemovedWhatsappNumber, 404),
      },
    },
    async ({ caller, params, changeEntry }) => {
      await removeWhatsappNumber(deps, caller.workspaceId, changeEntry, params.whatsapp_number_id);
      return { message: 'WhatsApp number removed', whatsapp_number_id: params.whatsapp_number_id };
    },
  );

  app.post(
    '/whatsapp/chats',
    {
      config: { rateClass: 'dial' },
      schema: {
        operationId: 'startWhatsappChat',
        summary: 'Begin a chat with an approved template',
        description:
          'A business may write first only with a template. A person who opted out is refused, and so is one whose chat is open.',
        tags,
        headers: IdempotencyHeader,
        body: StartWhatsappBody,
        response: answers(StartedWhatsappChat, 400, 404, 409, 413, 415, 422),
      },
    },
    (request, reply) =>
      idempotent(deps, request, reply, async (store) => {
        const { body, caller, changeEntry } = request;
        const answerOf = ({ chatId, warnings }: StartedChat) => ({
          status: 'success',
          data: { chat_id: chatId, state: 'open' as const, warnings: [...warnings] },
          message: 'The template is being sent',
        });
        const started = await startWhatsappChat(
          deps,
          caller,
          changeEntry,
          {
            numberId: body.whatsapp_number_id,
            mobileNumber: body.mobile_number,
            args: body.custom_args_values ?? {},
            template: {
              name: body.template.name,
              language: body.template.language,
              parameters: body.template.parameters ?? [],
              text: body.template.text ?? '',
            },
          },
          (tx, stored) => store(tx, answerOf(stored)),
        );
        deps.chats.kick();
        return answerOf(started);
      }),
  );
}

/** As large as the vendor sends them. */
const BODY_LIMIT = 3 * 1_048_576;
const Hub = Type.Object({
  'hub.mode': Type.Optional(Type.String({ maxLength: 40 })),
  'hub.verify_token': Type.Optional(Type.String({ maxLength: 200 })),
  'hub.challenge': Type.Optional(Type.String({ maxLength: 500 })),
});

/** GET and POST /whatsapp/webhook/{whatsapp_number_id}: proved by token and signature, not by a key. */
export async function whatsappWebhookRoutes(
  app: Server,
  deps: WhatsappRouteDeps,
  bodies: StrangerBodies,
): Promise<void> {
  // Before the body is read.
  app.addHook('onRequest', async ({ params }) => {
    const { whatsapp_number_id: id } = params as { readonly whatsapp_number_id: string };
    if (!(await isWebhookOf(deps, id))) throw errors.webhookRefused();
  });
  bodies.guard(app, BODY_LIMIT);
  // The signature covers the raw bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
    done(null, body),
  );
  const path = '/whatsapp/webhook/:whatsapp_number_id';

  app.get(
    path,
    { schema: { hide: true, params: WhatsappNumberParams, querystring: Hub } },
    async ({ params, query }, reply) => {
      const challenge = await verifyWebhook(deps, params.whatsapp_number_id, {
        mode: query['hub.mode'] ?? '',
        token: query['hub.verify_token'] ?? '',
        challenge: query['hub.challenge'] ?? '',
      });
      if (challenge === null) throw errors.webhookRefused();
      return reply.type('text/plain; charset=utf-8').send(challenge);
    },
  );

  app.post(path, { schema: { hide: true, params: WhatsappNumberParams } }, async (request, reply) => {
    const signature = request.headers['x-hub-signature-256'];
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const isTaken = await receiveWebhook(
      {
        ...deps,
        campaigns: { findAnswered, takeAnswer, takeStatus: takeMessageStatus },
        onMessages: () => deps.chats.kick(),
      },
      request.params.whatsapp_number_id,
      raw,
      typeof signature === 'string' ? signature : undefined,
    );
    if (!isTaken) throw errors.webhookRefused();
    return reply.type('text/plain; charset=utf-8').send('ok');
  });
}
