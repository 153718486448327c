import { readContactPage } from '../../domain/campaigns/progress/list-contacts.ts';
import { readProgress } from '../../domain/campaigns/progress/read-progress.ts';
import { readStatistics } from '../../domain/campaigns/progress/read-statistics.ts';
import { CampaignContacts, ContactsQuery, ProgressAnswer, StatisticsAnswer } from './progress-schemas.ts';
import { CampaignParams } from './schemas.ts';
import { answers } from '../common/schemas.ts';
import { toContactPage, toProgress, toStatistics } from './progress-wire.ts';
import type { ServerDeps } from '../server/server-deps.ts';
import type { Server } from '../server/type-provider.ts';

type CampaignsProgressRouteDeps = Pick<ServerDeps, 'db' | 'clock'>;

/** How a campaign that calls gets on: its pace, its attempts in sums, and its contacts. */
export function campaignProgressRoutes(app: Server, deps: CampaignsProgressRouteDeps): void {
  const tags = ['Campaigns'];
  const config = { rateClass: 'read' } as const;

  app.get(
    '/campaign/:campaign_id/progress',
    {
      config,
      schema: {
        operationId: 'getCampaignProgress',
        summary: 'Pace of a campaign, when it will be done, and why it waits',
        description:
          'Calling window with its next opening, calls a minute, an estimate of the end within the window, the reason why the next contact waits, and what the circuit breaker counts. 400 for a campaign of a WhatsApp agent.',
        tags,
        params: CampaignParams,
        response: answers(ProgressAnswer, 400, 404),
      },
    },
    async ({ caller, params }) =>
      toProgress(await readProgress(deps, caller.workspaceId, params.campaign_id)),
  );

  app.get(
    '/campaign/:campaign_id/statistics',
    {
      config,
      schema: {
        operationId: 'getCampaignStatistics',
        summary: 'Answered attempts of a campaign by weekday and hour, and by retry',
        description:
          "Ended attempts by the hour in which they were dialled, on the clock of the campaign's zone, and by their place among the retries. 400 for a campaign of a WhatsApp agent.",
        tags,
        params: CampaignParams,
        response: answers(StatisticsAnswer, 400, 404),
      },
    },
    async ({ caller, params }) =>
      toStatistics(await readStatistics(deps, caller.workspaceId, params.campaign_id)),
  );

  app.get(
    '/campaign/:campaign_id/contacts',
    {
      config,
      schema: {
        operationId: 'listCampaignContacts',
        summary: 'The contacts of a campaign, in the order of its list',
        description:
          'What became of every contact, with its call. Pages are read with next_cursor. 400 for a campaign of a WhatsApp agent.',
        tags,
        params: CampaignParams,
        querystring: ContactsQuery,
        response: answers(CampaignContacts, 400, 404, 422),
      },
    },
    async ({ caller, params, query }) => {
      const filter = {
        status: query.status ?? null,
        number: query.mobile_number ?? null,
        result: query.result ?? null,
      };
      const page = { limit: query.limit ?? 50, cursor: query.cursor ?? null };
      return toContactPage(await readContactPage(deps, caller.workspaceId, params.campaign_id, filter, page));
    },
  );
}
