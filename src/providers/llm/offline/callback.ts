import { acknowledgement, end, phrase, prompt, run, speak, type Agent, type Draft } from './turn.ts';
import { understand, type CallerLine } from './understanding/answer.ts';

/** "When should we call you back?" */
export function callback(agent: Agent, draft: Draft, next: number | null, line: CallerLine): void {
  const date = understand(line, { answer: 'date', choices: [] }, agent.wording);
  const time = understand(line, { answer: 'time', choices: [] }, agent.wording);
  const when = momentOf(
    date?.type === 'value' ? date.value : null,
    time?.type === 'value' ? time.value : null,
  );
  if (when === '' && draft.memory.retries < 1) {
    draft.memory = { ...draft.memory, retries: draft.memory.retries + 1 };
    speak(draft, phrase(agent, draft, 'notUnderstood'));
    prompt(agent, draft);
    return;
  }
  noteCallback(agent, draft, when, line.text, next);
}

/** Day and time as one phrase; a time that the day already holds is not repeated. */
export function momentOf(date: string | null, time: string | null): string {
  const clock = time !== null && /^\d/.test(time) ? `at ${time}` : time;
  if (date === null || clock === null) return date ?? clock ?? '';
  return date.includes(time?.split(' ')[0] ?? '') ? date : `${date} ${clock}`;
}

export function noteCallback(
  agent: Agent,
  draft: Draft,
  when: string,
  said: string,
  next: number | null,
): void {
  draft.tools.push({ name: 'schedule_callback', args: { when, said: said.slice(0, 200) } });
  const text =
    when === '' ? phrase(agent, draft, 'callbackNotedOpen') : phrase(agent, draft, 'callbackNoted', { when });
  const onward = next === null ? undefined : agent.script.steps[next];
  if (next === null || onward === undefined || onward.type === 'close') end(agent, draft, text);
  else {
    speak(draft, acknowledgement(agent, draft));
    run(agent, draft, next);
  }
}
