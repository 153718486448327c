import { Type, type Static } from 'typebox';
import { HandoffAgent, HandoffBack, HandoffContext, text, type Flow } from './document.ts';

/** Where the model of an agent without a flow may hand a conversation over, and when. */
export const Handoff = Type.Object({
  agent_id: HandoffAgent,
  when: text(500, {
    description: 'What has to be true, in words. The model judges it.',
    example: 'asks about an invoice',
  }),
  examples: Type.Optional(
    Type.Array(text(200), {
      maxItems: 20,
      description:
        'What callers say then. Without a language model they hand the conversation over, and in English also words of the same meaning as they or `when`.',
    }),
  ),
  say: Type.Optional(text(1000, { description: 'Spoken before the other agent.' })),
  context: Type.Optional(HandoffContext),
  silent: Type.Optional(
    Type.Boolean({ description: 'The other agent does not say its first message; default false.' }),
  ),
  back: Type.Optional(
    Type.Unsafe<boolean>({
      ...HandoffBack,
      description:
        'When the other agent is done, the conversation comes back to this one in place of its end; default false.',
    }),
  ),
});
export const MOST_HANDOFFS = 20;

/** The flow that adds handoffs to a prompt: the model leads by the prompt alone until it hands over, and again when that fails. */
export const handoffFlow = (handoffs: readonly Static<typeof Handoff>[]): Flow => ({
  start: 'talk',
  nodes: [
    {
      id: 'talk',
      type: 'talk',
      prompt: '',
      edges: handoffs.map(({ when, examples }, at) => ({
        to: `agent_${at + 1}`,
        when,
        ...(examples === undefined ? {} : { examples }),
      })),
    },
    ...handoffs.map(({ when: _when, examples: _examples, ...to }, at) => ({
      id: `agent_${at + 1}`,
      type: 'handoff' as const,
      ...to,
      edges: [
        { to: 'talk', on: 'failed' as const },
        ...(to.back === true ? [{ to: 'talk', on: 'back' as const }] : []),
      ],
    })),
  ],
});
