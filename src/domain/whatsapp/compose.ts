import type { JsonObject } from '../../store/schema.ts';

/** Limits of the Cloud API (vendors' reference, W2). */
const LONGEST_TEXT = 4_096;
const LONGEST_BODY_OF_BUTTONS = 1_024;
const MOST_BUTTONS = 3;
const LONGEST_BUTTON = 20;
const MOST_ROWS = 10;
const LONGEST_ROW = 24;

/** Texts of at most 4,096 characters, cut between paragraphs or words. */
export function splitText(text: string, longest = LONGEST_TEXT): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > longest) {
    const head = rest.slice(0, longest);
    const cut = Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' '));
    let at = cut > longest / 2 ? cut : longest;
    // Never between the halves of a character.
    if (/[\ud800-\udbff]$/.test(rest.slice(0, at))) at -= 1;
    parts.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  if (rest !== '') parts.push(rest);
  return parts;
}

/** The part of a request to `/messages` that carries a text: with buttons for up to 3 choices, a list for up to 10. */
export function textContent(text: string, choices: readonly string[]): JsonObject {
  const titles = [...new Set(choices.map((choice) => choice.trim()))].filter((title) => title !== '');
  const fits = (most: number, longest: number): boolean =>
    titles.length > 0 && titles.length <= most && titles.every((title) => title.length <= longest);
  if (fits(MOST_BUTTONS, LONGEST_BUTTON) && text.length <= LONGEST_BODY_OF_BUTTONS) {
    const buttons = titles.map((title) => ({ type: 'reply', reply: { id: title, title } }));
    return { type: 'interactive', interactive: { type: 'button', body: { text }, action: { buttons } } };
  }
  if (fits(MOST_ROWS, LONGEST_ROW)) {
    const rows = titles.map((title) => ({ id: title, title }));
    const action = { button: '☰', sections: [{ title: '☰', rows }] };
    return { type: 'interactive', interactive: { type: 'list', body: { text }, action } };
  }
  return { type: 'text', text: { body: text, preview_url: false } };
}

/** A template with the texts of its body. */
export const templateContent = (template: {
  readonly name: string;
  readonly language: string;
  readonly parameters: readonly string[];
}): JsonObject => ({
  type: 'template',
  template: {
    name: template.name,
    language: { code: template.language },
    components:
      template.parameters.length === 0
        ? []
        : [{ type: 'body', parameters: template.parameters.map((text) => ({ type: 'text', text })) }],
  },
});
