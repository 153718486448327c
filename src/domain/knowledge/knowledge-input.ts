import { errors } from '../../errors.ts';
import type { AddressRules } from '../../shared/address-rules.ts';
import { newId } from '../../shared/ids.ts';
import { normalQuestion } from '../../shared/knowledge/terms.ts';
import type { NewSource } from '../../store/knowledge/sources.ts';
import { beginsAs, formatOfName } from './document-format.ts';

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
export const MAX_FILES = 10;
export const MAX_URLS = 20;
export const MAX_FAQS = 500;
/** Per knowledge base, over all changes. */
export const MAX_SOURCES = { file: 100, url: 100, faq: 2000 } as const;

export interface UploadedFile {
  /** The client's name; for display only. */
  readonly name: string;
  readonly content: Buffer;
}
export interface FaqInput {
  readonly question: string;
  readonly answer: string;
}
export interface KnowledgeInput {
  readonly files: readonly UploadedFile[];
  readonly urls: readonly string[];
  readonly faqs: readonly FaqInput[];
}

/** Names of the request fields, for error paths. */
export interface InputFields {
  readonly files: string;
  readonly urls: string;
  readonly faqs: string;
}

/** Validates the input and converts it to sources. Throws 422 naming the field. */
export function toSources(
  guard: AddressRules,
  workspaceId: string,
  input: KnowledgeInput,
  fields: InputFields,
): NewSource[] {
  const innerRule = (url: string): string | null =>
    guard.innerRule(url, { purpose: 'knowledge', workspaceId });
  return [
    ...input.files.map((file, at) => fileSource(file, `${fields.files}[${at}]`)),
    ...input.urls.map((url, at) => urlSource(innerRule, url, `${fields.urls}[${at}]`)),
    ...input.faqs.map((faq, at) => faqSource(faq, `${fields.faqs}[${at}]`)),
  ];
}

function fileSource({ name, content }: UploadedFile, field: string): NewSource {
  const format = formatOfName(name);
  if (format === null) throw errors.invalid(field, 'must be a PDF, DOCX, TXT, MD, HTML or CSV file');
  if (content.length === 0) throw errors.invalid(field, 'must not be empty');
  if (!beginsAs(format, content)) {
    throw errors.invalid(field, `must be a ${format.toUpperCase()} file, as its name says`);
  }
  const [id, sizeBytes] = [newId(), content.length];
  return { id, kind: 'file', name, answer: null, format, content, sizeBytes };
}

function urlSource(innerRule: (url: string) => string | null, text: string, field: string): NewSource {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:') || url.hostname === '') {
    throw errors.invalid(field, 'must be an http or https URL');
  }
  if (url.username !== '' || url.password !== '') {
    throw errors.invalid(field, 'must not hold a user name or password');
  }
  const inner = innerRule(text);
  if (inner !== null) throw errors.invalid(field, inner);
  url.hash = '';
  return { id: newId(), kind: 'url', name: url.href, ...NO_CONTENT };
}

function faqSource({ question, answer }: FaqInput, field: string): NewSource {
  if (normalQuestion(question) === '') throw errors.invalid(`${field}.question`, 'must hold words');
  if (answer.trim() === '') throw errors.invalid(`${field}.answer`, 'must not be empty');
  return { id: newId(), kind: 'faq', name: question.trim(), ...NO_CONTENT, answer: answer.trim() };
}

const NO_CONTENT = { answer: null, format: null, content: null, sizeBytes: null } as const;
