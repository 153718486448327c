import { substitute, textAt } from '../../../src/domain/tools/template.ts';
import { toolVariables } from '../../../src/wire/tools/variables.ts';
import { parseProvision } from '../../../src/domain/provision/provision-file.ts';
import {
  type AnswerKind,
  LANGUAGES,
  type Language,
  asksSomething,
  digitsIn,
  expectedAnswer,
  intentOf,
  machineKind,
  momentIn,
  numberIn,
  optOutSense,
  phrasesOf,
  readTime,
  resolveDate,
  resolveTime,
  sentences,
  understand,
} from '@callwright/language';
import { compile } from '../../../src/offline/script/compile.ts';
import { wordingFor } from '../../../src/offline/script/wording.ts';
import { findVariables } from '../../../src/shared/variables.ts';
import { joinSections } from '../../../src/shared/prompt-text.ts';
import { parsePrompt } from '../../../src/voice/prompt/build-prompt.ts';
import { cleanValue, MAX_VALUE_CHARS, render } from '../../../src/voice/prompt/render.ts';
import { BOUNDARIES, mutateText, tokens } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const TEMPLATES = [
  'https://api.example.com/v1/@{{city}}/slots?day={{ day }}&n={{callee_name}}',
  '{"name":"{{callee_name}}","id":"@{{call_id}}","nested":{"a":["{{x}}"]}}',
  'Hello {{callee_name}}, {{unknown}} and {{ {{day}} }} and {{}}.',
];
const TEMPLATE_TOKENS = tokens('{{¦}}¦@{{¦{¦}¦{{day}}¦{{ ¦ }}¦{{callee_name}}¦.¦[0]¦[¦]¦$1¦$&');
const VALUES: Readonly<Record<string, string>> = {
  city: 'Pune',
  day: '{{city}}',
  callee_name: '$& {{day}}',
  x: '',
};
const DATA = { data: { slots: [{ time: '9:00' }], list: [[1], null], text: 'x'.repeat(5_000) } };
const PATHS = tokens(
  'data.slots[0].time¦data.list[0][0]¦data.text¦__proto__.x¦constructor.name¦data.slots.length',
);

const templates: Target = {
  name: 'tool-templates',
  nightly: 3_000,
  make: (dice) =>
    Buffer.from(mutateText(dice.pick([...TEMPLATES, ...PATHS]), TEMPLATE_TOKENS, TEMPLATES, dice)),
  run(input) {
    const text = input.toString('utf8');
    must(substitute(text, VALUES).length <= text.length * 3 + 20, 'values are expanded again');
    const value = textAt(DATA, text);
    must(value === null || value.length <= 1_000, `a value of ${value?.length} characters`);
    must(textAt({}, text) === null || !/[^.[\]]/.test(text), 'a value of an empty object');
    const facts = {
      callId: 'c',
      direction: 'outbound',
      from: '+1',
      to: '+2',
      agentId: null,
      agentName: text,
    } as const;
    must(
      toolVariables({ [text]: text, call_id: text }, facts)['call_id'] === 'c',
      'an argument replaces a fact',
    );
  },
};

const PROMPTS = [
  '# Objective\nYou are {{agent}} from @{{company}}.\n\n# Script\n- Greet {{callee_name}}.\n- Ask for {{slot_1}}.\n',
  'Introduction:\nHello\n\nTask:\n1. x\n\nFAQ:\nQ: a?\nA: b\n',
  'one line {{हिन्दी नाम}} @{{a.b-c d}} {{ x }}',
];
const PROMPT_TOKENS = tokens('{{¦}}¦@¦# ¦\n¦\n\n¦## ¦:¦{{callee_name}}¦{{a b}}¦{{ ¦\u200D¦**¦Task:¦---');

const prompts: Target = {
  name: 'prompts',
  nightly: 1_000,
  make: (dice) => Buffer.from(mutateText(dice.pick(PROMPTS), PROMPT_TOKENS, PROMPTS, dice)),
  run(input) {
    const text = input.toString('utf8');
    const names = findVariables(text);
    const { unknown } = render(text, {});
    must(JSON.stringify(unknown) === JSON.stringify(names), 'other variables are found than rendered');
    const values = Object.fromEntries(names.map((name) => [name, text]));
    must(render(text, values).unknown.length === 0, 'a variable with a value is unknown');
    const value = cleanValue(text);
    must(
      Array.from(value).length <= MAX_VALUE_CHARS && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value),
      'an unclean value',
    );
    must(cleanValue(value) === value, 'a clean value is cleaned again');
    const sections = parsePrompt(text);
    const again = parsePrompt(joinSections(sections));
    must(again.length <= sections.length + 1, `${sections.length} sections are read as ${again.length}`);
  },
};

