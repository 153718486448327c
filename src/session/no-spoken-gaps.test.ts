import { describe, expect, it } from 'vitest';
import { answerVirtualCall } from '../../test/rigs/calls/virtual-session.ts';
import { VirtualTime } from '../../test/rigs/calls/virtual-time.ts';
import { createFakeTts } from '../offline/scripted/tts.ts';
import { createScriptLlm } from '../offline/script/brain.ts';
import { ManualClock } from '../shared/clock.ts';
import type { Language } from '@callwright/language';
import type { TtsProvider } from '../providers/ports/voice.ts';

interface Agent {
  readonly language: Language;
  readonly intro: string;
  readonly script: string;
  readonly answers: readonly string[];
}

/** The same agent in six languages, with variables where prepositions, names and list items stand. */
const AGENTS: readonly Agent[] = [
  {
    language: 'en-US',
    intro:
      'Hello {{name}}, this is Maya from {{company}}. Your appointment on {{day}} at {{time}} is confirmed.',
    script:
      '1. Say "We have your visit with Dr. {{doctor}} on {{day}}."\n2. Ask "Can you come on {{day}} at {{time}}?"\n3. Ask "Shall we send a reminder to {{phone}}?"\n4. Thank them and say goodbye.',
    answers: ['yes', 'yes', 'yes', 'yes'],
  },
  {
    language: 'en-GB',
    intro: 'Good morning Mr. {{name}}! Your parcel from {{company}} arrives on {{day}}.',
    script:
      '1. Say "It comes with {{doctor}} at {{time}}."\n2. Ask "Will you be at {{phone}} on {{day}}?"\n3. Thank them and say goodbye.',
    answers: ['yes', 'no', 'yes', 'yes'],
  },
  {
    language: 'hi-IN',
    intro: 'नमस्ते {{name}} जी, मैं {{company}} से आशा हूँ। आपकी अपॉइंटमेंट {{day}} को {{time}} बजे है।',
    script:
      '1. Say "आपकी मुलाकात {{doctor}} के साथ है।"\n2. Ask "क्या आप {{day}} को आ सकते हैं?"\n3. Thank them and say goodbye.',
    answers: ['हाँ', 'हाँ', 'हाँ', 'हाँ'],
  },
  {
    language: 'ta-IN',
    intro: 'வணக்கம் {{name}}, நான் {{company}} இலிருந்து ஆஷா. உங்கள் சந்திப்பு {{day}} அன்று.',
    script:
      '1. Say "உங்கள் சந்திப்பு {{doctor}} உடன் உள்ளது."\n2. Ask "{{day}} அன்று வர முடியுமா?"\n3. Thank them and say goodbye.',
    answers: ['ஆம்', 'ஆம்', 'ஆம்', 'ஆம்'],
  },
  {
    language: 'zh-CN',
    intro: '您好{{name}}先生，我是{{company}}的小美。您的预约是{{day}}{{time}}。',
    script: '1. Say "您的医生是{{doctor}}。"\n2. Ask "您{{day}}方便吗？"\n3. Thank them and say goodbye.',
    answers: ['是', '是', '是', '是'],
  },
  {
    language: 'ms-MY',
    intro: 'Helo {{name}}, saya Asha dari {{company}}. Temu janji anda pada {{day}} jam {{time}}.',
    script:
      '1. Say "Anda berjumpa dengan {{doctor}}."\n2. Ask "Bolehkah anda datang pada {{day}}?"\n3. Thank them and say goodbye.',
    answers: ['ya', 'ya', 'ya', 'ya'],
  },
];

const FULL = { name: 'Ana', company: 'Riverside', day: '5', time: '10', doctor: 'Rao', phone: '55' } as const;
const without = (...names: readonly (keyof typeof FULL)[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(FULL).map(([name, value]) => [name, names.includes(name as 'day') ? '' : value]),
  );
/** Five rows with holes: a missing column, an empty cell, spaces, and none at all. */
const ROWS: readonly (readonly [what: string, values: Record<string, string>])[] = [
  ['no value at all', {}],
  ['no day and no time', without('day', 'time')],
  ['no name and no company', without('name', 'company')],
  ['spaces as the day and the doctor', { ...without('time'), day: '  ', doctor: ' ' }],
  ['the name alone', { name: 'Ana' }],
];

/** What a listener hears as a hole, in any of the languages. */
const HOLES = /\{\{|\}\}| {2}| [.,;:!?।。，？！；]|^[.,;:!?]|[,，;][.!?。]|\(unknown/u;
const TITLE = /\b(?:Mr|Dr)\.?\s*(?:[,!?]|$)/u;
const DANGLING = /\b(?:on|at|for|by|in|from|with|to|about|is|are|your|pada|dari|dengan|jam)\s*[.,!?]/iu;

/** The script engine's own question ends in such a word. */
const WHOLE = 'Is there anything else I can help you with?';

describe.each(AGENTS)('a call in $language', ({ language, intro, script, answers }) => {
  it.each(ROWS)('speaks no gap for a row with %s', async (_, variables) => {
    const time = new VirtualTime(new ManualClock());
    const utterances: string[] = [];
    const works = createFakeTts({ ttsMs: 50, scheduler: time });
    const speaker: TtsProvider = {
      ...works,
      open(options) {
        const session = works.open(options);
        return {
          close: () => session.close(),
          begin() {
            const context = session.begin();
            return {
              end: () => context.end(),
              cancel: () => context.cancel(),
              say(text, onEvent, manner) {
                utterances.push(text);
                context.say(text, onEvent, manner);
              },
            };
          },
        };
      },
    };
    const call = answerVirtualCall({
      time,
      speaker,
      llm: createScriptLlm(),
      finals: answers,
      agent: { language, introMessage: intro, prompt: `# Conversation Script\n${script}` },
      spec: { variables },
    });
    const agentLines = (): number =>
      call.live.filter((event) => event.type === 'line' && event.line.role === 'agent').length;
    for (let turn = 0; turn <= answers.length && !call.isOver(); turn += 1) {
      const before = agentLines();
      await time.until('a line of the agent', () => call.isOver() || agentLines() > before, 30_000);
      if (!call.isOver()) call.talk(600);
    }
    if (!call.isOver()) call.session.remoteHangup(time.now());
    const { transcript } = await call.result();
    const said = transcript.filter(({ role }) => role === 'agent').map(({ text }) => text);
    expect(said.length).toBeGreaterThan(1);
    expect(utterances.length).toBeGreaterThan(1);
    const spoken = [...said, ...utterances];
    const checked = spoken.map((text) => text.replaceAll(WHOLE, 'it?'));
    expect(checked.filter((text) => [HOLES, TITLE, DANGLING].some((gap) => gap.test(text)))).toEqual([]);
    expect(spoken.filter((text) => !/\p{L}/u.test(text))).toEqual([]);
  });
});
