import { t } from '../../words/words.ts';

const NAMES: Readonly<Record<string, string>> = {
  mobile_number: 'Phone number',
  callee_name: 'Name of the person',
  header_image: 'Image of the heading, an https address',
  header_video: 'Video of the heading, an https address',
  header_document: 'Document of the heading, an https address',
};
const PARTS: Readonly<Record<string, string>> = {
  body: '{place} of the text',
  header: '{place} of the heading',
};

/** What a column is for: a variable of the assistant, or a placeholder of a WhatsApp template. */
export function variableName(variable: string): string {
  const known = NAMES[variable];
  if (known !== undefined) return known;
  const [, part = '', position = ''] = /^(body|header|button)_(\d{1,3})$/.exec(variable) ?? [];
  if (part === 'button') return t('End of the address of button {position}', { position });
  return part === ''
    ? variable.replaceAll('_', ' ')
    : t(PARTS[part] ?? variable, { place: `{{${position}}}` });
}
