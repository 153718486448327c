import { describe, expect, it } from 'vitest';
import { agentOf } from './brain.ts';
import { respond } from './respond.ts';
import type { BrainContext } from '../../providers/ports/model.ts';
import type { HistoryItem } from '@callwright/turns';

const CONTEXT: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: '',
  sections: [
    { title: 'Conversation Script', content: '1. Ask "Which day would suit you?"\n2. Say goodbye.' },
  ],
  introMessage: 'Hello, this is Maya of Riverside Dental.',
  agentName: 'Maya',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'outbound',
  knowledge: [
    {
      question: 'Where can I park?',
      text: 'The garage below the house is free for patients.',
      source: 'FAQ',
    },
    {
      heading: 'Refunds',
      text: 'We are a small team. Refunds are paid within five working days. Cards take longer. Cash is at once.',
      source: 'terms.pdf',
    },
  ],
};

function answerTo(question: string, context = CONTEXT): string {
  const agent = agentOf(context);
  const history: HistoryItem[] = [{ role: 'agent', text: context.introMessage, interrupted: false }];
  history.push({ role: 'caller', text: 'yes', by: 'speech' });
  const first = respond(agent, history, null);
  history.push({ role: 'agent', text: first.text.join(' '), interrupted: false });
  history.push({ role: 'caller', text: question, by: 'speech' });
  return respond(agent, history, first.memory).text.join(' ');
}

describe('the script brain with a knowledge base', () => {
  it('answers a FAQ of the knowledge base and repeats its question', () => {
    const answer = answerTo('where can I park');
    expect(answer).toContain('The garage below the house is free for patients.');
    expect(answer).toContain('Which day would suit you?');
  });

  it('answers from a document with the matching sentence', () => {
    expect(answerTo('how long until refunds are paid?')).toContain(
      'Refunds are paid within five working days. Which day would suit you?',
    );
  });

  it('gives no answer without a match or without a knowledge base', () => {
    expect(answerTo('what is the capital of France?')).not.toMatch(/garage|refund/i);
    expect(answerTo('where can I park', { ...CONTEXT, knowledge: [] })).not.toContain('garage');
  });
});
