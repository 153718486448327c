import { sentences } from '@callwright/language';
import type { BrainContext } from '../../providers/ports/model.ts';
import { isSpeakable } from './unit.ts';
import { toSecondPerson } from './person.ts';
import { isLatin, spoken } from './text.ts';

const LONGEST = 400;

/**
 * The agent's introduction for call screeners: the statements of its first message and the purpose in its objective.
 * Questions are left out, because a machine does not answer them.
 */
export function introduced(context: BrainContext): { introduces?: string } {
  const objective =
    context.sections.find(({ title }) => /objective|introduction/i.test(title))?.content ?? '';
  const purpose = readPurpose(objective, context.agentName);
  const statements = sentences(context.introMessage).filter((sentence) => !/[?？؟]["'”’)]?$/u.test(sentence));
  const who = statements.join(' ') || purpose.who;
  const text = [who, purpose.why].filter((part) => part !== null && part !== '').join(' ');
  return text === '' ? {} : { introduces: text.slice(0, LONGEST) };
}

const VERBS =
  'remind|confirm|collect|inform|ask|check|follow up|verify|offer|schedule|book|qualify|help|assist|conduct|survey|tell|gather|get|find out|' +
  'invite|sell|introduce|notify|discuss|update|understand|take|answer|deliver|welcome|thank|reschedule|request|share|explain|promote|resolve|support|provide';
const PURPOSE = new RegExp(`\\bto\\s+((?:politely |gently |quickly )?(?:${VERBS})\\b.*)`, 'is');
const LEADING = new RegExp(`^(?:${VERBS})\\b.*`, 'is');

const ORGANISATION = /\b(?:from|of|for|with|at|behalf of|by)\s+((?:the\s+)?[A-Z][\w&'’.-]*)/;
const MORE_OF_NAME = /(?:\s+(?:of|and|&|[A-Z][\w&'’.-]*))*/y;

/** "from the Bank of Example": the words of a name after a preposition. */
function organisationIn(line: string): string | undefined {
  const match = ORGANISATION.exec(line);
  if (match === null) return undefined;
  MORE_OF_NAME.lastIndex = match.index + match[0].length;
  return (match[1] ?? '') + (MORE_OF_NAME.exec(line)?.[0] ?? '');
}

/** Who is calling and why, from the objective, worded in the first person; null where it does not say. */
export function readPurpose(
  objective: string,
  agentName: string,
): { who: string | null; why: string | null } {
  if (objective.trim() === '' || !isLatin(objective)) return { who: null, why: null };
  const lines = objective.split('\n').flatMap(sentences).slice(0, 20);
  const organisation = lines.map(organisationIn).find((name) => name !== undefined);
  const named =
    /(?:\b[Yy]ou are|\b[Yy]our name is|\bI am|\bnamed|\bcalled)[\s,]+([A-Z][a-z]+)(?=(?<!\s)\s+(?:from|with|at|calling|working|who|and|an?|the)\b|[,.]|$)/m.exec(
      objective,
    )?.[1];
  const name = named ?? agentName.trim();
  const role = /\b(?:you are|act as|i am)\s+(an?\s+[^\s.,][^.,]*)/i
    .exec(objective)?.[1]
    ?.split(/(?<!\s)\s+(?:from|for|at|of|calling|who|working|named|called)\b/i)[0];
  const identity = [
    name,
    role !== undefined && name === '' ? role : '',
    organisation === undefined ? '' : `from ${clip(organisation)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
  return { who: identity === '' ? null : safe(`I am ${identity}`), why: reason(lines) };
}

const clip = (name: string): string =>
  name.replace(/(?<![.,])[.,]+$/, '').replace(/(?<!\s)\s+(?:and|of|&)$/, '');

const safe = (text: string): string | null => {
  const line = spoken(text);
  return line !== '' && isSpeakable(line) ? line : null;
};

function reason(lines: readonly string[]): string | null {
  for (const line of lines) {
    const action = PURPOSE.exec(line)?.[1] ?? LEADING.exec(line)?.[0];
    if (action === undefined) continue;
    const rephrased = toSecondPerson(
      action.replace(/(?<![.;])[.;]+$/, '').replace(/^(?:politely|gently|quickly)\s+/i, ''),
    ).replace(/^(\w)/, (first) => first.toLowerCase());
    return safe(
      `I am calling to ${rephrased.replace(/(?<!\s)\s+(?:and|then)\s+(?:note|record|log|end|close)\b.*$/is, '')}`,
    );
  }
  const about = lines
    .map((line) => /\b(?:about|regarding)\s+(\S.*?)[.;]?$/is.exec(line)?.[1])
    .find((topic) => topic !== undefined);
  return about === undefined ? null : safe(`I am calling about ${toSecondPerson(about)}`);
}
