import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { contactsAfter, someArgs, type ContactRow, type ReportFilter } from '../../store/campaigns/report.ts';
import { messagesOfRows, someMessageArgs } from '../../store/campaigns/message-rows.ts';
import type { Db } from '../../store/database.ts';
import type { CallStatus } from '../../store/schema.ts';
import type { SignedLinks } from '../links/signed-links.ts';
import { claimedExport, type ClaimedExport } from '../calls/export-claim.ts';
import { hasRecording } from '../calls/call-record.ts';
import { csvRow } from '../calls/csv-field.ts';
import { recordingUrl } from '../calls/recording-link.ts';
import { retriesStarted } from '../calls/retries-started.ts';
import { toCredits } from '../credits/price.ts';
import { callCells, callsHead, variablesOf } from '../../wire/reports/calls.ts';
import { messageCells, messagesHead } from '../../wire/reports/messages.ts';
import { knownCampaign } from './read-campaigns.ts';

const PAGE = 500;

interface Deps {
  db: Db;
  clock: Clock;
  link: SignedLinks;
}

/**
 * Streams the outcome of every contact that matches the filter as CSV, in the order of the uploaded list, in any
 * state of the campaign and in constant memory. A lease keeps the same report from running twice at once. Throws 404; 409 while it runs.
 */
export async function reportCampaign(
  deps: Deps,
  workspaceId: string,
  campaignId: string,
  filter: ReportFilter,
): Promise<ClaimedExport<string>> {
  const { id, template } = await knownCampaign(deps.db, workspaceId, campaignId);
  if (template !== null) return messagesReport(deps, workspaceId, id, filter.status);
  const claimed = await claimedExport(deps, workspaceId, nameOf(id, filter), {
    first: async () => ({
      page: await contactsAfter(deps.db, workspaceId, id, filter, 0, PAGE),
      // Every contact of a list has the same variables, but erased contacts have lost theirs: read one that has them.
      variables: variablesOf(await someArgs(deps.db, workspaceId, id)),
    }),
    write: (first) => write(deps, workspaceId, id, filter, first),
  });
  if (claimed === null) throw errors.campaignReportRunning();
  return claimed;
}

/** The name of the lease: reports with different filters may run at once. */
const nameOf = (id: string, { status, result }: ReportFilter): string =>
  ['campaign report', id, status, result].filter((part) => part !== null).join(' ');

async function messagesReport(
  deps: Deps,
  workspaceId: string,
  id: string,
  status: CallStatus | null,
): Promise<ClaimedExport<string>> {
  const claimed = await claimedExport(deps, workspaceId, nameOf(id, { status, result: null }), {
    first: async () => variablesOf(await someMessageArgs(deps.db, workspaceId, id)),
    write: async function* (variables) {
      yield csvRow(messagesHead(variables));
      for (let after = 0; ;) {
        const page = await messagesOfRows(deps.db, workspaceId, id, status, after, PAGE);
        yield page.map((message) => csvRow(messageCells(message, variables))).join('');
        if (page.length < PAGE) return;
        after = page.at(-1)?.row ?? after;
      }
    },
  });
  if (claimed === null) throw errors.campaignReportRunning();
  return claimed;
}

async function* write(
  deps: Deps,
  workspaceId: string,
  campaignId: string,
  filter: ReportFilter,
  first: { readonly page: readonly ContactRow[]; readonly variables: readonly string[] },
): AsyncGenerator<string, void, undefined> {
  const { variables } = first;
  yield csvRow(callsHead(variables));
  const reported = (contact: ContactRow) => ({
    ...contact,
    retries: retriesStarted(contact),
    credits: toCredits(contact.cost),
    recordingUrl: hasRecording(contact.recordingState)
      ? recordingUrl(deps.link, workspaceId, contact.id)
      : null,
  });
  let { page } = first;
  for (;;) {
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map((contact) => csvRow(callCells(reported(contact), variables))).join('');
    if (page.length < PAGE) return;
    page = await contactsAfter(deps.db, workspaceId, campaignId, filter, last.contactRow, PAGE);
  }
}
