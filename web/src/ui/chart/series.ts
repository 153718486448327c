/** One kind of value of a chart, with the class that fills it and the class of its square in the legend. */
export interface Series {
  readonly name: string;
  readonly fill: string;
  readonly square: string;
}

export const ANSWERED: Series = { name: 'Answered', fill: 'fill-assistant', square: 'bg-assistant' };
export const UNANSWERED: Series = { name: 'Not answered', fill: 'fill-quiet', square: 'bg-quiet' };
