import { createHash } from 'node:crypto';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import { contactsAfter, type ContactRow } from '../../store/campaign-report.ts';
import type { Db } from '../../store/database.ts';
import { beatExport, claimExport, releaseExport, type ExportLease } from '../../store/history-export.ts';
import type { RecordingLink } from '../calls/call-record.ts';
import { claimed, type HistoryExport } from '../calls/export-history.ts';
import { knownCampaign } from './read-campaigns.ts';
import { reportHeader, reportLine, variablesOf } from './report-csv.ts';

const PAGE = 500;
/** A report that has not come to its next page for so long is taken for dead. */
const ABANDONED_MS = 60_000;

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
): Promise<HistoryExport> {
  const { id } = await knownCampaign(deps.db, workspaceId, campaignId);
  const filterHash = createHash('sha256').update(`campaign report ${id}`).digest('hex');
  const lease: ExportLease = { workspaceId, filterHash, token: newId() };
  const now = deps.clock.now();
  const times = { at: new Date(now), abandonedBefore: new Date(now - ABANDONED_MS) };
  if (!(await claimExport(deps.db, lease, times))) throw errors.campaignReportRunning();
  const release = (): Promise<void> => releaseExport(deps.db, lease);
  try {
    // The first page comes before the answer, so that a failure is an error and no broken file.
    const first = await contactsAfter(deps.db, workspaceId, id, 0, PAGE);
    return { pieces: claimed(write(deps, lease, id, first), release), release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function* write(
  deps: Deps,
  lease: ExportLease,
  campaignId: string,
  first: readonly ContactRow[],
): AsyncGenerator<string, void, undefined> {
  const { workspaceId } = lease;
  const variables = variablesOf(first[0]?.args ?? {});
  yield reportHeader(variables);
  let page = first;
  for (;;) {
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map((contact) => reportLine(contact, variables, workspaceId, deps.link)).join('');
    if (page.length < PAGE) return;
    await beatExport(deps.db, lease, new Date(deps.clock.now()));
    page = await contactsAfter(deps.db, workspaceId, campaignId, last.contact_row, PAGE);
  }
}
