import { afterAll, describe, expect, it } from 'vitest';
import { HELD_OUT } from '../corpora/meaning/flow-whens-held-out.ts';
import { ALSO_CHOSEN_ON } from '../corpora/meaning/flow-whens-second.ts';
import { THIRD_CHOSEN_ON } from '../corpora/meaning/flow-whens-third.ts';
import { CHOSEN_ON, SAID_ANYWHERE, type JudgedStep } from '../corpora/meaning/flow-whens.ts';
import { defaultModelsDir } from '../../src/config/models-dir.ts';
import { localMeaning } from '../../src/offline/meaning/meaning.ts';
import { installedModel } from '../../src/offline/models/installed.ts';
import { createScriptLlm } from '../../src/offline/script/brain.ts';
import { openFlow } from '../../src/providers/flow/session.ts';
import type { BrainContext, LlmEvent } from '../../src/providers/ports/model.ts';
import type { Flow } from '../../src/voice/flow/document.ts';

const MODELS_DIR = process.env['MODELS_DIR'] ?? defaultModelsDir(process.env, './data');
/** Loading the model beside other work. */
const LONG_MS = 120_000;
const meaning = localMeaning((id) => installedModel(MODELS_DIR, id));
afterAll(() => meaning.close());

/** Has every meaning computed, so that no choice is cut off by its wait. */
async function ready(texts: readonly string[]): Promise<void> {
  if (!meaning.understands('en-US'))
    throw new Error(`${MODELS_DIR} lacks minilm-l6-v2: callwright models get`);
  if ((await meaning.vectorsOf(texts, LONG_MS)) === null)
    throw new Error('the model of meanings does not answer');
}

const CONTEXT: BrainContext = {
  language: 'en-US',
  secondaryLanguage: null,
  prompt: '',
  instructions: '',
  sections: [],
  introMessage: 'Hello.',
  agentName: 'Asha',
  variables: {},
  understandsSpeech: true,
  tools: [],
  callDirection: 'inbound',
};

/** A talk with the edges of a step, each to an end that says its name. */
const flowOf = ({ edges }: JudgedStep): Flow => ({
  start: 'talk',
  nodes: [
    { id: 'talk', type: 'talk', prompt: 'Find out what they want.', edges: edges.map(copied) },
    ...edges.map(({ to }) => ({ id: to, type: 'end' as const, say: `Way ${to}.` })),
  ],
});
const copied = ({ to, when, examples }: JudgedStep['edges'][number]) => ({
  to,
  when,
  ...(examples === undefined ? {} : { examples: [...examples] }),
});

/** The moves of a flow without a language model after what the caller says first. */
async function movesAfter(step: JudgedStep, line: string): Promise<readonly string[]> {
  const llm = createScriptLlm(meaning);
  const session = openFlow(llm, { document: flowOf(step), zone: 'UTC' }, CONTEXT, () => 0);
  const reply = (history: readonly { role: 'caller'; text: string; by: 'speech' }[], memory: unknown) =>
    new Promise<Extract<LlmEvent, { type: 'done' }>>((resolve) =>
      session.reply({ history, memory, signal: new AbortController().signal }, (event) => {
        if (event.type === 'done') resolve(event);
      }),
    );
  const { memory } = await reply([], null);
  const { steps = [] } = await reply([{ role: 'caller', text: line, by: 'speech' }], memory);
  return steps;
}

const toOf = (move = ''): string | null => / → ([^ ]+) /.exec(move)?.[1] ?? null;

/** How many lines took their edge, another one, or one where they wanted none. */
async function count(steps: Readonly<Record<string, JudgedStep>>) {
  const found = { wanting: 0, right: 0, confused: 0, wantingNone: 0, invented: 0 };
  const wrong: string[] = [];
  for (const [name, step] of Object.entries(steps)) {
    const lines = [...step.said, ...[...step.other, ...SAID_ANYWHERE].map((line) => [line, null] as const)];
    for (const [line, to] of lines) {
      await ready([line]);
      const moves = await movesAfter(step, line);
      const taken = toOf(moves[0]);
      if (to === null) found.wantingNone += 1;
      else found.wanting += 1;
      if (taken === null) continue;
      if (taken === to) found.right += 1;
      else if (to === null) found.invented += 1;
      else found.confused += 1;
      if (taken !== to) wrong.push(`${name}: ${line}: ${moves.join(', ')}`);
    }
  }
  console.log(found, wrong);
  return found;
}

describe('edges of a talk without a language model, with real weights', () => {
  it('are taken by meaning where the threshold was chosen', async () => {
    const found = await count({ ...CHOSEN_ON, ...ALSO_CHOSEN_ON, ...THIRD_CHOSEN_ON });
    expect([found.wanting, found.wantingNone]).toEqual([186, 640]);
    expect(found.right).toBeGreaterThanOrEqual(45);
    expect(found.confused + found.invented).toBeLessThanOrEqual(2);
  });

  it('are taken by lines that were written apart from the choice, and nearly never by others', async () => {
    const found = await count(HELD_OUT);
    expect([found.wanting, found.wantingNone]).toEqual([60, 210]);
    expect(found.right).toBeGreaterThanOrEqual(27);
    expect(found.confused).toBe(0);
    expect(found.invented).toBeLessThanOrEqual(3);
  });
});
