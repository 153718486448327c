import { isSupportedCountry } from 'libphonenumber-js/max';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import {
  declaredSettings,
  ownSettings,
  type JoiningText,
  type OwnSettings,
} from '../../store/json/workspace-settings.ts';
import { NO_ZONE } from '../../store/zone.ts';
import { dropSetting, mergeSettings, readSettings } from '../../store/tenants/settings.ts';
import { errors } from '../../errors.ts';
import { isMailAddress } from '../../shared/mailbox.ts';
import type { Caller } from './authenticate-key.ts';
import { closedList } from './home-destinations.ts';
import { checkZone, moveToZone, zoneMove } from './zone.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

/** What the owner of a workspace sets for all of its agents. */
export interface WorkspaceSettings {
  /** Calls and chats that lack a variable, or name an unknown one, are refused. */
  readonly strictVariables: boolean;
  /** A draft is published only after a rehearsal that shows it not worse than the active version. */
  readonly rehearsesDrafts: boolean;
  /** The share of ended calls that detectors read. */
  readonly checkedCallsPercent: number;
  /** The agent says that a person joins or listens to a call. */
  readonly announcesPeople: boolean;
  /** Its words, for languages in which the workspace has its own. */
  readonly joiningTexts: readonly JoiningText[];
  /** Where notices are mailed, such as that of a campaign that was paused. */
  readonly noticeAddresses: readonly string[];
  /** The only destinations of calls and transfers; null: those that the operator allows. */
  readonly onlyDestinations: readonly string[] | null;
  /** What the owner has opened beside the countries of the workspace's numbers. */
  readonly openDestinations: readonly string[] | 'all';
  /** By whose days the workspace counts. */
  readonly timezone: string;
  /** A job moves the days to those of another zone, which `timezone` will then be; null: none is on its way. */
  readonly timezoneChange: { readonly timezone: string; readonly percent: number } | null;
  /** The country (ISO 3166) of numbers that people type without a code; null: none was chosen. */
  readonly country: string | null;
  /** The pause of the anomaly stop; null: outbound calls run. */
  readonly outboundPaused: { readonly at: string; readonly reason: 'attempts' | 'spend' } | null;
}

export async function readWorkspaceSettings(
  deps: { db: Db },
  workspaceId: string,
): Promise<WorkspaceSettings> {
  // Before the settings: when the move ends between the two reads, the zone is the new one.
  const move = await zoneMove(deps.db, workspaceId);
  const settings = await readSettings(deps.db, workspaceId);
  const declared = declaredSettings(settings);
  const { strictVariables, rehearsesDrafts, checkedCallsPercent, announcesPeople, joiningTexts } = declared;
  const { noticeAddresses, openDestinations, outboundPaused, timezone = NO_ZONE, country } = declared;
  return {
    strictVariables,
    rehearsesDrafts,
    checkedCallsPercent,
    announcesPeople,
    joiningTexts,
    noticeAddresses,
    onlyDestinations: closedList(settings),
    openDestinations,
    timezone,
    timezoneChange:
      move === null || move.zone === timezone ? null : { timezone: move.zone, percent: move.percent },
    country: country ?? null,
    outboundPaused: outboundPaused ?? null,
  };
}

const ADDRESSES = 'notice_addresses';

/**
 * Changes the given settings; another time zone moves the day sums, by a job in a workspace of more calls than `movedAtOnce`. Throws 409
 * while such a job moves them to a third zone, 422 for addresses of mail that the service cannot write to and for an unknown zone or
 * country, and 403 for a key that opens destinations: a leaked key must not dial where its owner never
 * wanted to.
 */
export async function changeWorkspaceSettings(
  deps: { db: Db; clock: Clock; sendsMail?: boolean | undefined; movedAtOnce?: number },
  { workspaceId, actor }: Pick<Caller, 'workspaceId' | 'actor'>,
  change: ChangeEntry | null,
  settings: OwnSettings,
): Promise<WorkspaceSettings> {
  const { outboundPaused: lift, timezone, ...merged } = settings;
  const addresses = merged.noticeAddresses ?? [];
  if (addresses.length > 0 && deps.sendsMail !== true)
    throw errors.invalid(ADDRESSES, 'need a mail server, which the operator sets by SMTP_URL');
  const wrong = addresses.findIndex((address) => !isMailAddress(address));
  if (wrong !== -1)
    throw errors.invalid(`${ADDRESSES}[${wrong}]`, 'must be an address such as ops@example.com');
  if (actor.type !== 'user') {
    if (merged.openDestinations !== undefined) throw errors.signedInOwnersOnly('open_destinations');
    if (lift !== undefined) throw errors.signedInOwnersOnly('outbound_paused');
  }
  const { country } = merged;
  if (timezone !== undefined) await checkZone(deps.db, timezone);
  if (country !== undefined && !isSupportedCountry(country))
    throw errors.invalid('country', 'must be a country such as IN');
  return commitChange(deps.db, change, async (tx) => {
    const at = new Date(deps.clock.now());
    const isMoved =
      timezone !== undefined && (await moveToZone(tx, workspaceId, timezone, { at, most: deps.movedAtOnce }));
    const lifted = lift === null ? { outboundLiftedAt: at.toISOString() } : {};
    await mergeSettings(
      tx,
      workspaceId,
      ownSettings.write({ ...merged, ...(isMoved ? { timezone } : {}), ...lifted }),
      at,
    );
    if (lift === null) await dropSetting(tx, workspaceId, 'outbound_paused');
    return readWorkspaceSettings({ db: tx }, workspaceId);
  });
}
