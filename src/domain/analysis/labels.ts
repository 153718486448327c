import type { CallOutcome } from '../calls/outcomes.ts';

/** Synonyms of each outcome in custom labels, in the form of `plain`. */
const NAMES: Readonly<Record<CallOutcome, readonly string[]>> = {
  voicemail: ['voicemail', 'voice mail', 'answering machine', 'machine'],
  call_screened: ['call screened', 'screened', 'call screening'],
  do_not_call: ['do not call', 'dnc', 'dnd', 'opt out', 'opted out', 'unsubscribe', 'unsubscribed'],
  wrong_number: ['wrong number', 'wrong person', 'wrong contact'],
  callback_requested: ['callback requested', 'callback', 'call back', 'call later', 'follow up', 'busy'],
  transferred: ['transferred', 'transfer', 'handed over'],
  human_requested: ['human requested', 'wants human', 'agent requested', 'escalated', 'escalation'],
  not_interested: ['not interested', 'uninterested', 'rejected', 'declined', 'refused', 'cold'],
  no_response: ['no response', 'no answer', 'silent', 'unresponsive', 'no reply'],
  interested: ['interested', 'positive', 'hot', 'hot lead', 'qualified', 'agreed', 'accepted', 'converted'],
  completed: ['completed', 'complete', 'done', 'successful', 'success', 'answered', 'confirmed'],
  incomplete: ['incomplete', 'dropped', 'disconnected', 'hung up', 'partial', 'unclear'],
};

const plain = (label: string): string =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

const NEGATION = /^(?:not|no|non|un)\b/;

/**
 * The label for a call's outcomes, which are ordered by significance. A label equal to a synonym wins over one that only
 * contains it. Null when no label matches any outcome.
 */
export function labelFor(outcomes: readonly CallOutcome[], labels: readonly string[]): string | null {
  if (labels.length === 0) return outcomes[0] ?? null;
  for (const outcome of outcomes) {
    const named = labels.find((label) => NAMES[outcome].includes(plain(label)));
    if (named !== undefined) return named;
    const holding = labels.find((label) => {
      const text = plain(label);
      return NAMES[outcome].some(
        (name) => ` ${text} `.includes(` ${name} `) && NEGATION.test(text) === NEGATION.test(name),
      );
    });
    if (holding !== undefined) return holding;
  }
  return null;
}
