import { isSpeakable } from './instruction.ts';
import { toSecondPerson } from './person.ts';
import { isLatin, sentences, spoken } from './text.ts';

const VERBS =
  'remind|confirm|collect|inform|ask|check|follow up|verify|offer|schedule|book|qualify|help|assist|conduct|survey|tell|gather|get|find out|' +
  'invite|sell|introduce|notify|discuss|update|understand|take|answer|deliver|welcome|thank|reschedule|request|share|explain|promote|resolve|support|provide';

const ORGANISATION =
  /\b(?:from|of|for|with|at|behalf of|by)\s+((?:the\s+)?[A-Z][\w&'’.-]*(?:\s+(?:of|and|&|[A-Z][\w&'’.-]*))*)/;

/** What the objective says about who is calling and why, as the agent would say it; null where it is silent. */
export function readPurpose(
  objective: string,
  agentName: string,
): { who: string | null; why: string | null } {
  if (objective.trim() === '' || !isLatin(objective)) return { who: null, why: null };
  const lines = objective.split('\n').flatMap(sentences).slice(0, 20);
  const organisation = lines.map((line) => ORGANISATION.exec(line)?.[1]).find((name) => name !== undefined);
  const named =
    /(?:\b[Yy]ou are|\b[Yy]our name is|\bI am|\bnamed|\bcalled)[\s,]+([A-Z][a-z]+)(?=\s+(?:from|with|at|calling|working|who|and|an?|the)\b|[,.]|$)/m.exec(
      objective,
    )?.[1];
  const name = named ?? agentName.trim();
  const role =
    /\b(?:you are|act as|i am)\s+(an?\s+[^.,]+?)(?=\s+(?:from|for|at|of|calling|who|working|named|called)\b|[.,]|$)/i.exec(
      objective,
    )?.[1];
  const identity = [
    name,
    role !== undefined && name === '' ? role : '',
    organisation === undefined ? '' : `from ${clip(organisation)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
  return { who: identity === '' ? null : safe(`I am ${identity}`), why: reason(lines) };
}

const clip = (name: string): string => name.replace(/[.,]+$/, '').replace(/\s+(?:and|of|&)$/, '');

const safe = (text: string): string | null => {
  const line = spoken(text);
  return line !== '' && isSpeakable(line) ? line : null;
};

function reason(lines: readonly string[]): string | null {
  for (const line of lines) {
    const purpose = new RegExp(`\\bto\\s+((?:politely |gently |quickly )?(?:${VERBS})\\b.*)$`, 'i').exec(
      line,
    );
    const leading = new RegExp(`^(?:${VERBS})\\b.*$`, 'i').exec(line);
    const deed = purpose?.[1] ?? leading?.[0];
    if (deed === undefined) continue;
    const said = toSecondPerson(
      deed.replace(/[.;]+$/, '').replace(/^(?:politely|gently|quickly)\s+/i, ''),
    ).replace(/^(\w)/, (first) => first.toLowerCase());
    return safe(
      `I am calling to ${said.replace(/\s+(?:and|then)\s+(?:note|record|log|end|close)\b.*$/i, '')}`,
    );
  }
  const about = lines
    .map((line) => /\b(?:about|regarding)\s+(.+?)[.;]?$/i.exec(line)?.[1])
    .find((topic) => topic !== undefined);
  return about === undefined ? null : safe(`I am calling about ${toSecondPerson(about)}`);
}
