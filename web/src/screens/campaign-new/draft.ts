/** The form of a new campaign, as typed. */
export interface Draft {
  readonly name: string;
  readonly countryCode: string;
  readonly skipInvalid: boolean;
  readonly windowStart: string;
  readonly windowEnd: string;
  readonly startAt: string;
  readonly endAt: string;
  readonly retries: string;
  readonly busy: string;
  readonly notPicked: string;
  readonly failed: string;
}
/** The calling window of the assistant. */
export interface Window {
  readonly call_start_time: string;
  readonly call_end_time: string;
  readonly timezone: string;
  readonly slots: readonly { readonly start: string; readonly end: string }[] | null;
  readonly use_callee_timezone: boolean;
}

/** The campaign has other times than the assistant. */
export const isOwnWindow = (draft: Draft, window: Window): boolean =>
  draft.windowStart !== window.call_start_time || draft.windowEnd !== window.call_end_time;

export const emptyDraft = (window: Window, countryCode = ''): Draft => ({
  name: '',
  countryCode,
  skipInvalid: false,
  windowStart: window.call_start_time,
  windowEnd: window.call_end_time,
  startAt: '',
  endAt: '',
  retries: '2',
  busy: '30',
  notPicked: '30',
  failed: '30',
});

/** `2026-01-05T09:30` as the API writes it: `05/01/2026, 09:30`. */
export function apiTime(local: string): string {
  const [date = '', time = ''] = local.split('T');
  return `${date.split('-').toReversed().join('/')}, ${time.slice(0, 5)}`;
}

/** The multipart form of the upload. A window like the assistant's is left to the assistant. */
export function toForm(
  draft: Draft,
  agentId: string,
  file: File,
  map: Readonly<Record<string, string>>,
  window: Window,
  template: { readonly name: string; readonly language: string } | null,
): FormData {
  const config = {
    call_retry_config: {
      retry_count: Number(draft.retries),
      retry_busy: Number(draft.busy),
      retry_not_picked: Number(draft.notPicked),
      retry_failed: Number(draft.failed),
    },
    ...(isOwnWindow(draft, window)
      ? { call_time: { call_start_time: draft.windowStart, call_end_time: draft.windowEnd } }
      : {}),
  };
  const mapped = Object.entries(map).filter(([, column]) => column !== '');
  const fields: readonly (readonly [string, string])[] = [
    ['agent_id', agentId],
    ['campaign_name', draft.name.trim()],
    ['country_code', draft.countryCode.trim()],
    ['variables_map', mapped.length === 0 ? '' : JSON.stringify(Object.fromEntries(mapped))],
    ['campaign_start_time', draft.startAt === '' ? '' : apiTime(draft.startAt)],
    ['campaign_end_time', draft.endAt === '' ? '' : apiTime(draft.endAt)],
    [
      'template',
      template === null ? '' : JSON.stringify({ name: template.name, language: template.language }),
    ],
    ['call_config', JSON.stringify(config)],
    ['remove_invalid_rows', String(draft.skipInvalid)],
  ];
  const form = new FormData();
  for (const [name, value] of fields) if (value !== '') form.append(name, value);
  form.append('file', file);
  return form;
}
