import { expect, it } from 'vitest';
import { Expressions } from './expression.ts';

it('compares a number with a whole number in either order', () => {
  const expressions = new Expressions([{ name: 'tries', type: 'number' }]);
  const valueOf = (source: string): unknown => {
    const { problems } = expressions.check(source);
    return problems.length > 0 ? problems : expressions.evaluate(source, { tries: 3 });
  };
  for (const source of [
    'tries == 3',
    '3 == tries',
    'tries != 4',
    '4 != tries',
    'tries == 3.0',
    'tries < 4',
  ]) {
    expect([source, valueOf(source)]).toEqual([source, true]);
  }
  for (const source of ['tries == 4', '4 == tries', 'tries != 3', '3 != tries']) {
    expect([source, valueOf(source)]).toEqual([source, false]);
  }
});
