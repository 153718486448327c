import type { FlowTemplate } from '../../../../src/shared/flow-templates/template.ts';
import { EMPTY_DRAFT, fromTemplate, type Draft } from '../agent-new/draft.ts';

/** What a new assistant begins from: the texts of a template with its flow, or those that a model wrote. */
export interface Beginning extends Pick<Draft, 'name' | 'opening' | 'objective' | 'guidelines' | 'task'> {
  readonly template?: FlowTemplate;
}

export const fromCard = (template: FlowTemplate): Beginning => ({
  name: template.name,
  opening: template.opening,
  objective: template.objective,
  guidelines: template.guidelines,
  task: template.task,
  template,
});

/** The draft of the assistant, as the page for a new one has it. */
export function draftOf({ template, ...texts }: Beginning): Draft {
  const begin = template === undefined ? {} : fromTemplate(EMPTY_DRAFT, template.id);
  return { ...EMPTY_DRAFT, ...begin, ...texts };
}

/** A text of a template with `company` in place of its sample company; without one the text as it stands. Pure. */
export function withCompany(text: string, template: FlowTemplate | undefined, company: string): string {
  const name = company.trim();
  return template === undefined || name === '' ? text : text.split(template.company).join(name);
}
