import { minuteOf } from '../../parts/window-hours.ts';
import { t } from '../../words/words.ts';
import { isOwnWindow, type Draft, type Window } from './draft.ts';

/** The ids of the sections of the form. */
export const SECTIONS = {
  who: 'campaign-who',
  list: 'campaign-list',
  when: 'campaign-when',
  check: 'campaign-check',
} as const;

export interface Step {
  /** The id of its section. */
  readonly id: (typeof SECTIONS)[keyof typeof SECTIONS];
  readonly name: string;
  /** What is chosen, in a few words. */
  readonly summary: string;
  /** `later`: the page shows its section after the steps before it. */
  readonly state: 'done' | 'open' | 'later';
}

/** What the form holds. */
export interface Filled {
  readonly agentName: string;
  readonly isWritten: boolean;
  /** A campaign that writes has its template. */
  readonly hasTemplate: boolean;
  /** The columns of the file are known. */
  readonly isRead: boolean;
  readonly fileName: string | null;
  /** The variables that need a column. */
  readonly required: readonly string[];
  readonly map: Readonly<Record<string, string>>;
  readonly draft: Draft;
  readonly window: Window;
  /** The service refused rows of the list. */
  readonly isRefused: boolean;
}

/** The four steps of the form, in its order, and which of them are complete. */
export function stepsOf(filled: Filled): readonly Step[] {
  const { isWritten, isRead, required, map } = filled;
  const isListDone = isRead && required.every((variable) => (map[variable] ?? '') !== '');
  return [
    {
      id: SECTIONS.who,
      name: isWritten ? t('Who writes') : t('Who calls'),
      summary: filled.agentName,
      state: isWritten && !filled.hasTemplate ? 'open' : 'done',
    },
    {
      id: SECTIONS.list,
      name: t('List'),
      summary: filled.fileName ?? '',
      state: isListDone ? 'done' : 'open',
    },
    {
      id: SECTIONS.when,
      name: isWritten ? t('When it writes') : t('When it calls'),
      summary: isRead ? hoursOf(filled.draft, filled.window) : '',
      state: isRead ? (areTimesDone(filled.draft, isWritten) ? 'done' : 'open') : 'later',
    },
    {
      id: SECTIONS.check,
      name: t('Check the list'),
      summary: filled.isRefused ? t('Rows to correct') : '',
      state: 'open',
    },
  ];
}

/** The calling hours of the campaign, which are those of the assistant until they are changed. */
function hoursOf(draft: Draft, window: Window): string {
  const own = { start: draft.windowStart, end: draft.windowEnd };
  const slots = isOwnWindow(draft, window) || window.slots === null ? [own] : window.slots;
  return slots
    .map(({ start, end }) => (start === end ? t('All day') : t('{from} to {to}', { from: start, to: end })))
    .join(', ');
}

const isWhole = (text: string, most: number): boolean => /^\d+$/.test(text.trim()) && Number(text) <= most;

const areTimesDone = (draft: Draft, isWritten: boolean): boolean =>
  minuteOf(draft.windowStart) !== null &&
  minuteOf(draft.windowEnd) !== null &&
  isWhole(draft.retries, 10) &&
  [draft.failed, ...(isWritten ? [] : [draft.busy, draft.notPicked])].every((text) => isWhole(text, 10_080));
