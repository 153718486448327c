import { afterAll, describe, expect, it } from 'vitest';
import { HELD_OUT } from '../corpora/meaning/questions.ts';
import { QUESTIONS } from '../../bench/knowledge/questions.ts';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { localMeaning } from '../../src/offline/meaning/meaning.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { agentOf } from '../../src/offline/script/brain.ts';

const MODELS_DIR = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
/** Loading the model beside other work. */
const LONG_MS = 120_000;

/** An agent that knows these statements. */
const agentWith = (statements: readonly string[]) =>
  agentOf({
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
    sections: [{ title: 'About us', content: statements.join('\n') }],
  });
const clinic = agentWith(QUESTIONS.map(({ says }) => says));
const meaning = localMeaning((id) => installedModel(MODELS_DIR, id));
afterAll(() => meaning.close());

/** The subject of a statement may be worded for the caller. */
const endOf = (text = ''): string => text.slice(-20);

/** Answers by meaning alone, in the order of the questions. */
async function answersTo(questions: readonly string[], agent = clinic): Promise<(string | null)[]> {
  if (!meaning.understands('en-US'))
    throw new Error(`${MODELS_DIR} lacks minilm-l6-v2: callwright models get`);
  const vectors = await meaning.vectorsOf([...questions, ...agent.compared()], LONG_MS);
  if (vectors === null) throw new Error('the model of meanings does not answer');
  return questions.map((question) => agent.byMeaning(question, vectors));
}

describe('questions in other words, with real weights', () => {
  it('are answered with the statement that they ask for, or not at all', async () => {
    const found = await answersTo(QUESTIONS.map(({ asks }) => asks));
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

describe('questions that were written apart from the search', () => {
  it('are answered right or not at all, and nothing is invented', async () => {
    const count = { asked: 0, right: 0, wrong: 0, unknown: 0, invented: 0 };
    for (const { knows, asks, unknown } of Object.values(HELD_OUT)) {
      const agent = agentWith(knows);
      const found = await answersTo([...asks.map(([question]) => question), ...unknown], agent);
      for (const [at, answer] of found.entries()) {
        const wanted = asks[at];
        if (wanted === undefined) count.unknown += 1;
        else count.asked += 1;
        if (answer === null) continue;
        if (wanted === undefined) count.invented += 1;
        else if (endOf(answer) === endOf(knows[wanted[1]])) count.right += 1;
        else count.wrong += 1;
      }
    }
    console.log(count);
    expect([count.asked, count.unknown]).toEqual([31, 18]);
    expect(count.right).toBeGreaterThanOrEqual(7);
    expect([count.wrong, count.invented]).toEqual([0, 0]);
  });
});
