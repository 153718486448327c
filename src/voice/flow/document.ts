import { Type, type Static, type TProperties } from 'typebox';
import { mapOf, oneOf } from '../../shared/schema-parts.ts';

/** The flow of an agent: its document as the API, the store and files write it. */

/** Limits of one document. */
export const FLOW_LIMITS = { bytes: 65_536, nodes: 200, edges: 2_000, variables: 100 } as const;

const NAME_RULE = 'must be a name of a-z, 0-9 and _ that starts with a letter, at most 40 characters long';
/** Of a node or variable. */
export const Name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,39}$', 'x-rule': NAME_RULE });
/** A text that is not blank. */
export const text = (maxLength: number, options: object = {}) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '\\S',
    'x-rule': `must be a text of 1 to ${maxLength} characters`,
    ...options,
  });
const Expression = text(1000, {
  description: 'An expression in CEL over the variables.',
  example: "reason == 'pain'",
});

export const VARIABLE_TYPES = ['text', 'number', 'boolean', 'choice', 'date', 'time', 'date_time'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

export const FlowVariable = Type.Object(
  {
    name: Name,
    type: oneOf(VARIABLE_TYPES, {
      description:
        'A date is YYYY-MM-DD, a time HH:MM, and a date_time YYYY-MM-DDTHH:MM: texts that compare in order.',
    }),
    values: Type.Optional(
      Type.Array(text(100), { minItems: 2, maxItems: 30, description: 'The values of a choice.' }),
    ),
    value: Type.Optional(
      Type.Union([Type.String({ maxLength: 1000 }), Type.Number(), Type.Boolean()], {
        'x-rule': 'must be a text, a number or a boolean',
        description: 'At the start; absent: an empty text, 0 or false.',
      }),
    ),
    description: Type.Optional(Type.String({ maxLength: 500 })),
    sensitive: Type.Optional(
      Type.Boolean({ description: 'The value is kept out of transcript, records and logs.' }),
    ),
  },
  { additionalProperties: false },
);

/** Events of a node that an edge may wait for. */
export const EDGE_EVENTS = ['ok', 'failed', 'refused', 'turns', 'silence', 'back'] as const;

const CONTEXTS = [
  oneOf(['all', 'none', 'summary']),
  Type.Object({ last: Type.Integer({ minimum: 1, maximum: 100 }) }, { additionalProperties: false }),
];
const CONTEXT_RULE = 'must be all, none, summary, or {"last": n} for the last n lines';
/** What a model reads of the conversation before its node. */
const Context = Type.Unsafe<'all' | 'none' | 'summary' | { last: number }>(
  Type.Union(CONTEXTS, {
    'x-rule': CONTEXT_RULE,
    description:
      'What the model reads of what was said before this node; default all. summary: what the model writes about it, and until then the captured values and the last lines.',
  }),
);
/** What the model of the next agent reads of the conversation before a handoff. */
export const HandoffContext = Type.Unsafe<Static<typeof Context>>(
  Type.Union(CONTEXTS, {
    'x-rule': CONTEXT_RULE,
    description:
      'What the model of the next agent reads of what was said before; default all. summary: what the model of the agent before writes about it, and until then its captured values and the last lines.',
  }),
);
const Forget = Type.Array(Name, {
  maxItems: 50,
  description: 'Nodes of which the model reads nothing that was said in them.',
});

export const FlowEdge = Type.Object(
  {
    to: Name,
    if: Type.Optional(Expression),
    on: Type.Optional(
      oneOf(EDGE_EVENTS, {
        description:
          'ok, failed: how a tool, transfer, collect or choose ended; refused: the caller declines to answer; turns: a talk has had all its turns; silence: the caller said nothing for idle_timeout_warning; back: the agent of a handoff with back is done.',
      }),
    ),
    answer: Type.Optional(text(100, { description: 'Of a choose: the answer that takes this edge.' })),
    when: Type.Optional(
      text(500, {
        description:
          'Of a talk: what has to be true, in words. The language model judges it; without one, in English, the model of meanings of the English pack.',
        example: 'wants to book',
      }),
    ),
    examples: Type.Optional(
      Type.Array(text(200), {
        maxItems: 20,
        description:
          'What callers say then. Without a language model they take the edge, and in English also words of the same meaning as they or `when`.',
      }),
    ),
    say: Type.Optional(text(1000, { description: 'Spoken on the way.' })),
    context: Type.Optional(Context),
    forget: Type.Optional(Forget),
  },
  { additionalProperties: false },
);

const Edges = Type.Optional(
  Type.Array(FlowEdge, {
    maxItems: 100,
    description:
      'In order: the first that fits is taken. An edge without a condition is the default and stands last.',
  }),
);
const Tries = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 5, description: 'Times that the agent asks; default 3.' }),
);
const Ask = text(1000, { description: 'The question; {{variables}} are filled.' });

/** The agent of a handoff. */
export const HandoffAgent = Type.String({
  pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  'x-rule': 'must be the id of an agent (a UUID)',
  description: 'The agent of the same workspace that goes on with the conversation.',
});

