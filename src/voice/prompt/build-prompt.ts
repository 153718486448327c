import { oneLine, tidy, type Section } from '../../shared/prompt-text.ts';

/** The create request's fields that make up the prompt (interface, Agent create request). */
export interface PromptFields {
  introductionAndObjective: string;
  responseGuidelines: string;
  task: string;
  faq: string;
  /** Turns separated by newlines. */
  sampleConversations: string;
}

export const SECTION_TITLES = {
  objective: 'Objective',
  guidelines: 'Response Guidelines',
  script: 'Conversation Script',
  faqs: 'FAQs',
} as const;

/** Label before the sample conversations at the end of the script. */
export const SAMPLES_LABEL = 'Sample conversations:';

/** The four sections of a new agent, in order; sample conversations close the script. */
export function buildSections(fields: PromptFields): Section[] {
  return [
    { title: SECTION_TITLES.objective, content: tidy(fields.introductionAndObjective) },
    { title: SECTION_TITLES.guidelines, content: tidy(fields.responseGuidelines) },
    { title: SECTION_TITLES.script, content: scriptOf(fields.task, fields.sampleConversations) },
    { title: SECTION_TITLES.faqs, content: tidy(fields.faq) },
  ];
}

function scriptOf(task: string, sampleConversations: string): string {
  const [script, samples] = [tidy(task), tidy(sampleConversations)];
  return samples === '' ? script : tidy(`${script}\n\n${SAMPLES_LABEL}\n${samples}`);
}

/** Splits a script at the last label of samples. */
function splitScript(content: string): { task: string; sampleConversations: string } {
  const lines = content.split('\n');
  const at = lines.lastIndexOf(SAMPLES_LABEL);
  return at === -1
    ? { task: content, sampleConversations: '' }
    : { task: lines.slice(0, at).join('\n'), sampleConversations: lines.slice(at + 1).join('\n') };
}

/**
 * Applies changed create fields to a prompt: each replaces its own section, or is appended as a new one. Other sections
 * are unchanged.
 */
export function changeSections(sections: readonly Section[], fields: Partial<PromptFields>): Section[] {
  const changed = [...sections];
  const put = (title: string, content: (before: string) => string): void => {
    const index = changed.findIndex((section) => section.title.toLowerCase() === title.toLowerCase());
    const before = changed[index];
    if (before === undefined) changed.push({ title, content: content('') });
    else changed[index] = { ...before, content: content(before.content) };
  };
  const { introductionAndObjective: objective, responseGuidelines: guidelines, faq } = fields;
  if (objective !== undefined) put(SECTION_TITLES.objective, () => tidy(objective));
  if (guidelines !== undefined) put(SECTION_TITLES.guidelines, () => tidy(guidelines));
  if (fields.task !== undefined || fields.sampleConversations !== undefined) {
    put(SECTION_TITLES.script, (before) => {
      const halves = splitScript(before);
      return scriptOf(fields.task ?? halves.task, fields.sampleConversations ?? halves.sampleConversations);
    });
  }
  if (faq !== undefined) put(SECTION_TITLES.faqs, () => tidy(faq));
  return changed;
}

const HEADING = /^##?[ \t]+(\S.*)$/u;
const ESCAPED = /^\\+##?[ \t]/u;

/** Splits a prompt at its `#` and `##` headings. A prompt without any is one section without title. */
export function parsePrompt(prompt: string): Section[] {
  const sections: { title: string; lines: string[] }[] = [{ title: '', lines: [] }];
  for (const line of prompt.replaceAll(/\r\n?/gu, '\n').split('\n')) {
    const title = HEADING.exec(line)?.[1];
    if (title !== undefined) sections.push({ title: oneLine(title), lines: [] });
    else sections.at(-1)?.lines.push(ESCAPED.test(line) ? line.slice(1) : line);
  }
  return sections
    .map(({ title, lines }) => ({ title, content: tidy(lines.join('\n')) }))
    .filter(({ title, content }) => title !== '' || content !== '');
}
