export interface Question {
  readonly question: string;
  readonly answer: string;
}

const END = /^(.*?[?？؟])\s+(\S.*)$/s;

/** The key points of the analyst without a model, `question answer`, apart. Points without a question are left out. Pure. */
export function questionsOf(points: unknown): readonly Question[] {
  if (!Array.isArray(points)) return [];
  return points.flatMap((point: unknown) => {
    const [, question, answer] = (typeof point === 'string' ? END.exec(point) : null) ?? [];
    return question === undefined || answer === undefined ? [] : [{ question, answer }];
  });
}