/** Whether the agent of a handoff gives the conversation back. */
export const HandoffBack = Type.Boolean({
  description:
    'When the other agent is done, the conversation comes back in place of its end, and the flow goes on by the edge on back; default false.',
});

/** A knowledge base of the agent. */
const KnowledgeBase = Type.String({
  pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  'x-rule': 'must be the id of a knowledge base (a UUID)',
});

/** What a collect node may capture. */
export const CAPTURE_KINDS = [
  'yes_no',
  'choice',
  'name',
  'spelled',
  'email',
  'phone',
  'address',
  'postcode',
  'date',
  'time',
  'date_time',
  'number',
  'money',
  'digits',
  'card',
  'account',
  'consent',
  'free',
] as const;
export type CaptureKind = (typeof CAPTURE_KINDS)[number];

/** Rules of a talk for interruptions. */
export const INTERRUPTIONS = ['low', 'default', 'high', 'none'] as const;

const node = <const T extends string, P extends TProperties>(type: T, fields: P) =>
  Type.Object({ id: Name, type: oneOf([type]), ...fields, edges: Edges }, { additionalProperties: false });

/** The fields of each kind of node that flows run. */
export const NODE_SCHEMAS = {
  talk: node('talk', {
    prompt: text(4000, {
      description: 'What the model does here, after the prompt of the agent; {{variables}} are filled.',
    }),
    turns: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        description: 'Answers of the caller after which on: turns is taken.',
      }),
    ),
    tools: Type.Optional(
      Type.Array(text(100), {
        maxItems: 50,
        description:
          'Names of the on-call tools that the model may call here; default all of them. Built-in tools stay.',
      }),
    ),
    knowledge: Type.Optional(
      Type.Array(KnowledgeBase, {
        maxItems: 20,
        description:
          'The knowledge bases of the agent that are searched here; default all of them, and an empty list none.',
      }),
    ),
    tasks: Type.Optional(
      Type.Array(Name, {
        maxItems: 20,
        description:
          'Collect nodes of nodes that ask for a value during this talk, which then goes on. The model starts them; without one they are asked in order once no edge fits.',
      }),
    ),
    voice: Type.Optional(
      Type.String({
        pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
        'x-rule': 'must be the id of a voice (a UUID)',
        description: 'The voice of GET /agent/voices that speaks here in calls; default that of the agent.',
      }),
    ),
    model: Type.Optional(
      text(200, {
        description:
          "The language model that leads here: a model of the first vendor, or of the own server, of the agent's `llm`; default the model of the agent.",
      }),
    ),
    interruption: Type.Optional(
      oneOf(INTERRUPTIONS, {
        description:
          'How easily callers interrupt what the model says here; none: they cannot. Default: as the agent is set.',
      }),
    ),
    context: Type.Optional(Context),
    forget: Type.Optional(Forget),
  }),
  say: node('say', { text: text(2000, { description: 'Spoken; {{variables}} are filled.' }) }),
  collect: node('collect', {
    variable: Name,
    ask: Ask,
    kind: Type.Optional(oneOf(CAPTURE_KINDS, { description: 'Default: by the type of the variable.' })),
    digits: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 32, description: 'How many digits the answer has.' }),
    ),
    tries: Tries,
  }),
  choose: node('choose', {
    ask: Ask,
    answers: Type.Array(
      Type.Object(
        {
          name: text(100, { description: 'Named by edges, and what the caller may say.' }),
          phrases: Type.Optional(
            Type.Array(text(100), { maxItems: 20, description: 'Other words for this answer.' }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 2, maxItems: 9, description: 'By key: 1 for the first, and so on.' },
    ),
    tries: Tries,
  }),
  tool: node('tool', {
    tool: text(100, { description: 'The name of an on-call tool.' }),
    arguments: Type.Optional(
      mapOf(Expression, {
        maxProperties: 30,
        description: 'An expression an argument; absent: the variable of the same name.',
      }),
    ),
  }),
  set: node('set', {
    set: mapOf(Expression, {
      minProperties: 1,
      maxProperties: 30,
      description: 'A variable and its new value.',
    }),
  }),
  transfer: node('transfer', {
    tool: text(100, { description: 'The name of a transfer tool.' }),
    say: Type.Optional(text(1000, { description: 'Spoken before the transfer.' })),
  }),
  handoff: node('handoff', {
    agent_id: HandoffAgent,
    say: Type.Optional(text(1000, { description: 'Spoken before the other agent.' })),
    context: Type.Optional(HandoffContext),
    pass: Type.Optional(
      Type.Array(Name, {
        maxItems: 50,
        description: 'Variables of the flow that the other agent gets under the same names.',
      }),
    ),
    silent: Type.Optional(
      Type.Boolean({ description: 'The other agent does not say its first message; default false.' }),
    ),
    back: Type.Optional(HandoffBack),
    forget: Type.Optional(Forget),
  }),
  end: node('end', { say: Type.Optional(text(1000, { description: 'The goodbye.' })) }),
} as const;
export type NodeKind = keyof typeof NODE_SCHEMAS;
export const NODE_KINDS = Object.keys(NODE_SCHEMAS) as NodeKind[];

/** Fields that make a node a global one: callers reach it from every question. */
export const GLOBAL_FIELDS = {
  when: text(500, { description: 'What the caller wants then, in words.' }),
  examples: Type.Array(text(200), {
    minItems: 1,
    maxItems: 20,
    description: 'What callers say who want it.',
  }),
  back: Type.Optional(
    Type.Boolean({ description: 'Afterwards the caller goes on where they were, if no edge fits.' }),
  ),
};

type Node<K extends NodeKind> = Static<(typeof NODE_SCHEMAS)[K]>;
export type TalkNode = Node<'talk'>;
export type SayNode = Node<'say'>;
export type CollectNode = Node<'collect'>;
export type ChooseNode = Node<'choose'>;
export type ToolNode = Node<'tool'>;
export type SetNode = Node<'set'>;
export type TransferNode = Node<'transfer'>;
export type HandoffNode = Node<'handoff'>;
export type EndNode = Node<'end'>;
export type FlowNode =
  | TalkNode
  | SayNode
  | CollectNode
  | ChooseNode
  | ToolNode
  | SetNode
  | TransferNode
  | HandoffNode
  | EndNode;
export type GlobalNode = FlowNode & { when: string; examples: string[]; back?: boolean };
export type FlowEdge = Static<typeof FlowEdge>;
export type FlowVariable = Static<typeof FlowVariable>;

export interface Flow {
  start: string;
  variables?: FlowVariable[];
  nodes: FlowNode[];
  global?: GlobalNode[];
  /** Where the call goes on when a node has no edge to take or a limit is reached. */
  stuck?: string;
}

/** The context of a node or edge: lines that are read from before it; null: all. */
export const linesOf = (context: Static<typeof HandoffContext> = 'all'): number | null =>
  typeof context === 'object' ? context.last : context === 'all' ? null : 0;
/** Whether the model of a talk may read a summary of what was said before it. */
export const readsSummaries = (flow: Flow): boolean =>
  nodesOf(flow).some(
    (node) =>
      (node.type === 'talk' && node.context === 'summary') ||
      edgesOf(node).some(({ context }) => context === 'summary'),
  );
/** Nodes that give the conversation away, and have edges for the failure alone. */
export const leavesFlow = ({ type }: FlowNode): boolean => type === 'transfer' || type === 'handoff';

export const nodesOf = (flow: Flow): readonly FlowNode[] => [...flow.nodes, ...(flow.global ?? [])];
export const edgesOf = (node: FlowNode): readonly FlowEdge[] => node.edges ?? [];

const KIND_OF_TYPE: Readonly<Record<VariableType, CaptureKind>> = {
  text: 'free',
  number: 'number',
  boolean: 'yes_no',
  choice: 'choice',
  date: 'date',
  time: 'time',
  date_time: 'date_time',
};
/** What a collect node captures into its variable. */
export const captureOf = (node: CollectNode, variable: FlowVariable | undefined): CaptureKind =>
  node.kind ?? KIND_OF_TYPE[variable?.type ?? 'text'];

const TYPE_OF_KIND: Readonly<Partial<Record<CaptureKind, VariableType>>> = {
  yes_no: 'boolean',
  consent: 'boolean',
  choice: 'choice',
  date: 'date',
  time: 'time',
  number: 'number',
  money: 'number',
  date_time: 'date_time',
};
/** The type of variable that holds what is captured. */
export const typeOfCapture = (kind: CaptureKind): VariableType => TYPE_OF_KIND[kind] ?? 'text';
/** Kinds of numbers that may be entered by keys alone, hidden. */
export const HIDDEN_KINDS: readonly CaptureKind[] = ['digits', 'card', 'account'];

/** Kinds of nodes whose outcome an edge may name. */
export const EVENTS_OF: Readonly<Record<NodeKind, readonly (typeof EDGE_EVENTS)[number][]>> = {
  talk: ['turns', 'silence'],
  say: [],
  collect: ['failed', 'refused', 'silence'],
  choose: ['failed', 'silence'],
  tool: ['ok', 'failed'],
  set: [],
  transfer: ['failed'],
  handoff: ['failed', 'back'],
  end: [],
};
/** The collect nodes that a node may start as tasks. */
export const tasksOf = (node: FlowNode): readonly string[] =>
  node.type === 'talk' ? (node.tasks ?? []) : [];
/** The steps that models choose in a flow, in its order: targets of `when`, tasks, and the global nodes. */
export const judgedSteps = (flow: Flow): readonly string[] => {
  const judged = nodesOf(flow).flatMap((node) => [
    ...edgesOf(node).flatMap(({ to, when }) => (when === undefined ? [] : [to])),
    ...tasksOf(node),
  ]);
  return [...new Set([...judged, ...(flow.global ?? []).map(({ id }) => id)])];
};

/** Whether the agent sounds otherwise in a talk than in the rest of the call. */
export const soundsOwn = ({ voice, interruption }: TalkNode): boolean =>
  voice !== undefined || interruption !== undefined;

/** Nodes at which the caller has the floor. */
export const waitsForCaller = ({ type }: FlowNode): boolean =>
  type === 'collect' || type === 'choose' || type === 'talk';
