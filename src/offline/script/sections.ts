import { inOrder } from '@callwright/language';
import { plainText, spoken } from './text.ts';
import type { Faq } from './script.ts';

/** A prompt's text by purpose, independent of its section titles. */
export interface Parts {
  objective: string;
  guidelines: string;
  script: string;
  faqs: string;
  samples: Faq[];
}

type Kind = 'objective' | 'guidelines' | 'script' | 'faqs' | 'samples';

const FAQS = /\bfaqs?\b|frequently asked|knowledge|अक्सर पूछे/i;

const KINDS: readonly (readonly [Kind, { test(title: string): boolean }])[] = [
  ['samples', /\b(?:sample|example)s?\b/i],
  ['faqs', { test: (title) => FAQS.test(title) || inOrder(title, /question/i, /answer/i) }],
  [
    'script',
    /script|task|flow|steps?|call structure|process|dialogue|what to (?:do|say)|conversation|instructions?/i,
  ],
  [
    'objective',
    /objective|goal|purpose|introduction|identity|role|about|persona|context|background|who you are/i,
  ],
  [
    'guidelines',
    /guideline|style|tone|rule|behaviou?r|constraint|response|do'?s|don'?ts|note|guardrail|language/i,
  ],
];

export const kindOf = (title: string): Kind | null =>
  KINDS.find(([, pattern]) => pattern.test(title))?.[0] ?? null;

/** Classifies sections by title; a prompt without sections is split at its headings, else it is all script. */
export function splitSections(
  sections: readonly { title: string; content: string }[],
  prompt: string,
): Parts {
  const named = sections.filter((section) => section.content.trim() !== '');
  const source = named.length > 0 ? named : [{ title: 'script', content: prompt }];
  const parts: Parts = { objective: '', guidelines: '', script: '', faqs: '', samples: [] };
  for (const { title, content } of source.slice(0, 40)) {
    const home = kindOf(title) ?? (source.length === 1 ? 'script' : 'guidelines');
    let kind: Kind = home;
    let text = '';
    const flush = (): void => {
      if (kind === 'samples') parts.samples.push(...readSamples(text));
      else parts[kind] = `${parts[kind]}${parts[kind] === '' ? '' : '\n'}${text}`;
      text = '';
    };
    for (const line of plainText(content).split('\n').slice(0, 2000)) {
      const heading = headingKind(line, home);
      if (heading !== null) {
        flush();
        kind = heading.kind;
        text = heading.rest === '' ? '' : `${heading.rest}\n`;
      } else text += `${line}\n`;
    }
    flush();
  }
  return splitDialogue(parts);
}

const HEADING =
  /^\s*(#{1,4}\s*)?((?:sample|example)s?(?: conversations?| dialogues?| calls?)?|objectives?|introduction(?: and objective)?|response guidelines?|guidelines|conversation (?:script|flow)|call (?:script|flow)|script|task|faqs?|frequently asked questions|role|goal)\s*(?::\s*(.*)|$)/i;

function headingKind(line: string, home: Kind): { kind: Kind; rest: string } | null {
  const match = HEADING.exec(line);
  if (!match) return null;
  const kind = kindOf(match[2] ?? '');
  if (kind === null || (kind === home && (match[3] ?? '') === ''))
    return kind === null ? null : { kind, rest: '' };
  if (home === 'faqs') return null;
  return { kind, rest: match[3] ?? '' };
}

export const SPEAKER =
  /^\s*(?:[-*•]\s*)?(agent|bot|assistant|ai|user|caller|customer|callee|client|patient|human)\s*[:：]\s*(\S.*)$/is;
const isAgent = (name: string): boolean => /^(?:agent|bot|assistant|ai)$/i.test(name);

/** A dialogue at the end of a script is a sample; if the script is only a dialogue, its agent lines are spoken. */
function splitDialogue(parts: Parts): Parts {
  const lines = parts.script.split('\n');
  const first = lines.findIndex((line, at) => {
    const speaker = SPEAKER.exec(line);
    return speaker !== null && lines.slice(at).some((other) => !isAgent(SPEAKER.exec(other)?.[1] ?? 'agent'));
  });
  if (first < 0) return parts;
  const before = lines.slice(0, first).join('\n');
  const dialogue = lines.slice(first);
  const samples = [...parts.samples, ...readSamples(dialogue.join('\n'))];
  if (/[\p{L}]/u.test(before)) return { ...parts, script: before, samples };
  return {
    ...parts,
    script: dialogue.filter((line) => isAgent(SPEAKER.exec(line)?.[1] ?? '')).join('\n'),
    samples,
  };
}

/** "User: … / Agent: …" pairs in which the caller asks something, as question and answer. */
function readSamples(text: string): Faq[] {
  const faqs: Faq[] = [];
  let question = '';
  for (const line of text.split('\n')) {
    const match = SPEAKER.exec(line);
    if (!match) continue;
    const speech = (match[2] ?? '').replace(/^["“]|["”]$/g, '').trim();
    if (!isAgent(match[1] ?? '')) question = speech;
    else if (question !== '') {
      const isQuestion =
        /[?？؟]\s*$/.test(question) ||
        /^(?:what|who|where|when|why|how|is|are|do|does|can|which)\b/i.test(question);
      if (isQuestion) faqs.push({ question, answer: spoken(speech) });
      question = '';
    }
  }
  return faqs.slice(0, 40);
}
