import { afterAll, describe, expect, it } from 'vitest';
import { QUESTIONS } from '../../bench/knowledge/questions.ts';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { localMeaning } from '../../src/offline/meaning/meaning.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { agentOf } from '../../src/offline/script/brain.ts';

const MODELS_DIR = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
/** Loading the model beside other work. */
const LONG_MS = 120_000;

const agent = agentOf({
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
  sections: [{ title: 'About the practice', content: QUESTIONS.map(({ says }) => says).join('\n') }],
});
const meaning = localMeaning((id) => installedModel(MODELS_DIR, id));
afterAll(() => meaning.close());

/** Answers by meaning alone, in the order of the questions. */
async function answersTo(questions: readonly string[]): Promise<(string | null)[]> {
  if (!meaning.understands('en-US'))
    throw new Error(`${MODELS_DIR} lacks minilm-l6-v2: callwright models get`);
  const vectors = await meaning.vectorsOf([...questions, ...agent.compared()], LONG_MS);
  if (vectors === null) throw new Error('the model of meanings does not answer');
  return questions.map((question) => agent.byMeaning(question, vectors));
}

describe('questions in other words, with real weights', () => {
  it('are answered with the statement that they ask for, or not at all', async () => {
    const found = await answersTo(QUESTIONS.map(({ asks }) => asks));
    // The subject of a statement may be worded for the caller.
    const endOf = (text = ''): string => text.slice(-20);
    const right = found.filter(
      (answer, at) => answer !== null && endOf(answer) === endOf(QUESTIONS[at]?.says),
    ).length;
    const said = found.filter((answer) => answer !== null).length;
    console.log(`${right} of ${said} answers by meaning are right, of ${QUESTIONS.length} questions`);
    expect(right).toBeGreaterThanOrEqual(12);
    expect(said - right).toBeLessThanOrEqual(3);
  });

  it('are not answered where the agent knows nothing of it', async () => {
    const found = await answersTo([
      'do you sell bicycles',
      'who won the football match',
      'can you recommend a restaurant',
      'what is the weather like tomorrow',
      'is there wifi',
      'how do i reset my password',
      'do you deliver pizza',
      'what is the capital of france',
      'how far is the airport',
      'do you have vegan food',
    ]);
    expect(found).toEqual(found.map(() => null));
  });
});
