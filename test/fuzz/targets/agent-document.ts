import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../../src/errors/api-error.ts';
import { readDocument, writeDocument } from '../../../src/http/agents/document/text.ts';
import { mutateText, tokens } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const DOCUMENTS = [
  `format: callwright-agent/1\nname: Front desk\nlanguage: en-US\nprompt:\n  - title: Objective\n    content: |-\n      Answer\n      the phone.\nknowledge_bases: [Prices]\nflow:\n  start: a\n  nodes: [{ id: a, type: end, say: Bye }]\ntest_cases: []\n`,
  `{"format":"callwright-agent/1","name":"Front desk","on_call_tools":[{"type":"API_TOOL","headers":{"authorization":{"secret":"TOKEN"}}}],"voice_speed":1.1}`,
  `format: callwright-agent/1\nllm: { provider: openai_compatible, api_key: { secret: KEY } }\ncall_config:\n  max_call_length: 240\n`,
];
const TOKENS = tokens(
  `format: callwright-agent/1\n¦{¦}¦[¦]¦: ¦- ¦\n¦\n  ¦&a ¦*a¦<<: ¦!!binary ¦!!js/function ¦|-\n¦> ¦"¦'¦# ¦---\n¦...\n¦%YAML 1.1\n¦.nan¦.inf¦1e999¦0x1¦__proto__¦constructor¦prompt:\n¦null¦~¦? ¦\t¦\u0000¦[[[[[[[[¦{a: {a: {a: `,
);

/** A document from outside: settings that are written and read as they were, or a refusal that names field and rule. */
const agentDocument: Target = {
  name: 'agent-document',
  nightly: 1_000,
  make: (dice) => Buffer.from(mutateText(dice.pick(DOCUMENTS), TOKENS, DOCUMENTS, dice)),
  run(input) {
    const text = input.toString('utf8');
    try {
      const settings = readDocument(text);
      const kept = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
      const again = readDocument(writeDocument(settings));
      must(isDeepStrictEqual(again, kept), 'a document is read otherwise than it was written');
    } catch (error) {
      must(error instanceof ApiError && error.status === 422, `throws ${String(error)}`);
      must(error.fields.length > 0, 'a refusal without a field');
      must(
        error.fields.every(({ field, message }) => field.startsWith('document') && message !== ''),
        'a refusal without field and rule',
      );
    }
    must(!('polluted' in {}), 'the prototype of objects is changed');
  },
};

export const DOCUMENT_TARGETS: readonly Target[] = [agentDocument];
