import { describe, expect, it } from 'vitest';
import { agentOf } from '../offline/script/brain.ts';
import { instructionsFor } from '../providers/llm/messages.ts';
import { respond } from '../offline/script/respond.ts';
import type { Language } from '@callwright/language';
import type { HistoryItem } from '@callwright/turns';
import type { CallSpec } from './protocol.ts';
import { brainContext } from '../providers/ports/brain-context.ts';
import { answerSettings } from './settings.ts';

interface Words {
  readonly intro: string;
  readonly script: string;
  readonly voicemail: string;
  readonly yes: string;
}

/** One agent in six languages; {{name}}, {{day}}, {{time}} and {{doctor}} may lack values. */
const AGENTS: readonly [Language, Words][] = [
  [
    'en-US',
    {
      intro:
        'Hello {{name}}, your appointment with {{doctor}} is on {{day}} at {{time}}. Is now a good time?',
      script:
        '1. Say "Your visit on {{day}} takes an hour. Dr. {{doctor}} will see you."\n2. Ask "Can you come on {{day}} at {{time}}?"\n3. Ask "May we send you a message?"\n4. Say "Goodbye, {{name}}." and end the call.',
      voicemail: 'Hello {{name}}, please call us about your visit on {{day}}.',
      yes: 'yes',
    },
  ],
  [
    'hi-IN',
    {
      intro: 'नमस्ते {{name}} जी, आपकी अपॉइंटमेंट {{day}} को {{time}} बजे है। क्या अभी बात हो सकती है?',
      script:
        '1. पूछें "क्या आप {{day}} को {{time}} बजे आ सकते हैं?"\n2. पूछें "क्या हम आपको संदेश भेजें?"\n3. कहें "धन्यवाद {{name}} जी।"',
      voicemail: 'नमस्ते {{name}}, कृपया {{day}} के बारे में हमें फ़ोन करें।',
      yes: 'हाँ',
    },
  ],
  [
    'ta-IN',
    {
      intro: 'வணக்கம் {{name}}, உங்கள் சந்திப்பு {{day}} அன்று {{time}} மணிக்கு. இப்போது பேசலாமா?',
      script: '1. கேளுங்கள் "{{day}} அன்று வர முடியுமா?"\n2. கேளுங்கள் "செய்தி அனுப்பலாமா?"',
      voicemail: 'வணக்கம் {{name}}, {{day}} பற்றி அழைக்கவும்.',
      yes: 'ஆமாம்',
    },
  ],
  [
    'zh-CN',
    {
      intro: '您好{{name}}先生，您的预约是{{day}}{{time}}。现在方便吗？',
      script: '1. 问“您{{day}}{{time}}能来吗？”\n2. 问“可以给您发短信吗？”\n3. 说“再见，{{name}}。”',
      voicemail: '您好{{name}}，请就{{day}}的预约给我们回电。',
      yes: '是的',
    },
  ],
  [
    'ar-AE',
    {
      intro: 'مرحبا {{name}}، موعدك مع {{doctor}} يوم {{day}}. هل الوقت مناسب؟',
      script: '1. اسأل "هل يمكنك الحضور يوم {{day}}؟"\n2. اسأل "هل نرسل لك رسالة؟"',
      voicemail: 'مرحبا {{name}}، اتصل بنا بخصوص {{day}}.',
      yes: 'نعم',
    },
  ],
  [
    'ms-MY',
    {
      intro: 'Helo {{name}}, temu janji anda pada {{day}} pukul {{time}}. Boleh kita bercakap sekarang?',
      script:
        '1. Tanya "Bolehkah anda datang pada {{day}} pukul {{time}}?"\n2. Tanya "Boleh kami hantar mesej?"',
      voicemail: 'Helo {{name}}, sila hubungi kami tentang {{day}}.',
      yes: 'ya',
    },
  ],
];

