type Fields = Readonly<Record<string, unknown>>;

/** A template of the stand-in's account, as the Cloud API lists it. */
export interface FakeTemplate {
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly category: string;
  readonly components: readonly Fields[];
  readonly parameter_format?: string;
}

/** The id of the stand-in's only account. */
export const FAKE_BUSINESS_ACCOUNT_ID = '102290129340398';

const body = (text: string): Fields => ({ type: 'BODY', text });
export const FAKE_TEMPLATES: readonly FakeTemplate[] = [
  {
    name: 'order_update',
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [body('Hello {{1}}, your order is ready.'), { type: 'FOOTER', text: 'City Shop' }],
  },
  {
    name: 'appointment_reminder',
    language: 'en_US',
    status: 'APPROVED',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Appointment on {{1}}' },
      body('Hello {{1}}, we see you at {{2}}. Does that suit you?'),
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Yes' },
          { type: 'QUICK_REPLY', text: 'Another day' },
        ],
      },
    ],
  },
  {
    name: 'spring_offer',
    language: 'en_US',
    status: 'PAUSED',
    category: 'MARKETING',
    components: [body('Spring is here.')],
  },
];

const PAGE = 100;

/** One page of the list; `after` is the cursor of the page before, empty for the first. */
export function templatePage(templates: readonly FakeTemplate[], after: string): object {
  const from = after === '' ? 0 : Number(after);
  const next = from + PAGE;
  return {
    data: templates.slice(from, next).map((template, at) => ({ id: String(from + at + 1), ...template })),
    paging: {
      cursors: { before: String(from), after: String(next) },
      ...(next < templates.length ? { next: 'https://graph.facebook.com/next' } : {}),
    },
  };
}

/** The vendor's code for a template message that it refuses; null: it accepts it. */
export function templateRefusal(templates: readonly FakeTemplate[], sent: Fields): number | null {
  const {
    name,
    language,
    components = [],
  } = sent as {
    name?: unknown;
    language?: { code?: unknown };
    components?: readonly { type?: unknown; parameters?: readonly Fields[] }[];
  };
  const template = templates.find((known) => known.name === name && known.language === language?.code);
  if (template === undefined) return 132001;
  if (template.status === 'PAUSED') return 132015;
  if (template.status !== 'APPROVED') return 132016;
  for (const kind of ['HEADER', 'BODY'] as const) {
    const part = template.components.find(({ type }) => type === kind);
    const given = components.find(({ type }) => type === kind.toLowerCase())?.parameters ?? [];
    if (given.length !== parametersOf(part)) return 132000;
    if (given.some(({ text }) => typeof text === 'string' && isUnfit(text))) return 132018;
  }
  return null;
}

const parametersOf = (part: Fields | undefined): number => {
  const { text, format } = part ?? {};
  if (format !== undefined && format !== 'TEXT') return 1;
  return typeof text === 'string' ? new Set(text.match(/\{\{\w{1,60}\}\}/g)).size : 0;
};

const isUnfit = (text: string): boolean => text === '' || /[\n\t]/.test(text) || text.includes('     ');
