/** The titles in a stored text; what is none is left out. */
export function readHidden(text: string | null): string[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