/** What the call knows; an empty cell is a value that lacks. */
const HOLES: readonly [string, Record<string, string>][] = [
  ['nothing', {}],
  ['blank cells', { name: ' ', day: '', time: '\t', doctor: '' }],
  ['the name alone', { name: 'Ana' }],
  ['the day alone', { day: 'Monday' }],
  ['all but the time', { name: 'Ana', day: 'Monday', doctor: 'Li' }],
];
const CALLS = AGENTS.flatMap(([language, words]) =>
  HOLES.map(([hole, values]) => [language, hole, words, values] as const),
);

/** Two blanks, a blank before a mark, a brace, a mark after a mark, an English preposition or copula before a mark. */
const HOLE =
  /\s{2}|\s[.,;:!?।。，？！؟،]|[{}«»\uFFFC]|unknown|[,،，;]\s*[.!?।。？！؟]|^[,.;،，।。]|\b(?:on|at|with|about|for|is|are|the|pada|pukul|tentang)\s*[.,!?]|Dr\.? will/u;

/** The script engine's own question ends in such a word. */
const WHOLE = 'Is there anything else I can help you with?';

/** Everything that the agent of this call gives to the voice: first message, voicemail message, ten replies. */
function spokenOn(language: Language, words: Words, variables: Record<string, string>): string[] {
  const spec = {
    callId: 'call',
    workspaceId: 'workspace',
    attempt: 1,
    direction: 'outbound',
    agent: {
      name: 'Maya',
      prompt: `## Objective\nRemind of the visit.\n\n## Conversation Script\n${words.script}`,
      introMessage: words.intro,
      language,
      secondaryLanguage: null,
      voicemail: { action: 'static_message', staticMessage: words.voicemail },
    },
    variables,
    tools: [],
    maxCallMs: 60_000,
    recordingPath: null,
  } as unknown as CallSpec;
  const context = brainContext(spec, { understandsSpeech: true });
  expect(instructionsFor(context)).not.toMatch(/\{\{|\}\}| {2}|\s[.,]/u);
  const spoken = [context.introMessage, answerSettings(spec, undefined)?.message ?? ''];
  const agent = agentOf(context);
  const history: HistoryItem[] = [{ role: 'agent', text: context.introMessage, interrupted: false }];
  let memory: unknown = null;
  for (let turn = 0; turn < 10; turn += 1) {
    history.push({ role: 'caller', text: words.yes, by: 'speech' });
    const reply = respond(agent, history, memory);
    memory = structuredClone(reply.memory);
    history.push({ role: 'agent', text: reply.text.join(' '), interrupted: false });
    spoken.push(...reply.text);
    if (reply.tools.some(({ name }) => name === 'end_call')) break;
  }
  return spoken;
}

describe('a call with holes in its variables', () => {
  it('is shown thirty times in six languages', () => expect(CALLS).toHaveLength(30));

  it.each(CALLS)('speaks no gap: %s, %s', (language, _hole, words, values) => {
    const spoken = spokenOn(language, words, values);
    expect(spoken.length).toBeGreaterThan(3);
    for (const text of spoken) {
      expect(text.replaceAll(WHOLE, 'it?')).not.toMatch(HOLE);
      expect(text).toMatch(/\p{L}/u);
    }
  });

  it('still speaks the whole of a call without holes', () => {
    const [[language, words] = []] = AGENTS;
    const spoken = spokenOn(language!, words!, { name: 'Ana', day: 'Monday', time: 'ten', doctor: 'Li' });
    expect(spoken[0]).toBe('Hello Ana, your appointment with Li is on Monday at ten. Is now a good time?');
    expect(spoken.join(' ')).toContain('Can you come on Monday at ten?');
  });

  it('says of a hole what is left: the greeting and the question', () => {
    const [[language, words] = []] = AGENTS;
    const spoken = spokenOn(language!, words!, { name: 'Ana' });
    expect(spoken[0]).toBe('Hello Ana. Is now a good time?');
    expect(spoken[1]).toBe('Hello Ana, please call us about your visit.');
    expect(spoken.join(' ')).toContain('Can you come?');
  });
});
