import { acknowledgement, end, phrase, prompt, run, speak, type Agent, type Draft } from './turn.ts';
import { understand, type CallerLine } from './understanding/answer.ts';
import { momentIn, momentOf, soon, type Moment } from './understanding/moment.ts';

/** "When should we call you back?" */
export function callback(agent: Agent, draft: Draft, next: number | null, line: CallerLine): void {
  const date = understand(line, { answer: 'date', choices: [] }, agent.wording);
  const time = understand(line, { answer: 'time', choices: [] }, agent.wording);
  const [day, hour] = [date, time].map((found) => (found?.type === 'value' ? found.value : null));
  const keyed = line.by === 'keypad' ? momentOf(day ?? null, hour ?? null) : line.text;
  const moment = momentIn(keyed, agent.wording, day, hour);
  if (moment === null && draft.memory.retries < 1) {
    draft.memory = { ...draft.memory, retries: draft.memory.retries + 1 };
    speak(draft, phrase(agent, draft, 'notUnderstood'));
    prompt(agent, draft);
    return;
  }
  noteCallback(agent, draft, moment ?? soon(agent.wording), line.text, next);
}

export function noteCallback(
  agent: Agent,
  draft: Draft,
  { said: words, when }: Moment,
  said: string,
  next: number | null,
): void {
  draft.tools.push({ name: 'schedule_callback', args: { when, said: said.slice(0, 200) } });
  const text = phrase(agent, draft, 'callbackNoted', { when: words });
  const onward = next === null ? undefined : agent.script.steps[next];
  if (next === null || onward === undefined || onward.type === 'close') end(agent, draft, text);
  else {
    speak(draft, acknowledgement(agent, draft));
    run(agent, draft, next);
  }
}
