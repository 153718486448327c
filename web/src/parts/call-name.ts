import { t } from '../words/words.ts';
/** What names a call in lists. */
interface Named {
  readonly callee_name: string;
  readonly to_number: string;
  readonly agent_name: string | null;
}

/** A call that a browser began has no number. */
export const numberOf = (number: string): string => (number === '' ? t('Browser call') : number);

/** The person of a call: by name, by number, or for a call of the browser by its assistant. */
export function callName({ callee_name: name, to_number: number, agent_name: agent }: Named): string {
  if (name !== '') return name;
  if (number !== '') return number;
  return agent === null ? t('Browser call') : t('Browser call, {agent}', { agent });
}