/** Lines that people say, and machines. */
const LINES = [
  'yes, tomorrow at half past nine in the morning please',
  'call me back on the 5th of March after 3:30 p.m.',
  'no thank you, stop calling me, remove my number',
  'my number is nine eight seven double six five four three two one zero',
  'I would like twenty five, no, one hundred and five',
  'in a couple of hours, or next Friday evening, 2026-03-05T10:00:00+05:30',
  'please leave a message after the tone, the mailbox is full',
  'press 1 for sales or 9 to stop these calls',
  'हाँ जी, कल शाम को पाँच बजे फोन कीजिए',
  'நாளை காலை பத்து மணிக்கு',
  'ရပါတယ် မနက်ဖြန် မနက်',
  '明天上午十点半,两位',
  'esok pukul tiga petang',
  'غدا الساعة الخامسة مساء',
  'ਹਾਂ ਕੱਲ੍ਹ ਸ਼ਾਮ',
  'రేపు ఉదయం పది గంటలకు',
  'কাল সকাল দশটায়',
  'ನಾಳೆ ಬೆಳಿಗ್ಗೆ',
  'આવતીકાલે સવારે',
  'ଆସନ୍ତାକାଲି ସକାଳ',
  'उद्या सकाळी दहा वाजता',
];
const LINE_TOKENS = [
  ...tokens(
    ' ¦  ¦,¦.¦?¦!¦\u2019¦:¦-¦/¦+¦%¦ at ¦ on ¦ in ¦ and ¦ or ¦ not ¦ the ¦ a ¦ half ¦monday¦tomorrow',
    "march¦am¦pm¦o'clock¦twenty¦hundred¦double¦first¦after¦stop¦call¦बजे¦ghante¦٣¦１２¦点",
  ),
  ...BOUNDARIES,
];
const KINDS: readonly AnswerKind[] = [
  'yes_no',
  'number',
  'digits',
  'date',
  'time',
  'choice',
  'name',
  'free',
  'rest',
];
const REFERENCE = { now: Date.UTC(2026, 2, 28, 22), zone: 'Europe/Berlin' };
/** The last instant of a Date. */
const LAST_MS = 8.64e15;

const language: Target = {
  name: 'language',
  nightly: 1_000,
  make: (dice) =>
    Buffer.from(`${dice.pick(LANGUAGES)} ${mutateText(dice.pick(LINES), LINE_TOKENS, LINES, dice)}`),
  run(input) {
    const [code = '', ...rest] = input.toString('utf8').split(' ');
    const spoken = (LANGUAGES.includes(code as Language) ? code : 'en-US') as Language;
    const text = rest.join(' ');
    const table = phrasesOf(spoken);
    intentOf(text, table);
    asksSomething(text, table);
    machineKind(text);
    expectedAnswer(text);
    must(sentences(text).join('').length <= text.length, 'sentences are longer than the text');
    const answer = KINDS[input.length % KINDS.length] ?? 'free';
    for (const by of ['speech', 'keypad'] as const) {
      const found = understand({ text, by }, { answer, choices: ['morning', 'evening'] }, table);
      must(
        found?.type !== 'value' || found.value.length <= text.length + 200,
        `a value of ${answer} is too long`,
      );
    }
    const number = numberIn(text);
    must(number === null || !Number.isNaN(number), 'a number that is none');
    const digits = digitsIn(text);
    must(digits === null || /^\d+$/.test(digits), `digits ${digits}`);
    const time = readTime(text, table, { isAnswer: true });
    const at = resolveTime(time, REFERENCE)?.at;
    must(at === undefined || (Number.isFinite(at) && Math.abs(at) <= LAST_MS), `the instant ${at}`);
    const date = resolveDate(time, REFERENCE);
    must(date === null || /^\d{4}-\d{2}-\d{2}$/.test(date), `the date ${date}`);
    const moment = momentIn(text, table);
    must(
      moment === null || (moment.text !== '' && !/undefined|NaN/.test(moment.text)),
      `the moment ${moment?.text}`,
    );
    const sense = optOutSense({
      introMessage: text,
      tools: [],
      prompt: text,
      language: spoken,
      secondaryLanguage: 'en-US',
    });
    sense.words(text);
    sense.keys('9', { expected: null, question: text });
  },
};

