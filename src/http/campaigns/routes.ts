import type { Wire } from '../../shared/wire-names.ts';
import { breakerDocument, type BreakerSettings } from '../../store/json/workspace-settings.ts';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { reportCampaign } from '../../domain/campaigns/campaign-report.ts';
import { checkCampaignBalance } from '../../domain/campaigns/check-balance.ts';
import { pauseCampaign, resumeCampaign } from '../../domain/campaigns/hold-campaign.ts';
import { checkLargeCampaigns } from '../../domain/campaigns/import/upload-status.ts';
import { readMessages } from '../../domain/campaigns/messages/read-messages.ts';
import { previewCampaign } from '../../domain/campaigns/preview-campaign.ts';
import type { CallPurpose } from '../../shared/call-purposes.ts';
import { pageRequest } from '../../domain/cursor.ts';
import { readCampaign, readCampaigns } from '../../domain/campaigns/read-campaigns.ts';
import {
  startCampaign,
  type StartInput,
  type StartedCampaign,
} from '../../domain/campaigns/start-campaign.ts';
import { idempotent } from '../server/idempotent.ts';
import {
  BalanceAnswer,
  BalanceParams,
  CampaignAnswer,
  CampaignList,
  CampaignMessages,
  CampaignParams,
  CampaignPreview,
  CampaignsQuery,
  HoldAnswer,
  HoldBody,
  MakeCallsAnswer,
  MakeCallsBody,
  MessagesQuery,
  StartAnswer,
  StartBody,
  StartV2Body,
} from './schemas.ts';
import { ReportQuery } from './progress-schemas.ts';
import { answers, failures, IdempotencyHeader } from '../common/schemas.ts';
import { toBalance, toCalling, toCampaignDetails, toCampaignPage, toMessagePage, toPreview } from './wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type CampaignsRouteDeps = Pick<
  ServerDeps,
  'db' | 'clock' | 'log' | 'rate' | 'wakeScheduler' | 'chats' | 'link' | 'guard' | 'seal'
>;

/** The fields that every start request has. */
interface SentStart {
  agent_id: string;
  from_numbers?: string[];
  number_pool_id?: string;
  callback_url?: string;
  callback_success?: '200' | '2xx';
  concurrency_percentage?: number;
  circuit_breaker?: Wire<BreakerSettings>;
  purpose?: CallPurpose;
  dlt_template_id?: string;
}

/** Starts a campaign under the request's Idempotency-Key. */
const start = <T>(
  deps: CampaignsRouteDeps,
  request: FastifyRequest & { body: SentStart },
  reply: FastifyReply,
  campaignId: string,
  toAnswer: (started: StartedCampaign) => T,
) =>
  idempotent(deps, request, reply, async (store) => {
    const { body } = request;
    const input: StartInput = {
      agentId: body.agent_id,
      campaignId,
      numberIds: body.from_numbers ?? null,
      numberPoolId: body.number_pool_id ?? null,
      callbackUrl: body.callback_url ?? null,
      callbackSuccess: body.callback_success ?? null,
      concurrencyPercentage: body.concurrency_percentage ?? null,
      circuitBreaker: breakerDocument.read(body.circuit_breaker) ?? null,
      purpose: body.purpose ?? null,
      dltTemplateId: body.dlt_template_id ?? null,
    };
    const { caller, changeEntry } = request;
    const onStored = (tx: Parameters<typeof store>[0], started: StartedCampaign): Promise<void> =>
      store(tx, toAnswer(started));
    return toAnswer(
      await startCampaign(
        { ...deps, templates: deps.chats.templates },
        caller.workspaceId,
        changeEntry,
        input,
        onStored,
      ),
    );
  }).then((answer) => {
    deps.chats.kick();
    return answer;
  });

const toStarted = (started: StartedCampaign) => ({
  status: 'campaign registered successfully!',
  message: 'Campaign started successfully',
  list_id: started.campaignId,
  has_ongoing_calls: started.hasOngoingCalls,
  ...callingOf(started),
});

const callingOf = ({ preview }: StartedCampaign) =>
  preview === null
    ? { starts_at: null, calling_window: null, contacts: null, warnings: [] }
    : toCalling(preview);

