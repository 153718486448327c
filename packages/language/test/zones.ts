/** Zones for property tests: whole and partial hours from UTC, clock changes of an hour and of half of one, at midnight too. */
export const ZONES = [
  'UTC',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/St_Johns',
  'America/Los_Angeles',
  'America/Santiago',
  'America/Havana',
  'Europe/Berlin',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Pacific/Chatham',
] as const;

const formats = new Map<string, Intl.DateTimeFormat>(
  ZONES.map((zone) => [zone, new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: zone })]),
);
/** The day of an instant in one of these zones, as Intl shows it. */
export const dayByIntl = (zone: string, at: number): string => formats.get(zone)!.format(at);
