import { gunzipSync } from 'node:zlib';
import { FRAME_MS } from '@callwright/audio';
import { conversationPhrases, type Language } from '@callwright/language';
import { firstDifference, readLog } from '@callwright/turns';
import { expect, it } from 'vitest';
import { answerVirtualCall, virtualSpec } from '../../test/rigs/calls/virtual-session.ts';
import { VirtualTime } from '../../test/rigs/calls/virtual-time.ts';
import { createFakeLlm } from '../offline/scripted/llm.ts';
import { createFakeStt } from '../offline/scripted/stt.ts';
import { createFakeTts } from '../offline/scripted/tts.ts';
import { ManualClock } from '../shared/clock.ts';
import type { Flow } from '../voice/flow/document.ts';

const [HINDI, TAMIL] = ['0190a2f4-0000-7000-8000-000000000001', '0190a2f4-0000-7000-8000-000000000002'];
const asks = (ask: string, next: string | undefined): Flow => ({
  start: 'ask',
  variables: [{ name: 'answer', type: 'text' }],
  nodes: [
    { id: 'ask', type: 'collect', variable: 'answer', ask, edges: [{ to: 'on' }] },
    next === undefined
      ? { id: 'on', type: 'end', say: 'நன்றி.' }
      : { id: 'on', type: 'handoff', agent_id: next, edges: [] },
  ],
});
const AGENTS: Record<string, { language: Language; flow: Flow; words: string }> = {
  [HINDI]: { language: 'hi-IN', flow: asks('क्या हुआ?', TAMIL), words: 'बिल गलत है' },
  [TAMIL]: { language: 'ta-IN', flow: asks('என்ன ஆச்சு?', undefined), words: 'நேற்று வந்தது' },
};

it('a call in three languages is heard and led in that of each agent in turn', async () => {
  const time = new VirtualTime(new ManualClock());
  const heardIn: Language[] = [];
  const frames: number[] = [];
  const byLanguage = new Map([
    ['en-US', 'last week'],
    ...Object.values(AGENTS).map(({ language, words }) => [language, words] as const),
  ]);
  const fake = createFakeStt({ scheduler: time });
  const call = answerVirtualCall({
    time,
    recogniser: {
      ...fake,
      understands: () => true,
      open(options) {
        heardIn.push(options.language);
        const finals = [byLanguage.get(options.language)!];
        const session = createFakeStt({ sttMs: 100, finals, scheduler: time }).open(options);
        const write = session.write.bind(session);
        return Object.assign(session, {
          write: (frame: Int16Array, at: number) => {
            frames.push(at);
            write(frame, at);
          },
        });
      },
    },
    spec: { handsOver: true, maxCallMs: 600_000 },
    agent: { introMessage: 'City Dental.', flow: { document: asks('Which week?', HINDI), zone: 'UTC' } },
  });
  const handOver = async (id: string): Promise<void> => {
    const { requestId } = await time.until(`the handoff to ${id}`, () =>
      call.tools.find(({ name, args }) => name === 'hand_over' && args['agent_id'] === id),
    );
    const { language, flow } = AGENTS[id]!;
    const spec = virtualSpec({
      spec: { handsOver: true },
      agent: { name: id, language, introMessage: '', flow: { document: flow, zone: 'UTC' } },
    });
    call.session.toolResult(
      requestId,
      { ok: true, result: { status: 'handed_over', agent_id: id, agent_name: id }, next: { id, spec } },
      {
        llm: createFakeLlm({ llmMs: 100, scheduler: time }),
        tts: createFakeTts({ ttsMs: 50, scheduler: time }),
      },
    );
  };
  await call.hasSaid(/Which week/);
  call.talk(900);
  await handOver(HINDI);
  await call.hasSaid(/क्या हुआ/);
  // The caller is silent: the machine's own words are Hindi, too.
  const checkIn = conversationPhrases('hi-IN').phrases.idleCheckIn;
  await call.hasSaid(new RegExp(checkIn.slice(0, 8)));
  call.talk(900);
  await handOver(TAMIL);
  await call.hasSaid(/என்ன ஆச்சு/);
  call.talk(900);
  await call.hasSaid(/நன்றி/);
  const { transcript, usage, eventLog, reason } = await call.result();
  expect(reason).toBe('AGENT_ENDED');
  expect(heardIn).toEqual(['en-US', 'hi-IN', 'ta-IN']);
  expect(transcript.filter(({ role }) => role === 'caller').map(({ text }) => text)).toEqual([
    'last week',
    'बिल गलत है',
    'நேற்று வந்தது',
  ]);
  const gaps = frames.slice(1).map((at, index) => at - frames[index]!);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(FRAME_MS);
  const ears = usage!.filter(({ part }) => part === 'stt').map(({ agent }) => agent?.id ?? null);
  expect(ears).toEqual([null, HINDI, TAMIL]);
  const log = readLog(gunzipSync(Buffer.from(eventLog!, 'base64')).toString());
  expect(firstDifference(log)).toBeNull();
});
