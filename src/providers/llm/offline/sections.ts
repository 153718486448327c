import { plainText, spoken } from './text.ts';
import type { Faq } from './script.ts';

/** A prompt's text by purpose, whatever its sections are called. */
export interface Parts {
  objective: string;
  guidelines: string;
  script: string;
  faqs: string;
  samples: Faq[];
}

type Kind = 'objective' | 'guidelines' | 'script' | 'faqs' | 'samples';

const KINDS: readonly (readonly [Kind, RegExp])[] = [
  ['samples', /\b(?:sample|example)s?\b/i],
  ['faqs', /\bfaqs?\b|frequently asked|knowledge|question.*answer|अक्सर पूछे/i],
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

const kindOf = (title: string): Kind | null => KINDS.find(([, pattern]) => pattern.test(title))?.[0] ?? null;

/** Sorts sections by their titles; a prompt without any is split at its own headings, else it is a script. */
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
  /^\s*(#{1,4}\s*)?((?:sample|example)s?(?: conversations?| dialogues?| calls?)?|objectives?|introduction(?: and objective)?|response guidelines?|guidelines|conversation (?:script|flow)|call (?:script|flow)|script|task|faqs?|frequently asked questions|role|goal)\s*(?::|$)\s*(.*)$/i;

function headingKind(line: string, home: Kind): { kind: Kind; rest: string } | null {
  const match = HEADING.exec(line);
  if (!match) return null;
  const kind = kindOf(match[2] ?? '');
  if (kind === null || (kind === home && match[3] === '')) return kind === null ? null : { kind, rest: '' };
  if (home === 'faqs') return null;
  return { kind, rest: match[3] ?? '' };
}

const SPEAKER =
  /^\s*(?:[-*•]\s*)?(agent|bot|assistant|ai|user|caller|customer|callee|client|patient|human)\s*[:：]\s*(.+)$/i;
const isAgent = (name: string): boolean => /^(?:agent|bot|assistant|ai)$/i.test(name);

/** A dialogue at the end of a script is a sample; a script that is nothing else is spoken from its agent lines. */
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
    const said = (match[2] ?? '').replace(/^["“]|["”]$/g, '').trim();
    if (!isAgent(match[1] ?? '')) question = said;
    else if (question !== '') {
      const asks =
        /[?？؟]\s*$/.test(question) ||
        /^(?:what|who|where|when|why|how|is|are|do|does|can|which)\b/i.test(question);
      if (asks) faqs.push({ question, answer: spoken(said) });
      question = '';
    }
  }
  return faqs.slice(0, 40);
}
