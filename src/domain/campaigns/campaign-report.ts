import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { contactsAfter, someArgs, type ContactRow } from '../../store/campaign-report.ts';
import type { Db } from '../../store/database.ts';
import type { RecordingLink } from '../calls/call-record.ts';
import { claimedExport, type ClaimedExport } from '../calls/export-claim.ts';
import { knownCampaign } from './read-campaigns.ts';
import { reportHeader, reportLine, variablesOf } from './report-csv.ts';

const PAGE = 500;

interface Deps {
  db: Db;
  clock: Clock;
  link: RecordingLink;
}

/**
 * What became of every contact of a campaign, as CSV in the order of its file, however many there are and whether or
 * not it is over. The same report runs once at a time. Throws 404, and 409 while it runs.
 */
export async function reportCampaign(
  deps: Deps,
  workspaceId: string,
  campaignId: string,
): Promise<ClaimedExport> {
  const { id } = await knownCampaign(deps.db, workspaceId, campaignId);
  const claimed = await claimedExport(deps, workspaceId, `campaign report ${id}`, {
    first: async () => ({
      page: await contactsAfter(deps.db, workspaceId, id, 0, PAGE),
      // All contacts of a list have the same; erased ones have none any more.
      variables: variablesOf(await someArgs(deps.db, workspaceId, id)),
    }),
    write: (first) => write(deps, workspaceId, id, first),
  });
  if (claimed === null) throw errors.campaignReportRunning();
  return claimed;
}

async function* write(
  deps: Deps,
  workspaceId: string,
  campaignId: string,
  first: { readonly page: readonly ContactRow[]; readonly variables: readonly string[] },
): AsyncGenerator<string, void, undefined> {
  const { variables } = first;
  yield reportHeader(variables);
  let { page } = first;
  for (;;) {
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map((contact) => reportLine(contact, variables, workspaceId, deps.link)).join('');
    if (page.length < PAGE) return;
    page = await contactsAfter(deps.db, workspaceId, campaignId, last.contact_row, PAGE);
  }
}
