import { Type } from 'typebox';
import { FAULT_KINDS, FAULT_WORDS } from '../../shared/vendor-fault.ts';
import { ENGINES } from '../../shared/spoken-by.ts';
import { nullable, IsoTime, oneOf } from '../common/schemas.ts';

const Count = Type.Integer();

/** Who did a part of a turn. */
export const PartName = nullable(
  Type.Object({
    vendor: Type.String({ example: 'deepgram' }),
    model: nullable(Type.String({ example: 'flux-general-en' })),
  }),
);

const fields = {
  part: Type.String({ description: 'stt, llm or tts.', example: 'stt' }),
  vendor: Type.String({ example: 'deepgram' }),
  model: nullable(Type.String({ example: 'flux-general-en' })),
  audio_seconds: Type.Number({ description: 'Audio that a recogniser received.' }),
  input_tokens: Count,
  cached_tokens: Type.Integer({ description: "Of the input tokens, read from the vendor's cache." }),
  output_tokens: Count,
  characters: Type.Integer({ description: 'Given to a speaker.' }),
  cost: nullable(Type.Number({ description: 'Null: PRICES_FILE and the list prices have none.' })),
};

/** What was used of one model. */
const VendorUsage = Type.Object(fields);
export const CallUsage = Type.Object(
  {
    currency: Type.String({ example: 'USD' }),
    vendors: Type.Array(VendorUsage),
    cost: Type.Number({ description: 'Of all vendors with a price.', example: 0.0142 }),
    cost_per_minute: nullable(Type.Number({ description: 'Per minute of talk; null without any.' })),
    is_complete: Type.Boolean({ description: 'Every vendor that was used has a price.' }),
  },
  { description: 'What the call used of each vendor, at the prices of PRICES_FILE, or list prices.' },
);
/** The agents of a call. */
export const CallAgents = Type.Array(
  Type.Object({
    agent_id: Type.String(),
    agent_name: nullable(Type.String()),
    held_seconds: Type.Number({ description: 'How long it had the call.', example: 41.2 }),
    call_cost: Type.Number({
      description:
        'Its part of call_cost: by time, and the legs of warm transfers to the agent that had the call last. All sum to call_cost.',
    }),
    vendor_cost: Type.Number({ description: 'Its part of usage.cost. All sum to it.' }),
    vendors: Type.Array(VendorUsage, {
      description: 'What it used: of recognisers, what was heard while it had the call.',
    }),
  }),
  {
    description:
      'The agents that had the call, in order: the first one, and those that it was handed over to. Earlier attempts are the first one’s.',
  },
);
export const VendorTotals = Type.Object({ calls: Count, ...fields });

/** A fault of a vendor during a call or a chat. */
export const VendorFault = Type.Object({
  part: Type.String({ description: 'stt, llm or tts.', example: 'llm' }),
  vendor: Type.String({ example: 'anthropic' }),
  reason: Type.String({
    description: `${FAULT_KINDS.join(', ')}: ${FAULT_KINDS.map((kind) => FAULT_WORDS[kind]).join(', ')}.`,
    example: 'limit',
  }),
  status: nullable(
    Type.Integer({ description: 'HTTP status; null: the fault is none of HTTP.', example: 429 }),
  ),
  effect: Type.String({
    description: 'switched: another vendor, or this machine, took over. failed: nothing did.',
    example: 'switched',
  }),
  message: Type.String({ example: 'anthropic: too many requests or connections (status 429)' }),
  at: IsoTime,
});

/** Who gave a reply of a call, beside it. */
export const LineSource = {
  engine: nullable(
    oneOf(ENGINES, {
      description:
        'model: a language model. script: the offline script engine. apology: no model answered, so the agent said a fixed sentence. Null: no engine replied, as for a fixed first message, or an earlier version stored it.',
    }),
  ),
  vendor: nullable(Type.String({ description: 'Of the model that replied.', example: 'anthropic' })),
  model: nullable(Type.String({ description: 'Of that vendor; null: not known.' })),
  is_fallback: Type.Boolean({
    description:
      "True: another engine than the first of the agent's models replied, because that one failed.",
  }),
  agent: nullable(
    Type.Object(
      { agent_id: Type.String(), agent_name: Type.String() },
      { description: 'The agent that took the call over and spoke. Null: the first agent of the call.' },
    ),
  ),
};

const { engine, vendor, is_fallback } = LineSource;
/** Who gave a reply of a chat, beside it. */
export const SpokenBy = {
  engine,
  vendor,
  is_fallback,
  vendor_faults: Type.Array(VendorFault, {
    description: 'What went wrong at language models while they were asked for this reply.',
  }),
};

/** In a test, what happens when no language model answers. */
export const OnModelFailure = Type.Optional(
  oneOf(['error', 'script'], {
    description:
      'When no language model answers. error (default): the test ends as error and names the fault. script: the offline script engine replies.',
  }),
);
