import { plainMessage } from '../ui/plain-message.ts';
import { t } from '../words/words.ts';

/** The sections of a new assistant, as the page for a new one names them; by the title in the prompt, in small letters. */
const SECTIONS: ReadonlyMap<string, string> = new Map([
  ['objective', 'Who it is and what it wants'],
  ['response guidelines', 'How it speaks'],
  ['conversation script', 'What it does, step by step'],
  ['faqs', 'Questions and answers'],
]);
const SETTINGS: ReadonlyMap<string, string> = new Map([
  ['agent_config.intro_message', 'First message'],
  ['agent_config.custom_variables', 'Variables'],
]);
const SECTION = /^agent_config\.prompt_sections\[(.*?)\](?:\.section_content)?$/;

/** A section of the prompt for people: a section that a person added keeps its title. */
export function sectionName(title: string): string {
  const known = SECTIONS.get(title.trim().toLowerCase());
  return known === undefined ? title : t(known);
}

/** A setting of a version for people, such as “First message”; one without a name has the words of its path. */
export function settingName(path: string): string {
  const known = SETTINGS.get(path);
  if (known !== undefined) return t(known);
  const [, title] = SECTION.exec(path) ?? [];
  if (title !== undefined) return t('Section “{sectionTitle}”', { sectionTitle: sectionName(title) });
  const words = path.includes(' ') ? path : plainMessage(path).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