/** The campaign endpoints after the upload of the contact list. */
export function campaignRoutes(app: Server, deps: CampaignsRouteDeps): void {
  const tags = ['Campaigns'];
  const read = { rateClass: 'read' } as const;
  const write = { rateClass: 'write' } as const;
  const started = {
    summary: 'Start a campaign',
    description:
      'Calls its contacts from its start time on, within every limit and calling window. 400 when it has already started, or when agent_id is not the agent of its list. 402 when the balance does not cover one pulse per waiting contact. A refusal changes nothing.',
    tags,
    headers: IdempotencyHeader,
  };
  const refusals = [400, 402, 404, 409, 413, 415, 422] as const;

  app.post(
    '/campaign/start',
    {
      config: { rateClass: 'dial' },
      schema: {
        ...started,
        operationId: 'startCampaign',
        body: StartBody,
        response: answers(StartAnswer, ...refusals),
      },
    },
    (request, reply) => start(deps, request, reply, request.body.list_id, toStarted),
  );

  app.post(
    '/campaign/v2/start',
    {
      config: { rateClass: 'dial' },
      schema: {
        ...started,
        operationId: 'startCampaignV2',
        summary: 'Start a campaign with caller numbers or a number pool',
        body: StartV2Body,
        response: answers(StartAnswer, ...refusals),
      },
    },
    (request, reply) => start(deps, request, reply, request.body.list_id, toStarted),
  );

  app.post(
    '/campaign/check-balance/:bulk_list_id',
    {
      config: read,
      preValidation: async (request) => checkLargeCampaigns(request.caller),
      schema: {
        operationId: 'checkCampaignBalance',
        summary: 'Check whether the balance covers a campaign',
        description: 'One pulse per waiting contact. 402 with the same keys when it does not.',
        tags,
        params: BalanceParams,
        response: {
          ...answers(BalanceAnswer, 400, 403, 404),
          402: { ...BalanceAnswer, description: 'The balance does not cover the campaign.' },
        },
      },
    },
    async ({ caller, params }, reply) => {
      const balance = await checkCampaignBalance(deps, caller.workspaceId, params.bulk_list_id);
      return reply.code(balance.isSufficient ? 200 : 402).send(toBalance(balance));
    },
  );

  app.post(
    '/campaign/make-call-async',
    {
      config: { rateClass: 'dial' },
      preValidation: async (request) => checkLargeCampaigns(request.caller),
      schema: {
        ...started,
        operationId: 'makeCampaignCalls',
        summary: 'Start a campaign of the large flow',
        body: MakeCallsBody,
        response: answers(MakeCallsAnswer, 403, ...refusals),
      },
    },
    (request, reply) =>
      start(deps, request, reply, request.body.bulk_list_id, (started) => ({
        message: 'Campaign scheduled successfully',
        bulk_list_id: started.campaignId,
        status: started.state,
        ...callingOf(started),
      })),
  );

  app.get(
    '/campaign/all',
    {
      config: read,
      schema: {
        operationId: 'listCampaigns',
        summary: 'Campaigns, newest first',
        description: 'With cursor the pages neither repeat nor skip campaigns while others are made.',
        tags,
        querystring: CampaignsQuery,
        response: answers(CampaignList, 400, 422),
      },
    },
    async ({ caller, query }) => {
      const page = pageRequest(query, 10);
      return toCampaignPage(await readCampaigns(deps, caller.workspaceId, page, query.call_count ?? true));
    },
  );

  app.get(
    '/campaign/:campaign_id',
    {
      config: read,
      schema: {
        operationId: 'getCampaign',
        summary: 'One campaign: state, counts, rules, money',
        description:
          'Counts are those of contacts; /progress has the pace, /report the outcome of every contact.',
        tags,
        params: CampaignParams,
        response: answers(CampaignAnswer, 404),
      },
    },
    async ({ caller, params }) => ({
      campaign: toCampaignDetails(await readCampaign(deps, caller.workspaceId, params.campaign_id)),
    }),
  );

  app.get(
    '/campaign/:campaign_id/preview',
    {
      config: read,
      schema: {
        operationId: 'previewCampaign',
        summary: 'Which contacts would be called now, and when the window opens for the others',
        description:
          'Changes nothing. Waiting contacts by the time zones of their numbers, at the start time of the campaign or now. 400 for a campaign of messages.',
        tags,
        params: CampaignParams,
        response: answers(CampaignPreview, 400, 404),
      },
    },
    async ({ caller, params }) =>
      toPreview(await previewCampaign(deps, caller.workspaceId, params.campaign_id)),
  );

  app.get(
    '/campaign/:campaign_id/messages',
    {
      config: read,
      schema: {
        operationId: 'listCampaignMessages',
        summary: 'The messages of a campaign of a WhatsApp agent, in the order of its list',
        description:
          'What became of the message to every contact, and the chat that its answer began. 400 for a campaign that calls its contacts.',
        tags,
        params: CampaignParams,
        querystring: MessagesQuery,
        response: answers(CampaignMessages, 400, 404, 422),
      },
    },
    async ({ caller, params, query }) => {
      const filter = {
        status: query.status ?? null,
        state: query.delivery_status ?? null,
        number: query.mobile_number ?? null,
      };
      const page = { limit: query.limit ?? 10, offset: query.offset ?? 0 };
      return toMessagePage(await readMessages(deps, caller.workspaceId, params.campaign_id, filter, page));
    },
  );

  app.get(
    '/campaign/:campaign_id/report',
    {
      config: { ...read, isAudited: true },
      schema: {
        operationId: 'reportCampaign',
        summary: 'The outcome of every contact, as a CSV file in the order of the list',
        description:
          "Row, number, outcome, attempts, duration in seconds, cost in credits, recording, then the contact's variables. Available in every state of the campaign; 409 while the same report runs. Text that a spreadsheet would evaluate as a formula is prefixed with an apostrophe.",
        tags,
        params: CampaignParams,
        querystring: ReportQuery,
        response: {
          200: {
            description: 'The file.',
            content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
          },
          ...failures(404, 409, 422),
        },
      },
    },
    async ({ caller, params, query }, reply) => {
      const filter = { status: query.status ?? null, result: query.result ?? null };
      const { pieces, release } = await reportCampaign(deps, caller.workspaceId, params.campaign_id, filter);
      const stream = Readable.from(pieces);
      // Runs however the stream ends: complete, aborted by the client, or failed.
      stream.once('close', () => {
        release().catch((error: unknown) => {
          deps.log.warn({ err: error }, 'report lease not released; it expires');
        });
      });
      return reply
        .headers({
          'content-disposition': `attachment; filename="campaign-${params.campaign_id}.csv"`,
          'cache-control': 'no-store',
        })
        .type('text/csv; charset=utf-8')
        .send(stream);
    },
  );

  app.patch(
    '/campaign/pause',
    {
      config: write,
      schema: {
        operationId: 'pauseCampaign',
        summary: 'Stop dialling a campaign until it is resumed',
        description: 'Immediate: no INVITE is sent after the answer. Live calls continue.',
        tags,
        body: HoldBody,
        response: answers(HoldAnswer, 400, 404, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      await pauseCampaign(deps, caller.workspaceId, changeEntry, body.campaign_id);
      return {
        message: 'Campaign paused successfully',
        campaign_id: body.campaign_id.toLowerCase(),
        campaign_status: 'paused' as const,
      };
    },
  );

  app.patch(
    '/campaign/resume',
    {
      config: write,
      schema: {
        operationId: 'resumeCampaign',
        summary: 'Resume a campaign that is paused or out of credits',
        description:
          'The circuit breaker counts only calls from now on. A campaign out of credits also resumes automatically once the balance covers a pulse. 402 while it does not.',
        tags,
        body: HoldBody,
        response: answers(HoldAnswer, 400, 402, 404, 413, 415, 422),
      },
    },
    async ({ caller, body, changeEntry }) => {
      const state = await resumeCampaign(deps, caller.workspaceId, changeEntry, body.campaign_id);
      return {
        message: 'Campaign resumed successfully',
        campaign_id: body.campaign_id.toLowerCase(),
        campaign_status: state,
      };
    },
  );
}
