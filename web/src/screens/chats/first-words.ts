import type { Template } from '../../parts/whatsapp-template.tsx';

/** How many places `{{1}}`, `{{2}}` and so on a template has in its text; null: it has others, which only a campaign fills. */
export function bodyPlaces({ variables }: Pick<Template, 'variables'>): number | null {
  const expected = new Set(variables.map((_, index) => `body_${index + 1}`));
  return variables.every((name) => expected.has(name)) ? expected.size : null;
}

/** The text of a template with the words for its places. */
export const filledBody = ({ body }: Pick<Template, 'body'>, words: readonly string[]): string =>
  body.replaceAll(/\{\{([1-9]\d*)\}\}/g, (gap, place: string) => words[Number(place) - 1] ?? gap);