const SCRIPTS = [
  '1. Greet the customer.\n2. Ask them if they received the parcel.\n  - If yes, thank them and end the call.\n  - If no: tell them that it arrives tomorrow.\n3. Ask for their name, phone number and preferred day.\n',
  'Q: What does it cost?\nA: Ten dollars.\n\nAgent: Hello, am I speaking with Ravi?\nUser: Who is this?\nAgent: This is Asha from Sunrise Bank.\n',
  'If they ask about the price, say "It costs ten dollars." Otherwise go to step 2. Transfer the call to a human if they are angry.',
  'उनसे पूछें कि वे कल आ सकते हैं या नहीं। अगर हाँ, धन्यवाद कहें।',
];
const SCRIPT_TOKENS = tokens(
  '\n¦\n  - ¦\n1. ¦**¦\u201C¦"¦(¦ or ¦)¦{{x}}¦:¦?¦. ¦, ¦ - ¦->¦#¦## Step 2: ¦|¦\t¦If ¦they ¦ask ',
  'tell them ¦what is ¦between ¦ and ¦to ¦her ¦the user ¦rate 1 to 5¦go to step 1¦FAQ:',
);

const script: Target = {
  name: 'script',
  nightly: 1_000,
  make: (dice) =>
    Buffer.from(`${dice.pick(LANGUAGES)} ${mutateText(dice.pick(SCRIPTS), SCRIPT_TOKENS, SCRIPTS, dice)}`),
  run(input) {
    const [code = '', ...rest] = input.toString('utf8').split(' ');
    const text = rest.join(' ');
    const spoken = (LANGUAGES.includes(code as Language) ? code : 'en-US') as Language;
    const { steps, start } = compile({
      prompt: text,
      sections: [],
      introMessage: text.slice(0, 100),
      agentName: 'Asha',
      wording: wordingFor(spoken),
    });
    must(start < steps.length && steps.length <= 400, `start ${start} of ${steps.length} steps`);
    for (const step of steps) {
      const next =
        'branches' in step
          ? [step.next, ...step.branches.map(({ to }) => to)]
          : 'next' in step
            ? [step.next]
            : [];
      must(
        next.every((to) => to >= -1 && to < steps.length),
        `a step continues at ${next.join()} of ${steps.length}`,
      );
      must(!('text' in step) || step.text.length <= 700, 'a spoken line is too long');
    }
  },
};

const PROVISIONS = [
  'trunks:\n  - { name: carrier, uri: "sip:sip.example.com;transport=tcp", username: u, password: p, register: true }\nworkspaces:\n  - name: Acme\n    api_key: cw_live_0123456789abcdefghij\n    credits: 1000\n    limits: { allowed_destinations: ["+91", IN], number_rest: false }\n    numbers:\n      - { number: "+14155550100", trunk: carrier }\n',
  '{"workspaces":[{"name":"A","credits":"unlimited","owner":{"email":"a@example.com","password":"a long secret"}}]}',
  'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n',
];
const YAML_TOKENS = [
  ...tokens(
    '\n¦  ¦- ¦: ¦? ¦&a ¦*a¦<<: *a¦!!binary ¦!!set¦|\n¦>-\n¦{¦}¦[¦]¦"¦\'¦#¦---\n¦...\n¦%YAML 1.2\n¦null',
    '~¦.inf¦.nan¦0o17¦2026-01-01¦trunks:\n¦workspaces:\n¦name: x\n¦"__proto__": 1¦+14155550100¦\t',
  ),
  ...BOUNDARIES,
];

const provision: Target = {
  name: 'provision-file',
  // The operator's own file, read once at start: the YAML parser makes an error object of every fault, in linear time.
  slowUnits: 500,
  nightly: 500,
  make: (dice) =>
    dice.chance(0.05)
      ? dice.bytes(dice.below(400))
      : Buffer.from(mutateText(dice.pick(PROVISIONS), YAML_TOKENS, PROVISIONS, dice)),
  run(input) {
    const parsed = parseProvision(input.toString('utf8'));
    if (parsed.ok) return;
    must(
      parsed.problems.length > 0 && parsed.problems.every((problem) => problem !== ''),
      'a refusal without a reason',
    );
  },
};

export const TEXT_TARGETS: readonly Target[] = [templates, prompts, language, script, provision];
