import { describe, expect, it } from 'vitest';
import type { HistoryItem } from '@callwright/turns';
import type { BrainContext, LlmEvent } from '../../providers/ports/model.ts';
import type { Meaning } from '../meaning/meaning.ts';
import { createScriptLlm } from './brain.ts';

/** Directions of meaning, by words that stand for each. */
const DIRECTIONS = [/zimmer|ramp/i, /tenner|dollars/i, /feline|cats/i, /dogs|canine/i];
const vectorOf = (text: string): Float32Array => {
  const vector = Float32Array.from(DIRECTIONS, (words) => (words.test(text) ? 1 : 0));
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
};

interface Asked {
  readonly texts: Set<string>;
  isLate: boolean;
}
function meaningOf(asked: Asked): Meaning {
  return {
    understands: (language) => language === 'en-US',
    vectorsOf: (texts) => {
      const wanted = [...texts];
      for (const text of wanted) asked.texts.add(text);
      return Promise.resolve(asked.isLate ? null : new Map(wanted.map((text) => [text, vectorOf(text)])));
    },
    close: () => Promise.resolve(),
  };
}

const FAQ = `Q: How do people with walking difficulties get in?
A: There is a ramp at the side door.
Q: What does a visit cost?
A: A visit costs fifty dollars.
Q: Do you treat animals?
A: We treat cats and dogs.`;

const context = (over: Partial<BrainContext> = {}): BrainContext => ({
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: '',
  introMessage: 'Hello.',
  agentName: 'Maya',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'inbound',
  sections: [{ title: 'FAQs', content: FAQ }],
  ...over,
});

/** The reply to a question, and how many texts were compared. */
async function ask(
  text: string,
  { isLate = false, language = 'en-US' }: { isLate?: boolean; language?: BrainContext['language'] } = {},
) {
  const asked: Asked = { texts: new Set(), isLate };
  const session = createScriptLlm(meaningOf(asked)).open(context({ language }));
  const history: HistoryItem[] = [
    { role: 'agent', text: 'Hello.', interrupted: false },
    { role: 'caller', text, by: 'speech' },
  ];
  const events: LlmEvent[] = [];
  await new Promise<void>((resolve) => {
    session.reply({ history, memory: null, signal: new AbortController().signal }, (event) => {
      events.push(event);
      if (event.type === 'done') resolve();
    });
  });
  const said = events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');
  return { said, compared: asked.texts };
}

describe('a question in words that no statement has', () => {
  it('is answered by the statement of its meaning', async () => {
    expect((await ask('Could granny bring her zimmer?')).said).toContain('ramp at the side door');
  });

  it('is not answered by a statement that names nothing of what it asks for', async () => {
    const { said } = await ask('What time does the ramp close?');
    expect(said).not.toContain('ramp at the side door');
  });

  it('is left unanswered where no meaning is near', async () => {
    const { said } = await ask('Who won the match yesterday?');
    for (const answer of ['ramp', 'dollars', 'cats']) expect(said).not.toContain(answer);
    expect(said).not.toBe('');
  });

  it('is answered by its words alone when the meanings come too late', async () => {
    const { said } = await ask('Could granny bring her zimmer?', { isLate: true });
    expect(said).not.toContain('ramp');
    expect(said).not.toBe('');
  });
});

it('a question that its words answer is not compared', async () => {
  const { said, compared } = await ask('How much does a visit cost?');
  expect(said).toContain('fifty dollars');
  expect([compared.has('How much does a visit cost?'), compared.has('What does a visit cost?')]).toEqual([
    false,
    true,
  ]);
});

it('in a language that the model does not understand words decide alone', async () => {
  const { compared } = await ask('¿Hay una rampa?', { language: 'hi-IN' });
  expect(compared.size).toBe(0);
});
