import { addWords } from './commit.ts';
import { isSounding } from './segment.ts';
import { change, changeCaller, type Step } from './state.ts';
import { takeFloor } from './stop.ts';

/** Typed words interrupt like confirmed speech, and are a whole turn: no pause is waited for. */
export function onTyped(step: Step, text: string, at: number): Step {
  const words = text.trim();
  if (words === '') return step;
  const floor = change(takeFloor(step, at, at), { idle: { since: at, warned: false } });
  const { caller } = floor.state;
  const begins = caller.text === '' && caller.sound.phase === 'none';
  return addWords(
    changeCaller(floor, {
      end: { certain: true, judged: caller.end.judged },
      typed: true,
      firstSince: begins ? at : caller.firstSince,
      quietSince: isSounding(caller.sound) ? caller.quietSince : at,
    }),
    words,
    at,
  );
}
