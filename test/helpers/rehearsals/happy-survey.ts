import { createTestAgent, type Tenant, type TestApi } from '../api/api.ts';

const GLAD = 'We are glad to hear that. Goodbye.';

/** A flow that asks "Are you happy with us?" and says `thanks` to a yes. */
export const happyFlow = (thanks = GLAD) => ({
  start: 'score',
  variables: [{ name: 'happy', type: 'boolean' }],
  nodes: [
    {
      id: 'score',
      type: 'collect',
      variable: 'happy',
      ask: 'Are you happy with us?',
      edges: [
        { to: 'thanks', if: 'happy' },
        { to: 'sorry' },
        { to: 'sorry', on: 'failed' },
        { to: 'sorry', on: 'refused' },
      ],
    },
    { id: 'thanks', type: 'end', say: thanks },
    { id: 'sorry', type: 'end', say: 'We are sorry to hear that. Goodbye.' },
  ],
});

/** An agent with that flow. Returns its id. */
export async function happySurvey(api: TestApi, tenant: Tenant): Promise<string> {
  const { agentId } = await createTestAgent(api, tenant, { intro_message: 'Hello, this is Harbour Travel.' });
  const body = { operation: 'edit_flow', agent_id: agentId, flow: happyFlow() };
  await api.request('PATCH', '/api/v0/agent/v1', { key: tenant.key, body });
  return agentId;
}

/** A caller who says yes, on a poor line. */
export const SAYS_YES = {
  name: 'Is happy',
  persona: {
    goal: 'Says yes.',
    answers: [{ asked: ['happy'], says: 'Yes, I am.' }],
    noise: 'car',
    line: { codec: 'PCMA', loss: 0.02, jitter_ms: 20, echo_db: -30 },
  },
  expect: [
    { type: 'says', any_of: ['glad to hear'] },
    { type: 'ends', as: ['AGENT_ENDED'] },
  ],
};

/** A caller who says nothing, and leaves after this many seconds. */
export const staysSilent = (seconds: number): object => ({
  name: 'Is silent',
  persona: { goal: 'Listens.', answers: [], habits: { silent: 1 }, patience_seconds: 120 },
  expect: [{ type: 'never_says', any_of: ['glad to hear'] }],
  most_seconds: seconds,
});
