/** What is added to a knowledge base, as the form has it. */
export interface Sources {
  readonly files: readonly File[];
  /** One address a line. */
  readonly urls: string;
  readonly faqs: readonly { readonly question: string; readonly answer: string }[];
}
/** The part of it that the browser can keep. */
export const NO_TEXTS: Omit<Sources, 'files'> = { urls: '', faqs: [] };
export const NO_SOURCES: Sources = { files: [], ...NO_TEXTS };

/** The multipart form of an upload: files as they are, lists as JSON, and fields without a value left out. */
export function sourceForm(
  fields: Readonly<Record<string, string>>,
  sources: Sources,
  names: { readonly files: string; readonly urls: string; readonly faqs: string },
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const urls = sources.urls
    .split('\n')
    .map((url) => url.trim())
    .filter(Boolean);
  const faqs = sources.faqs.filter(({ question, answer }) => question.trim() !== '' || answer.trim() !== '');
  if (urls.length > 0) form.append(names.urls, JSON.stringify(urls));
  if (faqs.length > 0) form.append(names.faqs, JSON.stringify(faqs));
  for (const file of sources.files) form.append(names.files, file);
  return form;
}

export const hasSources = ({ files, urls, faqs }: Sources): boolean =>
  files.length > 0 ||
  urls.trim() !== '' ||
  faqs.some(({ question, answer }) => question.trim() !== '' || answer.trim() !== '');
