import type { HeaderMedium, Template, TemplateVariable } from '../../store/json/template.ts';
import type { JsonObject } from '../../store/schema.ts';

type Fields = Readonly<Record<string, unknown>>;
const MOST_TEMPLATES = 2_000;
const MOST_BUTTONS = 10;
const LONGEST = 4_096;
const PLACEHOLDER = /\{\{ {0,3}(\w{1,60}) {0,3}\}\}/g;
const POSITION = /^\d+$/;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const listOf = (value: unknown, most: number): readonly Fields[] =>
  Array.isArray(value) ? value.slice(0, most).map(fieldsOf) : [];
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, LONGEST) : '');

/** The templates of one page of the vendor's list; entries without name, language or body are left out. Never throws. */
export const readTemplates = (body: unknown): Template[] =>
  listOf(fieldsOf(body)['data'], MOST_TEMPLATES).flatMap((entry) => {
    const template = readTemplate(entry);
    return template === null ? [] : [template];
  });

function readTemplate(entry: Fields): Template | null {
  const name = textOf(entry['name']);
  const language = textOf(entry['language']);
  const components = listOf(entry['components'], 20).map((part) => ({ ...part, kind: textOf(part['type']) }));
  const part = (kind: string): Fields | undefined => components.find((found) => found.kind === kind);
  const body = textOf(part('BODY')?.['text']);
  if (name === '' || language === '' || body === '') return null;
  const format = textOf(part('HEADER')?.['format']);
  const footer = textOf(part('FOOTER')?.['text']);
  const header = headerOf(format, textOf(part('HEADER')?.['text']));
  const buttons = listOf(part('BUTTONS')?.['buttons'], MOST_BUTTONS).map((button) => ({
    kind: textOf(button['type']).toLowerCase(),
    text: textOf(button['text']),
    url: typeof button['url'] === 'string' ? textOf(button['url']) : null,
  }));
  const status = textOf(entry['status']);
  const category = textOf(entry['category']);
  const unknown = [
    ...components.map(({ kind }) => kind).filter((kind) => !PARTS.has(kind)),
    ...(format !== '' && header === null ? [`${format} header`] : []),
    ...buttons.map(({ kind }) => kind).filter((kind) => !BUTTONS.has(kind)),
  ];
  return {
    name,
    language,
    category,
    status,
    header,
    body,
    footer: footer === '' ? null : footer,
    buttons,
    variables: variablesOf(header, body, buttons),
    isNamed: textOf(entry['parameter_format']) === 'NAMED',
    unusable: whyUnusable(status, category, unknown),
  };
}

const PARTS: ReadonlySet<string> = new Set(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']);
const BUTTONS: ReadonlySet<string> = new Set(['quick_reply', 'url', 'phone_number']);
const MEDIA: Readonly<Record<string, HeaderMedium>> = {
  IMAGE: 'image',
  VIDEO: 'video',
  DOCUMENT: 'document',
};

function headerOf(format: string, text: string): Template['header'] {
  if (format === 'TEXT' && text !== '') return { kind: 'text', text };
  const medium = Object.hasOwn(MEDIA, format) ? MEDIA[format] : undefined;
  return medium === undefined ? null : { kind: medium };
}

function whyUnusable(status: string, category: string, unknown: readonly string[]): string | null {
  if (status !== 'APPROVED') return `WhatsApp has not approved it: its status is ${status || 'unknown'}`;
  if (category === 'AUTHENTICATION') return 'authentication templates carry one-time codes';
  return unknown.length === 0 ? null : `campaigns do not send templates with: ${unknown.join(', ')}`;
}

const placeholdersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '')),
];

function variablesOf(
  header: Template['header'],
  body: string,
  buttons: Template['buttons'],
): TemplateVariable[] {
  const inText = (part: 'header' | 'body', text: string): TemplateVariable[] =>
    placeholdersOf(text).map((placeholder) => ({
      name: POSITION.test(placeholder) ? `${part}_${placeholder}` : placeholder,
      part,
      placeholder,
      button: null,
    }));
  const ofHeader: TemplateVariable[] =
    header === null
      ? []
      : header.kind === 'text'
        ? inText('header', header.text)
        : [{ name: `header_${header.kind}`, part: 'header', placeholder: null, button: null }];
  const ofButtons = buttons.flatMap(({ url }, at): TemplateVariable[] =>
    placeholdersOf(url ?? '').map((placeholder) => ({
      name: `button_${at + 1}`,
      part: 'button',
      placeholder,
      button: at,
    })),
  );
  return [...ofHeader, ...inText('body', body), ...ofButtons];
}

