import { acknowledgement, end, phrase, prompt, run, speak, type Agent, type Draft } from './turn.ts';
import { understand, type CallerLine } from './understanding/answer.ts';

/** "When should we call you back?" */
export function callback(agent: Agent, draft: Draft, next: number | null, line: CallerLine): void {
  const date = understand(line, { answer: 'date', choices: [] }, agent.wording);
  const time = understand(line, { answer: 'time', choices: [] }, agent.wording);
  const parts = [date, time].flatMap((part) => (part?.type === 'value' ? [part.value] : []));
  const [first, second] = parts;
  const when =
    second !== undefined && first !== undefined && !first.includes(second.split(' ')[0] ?? '')
      ? `${first} ${second}`
      : (first ?? '');
  if (when === '' && draft.memory.retries < 1) {
    draft.memory = { ...draft.memory, retries: draft.memory.retries + 1 };
    speak(draft, phrase(agent, draft, 'notUnderstood'));
    prompt(agent, draft);
    return;
  }
  noteCallback(agent, draft, when, line.text, next);
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
