import { ApiError, make } from './api-error.ts';

/** Errors of campaigns and their reports. */
export const campaignErrors = {
  campaignStarted: make(400, 'CAMPAIGN_STARTED', 'The campaign has already started'),
  campaignNotReady: make(
    400,
    'CAMPAIGN_NOT_READY',
    'The contact list of the campaign is still being verified',
  ),
  campaignListRefused: make(
    400,
    'CAMPAIGN_LIST_REFUSED',
    'The contact list of the campaign was not accepted; upload it again',
  ),
  campaignNotRunning: make(400, 'CAMPAIGN_NOT_RUNNING', 'The campaign has not started or is over'),
  campaignNotHeld: make(400, 'CAMPAIGN_NOT_HELD', 'The campaign is neither paused nor out of credits'),
  campaignTimeOver: make(400, 'CAMPAIGN_TIME_OVER', 'campaign_end_time of the campaign has passed'),
  campaignCalls: make(
    400,
    'CAMPAIGN_CALLS',
    'The campaign calls its contacts; its calls are in the call history',
  ),
  campaignWrites: make(
    400,
    'CAMPAIGN_WRITES',
    'The campaign writes to its contacts; GET /campaign/{campaign_id}/messages lists them',
  ),
  campaignOfOtherAgent: make(
    400,
    'CAMPAIGN_OF_OTHER_AGENT',
    'agent_id is not the agent that the contact list was uploaded for',
  ),
  eventNotOfCampaign: (event: string): ApiError =>
    new ApiError(400, 'EVENT_NOT_SUBSCRIBED', `The callback_url of the campaign does not receive ${event}`),
  insufficientForCampaign: make(
    402,
    'INSUFFICIENT_BALANCE',
    'Your current balance is insufficient to run this campaign!',
  ),
  campaignSendsMessages: make(
    400,
    'CAMPAIGN_SENDS_MESSAGES',
    'The campaign sends messages: no calling window holds them back',
  ),
  largeCampaignsOff: make(
    403,
    'LARGE_CAMPAIGNS_OFF',
    'The large-campaign flow is not enabled for this workspace; use campaign/save and campaign/start',
  ),
  campaignNotFound: make(404, 'CAMPAIGN_NOT_FOUND', 'Campaign not found'),
  campaignReportRunning: make(409, 'EXPORT_RUNNING', 'The same campaign report is already running'),
};