/** Names of the variables, each once. */
export const variableNames = (template: Template): string[] => [
  ...new Set(template.variables.map(({ name }) => name)),
];

/** The vendor refuses line breaks, tabs and runs of blanks in values. */
const valueOf = (args: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(args, name) ? (args[name] ?? '').replaceAll(/\s+/g, ' ').trim() : '';
const MOST_IN_HEADER = 60;
const MOST_IN_BODY = 1_024;

/** What keeps a contact's values from filling the template; empty: nothing. */
export function templateProblems(
  template: Template,
  args: Readonly<Record<string, string>>,
): { readonly variable: string; readonly reason: string }[] {
  const problems = variableNames(template).flatMap((variable) =>
    valueOf(args, variable) === '' ? [{ variable, reason: 'is required by the template' }] : [],
  );
  if (problems.length > 0) return problems;
  for (const { name, part, placeholder } of template.variables) {
    if (part === 'header' && placeholder === null && !isPublicLink(valueOf(args, name)))
      problems.push({ variable: name, reason: 'must be an https address of the file' });
  }
  const tooLong = (part: 'header' | 'body', text: string, most: number): void => {
    const variable = template.variables.find((found) => found.part === part)?.name;
    if (variable !== undefined && filled(template, part, text, args).length > most)
      problems.push({ variable, reason: `makes the ${part} longer than ${most} characters` });
  };
  if (template.header?.kind === 'text') tooLong('header', template.header.text, MOST_IN_HEADER);
  tooLong('body', template.body, MOST_IN_BODY);
  return problems;
}

const isPublicLink = (value: string): boolean => URL.canParse(value) && value.startsWith('https://');

function filled(
  template: Template,
  part: 'header' | 'body',
  text: string,
  args: Readonly<Record<string, string>>,
): string {
  const names = new Map(
    template.variables.filter((v) => v.part === part).map((v) => [v.placeholder, v.name]),
  );
  return text.replaceAll(PLACEHOLDER, (whole, placeholder: string) => {
    const name = names.get(placeholder);
    return name === undefined ? whole : valueOf(args, name);
  });
}

/** The words that a person reads, without footer and buttons. */
export function templateText(template: Template, args: Readonly<Record<string, string>>): string {
  const body = filled(template, 'body', template.body, args);
  return template.header?.kind === 'text'
    ? `${filled(template, 'header', template.header.text, args)}\n${body}`
    : body;
}

/** The part of a request to `/messages` that carries the template with a contact's values. */
export function filledTemplate(template: Template, args: Readonly<Record<string, string>>): JsonObject {
  const of = (part: TemplateVariable['part']) => template.variables.filter((found) => found.part === part);
  const texts = (variables: readonly TemplateVariable[]) =>
    variables.map(({ name, placeholder }) => ({
      type: 'text',
      ...(template.isNamed ? { parameter_name: placeholder } : {}),
      text: valueOf(args, name),
    }));
  const components: JsonObject[] = [];
  const { header } = template;
  if (header !== null && header.kind !== 'text') {
    const link = valueOf(args, `header_${header.kind}`);
    const { kind } = header;
    components.push({ type: 'header', parameters: [{ type: kind, [kind]: { link } }] });
  } else if (of('header').length > 0) components.push({ type: 'header', parameters: texts(of('header')) });
  if (of('body').length > 0) components.push({ type: 'body', parameters: texts(of('body')) });
  for (const { name, button } of of('button')) {
    const parameters = [{ type: 'text', text: valueOf(args, name) }];
    components.push({ type: 'button', sub_type: 'url', index: String(button), parameters });
  }
  const { name, language } = template;
  return { type: 'template', template: { name, language: { code: language }, components } };
}
