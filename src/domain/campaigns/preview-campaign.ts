import type { VersionConfig } from '../../store/json/agent-version.ts';
import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isoIn } from '@callwright/language';
import { findAgent, findVersion } from '../../store/agents/agents.ts';
import { countCalleePrefixes } from '../../store/campaigns/callee-prefixes.ts';
import type { CampaignRow } from '../../store/campaigns/campaigns.ts';
import { findUploadOfCampaign } from '../../store/campaigns/uploads.ts';
import type { Db } from '../../store/database.ts';
import { callWindow, nextOpening } from '../call-windows/call-window.ts';
import {
  defaultWarning,
  isNight,
  toWindowLevels,
  windowInForce,
  windowWords,
  type WindowLevels,
} from '../call-windows/calling-window.ts';
import { ZONE_DIGITS, zoneKey } from '../call-windows/callee-zone.ts';
import type { Warning } from '../warnings.ts';
import { knownCampaign } from './read-campaigns.ts';

/** Waiting contacts whose numbers may be in the same time zones. */
export interface ZonePreview {
  /** Empty: numbers of no country. */
  readonly zones: readonly string[];
  readonly contacts: number;
  /** ISO 8601 on the clock of the first zone, like `opensAt`. */
  readonly localTime: string;
  readonly isOpen: boolean;
  readonly isNight: boolean;
  /** When their calls may be dialled; null: the window is open, or never opens for them. */
  readonly opensAt: string | null;
}

/** The contacts that a campaign would call from `at` on. */
export interface CampaignPreview {
  readonly campaignId: string;
  /** Now, or the campaign's start time. */
  readonly at: Date;
  readonly waiting: number;
  readonly callable: number;
  readonly window: WindowLevels;
  readonly zones: readonly ZonePreview[];
  readonly warnings: readonly Warning[];
}

/** How many contacts of each group of time zones wait; the key has the zones, separated by `|`. */
export type ZoneCounts = Readonly<Record<string, number>>;

/**
 * What a start would do now. Contacts are grouped by time zone: those of a list that was not started were counted by its
 * import, so the answer does not depend on its size. Throws 404, and 400 for a campaign of messages.
 */
export async function previewCampaign(
  deps: { readonly db: Db; readonly clock: Clock },
  workspaceId: string,
  campaignId: string,
): Promise<CampaignPreview> {
  const campaign = await knownCampaign(deps.db, workspaceId, campaignId);
  if (campaign.template !== null) throw errors.campaignSendsMessages();
  const agent = await findAgent(deps.db, workspaceId, campaign.agentId);
  if (agent === undefined) throw errors.agentNotFound();
  const version = await findVersion(deps.db, workspaceId, agent.id, agent.activeVersionId);
  if (version === undefined) throw errors.versionNotFound();
  const counts = await countZones(deps.db, workspaceId, campaign);
  const at = Math.max(deps.clock.now(), campaign.startAt?.getTime() ?? 0);
  return previewOf(campaign, version.config, counts, at);
}

/** Pure: the preview from the counts. */
export function previewOf(
  campaign: Pick<CampaignRow, 'id' | 'callConfig'>,
  config: VersionConfig,
  counts: ZoneCounts,
  at: number,
): CampaignPreview {
  const callTime = campaign.callConfig?.callTime;
  const { time, source } = windowInForce(config, { by: 'campaign', callTime });
  const base = callWindow(config.callConfig.callTime, callTime, '');
  const zones = Object.entries(counts)
    .map(([key, contacts]): ZonePreview => {
      const of = key === '' ? [] : key.split('|');
      const opening = nextOpening(
        time.useCalleeTimezone && of.length > 0 ? { ...base, zones: of } : base,
        at,
      );
      const shown = of[0] ?? time.timezone;
      return {
        zones: of,
        contacts,
        localTime: isoIn(shown, at),
        isOpen: opening === at,
        isNight: opening !== null && isNight(of, opening),
        opensAt: opening === null || opening === at ? null : isoIn(shown, opening),
      };
    })
    .sort((a, b) => b.contacts - a.contacts || a.zones.join().localeCompare(b.zones.join()));
  const sum = (some: readonly ZonePreview[]): number => some.reduce((all, { contacts }) => all + contacts, 0);
  const window = toWindowLevels(time, source);
  const preview = {
    campaignId: campaign.id,
    at: new Date(at),
    waiting: sum(zones),
    callable: sum(zones.filter(({ isOpen }) => isOpen)),
    window,
    zones,
  };
  return { ...preview, warnings: warningsOf(preview) };
}

function warningsOf({ window, zones, waiting, callable }: Omit<CampaignPreview, 'warnings'>): Warning[] {
  const field = 'call_config.call_time';
  const warnings: Warning[] = window.source === 'default' ? [defaultWarning()] : [];
  const openings = zones.flatMap(({ opensAt }) => opensAt ?? []);
  const first = openings.sort((a, b) => Date.parse(a) - Date.parse(b))[0];
  if (callable < waiting) {
    const when = first === undefined ? 'never opens for them' : `opens from ${first} on`;
    warnings.push({
      code: 'WINDOW_CLOSED',
      field,
      message: `${waiting - callable} of ${waiting} contacts wait: the calling window (${windowWords(window)}) ${when}`,
    });
  }
  const night = zones.filter(({ isNight: isLate }) => isLate);
  const [most] = night;
  if (most !== undefined) {
    const contacts = night.reduce((all, zone) => all + zone.contacts, 0);
    const at = most.opensAt ?? most.localTime;
    warnings.push({
      code: 'NIGHT_AT_CALLEE',
      field,
      message: `${contacts} of ${waiting} contacts would be called before 08:00 or after 21:00 on their clock, such as ${at.slice(11, 16)} in ${most.zones[0] ?? ''}; use_callee_timezone keeps calls inside the window there`,
    });
  }
  return warnings;
}

async function countZones(db: Db, workspaceId: string, campaign: CampaignRow): Promise<ZoneCounts> {
  if (campaign.state === 'draft') {
    const upload = await findUploadOfCampaign(db, { workspaceId, uploadId: campaign.id });
    const counted = upload?.report?.zones;
    if (counted !== undefined) return counted;
  }
  const prefixes = await countCalleePrefixes(db, workspaceId, campaign.id, ZONE_DIGITS);
  const counts: Record<string, number> = {};
  for (const { prefix, contacts } of prefixes) {
    const key = zoneKey(`+${prefix}`);
    counts[key] = (counts[key] ?? 0) + contacts;
  }
  return counts;
}
