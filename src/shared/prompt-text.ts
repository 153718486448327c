/** One section of a prompt. The text before the first heading has an empty title. */
export interface Section {
  title: string;
  content: string;
}

/** A content line that looks like a heading is escaped by a backslash in the joined text. */
const MARKED = /^\\*##?[ \t]/u;

/** The whole prompt as one text: `## Title` lines with their content. `parsePrompt` (voice/prompt) is the inverse. */
export function joinSections(sections: readonly Section[]): string {
  return sections
    .map(({ title, content }) => {
      const body = tidy(content)
        .split('\n')
        .map((line) => (MARKED.test(line) ? `\\${line}` : line))
        .join('\n');
      const heading = oneLine(title) === '' ? '' : `## ${oneLine(title)}`;
      return [heading, body].filter((part) => part !== '').join('\n');
    })
    .filter((part) => part !== '')
    .join('\n\n');
}

/** The text without line breaks and repeated blanks. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();

/** The text as prompts hold it. */
export const tidy = (text: string): string =>
  text
    .replaceAll(/\r\n?/gu, '\n')
    .replace(/^\s*\n/u, '')
    .trimEnd();
