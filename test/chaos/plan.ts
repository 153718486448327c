import { Temporal } from 'temporal-polyfill';
import type { Dice } from './dice.ts';

/** Trunks to the callees: one SIPp each, and a stand-in of a carrier with an API. */
export const TRUNKS = [
  { isApi: false, settings: { name: 'north carrier', max_calls: 24, calls_per_second: 40 } },
  { isApi: false, settings: { name: 'south carrier', max_calls: 60, calls_per_second: 80 } },
  { isApi: true, settings: { name: 'west carrier', max_calls: 24, calls_per_second: 40 } },
] as const;

export interface WorkspacePlan {
  readonly name: string;
  readonly key: string;
  readonly credits: number | 'unlimited';
  readonly callLimit: number;
  readonly limits?: Record<string, unknown>;
  readonly numbers: readonly { number: string; trunk: string; call_limit?: number }[];
  /** Whether agents subscribe to every event. */
  readonly isChatty: boolean;
}

export interface CampaignPlan {
  readonly index: number;
  readonly workspace: number;
  readonly name: string;
  readonly rows: readonly { readonly number: string; readonly name: string }[];
  /** Numbers put on the do-not-call list of the workspace (`everywhere`) or campaign (`here`) before the start. */
  readonly listed: { readonly everywhere: readonly string[]; readonly here: readonly string[] };
  readonly flow: 'save' | 'upload-csv';
  readonly window: 'always' | 'opens' | 'closes';
  readonly zone: string;
  readonly percentage: number | null;
  readonly retries: number;
  /** Whether it is terminated while being dialled. */
  readonly isTerminated: boolean;
}

export interface Plan {
  readonly workspaces: readonly WorkspacePlan[];
  readonly campaigns: readonly CampaignPlan[];
}

const ZONES = ['Asia/Kolkata', 'America/St_Johns', 'Pacific/Chatham', 'Europe/London', 'America/New_York'];
const AREAS = ['212', '310', '312', '404', '415', '512', '617', '702', '713', '206'];
/** Limit of parallel calls to India in the workspace that has one. */
export const INDIA = { prefix: '+91', calls: 3 } as const;

const numbersOf = (place: number): WorkspacePlan['numbers'] =>
  [0, 1, 2, 3, 4, 5].map((at) => ({
    number: `+1415555${String(9000 + place * 10 + at)}`,
    trunk: TRUNKS[at % TRUNKS.length]!.settings.name,
    ...(at === 3 ? { call_limit: 4 } : {}),
  }));

/** Generates workspaces, campaigns and contacts; the seed decides everything but the timing. */
export function makePlan(dice: Dice, contacts: number, campaigns: number): Plan {
  const workspaces: WorkspacePlan[] = [
    {
      name: 'Unlimited',
      key: 'cw_live_chaoschaoschaoschaoschaoschaos01',
      credits: 'unlimited',
      callLimit: 30,
      numbers: numbersOf(0),
      isChatty: true,
    },
    {
      name: 'Rich',
      key: 'cw_live_chaoschaoschaoschaoschaoschaos02',
      credits: 1_000_000,
      callLimit: 20,
      limits: { destination_calls: { [INDIA.prefix]: INDIA.calls }, number_rest: false },
      numbers: numbersOf(1),
      isChatty: false,
    },
    {
      // Enough for the largest list to start, not enough for all lists to finish.
      name: 'Poor',
      key: 'cw_live_chaoschaoschaoschaoschaoschaos03',
      credits: Math.ceil((contacts / campaigns) * 1.5),
      callLimit: 14,
      numbers: numbersOf(2),
      isChatty: false,
    },
  ];
  const sizes = shares(dice, contacts, campaigns);
  let serial = 0;
  const number = (isIndian: boolean): string => {
    serial += 1;
    return isIndian
      ? `+919810${String(100_000 + serial).padStart(6, '0')}`
      : `+1${AREAS[Math.floor(serial / 10_000)]}555${String(serial % 10_000).padStart(4, '0')}`;
  };
  return {
    workspaces,
    campaigns: sizes.map((size, index) => {
      const workspace = index % workspaces.length;
      const rows = Array.from({ length: size }, (_, n) => ({
        number: number(workspace === 1 && dice.next() < 0.15),
        name: `Callee ${n}`,
      }));
      const pickRows = (count: number): string[] =>
        Array.from({ length: count }, () => dice.pick(rows).number);
      return {
        index,
        workspace,
        name: `campaign ${index}`,
        rows,
        listed: { everywhere: pickRows(2), here: pickRows(2) },
        flow: index % 2 === 0 ? 'upload-csv' : 'save',
        window: index % 5 === 3 ? 'opens' : index % 10 === 4 ? 'closes' : 'always',
        zone: dice.pick(ZONES),
        percentage: dice.next() < 0.3 ? dice.int(40, 90) : null,
        retries: dice.int(0, 2),
        isTerminated: index % 8 === 5,
      };
    }),
  };
}

/** Random list sizes with the given sum. */
function shares(dice: Dice, total: number, parts: number): number[] {
  const weights = Array.from({ length: parts }, () => 0.5 + dice.next());
  const sum = weights.reduce((a, b) => a + b, 0);
  const sizes = weights.map((weight) => Math.max(8, Math.floor((weight / sum) * total)));
  sizes[0] = Math.max(8, sizes[0]! + total - sizes.reduce((a, b) => a + b, 0));
  return sizes;
}

export interface Slot {
  readonly start: string;
  readonly end: string;
}

/** Calling windows of a campaign started at `now`: always open, opening later, or with a break later. */
export function slotsOf(
  campaign: Pick<CampaignPlan, 'window' | 'zone'>,
  now: number,
  soonMinutes: number,
): Slot[] {
  if (campaign.window === 'always') return [{ start: '00:00', end: '00:00' }];
  const local = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(campaign.zone);
  const at = (minutes: number): string =>
    local.add({ minutes }).toPlainTime().toString({ smallestUnit: 'minute' });
  return campaign.window === 'opens'
    ? [{ start: at(soonMinutes), end: at(soonMinutes + 300) }]
    : [
        { start: at(-60), end: at(soonMinutes) },
        { start: at(soonMinutes + 2), end: at(soonMinutes + 300) },
      ];
}

/** Whether the window is open, computed with another library than the program uses. */
export function isOpen(slots: readonly Slot[], zone: string, at: number): boolean {
  const time = Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toPlainTime()
    .toString({ smallestUnit: 'minute' });
  return slots.some(({ start, end }) =>
    start === end ? true : start < end ? time >= start && time < end : time >= start || time < end,
  );
}
